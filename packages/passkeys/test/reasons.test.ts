import { PassThrough } from 'node:stream'
import { passkeys } from '@fastify-accounts/passkeys'
import { signUp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { create, get, otherKey, type Twist } from '@fastify-accounts/test-support/passkeys/authenticator'
import {
  complete,
  confirm,
  password,
  prove,
  secondStep,
  waiting,
} from '@fastify-accounts/test-support/passkeys/second-step'
import { passkeyApp, visitor, withAlice } from '@fastify-accounts/test-support/passkeys/service'
import { type AuditEvent, secondFactor } from 'fastify-accounts'
import { describe, expect, it, vi } from 'vitest'

const wrong = [401, 'ACCOUNTS_INVALID_CREDENTIALS']

/** An app, and what its audit trail and its log say about refused passkeys. */
async function heardApp(options: Parameters<typeof passkeyApp>[0] = {}) {
  const stream = new PassThrough()
  let log = ''
  stream.on('data', (chunk) => {
    log += chunk
  })
  const service = await passkeyApp(options, {}, { server: { logger: { level: 'info', stream } } })
  const heard: [AuditEvent['action'], string, string | null][] = []
  service.app.accounts.events.on('audit', ({ action, outcome, reason }) => {
    if (outcome === 'refused') heard.push([action, outcome, reason])
  })
  const reasons = () => heard.map(([, , reason]) => reason)
  const logged = () =>
    log
      .split('\n')
      .filter((line) => line.includes('a passkey was refused'))
      .map((line) => JSON.parse(line) as { code: string; reason: string })
  return { service, reasons, logged }
}

const twists: [string, Twist, string, RegExp][] = [
  ['of an unknown credential', { id: 'AAAA' }, 'PASSKEY_UNKNOWN', /no account has it/],
  [
    'of another origin',
    { origin: 'https://evil.example' },
    'PASSKEY_ORIGIN',
    /evil\.example.*localhost:3000/,
  ],
  [
    'of an origin with control characters',
    { origin: 'https://evil.example\u009b31m\n' },
    'PASSKEY_ORIGIN',
    /^its origin https:\/\/evil\.example 31m {2}is not/,
  ],
  ['in a frame', { crossOrigin: true }, 'PASSKEY_ORIGIN', /frame/],
  ['of another RP id', { rpId: 'evil.example' }, 'PASSKEY_RP_ID', /RP ID/],
  ['of another challenge', { challenge: 'AAAA' }, 'PASSKEY_CHALLENGE', /expired/],
  ['of another user', { userHandle: 'AAAA' }, 'PASSKEY_USER_HANDLE', /another user/],
  ['of nobody', { userHandle: null }, 'PASSKEY_USER_HANDLE', /no user handle/],
  ['without verification', { flags: { verified: false } }, 'PASSKEY_NOT_VERIFIED', /PIN/],
  ['without presence', { flags: { present: false } }, 'PASSKEY_INVALID', /not present/],
  ['by another key', { key: otherKey() }, 'PASSKEY_SIGNATURE', /another key/],
  ['by a copy', { counter: 3 }, 'PASSKEY_CLONED', /counter is 3 after 9/],
  [
    'no longer synced',
    { flags: { backupEligible: false, backedUp: false } },
    'PASSKEY_BACKUP',
    /could be synced before/,
  ],
]

describe('the reason in the audit trail and the log', () => {
  it.each(twists)('of a login %s', async (_, twist, reason, text) => {
    const { service, reasons, logged } = await heardApp()
    const { passkey } = await withAlice(service, twist.counter === undefined ? {} : { counter: 9 })
    expect(refusalOf(await visitor(service).use(passkey, twist))).toEqual(wrong)
    await vi.waitFor(() => expect(reasons()).toEqual([reason]), 60_000)
    expect(logged()).toMatchObject([{ code: reason, reason: expect.stringMatching(text) }])
  })

  it('of a login with a used challenge, and in a browser that has signed up', async () => {
    const { service, reasons } = await heardApp({ requireEmailConfirmation: true })
    const browser = visitor(service)
    const signedUp = await browser.signUp('bob', { email: 'bob@example.org' })
    const bob = await service.users.findByUsername('bob')
    await service.app.accounts.updateUser(bob?.id ?? '', { isVerified: true })
    const options = (await browser.send('POST', '/login/passkey/options/')).json()
    const response = get(signedUp.passkey, options)
    const logIn = () => browser.send('POST', '/login/passkey/', { response })
    const forged = { response: get(signedUp.passkey, options, { key: otherKey() }) }
    const hinted = await browser.send('POST', '/login/passkey/', forged)
    expect(refusalOf(hinted)).toEqual([401, 'ACCOUNTS_INVALID_OR_NOT_VERIFIED'])
    expect((await logIn()).statusCode).toBe(200)
    expect((await logIn()).statusCode).toBe(401)
    await vi.waitFor(() => expect(reasons()).toEqual(['PASSKEY_SIGNATURE', 'PASSKEY_CHALLENGE']), 60_000)
  })

  it('of a registration', async () => {
    const { service, reasons } = await heardApp()
    await signUp(service)
    const alice = visitor(service)
    await alice.logIn()
    const added = await alice.add()
    await alice.use(added.passkey)
    for (const twist of [
      { origin: 'https://evil.example' },
      { flags: { verified: false } },
      { id: added.passkey.id },
      { algorithm: -35 },
    ])
      expect((await alice.add(twist)).response.statusCode).toBe(400)
    const bob = visitor(service)
    const asked = (await bob.send('POST', '/signup/passkey/options/', { username: 'bob' })).json()
    const { response } = create(asked, 'https://evil.example')
    const refused = await bob.send('POST', '/signup/passkey/', { username: 'bob', response })
    expect(refusalOf(refused)).toEqual([400, 'ACCOUNTS_INVALID_PASSKEY'])
    const expected = [
      'PASSKEY_ORIGIN',
      'PASSKEY_NOT_VERIFIED',
      'PASSKEY_TAKEN',
      'PASSKEY_INVALID',
      'PASSKEY_ORIGIN',
    ]
    await vi.waitFor(() => expect(reasons()).toEqual(expected), 60_000)
  })

  it('of a second step, and of a confirmation', async () => {
    const { service, reasons } = await heardApp({ features: [passkeys(), secondFactor()] })
    await service.app.accounts.createUser({ ...password, email: 'alice@example.org', isVerified: true })
    const alice = visitor(service)
    await alice.logIn()
    const { passkey } = await alice.add()
    expect((await confirm(alice, passkey, { flags: { verified: false } })).statusCode).toBe(400)
    await prove(alice, passkey, true)
    expect(refusalOf(await secondStep(service, passkey, { origin: 'https://evil.example' }))).toEqual(wrong)
    const { browser, options } = await waiting(service)
    expect(refusalOf(await complete(browser, get(passkey, { ...options, challenge: 'AAAA' })))).toEqual(wrong)
    const waited = ['PASSKEY_NOT_VERIFIED', 'ACCOUNTS_SECOND_FACTOR_REQUIRED', 'PASSKEY_ORIGIN']
    await vi.waitFor(() => expect(reasons()).toEqual([...waited, waited[1], 'PASSKEY_CHALLENGE']), 60_000)
  })
})

describe('a second step', () => {
  async function protectedApp() {
    const { service } = await heardApp({ features: [passkeys(), secondFactor()], throttle: {} })
    await service.app.accounts.createUser({ ...password, email: 'alice@example.org', isVerified: true })
    const alice = visitor(service)
    await alice.logIn()
    const { passkey } = await alice.add({ counter: 9 })
    await prove(alice, passkey, true)
    return { service, passkey }
  }
  const guessed = async ({ service }: Awaited<ReturnType<typeof protectedApp>>) => {
    await service.settle()
    return service.mails.filter(({ kind }) => kind === 'factor-guessed').length
  }

  it('with an unfit passkey neither counts as an attempt nor alarms the owner', async () => {
    const app = await protectedApp()
    const unfit: Twist[] = [
      { origin: 'https://evil.example' },
      { rpId: 'evil.example' },
      { challenge: 'AAAA' },
      { userHandle: 'AAAA' },
      { flags: { present: false } },
      { type: 'webauthn.create' },
    ]
    for (const twist of unfit)
      expect(refusalOf(await secondStep(app.service, app.passkey, twist))).toEqual(wrong)
    expect(await guessed(app)).toBe(0)
    const [held] = (await app.service.users.findByUsername('alice'))?.credentials ?? []
    expect(held?.misses ?? 0).toBe(0)
    expect((await secondStep(app.service, app.passkey)).statusCode).toBe(200)
  })

  it.each([
    ['of another key', { key: otherKey() }],
    ['that is unknown', { id: 'AAAA' }],
    ['that may be a copy', { counter: 1 }],
  ])('with a passkey %s counts, and alarms the owner', async (_, twist) => {
    const app = await protectedApp()
    for (let n = 0; n < 5; n += 1)
      expect(refusalOf(await secondStep(app.service, app.passkey, twist))).toEqual(wrong)
    expect(await guessed(app)).toBe(1)
    expect((await secondStep(app.service, app.passkey)).statusCode).toBe(429)
  })
})

describe('what an authenticator may change', () => {
  it('is updated at each use: the counter, whether it is synced, and whether it can be', async () => {
    const { service } = await heardApp()
    const local = { backupEligible: false, backedUp: false }
    const { alice, passkey } = await withAlice(service, { flags: local })
    const synced = async () =>
      (await alice.send('GET', '/passkeys/')).json().results.map((each: { synced: boolean }) => each.synced)
    for (const [flags, shown] of [
      [local, false],
      [{ backupEligible: true, backedUp: false }, false],
      [{ backupEligible: true, backedUp: true }, true],
      [{ backupEligible: true, backedUp: false }, false],
    ] as const) {
      expect((await alice.use(passkey, { flags })).statusCode).toBe(200)
      expect(await synced()).toEqual([shown])
    }
    expect(refusalOf(await alice.use(passkey, { flags: local }))).toEqual(wrong)
    passkey.counter = 5
    expect((await alice.use(passkey, { flags: { backupEligible: true } })).statusCode).toBe(200)
  })
})
