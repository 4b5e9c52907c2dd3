import { Readable } from 'node:stream'
import { goodPassword, signUp } from '@fastify-accounts/test-support/app'
import { expect, it } from 'vitest'
import { browser, pagesApp } from './pages-app.js'

it('leads a browser from a guarded route to log in, and back', async () => {
  const world = await pagesApp()
  await signUp(world, 'ada')
  const visitor = browser(world.app)
  const login = await visitor.open('/secret/?a=1')
  expect(login.url).toBe('/login/?next=%2Fsecret%2F%3Fa%3D1')
  const wrong = await visitor.submit('Log in', { username: 'ada', password: 'not-this-one' })
  expect(wrong.status).toBe(401)
  expect(wrong.text).toContain('Wrong username')
  const back = await visitor.submit('Log in', { username: 'ada', password: goodPassword })
  expect(back).toMatchObject({ status: 200, url: '/secret/?a=1', html: 'in' })
})

it('leads nobody whom the app lets in itself, and stops a handler that a guard refuses', async () => {
  const ran: string[] = []
  const { app } = await pagesApp({}, {}, (host) => {
    host.get('/in-handler/', async (request, reply) => {
      await host.accounts.requireUser(request, reply)
      ran.push('beyond the guard')
      return 'in'
    })
    host.get('/for-all/', async (request, reply) => {
      await host.accounts.requireUser(request, reply).catch(() => {})
      return request.user === null ? 'a stranger' : 'a user'
    })
  })
  const visitor = browser(app)
  expect((await visitor.open('/in-handler/')).url).toBe('/login/?next=%2Fin-handler%2F')
  expect(ran).toEqual([])
  expect((await visitor.open('/for-all/')).html).toBe('a stranger')
})

it('answers scripts and programs as before', async () => {
  const { app } = await pagesApp()
  const refused = { statusCode: 401, code: 'ACCOUNTS_LOGIN_REQUIRED' }
  for (const headers of [
    {},
    { accept: '*/*' },
    { accept: 'application/json' },
    { accept: 'text/html', 'sec-fetch-mode': 'cors' },
  ]) {
    const response = await app.inject({ url: '/secret/', headers })
    expect(response.json(), JSON.stringify(headers)).toMatchObject(refused)
  }
  expect((await app.inject({ method: 'POST', url: '/login/', payload: {} })).statusCode).toBe(400)
  expect((await app.inject({ url: '/login/' })).statusCode).toBe(405)
})

it('leads with no more than the way in, whatever an error handler has sent', async () => {
  const sent = Readable.from(['a long text about the refusal'])
  const { app } = await pagesApp({}, {}, (host) => {
    host.setErrorHandler((error: { statusCode?: number }, _, reply) =>
      reply
        .code(error.statusCode ?? 500)
        .header('content-length', 29)
        .type('text/plain')
        .send(sent),
    )
  })
  const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
  const response = await app.inject({ url: '/secret/', headers })
  expect(response).toMatchObject({ statusCode: 303, body: '' })
  expect(response.headers).toMatchObject({ 'content-length': '0', 'cache-control': 'no-store' })
  expect(response.headers).not.toHaveProperty('content-type')
  expect(sent.destroyed).toBe(true)
})
