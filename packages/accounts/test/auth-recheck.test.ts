import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { setImmediate } from 'node:timers/promises'
import { logIn, signUp, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { holdBody } from '@fastify-accounts/test-support/held-body'
import { expect, onTestFinished, test, vi } from 'vitest'
import { AccountsError, type AccountsHook } from '../src/index.js'

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

test('hooks in onRequest share one lookup of the session; each call after them reads again', async () => {
  const { cookie, sessions, send } = await listening((app) => {
    const hook =
      (name: 'loadUser' | 'requireUser' | 'requireRecentLogin'): AccountsHook =>
      (asked, reply) =>
        app.accounts[name](asked, reply)
    const all = [hook('loadUser'), hook('requireUser'), hook('requireRecentLogin')]
    app.get('/once', { onRequest: all }, async () => ({}))
    app.get('/late', { preHandler: hook('requireUser') }, async () => ({}))
    app.get('/twice', { onRequest: all }, async (asked, reply) => {
      await hook('requireRecentLogin')(asked, reply)
      return {}
    })
  })
  const find = vi.spyOn(sessions, 'find')
  const headers = { cookie }
  for (const [url, lookups] of [
    ['/once', 1],
    ['/late', 1],
    ['/twice', 2],
  ] as const) {
    find.mockClear()
    expect((await send('GET', url, undefined, { headers })).statusCode).toBe(200)
    expect([url, find.mock.calls.length]).toEqual([url, lookups])
  }
})

test('what the app has made of request.user stays when the check is repeated; without its user, the request is refused', async () => {
  let admitted = 0
  const { port, cookie, send } = await listening((app) => {
    const load: AccountsHook = (asked, reply) => app.accounts.loadUser(asked, reply)
    const enrich: AccountsHook = async (asked) => {
      if (asked.user) Object.assign(asked, { user: { ...asked.user, roles: ['editor'] } })
      else Object.assign(asked, { user: { id: 'a service of the app' } })
      admitted += 1
    }
    app.post('/enriched', { onRequest: [load, enrich] }, ({ user }, reply) =>
      reply.code(user && 'roles' in user ? 200 : 202).send({}),
    )
  })
  const held = async (own: string) => {
    const before = admitted
    const finish = holdBody({ port, method: 'POST', url: '/enriched', cookie: own, body: {} })
    await expect.poll(() => admitted).toBe(before + 1)
    return finish
  }
  expect(await (await held(cookie))()).toBe(200)
  expect(await (await held(''))()).toBe(202)
  const finish = await held(cookie)
  await send('POST', '/logout/', undefined, { headers: { cookie } })
  expect(await finish()).toBe(401)
})

test("an app's own rule on a body that arrives late needs preHandler as well", async () => {
  let admitted = 0
  const { app, port, send } = await listening((host) => {
    const requireStaff: AccountsHook = async (asked, reply) => {
      await host.accounts.requireUser(asked, reply)
      if (!host.accounts.userOf(asked).isStaff) throw new AccountsError('ACCOUNTS_FORBIDDEN')
      admitted += 1
    }
    host.post('/once', { onRequest: requireStaff }, async () => ({}))
    host.post('/twice', { onRequest: requireStaff, preHandler: requireStaff }, async () => ({}))
  })
  const { id = '' } = (await app.accounts.findUser({ username: 'alice' })) ?? {}
  const demotedMeanwhile = async (url: string): Promise<number> => {
    await app.accounts.updateUser(id, { isStaff: true })
    const session = await logIn({ send })
    admitted = 0
    const finish = holdBody({ port, method: 'POST', url, cookie: session, body: {} })
    await expect.poll(() => admitted).toBe(1)
    await app.accounts.updateUser(id, { isStaff: false })
    return finish()
  }
  expect([await demotedMeanwhile('/once'), await demotedMeanwhile('/twice')]).toEqual([200, 403])
})
