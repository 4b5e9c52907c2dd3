import { driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import { createClient } from '@fastify-accounts/test-support/example-server/client'
import { run, start } from '@fastify-accounts/test-support/example-server/server'
import { describe, expect, it, onTestFinished } from 'vitest'

const password = 'seven-green-lanterns'

describe.each(await driversHere(['libsql', 'pg', 'mysql2']))('on $title', ({ name, engine }) => {
  it('users and sessions survive a restart', async () => {
    const { place, drop } = await makeDatabase(name)
    onTestFinished(drop)
    const environment = {
      DATABASE_URL: engine === 'sqlite' ? `file:${place.url}` : place.url,
      SECRET: 'a secret of at least 32 bytes for tests',
    }
    const first = await start(environment)
    expect(await (await fetch(first.url)).text()).toContain('Users and sessions are in ')
    const ada = createClient(first.url)
    const user = { username: 'ada', password, confirm_password: password }
    expect((await ada.post('/signup/', user)).status).toBe(201)
    expect((await ada.post('/login/', { username: 'ada', password })).status).toBe(200)
    first.process.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    const second = await start(environment)
    const again = createClient(second.url)
    for (const [name, value] of ada.cookies) again.cookies.set(name, value)
    expect(await (await again.get('/me/')).json()).toMatchObject({ username: 'ada' })
    expect((await again.post('/user/', user)).status).toBe(409)
    second.process.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  })
})

/** Reserved, so nothing listens on it. */
const unused = 1

describe('an unreachable database', () => {
  it.each(['postgres', 'mysql'])('stops the start with one line on %s', async (scheme) => {
    const server = run({
      DATABASE_URL: `${scheme}://ada:hunter2-and-more@127.0.0.1:${unused}/accounts`,
      LOG_LEVEL: 'silent',
    })
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(
      new RegExp(
        `^Not started: DATABASE_URL names ${scheme}://127\\.0\\.0\\.1:\\d+/accounts, .*ECONNREFUSED.*\\n$`,
      ),
    )
    expect(server.output()).not.toContain('hunter2')
  })
})
