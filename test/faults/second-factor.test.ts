import type { LightMyRequestResponse as Answer, InjectOptions } from 'fastify'
import { secondFactor } from 'fastify-accounts'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { cookieOf, goodPassword } from '../../packages/accounts/test/support/app.js'
import { as, codeOf } from '../../packages/accounts/test/support/second-factor.js'
import { type FaultName, faults, recorder, type Site, saboteur } from './faults.js'
import { memory, type OpenGround } from './grounds.js'
import { watch } from './probe.js'
import { type Scene, setScene } from './scene.js'
import { type Service, startService } from './service.js'
import { labelOf } from './trial.js'

const everyFault = Object.keys(faults) as FaultName[]

// So that no step ends between a code and its use.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:10Z') }))
afterEach(() => void vi.useRealTimers())

/** Somebody with an app, and what is needed to use it. */
interface Owner extends Scene {
  secret: string
  codes: string[]
  /** A session that gave the factor. */
  session: string
  /** A device that is remembered, and its id in the list. */
  device: string
  deviceId: string
}

/** One way through a route. */
interface Trial {
  name: string
  request(owner: Owner): InjectOptions | Promise<InjectOptions>
  /** The answer where nothing fails. */
  status: number
  /** What the record shows that the request has done; nothing where it does nothing. */
  isDone?(owner: Owner): Promise<boolean>
  /** How the same request is answered where it was done already. */
  again?: number[]
}

const post = (url: string, payload?: object, cookie?: string): InjectOptions => ({
  method: 'POST',
  url,
  ...(payload && { payload }),
  ...(cookie && as(cookie)),
})
const record = async ({ service, user }: Owner) => {
  const found = await service.stores.users.findById(user.id)
  if (found === null) throw new Error('the owner is gone')
  return found
}
const count = async (owner: Owner, kind: string): Promise<number> =>
  (await record(owner)).credentials.filter((each) => each.kind === kind).length
const isUsed = async (owner: Owner): Promise<boolean> =>
  (await record(owner)).credentials.some(({ step }) => step === Math.floor(Date.now() / 30_000))
const has = async (owner: Owner): Promise<boolean> => (await record(owner)).factors.length > 0

async function firstStep({ send, name }: Scene): Promise<string> {
  const answer = await send(post('/login/', { username: name, password: goodPassword }))
  const pending = answer.cookies.find((each) => each.name.endsWith('-pending'))
  if (pending === undefined) throw new Error(`no factor was asked for: ${answer.body}`)
  return `${pending.name}=${pending.value}`
}

const step = '/login/second-factor/'
const trials: Trial[] = [
  {
    name: 'a login that owes the factor',
    request: ({ name }) => post('/login/', { username: name, password: goodPassword }),
    status: 401,
  },
  {
    name: 'a login on a device that is remembered',
    request: ({ name, device }) => post('/login/', { username: name, password: goodPassword }, device),
    status: 200,
  },
  {
    name: 'a code of the app',
    request: async (owner) => post(step, { code: codeOf(owner.secret) }, await firstStep(owner)),
    status: 200,
    isDone: isUsed,
    again: [401],
  },
  {
    name: 'a recovery code, on a device to be remembered',
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
    name: 'a code that confirms',
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
    name: 'another app begun',
    request: ({ session }) => post('/second-factor/totp/', undefined, session),
    status: 200,
  },
  {
    name: 'another app',
    async request({ send, session }) {
      const { secret, token } = (await send(post('/second-factor/totp/', undefined, session))).json()
      return post('/second-factor/totp/confirm/', { code: codeOf(secret), token }, session)
    },
    status: 200,
    isDone: async (owner) => (await count(owner, 'totp')) === 2,
    again: [400, 401],
  },
  {
    name: 'new recovery codes',
    request: ({ session }) => post('/second-factor/recovery-codes/', undefined, session),
    status: 200,
    isDone: async (owner) => (await count(owner, 'recovery-code')) === 10,
    again: [200],
  },
  {
    name: 'a device ended in the list',
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
    name: 'no factor any more',
    request: ({ session }) => ({ method: 'DELETE', url: '/second-factor/totp/', ...as(session) }),
    status: 204,
    isDone: async (owner) => !(await has(owner)),
    again: [404],
  },
  {
    name: 'no factor any more, by staff',
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

const granted = ({ cookies }: Answer): string[] =>
  cookies.filter(({ value }) => value !== '').map(({ name }) => name)

/** Has the fault befall the request, and judges what comes of it. */
async function run(service: Service, owner: Owner, trial: Trial, site: Site, fault: FaultName) {
  const request = { ...(await trial.request(owner)), remoteAddress: owner.remoteAddress }
  const trouble = saboteur(site, fault)
  try {
    const answer = await watch(trouble.onCall, () => service.send(request))
    await trouble.answerLate()
    expect(trouble.hasStruck()).toBe(true)
    expect([503, trial.status]).toContain(answer.statusCode)
    if (answer.statusCode === 503) {
      expect(answer.json().code).toBe('ACCOUNTS_UNAVAILABLE')
      expect(granted(answer)).toEqual([])
    } else if (trial.isDone) expect(await trial.isDone(owner)).toBe(true)
    if (trial.status >= 300) expect(granted(answer)).not.toContain('session')
    expect(answer.body).not.toMatch(/s3cret|ECONN|10\.0\.0/)

    // Whatever was lost, a password alone opens nothing while a factor is on.
    const password = { username: owner.name, password: goodPassword }
    const isOn = await has(owner)
    expect((await owner.send(post('/login/', password))).statusCode).toBe(isOn ? 401 : 200)
    const isDone = await trial.isDone?.(owner)
    const again = await service.send(request)
    const fresh = [trial.status, ...(request.url === step ? [401] : [])]
    expect(isDone ? trial.again : fresh).toContain(again.statusCode)
    await trouble.answerLater()
  } finally {
    await trouble.end()
  }
  // And the owner gets in as before.
  if (!(await has(owner))) return
  vi.setSystemTime(Date.now() + 60_000)
  const body = { code: codeOf(owner.secret) }
  const back = await owner.send(post(step, body, await firstStep(owner)))
  expect(await owner.whoIs(cookieOf(back))).toBe(owner.name)
}

describe('a second factor where any call of any adapter fails', () => {
  test.each(trials.map((trial) => [trial.name, trial] as const))(
    'is 503 or the truth: %s',
    { timeout: 240_000 },
    async (_, trial) => {
      const ground: OpenGround = await memory.open()
      const features = [secondFactor()]
      const calm = await startService(ground, { features })
      const hasty = await startService(ground, { features, adapterTimeout: 25 })
      const { onCall, sites } = recorder()
      const sample = await setOwner(calm)
      const request = await trial.request(sample)
      const answer = await watch(onCall, () => calm.send(request))
      // What comes after the answer is for the tests of mails.
      const made = [...sites].filter(({ isAsync }) => isAsync)
      expect([answer.statusCode, await trial.isDone?.(sample)]).toEqual([trial.status, trial.isDone && true])
      const wrong: string[] = []
      for (const site of made) {
        for (const fault of everyFault) {
          const owner = await setOwner(calm)
          const service = faults[fault].hangs ? hasty : calm
          await run(service, owner, trial, site, fault).catch((error) => {
            wrong.push(`${labelOf(site)} ${fault}: ${error}`)
          })
        }
      }
      expect(made.length).toBeGreaterThan(0)
      expect(wrong).toEqual([])
      await calm.app.close()
      await hasty.app.close()
      await ground.close()
    },
  )
})
