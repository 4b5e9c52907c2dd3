import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { createRequestSlot } from '../src/request-slot.js'

test('a value belongs to one request and one slot, even of the same name', () => {
  const [slot, other] = [createRequestSlot<string>('user'), createRequestSlot<string>('user')]
  const [request, another] = [{}, {}]
  slot.set(request, 'ada')
  expect([slot.get(request), slot.get(another), other.get(request)]).toEqual(['ada', undefined, undefined])
  slot.set(request, undefined)
  expect(slot.get(request)).toBeUndefined()
})

test('a value is created once, even if it is null', () => {
  const slot = createRequestSlot<string | null>('address')
  const request = {}
  let created = 0
  const create = () => {
    created += 1
    return null
  }
  expect([slot.getOrCreate(request, create), slot.getOrCreate(request, create), created]).toEqual([
    null,
    null,
    1,
  ])
})

test('neither a printed request nor its JSON shows the value', () => {
  const slot = createRequestSlot<object>('user')
  const request = { id: 'req-1' }
  slot.set(request, { passwordHash: 'secret' })
  expect(inspect(request, { depth: 9, showHidden: true })).not.toContain('secret')
  expect(JSON.stringify(request)).toBe('{"id":"req-1"}')
})
