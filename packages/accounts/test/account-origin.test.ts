import { as, goodPassword, linkPath, logIn, signUp, testApp } from '@fastify-accounts/test-support/app'

import { expect, test } from 'vitest'
import { apiKeys, invitations } from '../src/index.js'

const open = () =>
  testApp({
    users: { variant: 'both', names: 'optional' },
    login: { emailCode: true },
    authorize: { createUser: () => true },
    features: [invitations(), apiKeys({ scopes: { 'orders:read': 'Read orders' } })],
  })

test('an account says who created it, whatever is changed later', async () => {
  const service = await open()
  const { accounts } = service.app
  const staff = { username: 'boss', password: goodPassword, isVerified: true, email: 'boss@example.org' }
  await accounts.createUser({ ...staff, isStaff: true })
  const boss = as(await logIn(service, 'boss'))
  const { id } = await signUp(service, 'alice')
  const alice = as(await logIn(service, 'alice'))
  const pair = { password: goodPassword, confirm_password: goodPassword }

  for (const [path, body, who] of [
    ['/signup/', { email: 'alone@example.org' }, {}],
    // Somebody who is logged in and may not create accounts for others signs up, as anybody may.
    ['/user/', { username: 'second', ...pair }, alice],
    ['/user/', { username: 'made', ...pair }, boss],
    ['/user/', { email: 'made@example.org' }, boss],
    ['/service/', { username: 'robot' }, boss],
  ] as const)
    expect([path, body, (await service.send('POST', path, body, who)).statusCode]).toEqual([
      ...[path, body],
      expect.toSatisfy((status) => status === 201 || status === 202),
    ])
  await accounts.createUser({ username: 'bare', email: 'bare@example.org', password: null })
  await accounts.invite({ email: 'gus@example.org' })
  const link = linkPath(await service.mail('invitation', 'gus@example.org'))
  const choice = { new_password: goodPassword, confirm_password: goodPassword }
  const accepted = await service.send('POST', link, { username: 'gus', ...choice })
  expect(accepted.statusCode, accepted.body).toBe(200)
  await accounts.createService({ username: 'cron' })
  await accounts.updateUser(id, { isStaff: true })

  const origins = new Map<string, string>()
  for (const { username, email, origin } of await service.users.list({ limit: 99 }))
    origins.set(/^user-[0-9a-f]{20}$/.test(username ?? 'user-') ? `${email}` : `${username ?? email}`, origin)
  expect(Object.fromEntries(origins)).toEqual({
    ...{ alice: 'self', second: 'self', 'alone@example.org': 'self' },
    ...{ made: 'staff', 'made@example.org': 'staff', robot: 'staff' },
    ...{ boss: 'host', bare: 'host', cron: 'host' },
    // Who accepts an invitation makes the account.
    gus: 'self',
  })
})

test('nobody is told it over HTTP', async () => {
  const service = await open()
  await signUp(service, 'alice')
  const me = await service.send('GET', '/me/', undefined, as(await logIn(service, 'alice')))
  expect(me.json()).not.toHaveProperty('origin')
})
