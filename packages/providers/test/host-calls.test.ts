import { passkeys } from '@fastify-accounts/passkeys'
import { signUp, testApp } from '@fastify-accounts/test-support/app'
import { demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { expect, it } from 'vitest'
import { microsoft, providers } from '../src/index.js'

const ada = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, preferred_username: 'ada' }
const named = { provider: 'demo', subject: 'ada-1' }

it('finds, links, lists and removes identities, and tells the owner', async () => {
  const service = await demoApp()
  const { accounts } = service.app
  const { id } = await accounts.createUser({ username: 'alice', password: null, email: 'alice@example.org' })
  expect(await accounts.findUser({ identity: named })).toBeNull()
  expect(await accounts.addIdentity(id, named)).toBe(true)
  expect((await service.mail('identity-added')).text).toContain('With: Demo')
  expect(await accounts.findUser({ identity: named })).toMatchObject({ id, username: 'alice' })
  const browser = visitor(service)
  await browser.logInWith(ada)
  expect(await browser.who()).toBe('alice')
  const listed = await accounts.listIdentities(id)
  expect(listed).toEqual([
    {
      id: expect.any(String),
      provider: 'demo',
      label: 'ada@example.org',
      createdAt: expect.any(Date),
      lastUsedAt: expect.any(Date),
    },
  ])
  const [{ id: identity = '' } = {}] = listed ?? []
  await expect(accounts.removeIdentity(id, identity)).rejects.toMatchObject({
    code: 'ACCOUNTS_CONFLICT',
    reason: 'last_way_in',
  })
  await accounts.setPassword(id, 'correct horse battery')
  expect(await accounts.removeIdentity(id, identity)).toBe(true)
  expect((await service.mail('identity-removed')).text).toContain('Demo')
  expect(await accounts.removeIdentity(id, identity)).toBe(false)
  expect(await accounts.listIdentities(id)).toEqual([])
  expect([
    await accounts.addIdentity('nobody', named),
    await accounts.listIdentities('nobody'),
    await accounts.removeIdentity('nobody', identity),
  ]).toEqual([false, null, false])
})

it('links an identity to one user, once', async () => {
  const service = await demoApp()
  const { accounts } = service.app
  const alice = await signUp(service, 'alice', { email: 'alice@example.org' })
  const bob = await signUp(service, 'bob')
  await accounts.addIdentity(alice.id, named)
  await accounts.addIdentity(alice.id, named)
  await service.settle()
  expect(service.mails.filter(({ kind }) => kind === 'identity-added')).toHaveLength(1)
  expect(await accounts.listIdentities(alice.id)).toHaveLength(1)
  await expect(accounts.addIdentity(bob.id, named)).rejects.toMatchObject({ code: 'ACCOUNTS_IDENTITY_TAKEN' })
  for (let n = 1; n < 25; n += 1) await accounts.addIdentity(alice.id, { ...named, subject: `${n}` })
  await expect(accounts.addIdentity(alice.id, { ...named, subject: 'more' })).rejects.toMatchObject({
    code: 'ACCOUNTS_CONFLICT',
  })
})

it('takes only identities with which a login could come', async () => {
  const service = await demoApp({}, {}, {}, [passkeys()])
  const { accounts } = service.app
  const { id } = await signUp(service, 'alice')
  for (const [wrong, field] of [
    [{ provider: 'other', subject: '1' }, 'provider'],
    [{ provider: 'demo', subject: '' }, 'subject'],
    [{ provider: 'demo', subject: 7 }, 'subject'],
    [{ provider: 'demo', subject: 'é' }, 'subject'],
    [{ ...named, issuer: 'https://elsewhere.example' }, 'issuer'],
    [{ ...named, issuer: `${service.issuer.url}|x` }, 'issuer'],
  ] as const)
    for (const call of [
      accounts.addIdentity(id, wrong as never),
      accounts.findUser({ identity: wrong as never }),
    ])
      await expect(call).rejects.toMatchObject({ code: 'ACCOUNTS_INVALID_INPUT', fields: [{ field }] })
  expect(await accounts.listIdentities(id)).toEqual([])
})

it('needs the issuer where a provider has one for each tenant', async () => {
  const common = microsoft({ clientId: 'app', clientSecret: 'secret' })
  const service = await testApp({ features: [providers([common])] })
  const { accounts } = service.app
  const { id } = await signUp(service, 'alice')
  const user = { provider: 'microsoft', subject: 'AAAA' }
  await expect(accounts.addIdentity(id, user)).rejects.toMatchObject({
    fields: [{ field: 'issuer', code: 'required' }],
  })
  const issuer = 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0'
  expect(await accounts.addIdentity(id, { ...user, issuer })).toBe(true)
  expect(await accounts.findUser({ identity: { ...user, issuer } })).toMatchObject({ id })
  expect(await service.users.findById(id)).toMatchObject({ identityKeys: [`oidc:${issuer}|AAAA`] })
})
