import { passkeys } from '@fastify-accounts/passkeys'
import { linkPath, signUp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { visitor as passkeyVisitor } from '@fastify-accounts/test-support/passkeys/service'
import { demoApp, visitor } from '@fastify-accounts/test-support/providers/service'
import { type Credential, createMemoryUserStore } from 'fastify-accounts'
import { afterEach, describe, expect, it, vi } from 'vitest'

const authoritative = { authoritativeFor: true } as const
const ada = { sub: 'ada-1', email: 'ada@example.org', email_verified: true, preferred_username: 'ada' }
const linked = { sub: 'elsewhere', email: 'other@example.com', email_verified: true }

afterEach(() => vi.useRealTimers())

describe('an identity', () => {
  it('is linked by its owner, regardless of its address, listed, logs in, and is removed', async () => {
    const service = await demoApp(authoritative)
    await signUp(service, 'alice', { email: 'alice@example.org' })
    const alice = visitor(service)
    await alice.logIn()
    const response = await alice.link(linked)
    expect([response.statusCode, response.headers.location]).toEqual([303, 'http://localhost:3000/'])
    const { results } = (await alice.send('GET', '/identities/')).json()
    expect(results).toEqual([
      {
        id: expect.stringMatching(/^[\w-]{22}$/),
        provider: 'demo',
        label: 'other@example.com',
        created_at: expect.any(String),
        last_used_at: null,
      },
    ])
    expect((await alice.send('GET', '/me/')).json().email).toBe('alice@example.org')
    const elsewhere = visitor(service)
    await elsewhere.logInWith({ ...linked, email: 'changed@example.com' })
    expect(await elsewhere.who()).toBe('alice')
    const [used] = (await alice.send('GET', '/identities/')).json().results
    expect(used).toMatchObject({ label: 'changed@example.com', last_used_at: expect.any(String) })
    expect((await alice.send('DELETE', `/identities/${used.id}`)).statusCode).toBe(204)
    expect(refusalOf(await alice.send('DELETE', `/identities/${used.id}`))).toEqual([
      404,
      'ACCOUNTS_NOT_FOUND',
    ])
    await visitor(service).logInWith(linked)
    expect(await service.users.findByUsername('alice')).toMatchObject({ identityKeys: [], credentials: [] })
  })

  it('is in the export with who its owner is there, also if it was imported', async () => {
    const service = await demoApp({ ...authoritative, keepTokens: true })
    const alice = visitor(service)
    await alice.logInWith({ ...ada, sub: 'with|bar' })
    const user = (await service.users.findByUsername('ada')) ?? expect.fail()
    const imported = 'oidc:https://former.example|7'
    await service.users.update(user.id, { identityKeys: [...user.identityKeys, imported] }, user.version)
    const exported = await alice.send('GET', '/me/export/')
    expect(exported.json().features.providers).toMatchObject([
      { provider: 'demo', issuer: expect.stringMatching(/^http/), subject: 'with|bar', keeps_tokens: true },
      { provider: null, issuer: 'https://former.example', subject: '7', keeps_tokens: false, label: null },
    ])
    const sealed = user.credentials[0]?.sealed
    expect(sealed).toEqual(expect.any(String))
    expect(exported.body).not.toContain(sealed)
  })

  it('is only linked and removed by the owner of an account with a login passkey', async () => {
    const service = await demoApp(authoritative, {}, {}, [passkeys()])
    await signUp(service, 'alice')
    const thief = visitor(service)
    await thief.logIn()
    const begun = await thief.start({}, '/identities/demo')
    const owner = passkeyVisitor(service)
    await owner.logIn()
    const { passkey } = await owner.add()
    await owner.use(passkey)
    const refused = [403, 'ACCOUNTS_CONFIRMATION_REQUIRED']
    expect(refusalOf(await thief.comeBack(service.issuer.logIn(begun, linked)))).toEqual(refused)
    expect(refusalOf(await thief.send('POST', '/identities/demo', {}))).toEqual(refused)
    const alice = visitor(service)
    for (const [name, value] of owner.cookies) alice.cookies.set(name, value)
    expect((await alice.link(linked)).statusCode).toBe(303)
    const [{ id }] = (await alice.send('GET', '/identities/')).json().results
    await thief.logInWith(linked)
    expect(refusalOf(await thief.send('DELETE', `/identities/${id}`))).toEqual(refused)
    expect((await alice.send('DELETE', `/identities/${id}`)).statusCode).toBe(204)
  })

  it('causes an email when added and removed, with a link that locks everyone out', async () => {
    const service = await demoApp(authoritative)
    const { id } = await signUp(service, 'alice', { email: 'alice@example.org' })
    await service.app.accounts.updateUser(id, { isVerified: true })
    const alice = visitor(service)
    await alice.logIn()
    await alice.link(linked)
    expect((await service.mail('identity-added')).text).toContain('With: Demo')
    const [{ id: identity }] = (await alice.send('GET', '/identities/')).json().results
    await alice.send('DELETE', `/identities/${identity}`)
    const removed = await service.mail('identity-removed')
    expect(removed.text).toContain('With: Demo')
    expect((await service.send('POST', linkPath(removed))).statusCode).toBe(200)
    expect(await alice.who()).toBeNull()
  })

  it('linked by an intruder is removed by that link; an earlier one stays', async () => {
    const service = await demoApp(authoritative)
    const { id } = await signUp(service, 'alice', { email: 'alice@example.org' })
    await service.app.accounts.updateUser(id, { isVerified: true })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 30 * 86_400_000 })
    const alice = visitor(service)
    await alice.logIn()
    await alice.link(linked)
    vi.useRealTimers()
    const intruder = visitor(service)
    await intruder.logIn()
    await intruder.link({ sub: 'intruder' })
    const mail = await service.mail('identity-added')
    await service.send('POST', linkPath(mail))
    await visitor(service).logInWith({ sub: 'intruder' })
    const record = await service.users.findById(id)
    expect(record?.identityKeys).toEqual([`oidc:${service.issuer.url}|elsewhere`])
  })

  it("can't be linked or removed without a recent login, or listed without a login", async () => {
    const service = await demoApp(authoritative)
    await signUp(service)
    const alice = visitor(service)
    expect((await alice.send('GET', '/identities/')).statusCode).toBe(401)
    await alice.logIn()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 })
    const stale = [403, 'ACCOUNTS_CONFIRMATION_REQUIRED']
    expect(refusalOf(await alice.send('POST', '/identities/demo', {}))).toEqual(stale)
    expect(refusalOf(await alice.send('DELETE', '/identities/x'))).toEqual(stale)
    expect((await alice.send('GET', '/identities/')).statusCode).toBe(200)
  })

  it("can't be removed if it is the last way in: without a password, a passkey or another identity", async () => {
    const service = await demoApp(authoritative, {}, {}, [passkeys()])
    const browser = visitor(service)
    await browser.logInWith(ada)
    const [{ id }] = (await browser.send('GET', '/identities/')).json().results
    const last = [409, 'ACCOUNTS_CONFLICT']
    expect(refusalOf(await browser.send('DELETE', `/identities/${id}`))).toEqual(last)
    await browser.link(linked)
    expect((await browser.send('DELETE', `/identities/${id}`)).statusCode).toBe(204)
    const [{ id: other }] = (await browser.send('GET', '/identities/')).json().results
    expect(refusalOf(await browser.send('DELETE', `/identities/${other}`))).toEqual(last)
  })

  it('of an unmounted provider is no way in, and can be removed', async () => {
    const users = createMemoryUserStore()
    const service = await demoApp(authoritative, { userStore: users })
    const { id } = await signUp({ ...service, users }, 'alice')
    const record = await users.findById(id)
    const identityKeys = ['oidc:https://gone.example|1', `oidc:${service.issuer.url}|imported`]
    await users.update(id, { identityKeys }, record?.version ?? 0)
    const alice = visitor(service)
    await alice.logInWith({ sub: 'imported' })
    expect(await alice.who()).toBe('alice')
    const { results } = (await alice.send('GET', '/identities/')).json()
    expect(results).toMatchObject([{ provider: null }, { provider: 'demo', label: null, created_at: null }])
    const [gone, imported] = results
    expect((await alice.send('DELETE', '/password/')).statusCode).toBe(204)
    expect(refusalOf(await alice.send('DELETE', `/identities/${imported.id}`))).toEqual([
      409,
      'ACCOUNTS_CONFLICT',
    ])
    expect((await alice.send('DELETE', `/identities/${gone.id}`)).statusCode).toBe(204)
  })

  it('belongs to its issuer, not to a provider that took over the name', async () => {
    const users = createMemoryUserStore()
    const service = await demoApp(authoritative, { userStore: users })
    const { id } = await signUp({ ...service, users }, 'alice')
    const alice = visitor(service)
    await alice.logIn()
    await alice.link(linked)
    const [issued] = (await users.findById(id))?.credentials ?? []
    const gone = { ...issued, id: 'https://gone.example|1' }
    const renamed = { ...issued, id: `${service.issuer.url}|elsewhere`, provider: 'before' }
    const keep = async (credential: object) => {
      const { version = 0 } = (await users.findById(id)) ?? {}
      const credentials = [credential as Credential]
      await users.update(id, { credentials, identityKeys: [`oidc:${credentials[0]?.id}`] }, version)
    }
    const last = [409, 'ACCOUNTS_CONFLICT']
    await keep(gone)
    expect((await alice.send('GET', '/identities/')).json().results).toMatchObject([{ provider: null }])
    expect(refusalOf(await alice.send('DELETE', '/password/'))).toEqual(last)
    await keep(renamed)
    expect((await alice.send('GET', '/identities/')).json().results).toMatchObject([{ provider: 'demo' }])
    expect((await alice.send('DELETE', '/password/')).statusCode).toBe(204)
  })

  it("keeps the provider's issuer, whatever `profile` returns", async () => {
    const profile = () => ({ issuer: 'https://other.example', subject: 'x' })
    const service = await demoApp({ ...authoritative, profile })
    const browser = visitor(service)
    await browser.logInWith(ada)
    const { id } = (await browser.send('GET', '/me/')).json()
    expect((await service.users.findById(id))?.identityKeys).toEqual([`oidc:${service.issuer.url}|x`])
  })

  it('can be added up to 25 times', async () => {
    const users = createMemoryUserStore()
    const service = await demoApp(authoritative, { userStore: users })
    const { id } = await signUp({ ...service, users }, 'alice')
    const identityKeys = Array.from({ length: 25 }, (_, n) => `oidc:${service.issuer.url}|${n}`)
    await users.update(id, { identityKeys }, (await users.findById(id))?.version ?? 0)
    const alice = visitor(service)
    await alice.logIn()
    expect(refusalOf(await alice.link(linked))).toEqual([409, 'ACCOUNTS_CONFLICT'])
  })
})
