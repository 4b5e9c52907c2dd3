import { createClient } from '@fastify-accounts/test-support/example-server/client'
import { start, temporaryFolder } from '@fastify-accounts/test-support/example-server/server'
import { expect, test } from 'vitest'

const ada = { username: 'ada', password: 'seven-green-lanterns' }

test('FLT-14 SIGTERM with 50 logins in flight: each gets a response or is never accepted, and every successful login stays valid', async () => {
  const folder = temporaryFolder()
  // A hash slow enough for SIGTERM to arrive during it.
  const environment = { THROTTLE: 'off', SCRYPT: '13,8,1' }
  const server = await start(environment, folder)
  const signUp = { ...ada, confirm_password: ada.password }
  expect((await createClient(server.ownUrl).post('/signup/', signUp)).status).toBe(201)

  const clients = Array.from({ length: 50 }, () => createClient(server.ownUrl))
  let first = (): void => {}
  const begun = new Promise<void>((resolve) => {
    first = resolve
  })
  const logins = clients.map(async (client) => {
    const status = await client.post('/login/', ada).then(
      (response) => response.status,
      () => 'no connection',
    )
    first()
    return status
  })
  await begun
  server.process.kill('SIGTERM')
  const statuses = await Promise.all(logins)
  expect(await server.ended).toBe(0)
  expect(server.output()).not.toMatch(/unhandled|"level":[56]0/i)
  for (const status of statuses) expect([200, 503, 'no connection']).toContain(status)
  expect(statuses).toContain(200)

  const next = await start(environment, folder)
  for (const [index, { cookies }] of clients.entries()) {
    const client = createClient(next.url)
    for (const [name, value] of cookies) client.cookies.set(name, value)
    expect((await client.get('/me/')).status).toBe(statuses[index] === 200 ? 200 : 401)
  }
  expect((await createClient(next.url).post('/login/', ada)).status).toBe(200)
})
