import { hash, randomUUID } from 'node:crypto'
import { providers } from '@fastify-accounts/providers'
import { goodPassword, linkPath } from '@fastify-accounts/test-support/app'
import { memory } from '@fastify-accounts/test-support/faults/grounds'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import type { Service } from '@fastify-accounts/test-support/faults/service'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { type Visitor, visitor } from '@fastify-accounts/test-support/providers/service'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type FactorTrial, onHost, post, record, tryFactor } from './factor-trials.js'
import { expectBegun, expectEnded, holdClock, logging, pass } from './outage-lines.js'

let issuer: TestIssuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

/** A user with a password and an identity, logged in. */
interface Owner extends Scene {
  browser: Visitor
  /** The path of the identity. */
  path: string
}

const browserOf = ({ send }: Scene): Visitor =>
  visitor({ app: { inject: send } as unknown as FastifyInstance, issuer })

const from = ({ cookies }: Visitor, method: 'GET' | 'POST' | 'DELETE', url: string): InjectOptions => ({
  method,
  url,
  headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
})

/** The callback of a browser returning from the provider. */
async function callback(browser: Visitor, claims: object, start?: string): Promise<InjectOptions> {
  const parameters = issuer.logIn(await browser.start({}, start), { ...claims })
  return from(browser, 'GET', `/login/with/demo/callback/?${parameters}`)
}

const keyOf = (subject: string): string => `oidc:${issuer.url}|${subject}`
const holderOf = ({ service }: Scene, subject: string) =>
  service.stores.users.findByIdentity?.(keyOf(subject)) ?? null

/** A code and a flow can be used only once. */
const spent = { again: [400, 401], spoiled: [400, 401] }

/** The address of a new account, not the owner's. */
const others = ({ name }: Scene): string => `other-${name}@example.org`

const trials: FactorTrial<Owner>[] = [
  { name: 'a login flow started', request: () => post('/login/with/demo/', {}), status: 200 },
  {
    name: 'a linking flow started',
    request: ({ browser }) => ({ ...from(browser, 'POST', '/identities/demo'), payload: {} }),
    status: 200,
  },
  {
    name: 'a confirmation flow started',
    request: ({ browser }) => ({ ...from(browser, 'POST', '/confirm/with/demo/'), payload: {} }),
    status: 200,
  },
  {
    name: 'a form_post callback',
    request: () => post('/login/with/demo/callback/', { code: 'x', state: 'y' }),
    status: 303,
  },
  {
    name: 'a login with a linked identity',
    request: (owner) => callback(browserOf(owner), { sub: owner.name }),
    status: 303,
    isDone: async (owner) =>
      (await record(owner)).credentials.some(({ lastUsedAt }) => typeof lastUsedAt === 'string'),
    ...spent,
  },
  {
    name: 'an identity linked by its address',
    request: (owner) =>
      callback(browserOf(owner), { sub: `new-${owner.name}`, email: owner.email, email_verified: true }),
    status: 303,
    isDone: async (owner) => (await record(owner)).identityKeys.includes(keyOf(`new-${owner.name}`)),
    ...spent,
  },
  {
    name: 'an identity linked by its owner',
    request: ({ browser, name }) => callback(browser, { sub: `new-${name}` }, '/identities/demo'),
    status: 303,
    isDone: async (owner) => (await record(owner)).identityKeys.includes(keyOf(`new-${owner.name}`)),
    ...spent,
  },
  {
    name: 'a confirmation at the provider',
    request: ({ browser, name }) =>
      callback(browser, { sub: name, auth_time: Math.floor(Date.now() / 1000) }, '/confirm/with/demo/'),
    status: 303,
    isDone: async (owner) =>
      (await record(owner)).credentials.some(({ lastUsedAt }) => typeof lastUsedAt === 'string'),
    ...spent,
  },
  {
    name: 'a sign-up',
    request: (owner) =>
      callback(browserOf(owner), { sub: `new-${owner.name}`, email: others(owner), email_verified: true }),
    status: 303,
    isDone: async (owner) => (await holderOf(owner, `new-${owner.name}`)) !== null,
    ...spent,
  },
  {
    name: 'an unverified account taken over by its owner',
    async request(owner) {
      const user = { username: `other-${owner.name}`, password: goodPassword, email: others(owner) }
      await owner.service.app.accounts.createUser(user)
      const claims = { sub: `new-${owner.name}`, email: others(owner), email_verified: true }
      return callback(browserOf(owner), claims)
    },
    status: 303,
    isDone: async (owner) => (await holderOf(owner, `new-${owner.name}`)) !== null,
    ...spent,
  },
  {
    name: 'the question whose a used account is',
    request: async (owner) => {
      await makeUsed(owner)
      const claims = { sub: `new-${owner.name}`, email: others(owner), email_verified: true }
      return callback(browserOf(owner), claims)
    },
    status: 303,
    ...spent,
  },
  {
    name: 'its page',
    request: async (owner) => from(await asked(owner), 'GET', '/login/claim/'),
    status: 200,
  },
  {
    name: 'a used account kept with its password',
    request: async (owner) => ({
      ...from(await asked(owner), 'POST', '/login/claim/'),
      payload: { password: goodPassword },
    }),
    status: 200,
    isDone: async (owner) => (await holderOf(owner, `new-${owner.name}`))?.username === `other-${owner.name}`,
    again: [401],
  },
  {
    name: 'a used account left for a new one',
    request: async (owner) => ({
      ...from(await asked(owner), 'POST', '/login/claim/'),
      payload: { start_afresh: true },
    }),
    status: 200,
    isDone: async (owner) => (await holderOf(owner, `new-${owner.name}`)) !== null,
    again: [401],
  },
  {
    name: 'a sign-up that waits for verification',
    request: (owner) => callback(browserOf(owner), { sub: `new-${owner.name}`, email: others(owner) }),
    status: 202,
    isDone: async (owner) => (await owner.service.stores.users.findByEmail(others(owner))) !== null,
    ...spent,
  },
  {
    name: 'the page that completes it',
    request: async (owner) => from(await waiting(owner), 'GET', await mailed(owner)),
    status: 200,
  },
  {
    name: 'the button that completes it',
    request: async (owner) => from(await waiting(owner), 'POST', await mailed(owner)),
    status: 200,
    isDone: async (owner) => (await holderOf(owner, `new-${owner.name}`)) !== null,
    again: [400],
  },
  {
    name: 'the page of a login in an app',
    request: () => ({ method: 'GET', url: appUrl }),
    status: 200,
  },
  { name: 'a login in an app started', request: () => post(appUrl), status: 200 },
  { name: 'a link in an app started', request: () => post(appUrlOf('/identities/demo/')), status: 200 },
  {
    name: 'a confirmation in an app started',
    request: () => post(appUrlOf('/confirm/with/demo/')),
    status: 200,
  },
  {
    name: 'the end of it in the browser',
    request: async (owner) => callbackInApp(browserOf(owner), { sub: owner.name }),
    status: 303,
    ...spent,
  },
  {
    name: 'its code, in the app',
    request: async (owner) => codeOf(owner, { sub: owner.name }),
    status: 200,
    isDone: async (owner) =>
      (await record(owner)).credentials.some(({ lastUsedAt }) => typeof lastUsedAt === 'string'),
    ...spent,
  },
  {
    name: 'a code that links an identity by its address',
    request: async (owner) =>
      codeOf(owner, { sub: `new-${owner.name}`, email: owner.email, email_verified: true }),
    status: 200,
    isDone: async (owner) => (await record(owner)).identityKeys.includes(keyOf(`new-${owner.name}`)),
    ...spent,
  },
  {
    name: 'an identity linked by a code, in the app',
    request: async (owner) => withCode(owner, '/identities/demo/', { sub: `new-${owner.name}` }),
    status: 204,
    isDone: async (owner) => (await record(owner)).identityKeys.includes(keyOf(`new-${owner.name}`)),
    ...spent,
  },
  {
    name: 'a confirmation by a code, in the app',
    request: async (owner) =>
      withCode(owner, '/confirm/with/demo/', { sub: owner.name, auth_time: Math.floor(Date.now() / 1000) }),
    status: 204,
    isDone: async (owner) =>
      (await record(owner)).credentials.some(({ lastUsedAt }) => typeof lastUsedAt === 'string'),
    ...spent,
  },
  {
    name: 'a login with an ID token of an SDK',
    request: ({ name }) => post('/login/with/demo/token/', issued({ sub: name })),
    status: 200,
    isDone: async (owner) =>
      (await record(owner)).credentials.some(({ lastUsedAt }) => typeof lastUsedAt === 'string'),
    ...spent,
  },
  {
    name: 'an identity linked by an ID token of an SDK',
    request: ({ browser, name }) => ({
      ...from(browser, 'POST', '/identities/demo/token/'),
      payload: issued({ sub: `new-${name}` }),
    }),
    status: 204,
    isDone: async (owner) => (await record(owner)).identityKeys.includes(keyOf(`new-${owner.name}`)),
    ...spent,
  },
  {
    name: 'a confirmation by an ID token of an SDK',
    request: ({ browser, name }) => ({
      ...from(browser, 'POST', '/confirm/with/demo/token/'),
      payload: issued({ sub: name, auth_time: Math.floor(Date.now() / 1000) }),
    }),
    status: 204,
    isDone: async (owner) =>
      (await record(owner)).credentials.some(({ lastUsedAt }) => typeof lastUsedAt === 'string'),
    ...spent,
  },
  {
    name: 'the list of identities',
    request: ({ browser }) => from(browser, 'GET', '/identities/'),
    status: 200,
  },
  {
    name: 'an identity removed',
    request: ({ browser, path }) => from(browser, 'DELETE', path),
    status: 204,
    isDone: async (owner) => (await record(owner)).identityKeys.length === 0,
    again: [404],
  },
  {
    name: 'a user found by an identity, by the host',
    request: (owner) => onHost('find-by-identity', owner, owner.name),
    status: 200,
  },
  {
    name: 'the list of identities, by the host',
    request: (owner) => onHost('list-identities', owner),
    status: 200,
  },
  {
    name: 'an identity linked by the host',
    request: (owner) => onHost('add-identity', owner, `new-${owner.name}`),
    status: 200,
    isDone: async (owner) => (await record(owner)).identityKeys.includes(keyOf(`new-${owner.name}`)),
    again: [200],
  },
  {
    name: 'an identity removed by the host',
    request: (owner) => onHost('remove-identity', owner, owner.path.split('/').at(-1)),
    status: 200,
    isDone: async (owner) => (await record(owner)).identityKeys.length === 0,
    again: [200],
  },
]

const verifier = 'x'.repeat(43)
const appUrlOf = (path: string) =>
  `${path}app/?${new URLSearchParams({
    ...{ redirect_uri: 'org.example.app:/login', state: 'state', code_challenge_method: 'S256' },
    code_challenge: hash('sha256', verifier, 'base64url'),
  })}`
const appUrl = appUrlOf('/login/with/demo/')

/** The callback of a browser in which an app has started a login. */
const callbackInApp = (browser: Visitor, claims: object): Promise<InjectOptions> =>
  callback(browser, claims, appUrl)

/** What the app sends afterwards. */
const codeOf = async (owner: Owner, claims: object): Promise<InjectOptions> =>
  post('/tokens/', await codeFrom(owner, '/login/with/demo/', claims))

/** The same to link or confirm, in the session of the app. */
const withCode = async (owner: Owner, path: string, claims: object): Promise<InjectOptions> => ({
  ...from(owner.browser, 'POST', `${path}code/`),
  payload: await codeFrom(owner, path, claims),
})

async function codeFrom(owner: Owner, path: string, claims: object): Promise<object> {
  const { headers } = await owner.send(await callback(browserOf(owner), claims, appUrlOf(path)))
  const { searchParams } = new URL(String(headers.location))
  return { code: searchParams.get('code'), code_verifier: verifier }
}

/** An ID token as the provider's SDK gives it to an app. */
function issued(claims: object): { id_token: string; nonce: string } {
  const nonce = randomUUID()
  return { id_token: issuer.issue('ios-app', hash('sha256', nonce, 'hex'), { ...claims }), nonce }
}

/** An account that somebody has made and used, with an address that nobody has proven. */
async function makeUsed(owner: Owner): Promise<void> {
  const username = `other-${owner.name}`
  await owner.service.app.accounts.createUser({ username, password: goodPassword, email: others(owner) })
  await owner.logIn(goodPassword, username)
}

/** A browser that is asked whose it is. */
async function asked(owner: Owner): Promise<Visitor> {
  await makeUsed(owner)
  const browser = browserOf(owner)
  await browser.logInWith({ sub: `new-${owner.name}`, email: others(owner), email_verified: true })
  return browser
}

/** A browser that has started to sign up with an unverified address. */
async function waiting(owner: Owner): Promise<Visitor> {
  const browser = browserOf(owner)
  await browser.logInWith({ sub: `new-${owner.name}`, email: others(owner) })
  return browser
}

const mailed = async (owner: Owner): Promise<string> =>
  linkPath(await owner.service.post.mail('identity-sign-up', others(owner)))

async function setOwner(service: Service): Promise<Owner> {
  const scene = await setScene(service)
  const browser = browserOf(scene)
  await browser.logIn(scene.name)
  await browser.link({ sub: scene.name })
  const [{ id }] = (await browser.send('GET', '/identities/')).json().results
  return { ...scene, browser, path: `/identities/${id}` }
}

const options = {
  get features() {
    const client = { clientId: 'app', clientSecret: 'secret', appAudiences: ['ios-app'] }
    const demo = { name: 'demo', issuer: issuer.url, ...client, authoritativeFor: true } as const
    return [providers([demo], { appRedirectUris: ['org.example.app:/login'] })]
  },
}

describe('other providers when any adapter call fails', () => {
  // The provider has to respond within the deadline as well.
  tryFactor({ options, set: setOwner, deadline: 250 }, trials)
})

test('FLT-16 all routes together log one line when an outage begins, and one when it ends', async () => {
  const stores = await memory.open()
  onTestFinished(() => stores.close())
  const { service, loud } = await logging(stores, options)
  const owners: Scene[] = []
  for (let count = 0; count < 7; count += 1) owners.push(await setScene(service))
  const browsers = await Promise.all(
    owners.map(async (owner) => {
      const browser = browserOf(owner)
      await browser.logIn(owner.name)
      return browser
    }),
  )
  const outage = `${issuer.url}: discovery returned 503`
  holdClock()
  issuer.twist.discovery = (response) => void response.writeHead(503).end()
  for (const browser of browsers) {
    for (const [path, language] of [
      ['/login/with/demo/', 'en'],
      ['/identities/demo', 'de'],
    ] as const) {
      const response = await browser.send('POST', path, {}, { 'accept-language': language })
      expect([response.statusCode, response.json().code]).toEqual([503, 'ACCOUNTS_PROVIDER_UNAVAILABLE'])
    }
  }
  delete issuer.twist.discovery
  issuer.twist.token = (response) => void response.writeHead(503).end()
  for (const [number, browser] of browsers.entries()) {
    for (const act of [browser.logInWith, browser.link]) {
      const response = await act({ sub: `subject-${number}` })
      expect([response.statusCode, response.json().code]).toEqual([503, 'ACCOUNTS_PROVIDER_UNAVAILABLE'])
    }
  }
  const begun = loud()
  expect(begun).toHaveLength(1)
  expectBegun(begun, ['the provider demo'], outage)

  delete issuer.twist.token
  for (const [number, browser] of browsers.entries()) await browser.link({ sub: `subject-${number}` })
  await pass()
  expectEnded(loud().slice(1), begun)
})
