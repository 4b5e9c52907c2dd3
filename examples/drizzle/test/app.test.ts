import { driversHere, makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { createCheapHasher, createMailbox } from '@fastify-accounts/testing'
import { expect, onTestFinished, test } from 'vitest'
import { buildApp } from '../src/app.js'
import * as tables from '../src/tables.js'
import { workspaces } from '../src/workspaces.js'
import { migration } from './variants.js'

const drivers = await driversHere(['pg'])
// A file without tests would fail.
if (drivers.length === 0) test.todo('needs PostgreSQL')

test.runIf(drivers.length > 0)('each account has its workspace, from sign-up to deletion', async () => {
  const { place, drop } = await makeDatabase('pg')
  onTestFinished(drop)
  await runSql(place, ...(await migration('postgres', { ...tables, workspaces })))
  const app = await buildApp(place.url, {
    secret: 'a test needs no better secret than this one',
    baseUrl: 'http://localhost',
    mailer: createMailbox(),
    passwordHasher: createCheapHasher(),
  })
  try {
    const pair = { password: 'seven green lanterns', confirm_password: 'seven green lanterns' }
    const account = { username: 'ada', email: 'ada@example.org', ...pair }
    const post = (url: string, payload: object, cookie = '') =>
      app.inject({ method: 'POST', url, payload, headers: { cookie } })
    const created = await post('/user/', account)
    expect(created.statusCode).toBe(201)
    expect(await runSql(place, 'select user_id, name from workspaces')).toEqual([
      { user_id: created.json().id, name: 'My workspace' },
    ])
    // Taken: neither an account nor a workspace.
    expect((await post('/user/', { ...account, email: 'eve@example.org' })).statusCode).toBe(409)
    const login = await post('/login/', { username: 'ada', password: account.password })
    expect(login.statusCode).toBe(200)
    const cookie = login.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
    expect((await app.inject({ url: '/me/', headers: { cookie } })).json()).toMatchObject({ username: 'ada' })
    await app.close()
    expect(await runSql(place, 'select count(*)::int as count from workspaces')).toEqual([{ count: 1 }])
    await runSql(place, 'delete from accounts_users')
    expect(await runSql(place, 'select * from workspaces')).toEqual([])
  } finally {
    await app.close()
  }
})
