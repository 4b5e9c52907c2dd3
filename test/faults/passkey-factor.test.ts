import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword, linkPath } from '@fastify-accounts/test-support/app'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import type { Service } from '@fastify-accounts/test-support/faults/service'
import {
  create,
  get,
  otherKey,
  type SoftPasskey,
  type Twist,
} from '@fastify-accounts/test-support/passkeys/authenticator'
import { confirm, prove, turn } from '@fastify-accounts/test-support/passkeys/second-step'
import { origin, type Visitor, visitor } from '@fastify-accounts/test-support/passkeys/service'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { invitations, secondFactor } from 'fastify-accounts'
import { afterEach, beforeEach, describe, expect, vi } from 'vitest'
import { type FactorTrial, has, post, record, step, tryFactor } from './factor-trials.js'

// So no challenge expires, and `lastUsedAt` is predictable.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:10Z') }))
afterEach(() => void vi.useRealTimers())

/** A user whose login requires a passkey after the password. */
interface Owner extends Scene {
  passkey: SoftPasskey
  /** Logged in and re-authenticated. */
  browser: Visitor
  /** The path of the passkey. */
  path: string
}

/** A browser with the scene's IP address. */
const browserOf = ({ send }: Scene): Visitor =>
  visitor({ app: { inject: send } as unknown as FastifyInstance })

const from = (
  { cookies }: Visitor,
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
): InjectOptions => ({
  method,
  url,
  headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
  ...(payload && { payload }),
})

/** A browser that has passed the password step, and the options of its second step. */
async function waiting(owner: Scene): Promise<{ browser: Visitor; options: { challenge: string } }> {
  const browser = browserOf(owner)
  await browser.send('POST', '/login/', { username: owner.name, password: goodPassword })
  return { browser, options: (await browser.send('POST', '/login/passkey/options/')).json() }
}

const secondStep =
  (twist?: Twist) =>
  async (owner: Owner): Promise<InjectOptions> => {
    const { browser, options } = await waiting(owner)
    return from(browser, 'POST', step, { response: get(owner.passkey, options, twist) })
  }

async function kept(owner: Owner) {
  return (await record(owner)).credentials.filter(({ kind }) => kind === 'passkey')
}
const isUsed = async (owner: Owner): Promise<boolean> =>
  (await kept(owner)).some(({ lastUsedAt }) => lastUsedAt === new Date().toISOString())

const gusOf = ({ name }: Scene): string => `${name}-gus@example.org`

/** @returns the path of the link */
async function inviteGus(owner: Scene): Promise<string> {
  const { app, post } = owner.service
  await app.accounts.invite({ email: gusOf(owner) })
  return linkPath(await post.mail('invitation', gusOf(owner)))
}

const trials: FactorTrial<Owner>[] = [
  {
    name: 'a passkey after the password',
    request: secondStep(),
    status: 200,
    isDone: isUsed,
    again: [401],
  },
  { name: 'a wrong passkey after the password', request: secondStep({ key: otherKey() }), status: 401 },
  {
    name: 'a passkey from another site after the password',
    request: secondStep({ origin: 'https://evil.example' }),
    status: 401,
  },
  {
    name: 'the options for a second step',
    request: async (owner) => from((await waiting(owner)).browser, 'POST', '/login/passkey/options/'),
    status: 200,
  },
  {
    name: 'the options for a confirmation',
    request: ({ browser }) => from(browser, 'POST', '/confirm/passkey/options/'),
    status: 200,
  },
  {
    name: 'a confirmation with a passkey',
    async request({ browser, passkey }) {
      const options = (await browser.send('POST', '/confirm/passkey/options/')).json()
      return from(browser, 'POST', '/confirm/', { response: get(passkey, options) })
    },
    status: 204,
    isDone: isUsed,
    again: [400, 401],
    spoiled: [400],
  },
  {
    name: 'a passkey alone',
    async request(owner) {
      const browser = browserOf(owner)
      const options = (await browser.send('POST', '/login/passkey/options/')).json()
      return from(browser, 'POST', '/login/passkey/', { response: get(owner.passkey, options) })
    },
    status: 200,
    isDone: isUsed,
    again: [401],
    spoiled: [401],
  },
  ...(['user', 'signup'] as const).map(
    (variant): FactorTrial<Owner> => ({
      name: `a passkey that shows who signed up, at /${variant}/v/`,
      async request(owner) {
        const { id, version } = await record(owner)
        await owner.service.stores.users.update(id, { isVerified: false }, version)
        await owner.send(post(`/${variant}/v/`, { email: owner.email }))
        const link = linkPath(await owner.service.post.mail('verify-email', owner.email))
        const browser = browserOf(owner)
        const options = (await browser.send('POST', '/login/passkey/options/')).json()
        return from(browser, 'POST', `${link}passkey/`, { response: get(owner.passkey, options) })
      },
      status: 200,
      isDone: async (owner) => (await record(owner)).isVerified,
      again: [400],
      spoiled: [400],
    }),
  ),
  {
    name: 'passkeys turned off',
    request: ({ browser }) => from(browser, 'PATCH', '/second-factor/', { passkeys: false }),
    status: 200,
    isDone: async (owner) => !(await has(owner)),
    again: [200],
  },
  {
    name: 'passkeys turned on',
    async request({ browser }) {
      await turn(browser, false)
      return from(browser, 'PATCH', '/second-factor/', { passkeys: true })
    },
    status: 200,
    isDone: has,
    // Earlier sessions have ended.
    again: [401],
  },
  {
    name: 'another passkey',
    async request({ browser }) {
      const options = (await browser.send('POST', '/passkeys/options/', { use: 'factor' })).json()
      return from(browser, 'POST', '/passkeys/', { response: create(options, origin).response })
    },
    status: 201,
    isDone: async (owner) => (await kept(owner)).length === 2,
    again: [400],
    spoiled: [400],
  },
  {
    name: 'the list of passkeys',
    request: ({ browser }) => from(browser, 'GET', '/passkeys/'),
    status: 200,
  },
  {
    name: 'the options for another passkey',
    request: ({ browser }) => from(browser, 'POST', '/passkeys/options/'),
    status: 200,
  },
  {
    name: 'the options for a login',
    request: (owner) => from(browserOf(owner), 'POST', '/login/passkey/options/'),
    status: 200,
  },
  {
    name: 'a passkey renamed',
    request: ({ browser, path }) => from(browser, 'PATCH', path, { name: 'The blue one' }),
    status: 200,
    isDone: async (owner) => (await kept(owner)).some(({ name }) => name === 'The blue one'),
    again: [200],
  },
  {
    name: 'the options for a sign-up',
    request: (owner) => from(browserOf(owner), 'POST', '/signup/passkey/options/', owner.fresh),
    status: 200,
  },
  {
    name: 'a sign-up',
    async request(owner) {
      const browser = browserOf(owner)
      const options = (await browser.send('POST', '/signup/passkey/options/', owner.fresh)).json()
      const { response } = create(options, origin)
      return from(browser, 'POST', '/signup/passkey/', { ...owner.fresh, response })
    },
    status: 201,
    isDone: async ({ service, fresh }) =>
      (await service.stores.users.findByUsername(fresh.username)) !== null,
    again: [400, 409],
    spoiled: [400],
  },
  {
    name: 'the options for an invitation',
    async request(owner) {
      const path = `${await inviteGus(owner)}passkey/options/`
      return from(browserOf(owner), 'POST', path, { username: owner.fresh.username })
    },
    status: 200,
  },
  {
    name: 'an invitation accepted with a passkey',
    async request(owner) {
      const path = `${await inviteGus(owner)}passkey/`
      const browser = browserOf(owner)
      const choice = { username: owner.fresh.username }
      const { response } = create((await browser.send('POST', `${path}options/`, choice)).json(), origin)
      return from(browser, 'POST', path, { ...choice, response })
    },
    status: 200,
    isDone: async (owner) => {
      const user = await owner.service.stores.users.findByEmail(gusOf(owner))
      expect(user === null || (user.isVerified && user.credentials.length === 1)).toBe(true)
      return user !== null
    },
    // Until the invitation is gone, the link asks for a login.
    again: [400, 401],
    spoiled: [400],
  },
  {
    name: 'the last passkey removed',
    request: ({ browser, path }) => from(browser, 'DELETE', path),
    status: 204,
    isDone: async (owner) => !(await has(owner)) && (await kept(owner)).length === 0,
    again: [404],
  },
]

async function setOwner(service: Service): Promise<Owner> {
  const scene = await setScene(service)
  const browser = browserOf(scene)
  await browser.logIn(scene.name)
  const { passkey } = await browser.add()
  await prove(browser, passkey, true)
  const confirmed = await confirm(browser, passkey)
  if (confirmed.statusCode !== 204) throw new Error(confirmed.body)
  const [{ id }] = (await browser.send('GET', '/passkeys/')).json().results
  vi.setSystemTime(Date.now() + 1000)
  return { ...scene, passkey, browser, path: `/passkeys/${id}` }
}

async function logInByPasskey(owner: Owner): Promise<string> {
  const { browser, options } = await waiting(owner)
  await browser.send('POST', step, { response: get(owner.passkey, options) })
  return `session=${browser.cookies.get('session') ?? ''}`
}

describe('passkeys when any adapter call fails', () => {
  tryFactor(
    {
      options: { features: [passkeys(), secondFactor(), invitations()] },
      others: { login: { emailCode: true }, features: [secondFactor(), invitations()] },
      set: setOwner,
      logIn: logInByPasskey,
    },
    trials,
  )
})
