import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { logIn, signUp, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { holdBody } from '@fastify-accounts/test-support/held-body'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { AccountsHook } from '../src/index.js'

async function listening(before: (app: TestApp['app']) => unknown = () => {}) {
  const service = await testApp({}, { before })
  const url = await service.app.listen({ port: 0, host: '127.0.0.1' })
  onTestFinished(() => service.app.close())
  await signUp(service)
  const cookie = await logIn(service)
  return { ...service, url, port: Number(new URL(url).port), cookie }
}

test('a body that comes with the headers costs one lookup of the session, and a later one another', async () => {
  let admitted = 0
  const { url, port, cookie, sessions } = await listening((app) => {
    app.addHook('preParsing', async () => {
      admitted += 1
    })
  })
  const { find: found } = sessions
  // Like a store that isn't in memory.
  const find = vi.spyOn(sessions, 'find').mockImplementation(async (id) => {
    await setImmediate()
    return found(id)
  })
  const body = { username: 'alice' }
  const headers = { cookie, 'content-type': 'application/json' }
  // Unlike fetch, this sends both at once.
  const sent = request(`${url}/me/`, { method: 'PATCH', headers }).end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  expect(response.statusCode).toBe(200)
  expect(find).toHaveBeenCalledTimes(1)

  admitted = 0
  const finish = holdBody({ port, method: 'PATCH', url: '/me/', cookie, body })
  await expect.poll(() => admitted).toBe(1)
  expect(await finish()).toBe(200)
  expect(find).toHaveBeenCalledTimes(3)
})

test('a check after the body’s arrival is repeated if an earlier one is', async () => {
  let reached = false
  let open = (): void => {}
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  let hasBody = (): boolean => false
  const { port, cookie, send } = await listening((host) => {
    const load: AccountsHook = (asked, reply) => host.accounts.loadUser(asked, reply)
    const require: AccountsHook = (asked, reply) => host.accounts.requireUser(asked, reply)
    const wait: AccountsHook = async ({ raw }) => {
      hasBody = () => raw.complete
      reached = true
      await isOpen
    }
    host.post('/held', { onRequest: [load, wait, require] }, async ({ user }) => ({ name: user?.username }))
  })
  const finish = holdBody({ port, method: 'POST', url: '/held', cookie, body: {} })
  await expect.poll(() => reached).toBe(true)
  const status = finish()
  await expect.poll(() => hasBody()).toBe(true)
  expect((await send('POST', '/logout/', undefined, { headers: { cookie } })).statusCode).toBe(204)
  open()
  expect(await status).toBe(401)
})
