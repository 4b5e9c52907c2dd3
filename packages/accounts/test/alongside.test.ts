import { goodPassword, testApp } from '@fastify-accounts/test-support/app'
import { expect, test } from 'vitest'
import { AlongsideError, createMemoryUserStore } from '../src/index.js'

const body = { username: 'alice', password: goodPassword, confirm_password: goodPassword }

/** An app whose store fails to create a user with what the app's `alongside.created` threw. */
function failing(thrown: unknown, errorResponses: 'host' | 'plugin') {
  const seen: unknown[] = []
  const userStore = createMemoryUserStore()
  userStore.create = async () => {
    throw new AlongsideError('created', thrown)
  }
  return testApp(
    { userStore, errorResponses },
    {
      before: (app) =>
        app.setErrorHandler((error: { statusCode?: number }, _request, reply) => {
          seen.push(error)
          return reply.code(error.statusCode ?? 500).send({ own: true })
        }),
    },
  ).then((service) => ({ ...service, seen }))
}

test('the app’s error handler gets the error of alongside itself', async () => {
  const mine = Object.assign(new Error('the plan is full'), { statusCode: 402, plan: { seats: 3 } })
  const { send, app, seen } = await failing(mine, 'host')
  const response = await send('POST', '/user/', body)
  expect([response.statusCode, response.json()]).toEqual([402, { own: true }])
  expect(seen[0]).toBe(mine)
  await expect(app.accounts.createUser({ username: 'alice', password: goodPassword })).rejects.toBe(mine)
})

test('the plugin’s own responses have its status, and its text below 500 only', async () => {
  const mine = Object.assign(new Error('the plan is full'), { statusCode: 402 })
  const full = await failing(mine, 'plugin')
  expect((await full.send('POST', '/user/', body)).json()).toEqual({
    statusCode: 402,
    error: 'Payment Required',
    message: 'the plan is full',
  })
  const broken = await failing(new Error('duplicate key value violates "workspaces_slug"'), 'plugin')
  const response = await broken.send('POST', '/user/', body)
  expect([response.statusCode, response.body.includes('workspaces')]).toEqual([500, false])
})

test('a value that is no error becomes a 500, not an outage', async () => {
  for (const thrown of [undefined, null, 'no']) {
    const { send } = await failing(thrown, 'plugin')
    expect((await send('POST', '/user/', body)).statusCode).toBe(500)
  }
})
