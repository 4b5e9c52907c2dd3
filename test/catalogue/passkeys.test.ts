import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword, linkPath, otherPassword, signUp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { create, get, otherKey, type Twist } from '@fastify-accounts/test-support/passkeys/authenticator'
import { at } from '@fastify-accounts/test-support/passkeys/second-step'
import { origin, type Visitor, visitor } from '@fastify-accounts/test-support/passkeys/service'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { imported } from './imports.js'
import type { Scene, Service } from './service.js'
import { writtenTo } from './store-calls.js'

const wrong = [401, 'ACCOUNTS_INVALID_CREDENTIALS']
const invalid = [400, 'ACCOUNTS_INVALID_PASSKEY']

/** Stands for another process: shares nothing but the stores. */
const startOn = ({ start }: Scene, options: Parameters<Scene['start']>[0] = {}): Promise<Service> =>
  start({ users: { variant: 'both' }, features: [passkeys()], ...options })

async function withPasskey(service: Service, username = 'alice', twist: Twist = {}) {
  await signUp(service, username, { email: `${username}@example.org` })
  const owner = visitor(service)
  await owner.logIn(username)
  const { passkey, response } = await owner.add(twist)
  if (response.statusCode !== 201) throw new Error(response.body)
  await owner.use(passkey)
  return { owner, passkey }
}

/** The public key in a registration, as SimpleWebAuthn stores it: the authenticator data ends with it. */
function publicKeyIn({ id, response }: ReturnType<typeof create>['response']): string {
  const bytes = Buffer.from(response.attestationObject, 'base64url')
  const credentialId = Buffer.from(id, 'base64url')
  return bytes.subarray(bytes.indexOf(credentialId) + credentialId.length).toString('base64')
}

cases('Passkeys', ({ rule, storage }) => {
  storage(
    'PKY-01',
    {
      tried:
        'one response sent twenty times concurrently to two processes, and again after its user is logged out',
      expected: 'one login; everything else is 401',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const { passkey } = await withPasskey(services[0])
      const browser = visitor(services[0])
      const options = (await browser.send('POST', '/login/passkey/options/')).json()
      const response = get(passkey, options)
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          at(services[n % 2 === 0 ? 0 : 1], browser).send('POST', '/login/passkey/', { response }),
        ),
      )
      expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      const user = await scene.users.findByUsername('alice')
      await services[0].app.accounts.endUserSessions(user?.id ?? '')
      expect(refusalOf(await browser.send('POST', '/login/passkey/', { response }))).toEqual(wrong)
    },
  )

  rule(
    'PKY-02',
    {
      tried:
        'responses with another origin, RP id, type, key, browser, ceremony and time; without presence or verification; in another site’s frame; for another account',
      expected: 'one and the same 401, and no row is written',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { owner, passkey } = await withPasskey(service)
      const twists: Twist[] = [
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { type: 'webauthn.create' },
        { key: otherKey() },
        { flags: { present: false } },
        { flags: { verified: false } },
        { flags: { backupEligible: false, backedUp: false } },
        { crossOrigin: true },
        { topOrigin: 'https://evil.example' },
        { userHandle: Buffer.alloc(32).toString('base64url') },
        { challenge: Buffer.alloc(54).toString('base64url') },
      ]
      const stranger = visitor(service)
      const rows = await scene.sessionRows()
      for (const twist of twists) expect(refusalOf(await stranger.use(passkey, twist))).toEqual(wrong)
      const send = async (who: Visitor, options: { challenge: string }) =>
        refusalOf(await who.send('POST', '/login/passkey/', { response: get(passkey, options) }))
      const theirs = (await stranger.send('POST', '/login/passkey/options/')).json()
      expect(await send(visitor(service), theirs)).toEqual(wrong)
      expect(await send(owner, (await owner.send('POST', '/passkeys/options/')).json())).toEqual(wrong)
      await scene.wait(5 * 60_000)
      expect(await send(stranger, theirs)).toEqual(wrong)
      expect(await scene.sessionRows()).toBe(rows)
      expect((await stranger.use(passkey)).statusCode).toBe(200)
    },
  )

  rule(
    'PKY-03',
    {
      tried: 'registrations with another origin, RP id, type, challenge and account, and without the flags',
      expected: '400, and the account has no passkey',
    },
    async (scene) => {
      const service = await startOn(scene)
      await signUp(service)
      const alice = visitor(service)
      await alice.logIn()
      const twists: Twist[] = [
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { type: 'webauthn.get' },
        { challenge: Buffer.alloc(54).toString('base64url') },
        { flags: { present: false } },
        { flags: { verified: false } },
        { crossOrigin: true },
        { algorithm: -35 },
      ]
      for (const twist of twists) expect(refusalOf((await alice.add(twist)).response)).toEqual(invalid)
      const options = (await alice.send('POST', '/passkeys/options/')).json()
      await signUp(service, 'mallory')
      await alice.logIn('mallory')
      const { response } = create(options, origin)
      expect(refusalOf(await alice.send('POST', '/passkeys/', { response }))).toEqual(invalid)
      for (const name of ['alice', 'mallory']) {
        expect((await scene.users.findByUsername(name))?.credentials).toEqual([])
      }
    },
  )

  storage(
    'PKY-04',
    {
      tried:
        'a copied security key: its counter goes backwards, stays the same, or is 0; two copies are used concurrently',
      expected: '401, the audit trail says why, and the one whose counter increases still works',
    },
    async (scene) => {
      const service = await startOn(scene)
      const reasons: (string | null)[] = []
      service.app.accounts.events.on('audit', ({ action, reason }) => {
        if (action === 'login-passkey' && reason !== null) reasons.push(reason)
      })
      const { passkey } = await withPasskey(service, 'alice', { counter: 9 })
      expect((await visitor(service).use(passkey)).statusCode).toBe(200)
      for (const counter of [3, 10, 0])
        expect(refusalOf(await visitor(service).use(passkey, { counter }))).toEqual(wrong)
      await expect.poll(() => reasons).toEqual(Array(3).fill('PASSKEY_CLONED'))
      const responses = await Promise.all(
        Array.from({ length: 5 }, () => visitor(service).use(passkey, { counter: 50 })),
      )
      expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      passkey.counter = 50
      expect((await visitor(service).use(passkey)).statusCode).toBe(200)
    },
  )

  rule(
    'PKY-05',
    {
      tried: 'a passkey added to an account with an unverified address, before its owner resets it',
      expected: 'the passkey and the sessions are gone',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { owner: squatter, passkey } = await withPasskey(service)
      await service.send('POST', '/forgot/', { email: 'alice@example.org' })
      const link = linkPath(await service.mail('reset-password'))
      const choice = { new_password: otherPassword, confirm_password: otherPassword }
      expect((await service.send('POST', link, choice)).statusCode).toBe(204)
      expect(refusalOf(await squatter.use(passkey))).toEqual(wrong)
      expect(await squatter.who()).toBeNull()
    },
  )

  rule(
    'PKY-06',
    {
      tried:
        'an intruder adds a passkey, and the owner opens the link in the email about it; one from a month earlier',
      expected: 'the intruder and their passkey are out, the older one still logs its owner in',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id } = await signUp(service, 'alice', { email: 'alice@example.org' })
      // What was added before would be someone else's.
      await service.app.accounts.updateUser(id, { isVerified: true })
      const owner = visitor(service)
      await owner.logIn()
      const { passkey } = await owner.add()
      await scene.wait(30 * 86_400_000)
      const intruder = visitor(service)
      await intruder.use(passkey)
      const theirs = await intruder.add({ name: 'Theirs' })
      const mailed = () => service.mails.find(({ text }) => text.includes('Theirs'))
      await expect.poll(mailed).toBeDefined()
      const mail = mailed()
      if (!mail) throw new Error('no email arrived')
      expect((await owner.send('POST', linkPath(mail))).statusCode).toBe(200)
      expect([await intruder.who(), refusalOf(await intruder.use(theirs.passkey))]).toEqual([null, wrong])
      expect((await owner.use(passkey)).statusCode).toBe(200)
    },
  )

  rule(
    'PKY-07',
    {
      tried:
        'account enumeration through options, logins with unknown credentials, and sign-ups with a taken address',
      expected: 'nothing reveals it: the same responses, and options that name nobody',
    },
    async (scene) => {
      const service = await startOn(scene, { requireEmailConfirmation: true })
      const first = await visitor(service).signUp('alice', { email: 'alice@example.org' })
      const second = await visitor(service).signUp('mallory', { email: 'alice@example.org' })
      expect([second.response.statusCode, second.response.body]).toEqual([202, first.response.body])
      const options = (await visitor(service).send('POST', '/login/passkey/options/')).json()
      expect(options.allowCredentials).toEqual([])
      const known = await visitor(service).use(first.passkey, { key: otherKey() })
      const unknown = await visitor(service).use(second.passkey, { key: otherKey() })
      expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body])
    },
  )

  storage(
    'PKY-08',
    {
      tried: 'the last login method removed: alone, and two passkeys simultaneously in two processes',
      expected: '409, and one remains',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const bob = visitor(services[0])
      await bob.signUp('bob')
      await bob.add()
      const list = async () => (await bob.send('GET', '/passkeys/')).json().results as { id: string }[]
      const responses = await Promise.all(
        (await list()).map(({ id }, n) =>
          at(services[n === 0 ? 0 : 1], bob).send('DELETE', `/passkeys/${id}`),
        ),
      )
      expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([204, 409])
      const [last] = await list()
      expect(refusalOf(await bob.send('DELETE', `/passkeys/${last?.id}`))).toEqual([409, 'ACCOUNTS_CONFLICT'])
    },
  )

  storage(
    'PKY-09',
    {
      tried:
        'a credential id that another account has, registered twenty times concurrently; another account’s passkey renamed and removed',
      expected: '400 for all but one, and 404',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { owner, passkey } = await withPasskey(service)
      await signUp(service, 'mallory')
      const mallory = visitor(service)
      await mallory.logIn('mallory')
      expect(refusalOf((await mallory.add({ id: passkey.id })).response)).toEqual(invalid)
      const [{ id }] = (await owner.send('GET', '/passkeys/')).json().results
      expect((await mallory.send('PATCH', `/passkeys/${id}`, { name: 'x' })).statusCode).toBe(404)
      expect((await mallory.send('DELETE', `/passkeys/${id}`)).statusCode).toBe(404)
      const fresh = Buffer.alloc(20, 5).toString('base64url')
      const responses = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (n % 2 ? owner : mallory).add({ id: fresh })),
      )
      expect(responses.filter(({ response }) => response.statusCode === 201)).toHaveLength(1)
    },
  )

  rule(
    'PKY-10',
    {
      tried:
        'a session whose login is an hour old adds and removes passkeys; a session from before one was added',
      expected: '403 before the body is read; having a passkey doesn’t add a step to password login',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { owner } = await withPasskey(service)
      expect(await owner.who()).toBe('alice')
      const [{ id }] = (await owner.send('GET', '/passkeys/')).json().results
      await scene.wait(60 * 60_000)
      const refused = [403, 'ACCOUNTS_CONFIRMATION_REQUIRED']
      for (const [method, path] of [
        ['POST', '/passkeys/options/'],
        ['POST', '/passkeys/'],
        ['DELETE', `/passkeys/${id}`],
      ] as const)
        expect(refusalOf(await owner.send(method, path, { nonsense: true }))).toEqual(refused)
      const credentials = { username: 'alice', password: goodPassword }
      expect((await visitor(service).send('POST', '/login/', credentials)).statusCode).toBe(200)
    },
  )

  rule(
    'PKY-25',
    {
      tried: 'reading in the session store what a used challenge left there',
      expected: 'its hash, and nothing of the challenge',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { passkey } = await withPasskey(service)
      const written = writtenTo(scene.sessions)
      const stranger = visitor(service)
      const { challenge } = (await stranger.send('POST', '/login/passkey/options/')).json()
      const response = get(passkey, { challenge })
      expect((await stranger.send('POST', '/login/passkey/', { response })).statusCode).toBe(200)
      const random = challenge.slice(0, 20)
      expect(written.filter(({ methods }) => methods?.length === 0)).toHaveLength(1)
      expect(JSON.stringify(written)).not.toContain(random)
    },
  )

  rule(
    'PKY-26',
    {
      tried:
        'imported passkeys whose rows say nothing about syncing, say it in other words, or wrongly; then used from where they can’t be synced',
      expected:
        'each logs in at its first use, which tells; one that could be synced is 401 once it says that it can’t be, and the audit trail says why',
    },
    async (scene) => {
      const service = await startOn(scene)
      const reasons: (string | null)[] = []
      service.app.accounts.events.on('audit', ({ reason }) => void (reason && reasons.push(reason)))
      const rows: Record<string, object> = {
        none: {},
        snake: { device_type: 'multi_device', backed_up: true },
        prefixed: { credential_device_type: 'singleDevice', credential_backed_up: 0 },
        backedonly: { backedUp: true },
        wrong: { deviceType: 'singleDevice', backedUp: false },
      }
      for (const [username, row] of Object.entries(rows)) {
        const options = await visitor(service).send('POST', '/signup/passkey/options/', { username })
        const { passkey, response } = create(options.json(), origin)
        const passwordHash = await service.hasher.hash(goodPassword)
        const columns = {
          credential_id: response.id,
          public_key: publicKeyIn(response),
          sign_count: 0,
          ...row,
        }
        expect(await imported(scene, [passkeys()], [{ username, passwordHash, passkeys: columns }])).toEqual(
          [],
        )
        const owner = visitor(service)
        expect((await owner.use(passkey)).statusCode, username).toBe(200)
        expect((await owner.send('GET', '/passkeys/')).json().results).toMatchObject([{ synced: true }])
        const local = { flags: { backupEligible: false, backedUp: false } }
        expect(refusalOf(await visitor(service).use(passkey, local)), username).toEqual(wrong)
        expect((await visitor(service).use(passkey)).statusCode).toBe(200)
      }
      await expect.poll(() => reasons).toEqual(Object.keys(rows).map(() => 'PASSKEY_BACKUP'))
    },
  )

  storage(
    'PKY-27',
    {
      tried:
        'a used response in other spellings, concurrently in two processes; another account’s credential id, registered in base64; another account’s user handle in other spellings',
      expected: 'one login, 400, and 401',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service] = services
      const { passkey } = await withPasskey(service)
      const spellings = (response: ReturnType<typeof get>) => {
        const padded = (text: string) => Buffer.from(text, 'base64url').toString('base64')
        const { rawId: _, type: __, ...bare } = response
        return [
          response,
          bare,
          { ...response, id: padded(response.id) },
          { ...response, id: `${response.id}\n`, rawId: null },
          { ...response, response: { ...response.response, signature: padded(response.response.signature) } },
        ]
      }
      const browser = visitor(service)
      const options = (await browser.send('POST', '/login/passkey/options/')).json()
      const sent = await Promise.all(
        spellings(get(passkey, options)).map((response, n) =>
          at(services[n % 2 === 0 ? 0 : 1], browser).send('POST', '/login/passkey/', { response }),
        ),
      )
      expect(sent.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)

      await signUp(service, 'mallory')
      const mallory = visitor(service)
      await mallory.logIn('mallory')
      const asked = (await mallory.send('POST', '/passkeys/options/')).json()
      const { response } = create(asked, origin, { id: passkey.id })
      const id = Buffer.from(passkey.id, 'base64url').toString('base64')
      const twice = { response: { ...response, id, rawId: id } }
      expect(refusalOf(await mallory.send('POST', '/passkeys/', twice))).toEqual(invalid)

      const { passkey: theirs } = await mallory.add()
      const text = Buffer.from(theirs.handle, 'base64url').toString()
      for (const userHandle of [theirs.handle, text, Buffer.from(theirs.handle).toString('base64')])
        expect(refusalOf(await visitor(service).use(passkey, { userHandle }))).toEqual(wrong)
    },
  )
})
