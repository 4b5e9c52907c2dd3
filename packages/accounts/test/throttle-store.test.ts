import { goodPassword, otherPassword, signUp, testApp } from '@fastify-accounts/test-support/app'
import { describe, expect, test } from 'vitest'
import { createMemoryThrottleStore, type ThrottleStore } from '../src/index.js'

/** A service, and every call of its throttle store. */
async function watched(change: Partial<ThrottleStore> = {}) {
  const memory = createMemoryThrottleStore()
  const calls: [string, ...unknown[]][] = []
  const watch =
    <Args extends unknown[], Result>(name: string, method: (...args: Args) => Result) =>
    (...args: Args): Result => {
      calls.push([name, ...args])
      return method(...args)
    }
  const { increment, decrement, clear } = { ...memory, ...change }
  const store: ThrottleStore = {
    increment: watch('increment', increment),
    decrement: watch('decrement', decrement),
    clear: watch('clear', clear),
  }
  const service = await testApp({ throttle: { store } })
  await signUp(service, 'alice', { email: 'alice@example.org' })
  const logIn = (password: string) => service.send('POST', '/login/', { username: 'alice', password })
  return { ...service, calls, logIn }
}

describe('the throttle store', () => {
  test('is given no names or addresses, and each limit of an account separately', async () => {
    const { send, mail, calls, logIn } = await watched()
    await logIn(otherPassword)
    await send('POST', '/forgot/', { email: 'alice@example.org' })
    await mail('reset-password')
    const keys = calls.filter(([name]) => name === 'increment').map(([, key, window]) => [key, window])
    const accounts = keys.filter(([key]) => /^(loginAccount|loginAccountDay|forgotMails):/.test(String(key)))
    expect(accounts).toEqual([
      [expect.stringMatching(/^loginAccount:\{[\w-]{43}\}$/), 5 * 60_000],
      [expect.stringMatching(/^loginAccountDay:\{[\w-]{43}\}$/), 24 * 3_600_000],
      [expect.stringMatching(/^forgotMails:\{[\w-]{43}\}$/), 3_600_000],
    ])
    expect(new Set(accounts.map(([key]) => String(key).split(':')[1])).size).toBe(2)
    expect(JSON.stringify(calls)).not.toMatch(/alice/i)
  })

  test('clears the failures of an account after the right password', async () => {
    const { calls, logIn } = await watched()
    await logIn(goodPassword)
    const keysOf = (method: string) =>
      calls.flatMap(([name, key]) => (name === method && String(key).startsWith('loginAccount') ? [key] : []))
    expect(keysOf('clear').sort()).toEqual(keysOf('increment').sort())
    expect(keysOf('clear')).toHaveLength(2)
  })

  test.each([
    [0, '1'],
    [1, '1'],
    [1000, '1'],
    [1001, '2'],
    [299_999, '300'],
  ])('THR-01 with %i ms left returns a wait of %s s', async (resetMs, seconds) => {
    const increment: ThrottleStore['increment'] = async (key) => ({
      count: key.startsWith('loginAccount:') ? 6 : 1,
      resetMs,
    })
    const { logIn } = await watched({ increment })
    const response = await logIn(goodPassword)
    expect([response.statusCode, response.headers['retry-after']]).toEqual([429, seconds])
    expect(response.headers['ratelimit-limit']).toBe('5')
  })
})
