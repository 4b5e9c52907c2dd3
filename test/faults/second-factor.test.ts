import { as, cookieOf, goodPassword } from '@fastify-accounts/test-support/app'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import type { Service } from '@fastify-accounts/test-support/faults/service'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import { secondFactor } from 'fastify-accounts'
import { afterEach, beforeEach, describe, vi } from 'vitest'
import { type FactorTrial, firstStep, has, onHost, post, record, step, tryFactor } from './factor-trials.js'

// So no TOTP step ends between generating and using a code.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:10Z') }))
afterEach(() => void vi.useRealTimers())

/** A user with an authenticator app, and what is needed to use it. */
interface Owner extends Scene {
  secret: string
  codes: string[]
  /** A session that passed the second factor. */
  session: string
  /** The cookie of a remembered device, and its id in the list. */
  device: string
  deviceId: string
}

const count = async (owner: Owner, kind: string): Promise<number> =>
  (await record(owner)).credentials.filter((each) => each.kind === kind).length
const appId = async (owner: Owner): Promise<unknown> =>
  (await record(owner)).credentials.find(({ kind }) => kind === 'totp')?.id
const isUsed = async (owner: Owner): Promise<boolean> =>
  (await record(owner)).credentials.some(({ step }) => step === Math.floor(Date.now() / 30_000))
const trials: FactorTrial<Owner>[] = [
  {
    name: 'a login that still needs the factor',
    request: ({ name }) => post('/login/', { username: name, password: goodPassword }),
    status: 401,
  },
  {
    name: 'a login on a remembered device',
    request: ({ name, device }) => post('/login/', { username: name, password: goodPassword }, device),
    status: 200,
  },
  {
    name: 'a code from the app',
    request: async (owner) => post(step, { code: codeOf(owner.secret) }, await firstStep(owner)),
    status: 200,
    isDone: isUsed,
    again: [401],
  },
  {
    name: 'a recovery code, remembering the device',
    request: async (owner) =>
      post(step, { code: owner.codes[1], remember_device: true }, await firstStep(owner)),
    status: 200,
    isDone: async (owner) => (await count(owner, 'recovery-code')) < 9,
    again: [401],
  },
  {
    name: 'a wrong code',
    request: async (owner) => post(step, { code: '000000' }, await firstStep(owner)),
    status: 401,
  },
  {
    name: 'a confirmation code',
    request: ({ secret, session }) => post('/confirm/', { code: codeOf(secret) }, session),
    status: 204,
    isDone: isUsed,
    again: [400, 401],
  },
  {
    name: 'the list of factors',
    request: ({ session }) => ({ url: '/second-factor/', ...as(session) }),
    status: 200,
  },
  {
    name: 'the setup of another app started',
    request: ({ session }) => post('/second-factor/totp/', undefined, session),
    status: 200,
  },
  {
    name: 'another app added',
    async request({ send, session }) {
      const { secret, token } = (await send(post('/second-factor/totp/', undefined, session))).json()
      return post('/second-factor/totp/confirm/', { code: codeOf(secret), token }, session)
    },
    status: 200,
    isDone: async (owner) => (await count(owner, 'totp')) === 2,
    again: [400, 401, 403],
  },
  {
    name: 'new recovery codes',
    request: ({ session }) => post('/second-factor/recovery-codes/', undefined, session),
    status: 200,
    isDone: async (owner) => (await count(owner, 'recovery-code')) === 10,
    again: [200],
  },
  {
    name: 'a remembered device removed',
    request: ({ session, deviceId }) => ({
      method: 'DELETE',
      url: `/second-factor/devices/${deviceId}`,
      ...as(session),
    }),
    status: 204,
    isDone: async (owner) => (await count(owner, 'remembered-device')) === 0,
    again: [404],
  },
  {
    name: 'an app renamed',
    request: async (owner) => ({
      method: 'PATCH',
      url: `/second-factor/totp/${await appId(owner)}`,
      payload: { name: 'Phone' },
      ...as(owner.session),
    }),
    status: 200,
    isDone: async (owner) => (await record(owner)).credentials.some(({ name }) => name === 'Phone'),
    again: [200],
  },
  {
    name: 'the only app removed by id',
    request: async (owner) => ({
      method: 'DELETE',
      url: `/second-factor/totp/${await appId(owner)}`,
      ...as(owner.session),
    }),
    status: 204,
    isDone: async (owner) => !(await has(owner)),
    again: [404],
  },
  {
    name: 'the second factor turned off',
    request: ({ session }) => ({ method: 'DELETE', url: '/second-factor/totp/', ...as(session) }),
    status: 204,
    isDone: async (owner) => !(await has(owner)),
    again: [404],
  },
  {
    // The app no longer has the feature for passkeys.
    name: 'passkeys turned off',
    async request({ edit, session }) {
      await edit({ factors: ['totp', 'passkey'] })
      return { method: 'PATCH', url: '/second-factor/', payload: { passkeys: false }, ...as(session) }
    },
    status: 200,
    isDone: async (owner) => !(await record(owner)).factors.includes('passkey'),
    again: [200],
  },
  {
    name: 'the second factor reset by staff',
    async request({ service, user, send }) {
      const username = `manager-${user.id}`
      await service.app.accounts.createUser({ username, password: goodPassword, isStaff: true })
      const staff = cookieOf(await send(post('/login/', { username, password: goodPassword })))
      return post(`/user/${user.id}/second-factor/reset/`, undefined, staff)
    },
    status: 204,
    isDone: async (owner) => !(await has(owner)),
    again: [204],
  },
  {
    name: 'the second factor reset by the host',
    request: (owner) => onHost('reset-factors', owner),
    status: 200,
    isDone: async (owner) => !(await has(owner)),
    again: [200],
  },
  {
    name: 'a login by the host that still needs the factor',
    request: (owner) => onHost('log-in', owner),
    status: 401,
  },
]

async function setOwner(service: Service): Promise<Owner> {
  const scene = await setScene(service)
  const { send, cookie } = scene
  const { secret, token } = (await send(post('/second-factor/totp/', undefined, cookie))).json()
  const confirm = { code: codeOf(secret, -1), token }
  const enrolled = await send(post('/second-factor/totp/confirm/', confirm, cookie))
  const { recovery_codes: codes } = enrolled.json()
  const body = { code: codes[0], remember_device: true }
  const done = await send(post(step, body, await firstStep(scene)))
  const session = cookieOf(done)
  const remembered = done.cookies.find(({ name }) => name.endsWith('-remembered'))
  const [{ id: deviceId }] = (await send({ url: '/second-factor/', ...as(session) })).json()
    .remembered_devices
  const device = `${remembered?.name}=${remembered?.value}`
  return { ...scene, secret, codes, session, device, deviceId }
}

async function logInByCode(owner: Owner): Promise<string> {
  vi.setSystemTime(Date.now() + 60_000)
  return cookieOf(await owner.send(post(step, { code: codeOf(owner.secret) }, await firstStep(owner))))
}

describe('a second factor when any adapter call fails', () => {
  tryFactor({ options: { features: [secondFactor()] }, set: setOwner, logIn: logInByCode }, trials)
})
