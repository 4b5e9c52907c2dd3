import { goodPassword, signUp, testApp } from '@fastify-accounts/test-support/app'
import { Type } from '@sinclair/typebox'
import { Ajv } from 'ajv'
import { describe, expect, test, vi } from 'vitest'
import type { AccountsError, FieldError } from '../src/index.js'

const fields = Type.Object({
  nickname: Type.Optional(Type.String({ minLength: 3, maxLength: 5, pattern: '^[a-z]*$' })),
  motto: Type.Optional(Type.String({ minLength: 1 })),
  born: Type.Optional(Type.String({ format: 'date' })),
  level: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  tree: Type.Optional(Type.Unknown()),
})

const codesOf = (faults: FieldError[] = []) =>
  Object.fromEntries(faults.map(({ field, code }) => [field, code]))

describe('own fields', () => {
  const script = { username: 'alice', password: goodPassword }

  /** The errors for a script that creates a user with these fields, or else the stored fields. */
  async function create(given: unknown, options: object = { users: { fields } }) {
    const { app, users } = await testApp(options)
    const input = { ...script, fields: given } as Parameters<typeof app.accounts.createUser>[0]
    try {
      await app.accounts.createUser(input)
    } catch (error) {
      return codesOf((error as AccountsError).fields)
    }
    return { kept: (await users.findByUsername('alice'))?.fields }
  }

  test.each([
    ['a value that is too short', { nickname: 'al' }, { nickname: 'too_short' }],
    ['a value that is too long', { nickname: 'alices' }, { nickname: 'too_long' }],
    ['an empty value where one character is required', { motto: '' }, { motto: 'required' }],
    ['two errors in one field with the more specific one', { nickname: 'A' }, { nickname: 'too_short' }],
    ['the same in reverse order', { nickname: 'ALICES' }, { nickname: 'too_long' }],
    ['a value in the wrong format', { born: '2026-02-30' }, { born: 'invalid' }],
    ['a number as a string', { level: '2' }, { level: 'invalid' }],
    ['a number below the least', { level: 0 }, { level: 'invalid' }],
    ['a string as a number', { nickname: 1234 }, { nickname: 'invalid' }],
    [
      'several fields, each with its error',
      { nickname: 'A!', x: 1, y: 2 },
      { nickname: 'too_short', x: 'unknown', y: 'unknown' },
    ],
    ['NUL before what is too short', { nickname: '\0' }, { nickname: 'invalid' }],
    ['NUL in a text', { motto: 'a\0b' }, { motto: 'invalid' }],
    ['a lone surrogate in a text', { motto: 'a\ud800' }, { motto: 'invalid' }],
    ['NUL deep in a value', { tree: { a: [1, { b: '\0' }] } }, { tree: 'invalid' }],
    ['a lone surrogate deep in a value', { tree: [['\udc00']] }, { tree: 'invalid' }],
    ['NUL in a name', { tree: { a: { 'b\0': 1 } } }, { tree: 'invalid' }],
    ["a value that isn't an object", ['a'], { '': 'invalid' }],
    ['a string', 'a', { '': 'invalid' }],
  ])('reject %s', async (_, given, codes) => {
    expect(await create(given)).toEqual(codes)
  })

  test.each([
    ['three to five characters', { nickname: 'ali' }],
    ['the longest', { nickname: 'alice' }],
    ['values of every kind', { tree: { a: [1, true, null, 'x', { b: [] }], 'ü🐢': '🐢' }, level: 3 }],
    ['null', { tree: null, level: 1 }],
    ['a day', { born: '2024-02-29' }],
  ])('accept %s unchanged', async (_, given) => {
    expect(await create(given)).toEqual({ kept: { level: 1, ...given } })
  })

  test("don't exist unless declared", async () => {
    expect(await create({}, {})).toEqual({ kept: {} })
    expect(await create({ nickname: 'alice' }, {})).toEqual({ nickname: 'unknown' })
  })

  test('are reported together with ours over HTTP, each once', async () => {
    const { send } = await testApp({ users: { fields } })
    const body = { nickname: 'A', level: '2', tree: { a: 'b' }, x: 1, password: '', confirm_password: 7 }
    const response = await send('POST', '/user/', body)
    expect(response.statusCode).toBe(400)
    const faults: FieldError[] = response.json().fields
    expect(codesOf(faults)).toEqual({
      username: 'required',
      password: 'required',
      confirm_password: 'invalid',
      nickname: 'too_short',
      level: 'invalid',
      x: 'unknown',
    })
    expect(faults).toHaveLength(6)
  })
})

test("a query is text, so numbers are parsed from it; a body isn't", async () => {
  const service = await testApp({ authorize: { listUsers: () => true } })
  for (const username of ['alice', 'bob', 'carol']) {
    await service.app.accounts.createUser({ username, password: goodPassword })
  }
  const login = await service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  const headers = { cookie: `session=${login.cookies[0]?.value}` }
  const list = async (query: string) => (await service.app.inject({ url: `/user/${query}`, headers })).json()
  expect((await list('?limit=2')).results).toHaveLength(2)
  expect((await list('')).results).toHaveLength(3)
  expect(codesOf((await list('?limit=2x')).fields)).toEqual({ limit: 'invalid' })
  expect(codesOf((await list('?limit=2&page=1')).fields)).toEqual({ page: 'unknown' })
  const body = { username: 7, password: goodPassword }
  expect(codesOf((await service.send('POST', '/login/', body)).json().fields)).toEqual({
    username: 'invalid',
  })
})

test('schemas are compiled with the first request that needs them, and only once', async () => {
  const service = await testApp()
  const compile = vi.spyOn(Ajv.prototype, 'compile')
  await service.app.ready()
  expect(compile).not.toHaveBeenCalled()
  await signUp(service)
  const login = () => service.send('POST', '/login/', { username: 'alice', password: goodPassword })
  await login()
  const compiled = compile.mock.calls.length
  expect(compiled).toBeGreaterThan(0)
  expect((await login()).statusCode).toBe(200)
  expect(compile).toHaveBeenCalledTimes(compiled)
})
