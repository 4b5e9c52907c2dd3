import { goodPassword, signUp, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { type TokenClient, tokenClient } from '@fastify-accounts/test-support/tokens'
import { type SessionStore, tokens } from 'fastify-accounts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const window = 30_000

let service: TestApp
let app: TokenClient

beforeEach(async () => {
  service = await testApp({ features: [tokens()] })
  await signUp(service)
  vi.useFakeTimers({ toFake: ['Date'] })
  app = tokenClient(service)
  await app.send('POST', '/login/', { username: 'alice', password: goodPassword })
})
afterEach(() => void vi.useRealTimers())

const wait = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)
const visit = async (client: TokenClient) => (await client.send('GET', '/me/')).statusCode
const refresh = async (client: TokenClient) => (await client.refresh()).statusCode

/** Suspends the next change of a session until it is released. */
function holdChange(sessions: SessionStore): { reached: Promise<void>; release(): void } {
  const { change } = sessions
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => {
    sessions.change = async (...args) => {
      sessions.change = change
      resolve()
      await released
      return change(...args)
    }
  })
  return { reached, release: () => release() }
}

test('a first visit counts although another part confirms at the same moment', async () => {
  const [other, thief] = [app.copy(), app.copy()]
  await app.refresh()
  const held = holdChange(service.sessions)
  const visited = visit(app)
  await held.reached
  expect((await other.send('POST', '/confirm/', { password: goodPassword })).statusCode).toBe(200)
  held.release()
  expect(await visited).toBe(200)
  wait(window)
  expect(await refresh(thief)).toBe(401)
})

test('a first visit opens a window although the one before it ends at the same moment', async () => {
  await app.refresh()
  const [other, thief] = [app.copy(), app.copy()]
  expect(await visit(app)).toBe(200)
  wait(window - 1)
  await app.refresh()
  const held = holdChange(service.sessions)
  const visited = visit(app)
  await held.reached
  wait(2 * window)
  expect(await refresh(other)).toBe(200)
  held.release()
  expect(await visited).toBe(200)
  expect(await visit(app)).toBe(200)
  wait(window)
  expect(await refresh(thief)).toBe(401)
})
