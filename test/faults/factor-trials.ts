import { goodPassword } from '@fastify-accounts/test-support/app'
import { isQuick, sample } from '@fastify-accounts/test-support/depth'
import { memory, type OpenGround } from '@fastify-accounts/test-support/faults/grounds'
import type { HostAction } from '@fastify-accounts/test-support/faults/host-routes'
import { watch } from '@fastify-accounts/test-support/faults/probe'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import { type Service, startService } from '@fastify-accounts/test-support/faults/service'
import { deliveredBy } from '@fastify-accounts/test-support/tokens'
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import type { AccountsOptions, DeliveredTokens } from 'fastify-accounts'
import { expect, test } from 'vitest'
import { eventWatch, expectTold, type OptionsOn, type Outcome, optionsOn } from './event-watch.js'
import { type FaultName, faults, faultsOf, recorder, type Site, saboteur } from './faults.js'
import { type Mounted, mayChange, mounted, routeOf } from './mounted.js'
import { postWatch, storesWithOutbox, tellsAll } from './notices.js'
import { labelOf } from './trial.js'

/** One way through a route of an optional feature. */
export interface FactorTrial<Owner> {
  name: string
  request(owner: Owner): InjectOptions | Promise<InjectOptions>
  /** The status if nothing fails. */
  status: number
  /** Whether the record shows the request's effect; absent if it has none. */
  isDone?(owner: Owner): Promise<boolean>
  /** The statuses that the same request may return once it is done. */
  again?: number[]
  /** The status if it is done, but the owner's session couldn't go on. Default: the same. */
  statusAlone?: number
  /** The password that logs in once it is done. Default: the one before. */
  password?: string
  /** The statuses it may return if it isn't done but its code or token is used up. */
  spoiled?: number[]
}

/** Sets up the user that requests are about. */
export interface Owners<Owner extends Scene> {
  options: OptionsOn
  /** Options whose routes have their trials in other files. Default: only those of every mount. */
  others?: Partial<AccountsOptions>
  /** The deadline in milliseconds for calls that hang; more if another server must respond as well. Default 25. */
  deadline?: number
  set(service: Service): Promise<Owner>
  /** Logs in with the factor after the fault and returns the session. Absent without a factor. */
  logIn?(owner: Owner): Promise<string>
}

export const step = '/login/second-factor/'

export const post = (url: string, payload?: object, cookie?: string): InjectOptions => ({
  method: 'POST',
  url,
  ...(payload && { payload }),
  ...(cookie && { headers: { cookie } }),
})

/** A call of `app.accounts` about the owner, by the host's own code. */
export const onHost = (action: HostAction, { user }: Scene, value = ''): InjectOptions =>
  post(`/host/${action}`, { id: user.id, value })

export async function record({ service, user }: Scene) {
  const found = await service.stores.users.findById(user.id)
  if (found === null) throw new Error('the owner is gone')
  return found
}

export const has = async (owner: Scene): Promise<boolean> => (await record(owner)).factors.length > 0

/** The cookie of a login that still needs its factor. */
export async function firstStep({ send, name }: Scene): Promise<string> {
  const response = await send(post('/login/', { username: name, password: goodPassword }))
  const pending = response.cookies.find((each) => each.name.endsWith('-pending'))
  if (pending === undefined) throw new Error(`no factor was required: ${response.body}`)
  return `${pending.name}=${pending.value}`
}

/** Cookies that let somebody in. That of a sign-up only says who made an account, which a failure may have left. */
const granted = ({ cookies }: Response): string[] =>
  cookies.filter(({ name, value }) => value !== '' && !name.endsWith('-signup')).map(({ name }) => name)

/** Those of a session, and of the browser that it is in. */
const sessionCookies = ['session', 'session-device']

async function whoHas({ send }: Scene, { access_token: token }: DeliveredTokens): Promise<string | null> {
  const me = await send({ url: '/me/', headers: { authorization: `Bearer ${token}` } })
  return me.statusCode === 200 ? me.json().username : null
}

const hasSession = ({ headers }: InjectOptions): boolean => /\bsession=/.test(`${headers?.cookie}`)

/** Injects the fault into the request and checks the outcome. */
async function run<Owner extends Scene>(
  service: Service,
  owners: Owners<Owner>,
  owner: Owner,
  trial: FactorTrial<Owner>,
  site: Site,
  fault: FaultName,
): Promise<void> {
  const request = { ...(await trial.request(owner)), remoteAddress: owner.remoteAddress }
  const trouble = saboteur(site, fault)
  try {
    const response = await watch(trouble.onCall, () => service.send(request))
    await trouble.respondLate()
    expect(trouble.hasStruck()).toBe(true)
    expect([503, trial.status, trial.statusAlone]).toContain(response.statusCode)
    if (response.statusCode === 503) {
      expect(response.json().code).toBe('ACCOUNTS_UNAVAILABLE')
      // Where the change of a logged-in owner was made all the same, their session goes on.
      const goesOn = hasSession(request) && (await trial.isDone?.(owner))
      expect(granted(response).filter((name) => !(goesOn && sessionCookies.includes(name)))).toEqual([])
    } else if (trial.isDone) expect(await trial.isDone(owner)).toBe(true)
    if (trial.status >= 400) expect(granted(response)).not.toContain('session')
    expect(response.body).not.toMatch(/s3cret|ECONN|10\.0\.0/)

    // Whatever was lost, a password alone isn't enough while a factor is on.
    const isDone = await trial.isDone?.(owner)
    const password = { username: owner.name, password: (isDone && trial.password) || goodPassword }
    const isOn = await has(owner)
    expect((await owner.send(post('/login/', password))).statusCode).toBe(isOn ? 401 : 200)
    const again = await service.send(request)
    const fresh = [trial.status, ...(trial.spoiled ?? (request.url === step ? [401] : []))]
    expect(isDone ? trial.again : fresh).toContain(again.statusCode)
    await trouble.respondLater()
    if (trial.isDone && (isDone || again.statusCode < 400)) expect(await trial.isDone(owner)).toBe(true)
    // What was delivered last works, even after late calls.
    const tokens = deliveredBy(again) ?? deliveredBy(response)
    if (tokens) expect(await whoHas(owner, tokens)).toBe(owner.name)
  } finally {
    await trouble.end()
  }
  // The owner can log in as before.
  if (owners.logIn && (await has(owner)))
    expect(await owner.whoIs(await owners.logIn(owner))).toBe(owner.name)
}

/** One test for each trial: each adapter call fails in every way, at quick depth one of them. */
export function tryFactor<Owner extends Scene>(owners: Owners<Owner>, trials: FactorTrial<Owner>[]): void {
  test.each(trials.map((trial) => [trial.name, trial] as const))(
    'returns 503 or a truthful response: %s',
    { timeout: 240_000 },
    async (_, trial) => {
      const ground: OpenGround = await memory.open()
      const { deadline = 25 } = owners
      const options = optionsOn(ground, owners.options)
      const calm = await startService(ground, options)
      const hasty = new Map<number, Service>()
      const hastyOf = async (adapterTimeout: number): Promise<Service> => {
        const service =
          hasty.get(adapterTimeout) ?? (await startService(ground, { ...options, adapterTimeout }))
        hasty.set(adapterTimeout, service)
        return service
      }
      const { onCall, sites } = recorder()
      const first = await owners.set(calm)
      const request = await trial.request(first)
      const response = await watch(onCall, () => calm.send(request))
      // Calls after the response are covered by the mail tests.
      const made = [...sites].filter(({ isAsync }) => isAsync)
      expect([response.statusCode, await trial.isDone?.(first)]).toEqual([trial.status, trial.isDone && true])
      const wrong: string[] = []
      for (const site of isQuick ? sample(trial.name, made) : made) {
        for (const fault of faultsOf(`${trial.name} ${labelOf(site)}`)) {
          const { hangs } = faults[fault]
          // On a busy machine healthy calls may miss the deadline as well, but not a much longer one.
          for (let longer = 1; ; longer *= 8) {
            const owner = await owners.set(calm)
            const service = hangs ? await hastyOf(deadline * longer) : calm
            const failure = await run(service, owners, owner, trial, site, fault).catch((error) => error)
            if (failure !== undefined && hangs && longer < 64) continue
            if (failure !== undefined) wrong.push(`${labelOf(site)} ${fault}: ${failure}`)
            break
          }
        }
      }
      expect(made.length).toBeGreaterThan(0)
      expect(wrong).toEqual([])
      await calm.app.close()
      for (const { app } of hasty.values()) await app.close()
      await ground.close()
    },
  )

  test('FLT-33 no request posts an email after a write that it could tell of', {
    timeout: 120_000,
  }, async () => {
    const stores = storesWithOutbox()
    const service = await startService(stores, { ...tellsAll, ...optionsOn(stores, owners.options) })
    const wrong: string[] = []
    for (const trial of trials) {
      const request = await trial.request(await owners.set(service))
      const { onCall, late } = postWatch()
      const response = await watch(onCall, () => service.send(request))
      expect([trial.name, response.statusCode]).toEqual([trial.name, trial.status])
      if (late.length > 0) wrong.push(`${trial.name}: ${late}`)
    }
    expect(wrong, 'store the email with the change, or post it first').toEqual([])
    await service.app.close()
  })

  test('every request that changes something has its events', { timeout: 120_000 }, async () => {
    const watched = eventWatch(owners.options)
    const service = await watched.setUp()
    const outcomes: Outcome[] = []
    for (const trial of trials) {
      const request = await trial.request(await owners.set(service))
      const told = await watched.send(request)
      expect([trial.name, told.status]).toEqual([trial.name, trial.status])
      outcomes.push({ name: trial.name, ...told })
    }
    await service.app.close()
    expectTold(outcomes)
  })

  test('every route that may change something has a trial that succeeds', { timeout: 60_000 }, async () => {
    const ground: OpenGround = await memory.open()
    const options = optionsOn(ground, owners.options)
    const service = await startService(ground, options)
    const all = await mounted(options)
    const triedElsewhere = new Set((await mounted(owners.others)).map(({ route }) => route))
    const succeed = new Set<Mounted | undefined>()
    for (const trial of trials.filter(({ status }) => status < 400)) {
      succeed.add(routeOf(await trial.request(await owners.set(service)), all))
    }
    const missing = all.filter(
      (each) => mayChange(each) && !triedElsewhere.has(each.route) && !succeed.has(each),
    )
    const file = expect.getState().testPath?.replace(/.*(?=test.faults)/, '')
    expect(
      missing.map(({ name }) => name),
      `add a trial of each in ${file} with a status below 400`,
    ).toEqual([])
    await service.app.close()
    await ground.close()
  })
}
