import { as, goodPassword, logIn, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { everyFeature, mountedOperations } from '@fastify-accounts/test-support/operations'
import { expect, test } from 'vitest'

const fields = {
  type: 'object',
  properties: {
    size: { type: 'string', enum: ['s', 'm'] },
    plan: { type: 'string', readOnly: true },
    place: { type: 'object' },
  },
} as const
const roles = { editor: ['posts:write'], writer: ['posts:read'], support: ['users:read', 'users:disable'] }
const createdAt = '2026-01-02T03:04:05.678Z'

/** An account with everything that can be changed, of which nothing would be accepted anew. */
async function olderAccount() {
  const service = await testApp({ features: await everyFeature(), users: { fields }, roles })
  const { users, app } = service
  const create = (username: string, isStaff: boolean) =>
    app.accounts.createUser({
      username,
      password: goodPassword,
      email: `${username}@example.org`,
      isVerified: true,
      isStaff,
    })
  const { id } = await create('alice', false)
  await create('boss', true)
  const cookie = await logIn(service, 'alice')
  const boss = await logIn(service, 'boss')
  const app1 = { kind: 'totp', id: 'app', name: 'Phone', sealed: '', step: 0, createdAt, lastUsedAt: null }
  const passkey = { kind: 'passkey', id: 'a2V5', publicKey: '', counter: 0, transports: [], use: 'factor' }
  const named = { name: 'Key', createdAt, lastUsedAt: createdAt, backupEligible: null, backedUp: true }
  const changes = {
    username: 'a b',
    usernameKey: 'a b',
    fields: { size: 'xl', plan: 'pro', place: { city: 'Ghent' } },
    roles: ['gone', 'editor'],
    credentials: [app1, { ...passkey, ...named, handle: null }],
    identityKeys: ['passkey:a2V5'],
  }
  await users.update(id, changes, (await users.findById(id))?.version ?? 0)
  return { service, id, cookie, boss }
}

type Read = (body: Record<string, never>) => unknown

/** For each operation with PATCH: who sends it, where GET shows what it changes, and what of that response. */
const resources: Record<
  string,
  { as: 'cookie' | 'boss'; shown: (id: string) => string; of?: Read; url?: (id: string) => string }
> = {
  updateMe: { as: 'cookie', shown: () => '/me/' },
  updateUser: { as: 'boss', shown: (id) => `/user/${id}` },
  changeFactors: { as: 'cookie', shown: () => '/second-factor/' },
  renameTotpApp: { as: 'cookie', shown: () => '/second-factor/', of: ({ apps }) => apps?.[0] },
  renamePasskey: { as: 'cookie', shown: () => '/passkeys/', of: ({ results }) => results?.[0] },
  updateOrganization: { as: 'cookie', shown: () => '/organizations/acme' },
  changeMemberRoles: {
    as: 'cookie',
    shown: () => '/organizations/acme/members/',
    of: ({ results }) => results?.[0],
    url: (id) => `/organizations/acme/members/${id}`,
  },
}

test('each PATCH takes all that GET shows, and then changes nothing', async () => {
  const { app, mounted } = await mountedOperations({
    features: await everyFeature(),
    users: { fields },
    roles,
  })
  await app.close()
  const patches = [...mounted].filter(([, { method }]) => method === 'PATCH')
  expect(patches.map(([operation]) => operation).sort()).toEqual(Object.keys(resources).sort())
  const { service, id, ...cookies } = await olderAccount()
  const stored = async () => {
    const { version: _, ...user } = (await service.users.findById(id)) ?? { version: 0 }
    return user
  }
  const organization = { name: 'Acme', slug: 'acme' }
  await service.send('POST', '/organizations/', organization, as(cookies.cookie))
  const before = await stored()
  const emailed = service.mails.length
  for (const [operation, { path, schema }] of patches) {
    const {
      as: sender,
      shown,
      of = (body) => body,
      url: urlOf,
    } = resources[operation] as (typeof resources)[string]
    const who = as(cookies[sender])
    const whole = of((await service.send('GET', shown(id), undefined, who)).json()) as Record<string, unknown>
    const url = urlOf?.(id) ?? path.replace(/\{\w+\}/, String(whole.id))
    const response = await service.send('PATCH', url, whole, who)
    expect([operation, response.statusCode, response.body]).toEqual([operation, 200, response.body])
    expect([operation, await stored()]).toEqual([operation, before])

    const own = Object.keys((schema.body as { properties: object }).properties)
    const fixed = Object.keys(whole).filter((name) => !own.includes(name))
    expect(fixed.length).toBeGreaterThan(1)
    for (const name of fixed) {
      const refused = await service.send('PATCH', url, { ...whole, [name]: ['another'] }, who)
      expect([operation, refused.statusCode, refused.json().fields]).toEqual([
        operation,
        400,
        [{ field: name, code: 'read_only', message: 'This field can’t be changed here.' }],
      ])
    }
    const { fields: unknown } = (await service.send('PATCH', url, { ...whole, nope: 1 }, who)).json()
    expect(unknown).toMatchObject([{ field: 'nope', code: 'unknown', message: 'Unknown field.' }])
    expect([operation, await stored()]).toEqual([operation, before])
  }
  await service.settle()
  expect(service.mails.length).toBe(emailed)
  expect((await service.send('GET', '/me/', undefined, as(cookies.cookie))).statusCode).toBe(200)
})

const patchedBy = (service: TestApp, cookie: string, id: string) => async (body: object) =>
  (await service.send('PATCH', `/user/${id}`, body, as(cookie))).json()

test('of a whole resource, only what differs is changed and takes a permission', async () => {
  const { service, id, boss } = await olderAccount()
  const { id: sue } = await service.app.accounts.createUser({
    username: 'sue',
    password: goodPassword,
    roles: ['support', 'editor'],
  })
  const patch = patchedBy(service, await logIn(service, 'sue'), id)
  const whole = (await service.send('GET', `/user/${id}`, undefined, as(boss))).json()
  expect(await patch({ ...whole, is_active: false })).toMatchObject({ is_active: false, username: 'a b' })
  expect(await patch({ ...whole, is_active: false, roles: ['writer'] })).toMatchObject({ statusCode: 403 })
  expect(await patch({ ...whole, is_active: false, email: 'x@example.org' })).toMatchObject({
    statusCode: 403,
  })
  expect(await patch({ roles: whole.roles })).toMatchObject({ statusCode: 403 })
  const me = (await service.send('GET', `/user/${sue}`, undefined, as(boss))).json()
  // Somebody who doesn't see a field can't find out its value.
  const { id: eve } = await service.app.accounts.createUser({ username: 'eve', password: goodPassword })
  const guess = patchedBy(service, await logIn(service, 'eve'), sue)
  for (const created_at of [me.created_at, createdAt])
    expect(await guess({ id: sue, created_at })).toMatchObject({ fields: [{ field: 'created_at' }] })
  expect(await service.users.findById(eve)).toMatchObject({ isActive: true })
})

test('a list of roles may have those that the code no longer names, and a wrong one is named', async () => {
  const { service, id, boss } = await olderAccount()
  const patch = patchedBy(service, boss, id)
  expect((await patch({ roles: ['gone', 'editor', 'writer'] })).roles).toEqual(['gone', 'editor', 'writer'])
  expect((await patch({ roles: ['writer'] })).roles).toEqual(['gone', 'writer'])
  for (const roles of [
    ['writer', 'drivr'],
    ['gone', 'drivr'],
  ])
    expect((await patch({ roles })).fields).toEqual([
      { field: 'roles', code: 'invalid', message: '“drivr” isn’t one of the possible values.' },
    ])
  await expect(service.app.accounts.updateUser(id, { roles: ['drivr'] })).rejects.toMatchObject({
    fields: [{ field: 'roles', message: '“drivr” isn’t one of the possible values.' }],
  })
  // What is no text has no name to look up.
  for (const strange of [{ toString: 1 }, null, [['writer']]])
    expect((await patch({ roles: ['gone', strange] })).fields).toMatchObject([
      { field: 'roles', code: 'invalid' },
    ])
  expect((await service.users.findById(id))?.roles).toEqual(['gone', 'writer'])
})

test('staff vouch for a new address with the flag, but not with one that a whole resource repeats', async () => {
  const { service, id, boss } = await olderAccount()
  const patch = patchedBy(service, boss, id)
  expect(await patch({ email: 'a@example.org', is_verified: true })).toMatchObject({ is_verified: true })
  const whole = (await service.send('GET', `/user/${id}`, undefined, as(boss))).json()
  // A form that saves every field must not vouch for an address that it has changed.
  expect(await patch({ ...whole, email: 'b@example.org' })).toMatchObject({ is_verified: false })
  expect(await patch({ ...whole, email: 'b@example.org' })).toMatchObject({ is_verified: true })
})
