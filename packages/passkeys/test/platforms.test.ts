import { passkeys } from '@fastify-accounts/passkeys'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { create, get, type SoftPasskey } from '@fastify-accounts/test-support/passkeys/authenticator'
import {
  complete,
  confirm,
  password,
  prove,
  waiting,
} from '@fastify-accounts/test-support/passkeys/second-step'
import { origin, passkeyApp, visitor, withAlice } from '@fastify-accounts/test-support/passkeys/service'
import { secondFactor } from 'fastify-accounts'
import { describe, expect, it } from 'vitest'

type Assertion = ReturnType<typeof get>
type Attestation = ReturnType<typeof create>['response']

const bytes = (text: string) => Buffer.from(text, 'base64url')
/** As Android's `Base64.DEFAULT` writes it: with padding, and a line break after 76 characters. */
const lines = (text: string) =>
  `${padded(text)
    .match(/.{1,76}/g)
    ?.join('\n')}\n`
const padded = (text: string) => bytes(text).toString('base64')
const all = (values: object, write: (text: string) => string) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'string' ? write(value) : value]),
  )
const rewritten = <Kind extends Assertion | Attestation>(made: Kind, write: (text: string) => string) => ({
  ...made,
  id: write(made.id),
  rawId: write(made.rawId),
  response: all(made.response, write),
})
const handled = (made: Assertion, userHandle: unknown) => ({
  ...made,
  response: { ...made.response, userHandle },
})

/** What libraries of native apps make of the same response. */
const assertions: [string, (made: Assertion, passkey: SoftPasskey) => unknown][] = [
  ['base64 with padding', (made) => rewritten(made, padded)],
  [
    'base64url with padding',
    (made) => rewritten(made, (text) => padded(text).replaceAll('+', '-').replaceAll('/', '_')),
  ],
  ['base64 in lines', (made) => rewritten(made, lines)],
  ['only its id in base64url', (made) => ({ ...rewritten(made, padded), id: made.id })],
  ['no rawId', ({ rawId: _, ...made }) => made],
  ['rawId null', (made) => ({ ...made, rawId: null })],
  ['an empty rawId', (made) => ({ ...made, rawId: '' })],
  ['no type', ({ type: _, ...made }) => made],
  ['no extension results', ({ clientExtensionResults: _, ...made }) => made],
  [
    'null for what it does not know',
    (made) => ({
      ...made,
      authenticatorAttachment: null,
      clientExtensionResults: null,
      response: { ...made.response, attestationObject: null },
    }),
  ],
  // react-native-passkey on iOS, with a passkey from a browser.
  ['the user handle as text', (made, { handle }) => handled(made, bytes(handle).toString())],
  // The same with a passkey from there.
  ['the text of the user handle', (made, { handle }) => handled(made, handle)],
  // A browser with that passkey.
  [
    'the user handle encoded twice',
    (made, { handle }) => handled(made, Buffer.from(handle).toString('base64url')),
  ],
]

describe('a login', () => {
  it.each(assertions)('accepts %s', async (_, write) => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service)
    const app = visitor(service)
    const options = (await app.send('POST', '/login/passkey/options/')).json()
    const response = write(get(passkey, options), passkey)
    expect((await app.send('POST', '/login/passkey/', { response })).statusCode).toBe(200)
  })

  it.each(['', null, undefined])('needs a user handle, which %j is not', async (userHandle) => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service)
    const app = visitor(service)
    const options = (await app.send('POST', '/login/passkey/options/')).json()
    const response = handled(get(passkey, options), userHandle)
    const sent = await app.send('POST', '/login/passkey/', { response })
    expect(refusalOf(sent)).toEqual([401, 'ACCOUNTS_INVALID_CREDENTIALS'])
  })

  it.each([
    ['another rawId', (made: Assertion) => ({ ...made, rawId: 'AAAA' }), 401],
    ['another type', (made: Assertion) => ({ ...made, type: 'password' }), 401],
    ['an id that is no base64', (made: Assertion) => ({ ...made, id: `${made.id}"` }), 400],
    ['an id of another type', (made: Assertion) => ({ ...made, id: [1, 2] }), 400],
    ['only padding', (made: Assertion) => ({ ...made, id: '====', rawId: null }), 401],
  ])('rejects %s', async (_, write, status) => {
    const service = await passkeyApp()
    const { passkey } = await withAlice(service)
    const app = visitor(service)
    const options = (await app.send('POST', '/login/passkey/options/')).json()
    const response = write(get(passkey, options))
    expect((await app.send('POST', '/login/passkey/', { response })).statusCode).toBe(status)
  })
})

describe('a passkey after another proof', () => {
  const nothing = ['', null, undefined]

  it('completes a login without a user handle, however often, and alarms nobody', async () => {
    const features = [passkeys(), secondFactor()]
    const service = await passkeyApp({ features, throttle: {} })
    const known = { ...password, email: 'alice@example.org', isVerified: true }
    await service.app.accounts.createUser(known)
    const alice = visitor(service)
    await alice.logIn()
    const { passkey } = await alice.add()
    await prove(alice, passkey, true)
    for (const userHandle of [...nothing, ...nothing]) {
      const { browser, options } = await waiting(service)
      const sent = await complete(browser, handled(get(passkey, options), userHandle))
      expect(sent.statusCode).toBe(200)
    }
    await service.settle()
    expect(service.mails.map(({ kind }) => kind)).not.toContain('factor-guessed')
  })

  it.each(nothing)('confirms with the user handle %j while passkeys are no factor', async (userHandle) => {
    const service = await passkeyApp()
    const { alice, passkey } = await withAlice(service)
    expect((await alice.use(passkey)).statusCode).toBe(200)
    expect((await confirm(alice, passkey, { userHandle: userHandle ?? null })).statusCode).toBe(204)
  })
})

describe('a registration', () => {
  const attestations: [string, (made: Attestation) => unknown][] = [
    ['base64 with padding', (made) => rewritten(made, padded)],
    ['base64 in lines', (made) => rewritten(made, lines)],
    ['no rawId and no type', ({ rawId: _, type: __, ...made }) => made],
    ['no transports', (made) => ({ ...made, response: { ...made.response, transports: undefined } })],
    ['transports null', (made) => ({ ...made, response: { ...made.response, transports: null } })],
    [
      'unknown transports',
      (made) => ({
        ...made,
        response: { ...made.response, transports: ['Some.New_transport.of-the-future', null] },
      }),
    ],
    [
      'null for what it does not know',
      (made) => ({
        ...made,
        authenticatorAttachment: null,
        clientExtensionResults: null,
        response: { ...made.response, authenticatorData: null, publicKey: null },
      }),
    ],
  ]
  it.each(attestations)('accepts %s', async (_, write) => {
    const service = await passkeyApp()
    const bob = visitor(service)
    const asked = await bob.send('POST', '/signup/passkey/options/', { username: 'bob' })
    const { passkey, response } = create(asked.json(), origin)
    const made = await bob.send('POST', '/signup/passkey/', { username: 'bob', response: write(response) })
    expect(made.statusCode).toBe(201)
    expect((await visitor(service).use(passkey)).statusCode).toBe(200)
  })

  it('gets a user handle that libraries can read as text, and that fits after they encode it again', async () => {
    const service = await passkeyApp()
    const options = await visitor(service).send('POST', '/signup/passkey/options/', { username: 'bob' })
    const { id } = options.json().user
    expect(Buffer.from(bytes(id).toString())).toEqual(bytes(id))
    expect(Buffer.byteLength(id)).toBeLessThanOrEqual(64)
  })
})
