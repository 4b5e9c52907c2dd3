import { setTimeout as sleep } from 'node:timers/promises'
import type { Stores } from '@fastify-accounts/test-support/faults/grounds'
import { type OnCall, watch } from '@fastify-accounts/test-support/faults/probe'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import { createPost, type Service, startService } from '@fastify-accounts/test-support/faults/service'
import type { LightMyRequestResponse as Response } from 'fastify'
import type { Session, User } from 'fastify-accounts'
import { expect } from 'vitest'
import type { Branch } from './branches.js'
import { exceptions } from './exceptions.js'
import { type Fault, type FaultName, faults, recorder, type Site, saboteur } from './faults.js'

/** A call of a request. */
export interface Place {
  branch: Branch
  site: Site
  /** An earlier call whose failure causes the one at `site`. */
  after?: Site
}

/** One cell of the matrix. */
export interface Cell extends Place {
  fault: FaultName
}

/** Services on the same stores, and a user whom no request may affect. */
export interface Range {
  /** The calls that the branch makes. */
  sitesOf(branch: Branch): Promise<Place[]>
  /** The calls that it makes only if one of these fails. */
  furtherSitesOf(branch: Branch): Promise<Place[]>
  /** A new user, prepared for the branch. */
  sceneFor(branch: Branch): Promise<Scene>
  /** Injects the fault into the request and checks the outcome. */
  run(cell: Cell): Promise<void>
  close(): Promise<void>
}

/** @param deadline in milliseconds, for calls that hang */
export async function openRange(stores: Stores, deadline: number): Promise<Range> {
  const post = createPost()
  const services = new Map<string, Promise<Service>>()
  function serviceFor({ confirms = false }: Branch, hangs = false): Promise<Service> {
    const key = `${confirms} ${hangs}`
    const patience = hangs ? { adapterTimeout: deadline } : {}
    const service =
      services.get(key) ?? startService(stores, { requireEmailConfirmation: confirms, ...patience }, post)
    services.set(key, service)
    return service
  }

  /** A new user, prepared by a service without the short deadline. */
  async function sceneFor(branch: Branch): Promise<Scene> {
    const scene = await setScene(await serviceFor(branch))
    return { ...scene, ...(await branch.prepare?.(scene)) }
  }

  async function record(branch: Branch, after?: Site): Promise<Site[]> {
    const scene = await sceneFor(branch)
    const givenUp = post.failed.length
    const first = after && saboteur(after, 'rejects')
    const { onCall, sites } = recorder()
    const response = await watch(
      beside(
        branch,
        scene,
        first ? (method, inner) => onCall(method, () => first.onCall(method, inner)) : onCall,
      ),
      () => scene.send(branch.request(scene)),
    )
    const isOut = after === undefined || exceptionFor(branch, after, stores) !== undefined
    if (!after) expect([branch.name, response.statusCode]).toEqual([branch.name, branch.status])
    if (isOut && branch.mail) await post.outcome(branch.mail.kind, branch.mail.to(scene), givenUp)
    return sites
  }

  const bystander = await setScene(await serviceFor(calm))
  const seen = await stateOf(stores, bystander)
  return {
    sitesOf: async (branch) => (await record(branch)).map((site) => ({ branch, site })),
    async furtherSitesOf(branch) {
      const sites = await record(branch)
      const known = new Set(sites.map(labelOf))
      const further: Place[] = []
      for (const after of sites.filter(({ isAsync }) => isAsync)) {
        // A retried mail repeats the same calls.
        if (exceptionFor(branch, after, stores)?.isAfterResponse) continue
        for (const site of await record(branch, after)) {
          if (!known.has(labelOf(site))) further.push({ branch, site, after })
          known.add(labelOf(site))
        }
      }
      return further
    },
    sceneFor,
    async run(cell) {
      const service = await serviceFor(cell.branch, faults[cell.fault].hangs)
      for (let round = 1; ; round += 1) {
        const watchman = stopwatch(deadline)
        try {
          await judge(cell, await sceneFor(cell.branch), service, watchman.onCall)
          break
        } catch (error) {
          // On a busy machine a healthy call may miss the short deadline as well; such a run is inconclusive.
          const isInconclusive = watchman.wasLate() || error instanceof Untouched
          if (!isInconclusive || round === 5) throw error
        }
      }
      expect(await stateOf(stores, bystander)).toEqual(seen)
    },
    async close() {
      for (const service of services.values()) await (await service).app.close()
    },
  }
}

/** The retry of an earlier mail also sent this request's mail, and so made the calls that the fault was waiting for. */
class Untouched extends Error {}

const calm: Branch = {
  name: 'calm',
  request: () => ({ url: '/' }),
  status: 200,
  action: { again: [], isDone: async () => false },
}

/** Makes calls and reports whether any took too long, or still does. */
function stopwatch(deadline: number): { onCall: OnCall; wasLate(): boolean } {
  const underWay = new Set<number>()
  let wasLate = false
  // Half the deadline, since a timer counts from the start of the turn it was set in.
  const isLate = (start: number): boolean => performance.now() - start > deadline / 2
  return {
    wasLate: () => wasLate || [...underWay].some(isLate),
    onCall(_method, inner) {
      const start = performance.now()
      const result = inner()
      if (!(result instanceof Promise)) return result
      underWay.add(start)
      return result.finally(() => {
        underWay.delete(start)
        wasLate ||= isLate(start)
      })
    },
  }
}

export const labelOf = ({ method, nth }: Site): string => `${method}#${nth}`

export function exceptionFor({ name }: Branch, site: Site, { sessions }: Stores, fault?: Fault) {
  const isOneWrite = sessions.withUsers?.update !== undefined
  return exceptions.find(
    ({ branches, sites, isApart, isPassing }) =>
      branches.test(name) &&
      sites.test(labelOf(site)) &&
      !(isApart && isOneWrite) &&
      !(isPassing && fault?.isOutage),
  )
}

async function stateOf({ users, sessions }: Stores, { user }: Scene): Promise<[User | null, Session[]]> {
  return [await users.findById(user.id), await sessions.listByUser(user.id)]
}

/** For contended branches, changes the user just before the request does. */
export function beside({ isContended }: Branch, scene: Scene, onCall: OnCall): OnCall {
  let isDue = isContended === true
  return (method, inner) => {
    if (!isDue || method !== 'users.update') return onCall(method, inner)
    return onCall(method, async () => {
      if (isDue) {
        isDue = false
        await scene.edit({ lastLoginAt: new Date() })
      }
      return inner()
    })
  }
}

/** @param service receives the request with the fault */
async function judge(cell: Cell, scene: Scene, service: Service, healthy: OnCall): Promise<void> {
  const trouble = saboteur(cell.site, cell.fault, healthy)
  try {
    await judgeAmid(trouble, cell, scene, service)
  } finally {
    await trouble.end()
  }
}

async function judgeAmid(
  trouble: ReturnType<typeof saboteur>,
  { branch, site, fault: name, after }: Cell,
  scene: Scene,
  service: Service,
): Promise<void> {
  const { action, mail } = branch
  const { post } = service
  const fault: Fault = faults[name]
  const first = after && saboteur(after, 'rejects')
  const onCall: OnCall = (method, inner) =>
    trouble.onCall(method, () => (first ? first.onCall(method, inner) : inner()))
  const allowed = exceptionFor(branch, after ?? site, service.stores, after ? undefined : fault)
  const isMailer = site.method === 'mailer.send'
  const givenUp = post.failed.length
  const outcome = async () => mail && post.outcome(mail.kind, mail.to(scene), givenUp)

  const response = await watch(beside(branch, scene, onCall), () =>
    service.send({ ...branch.request(scene), remoteAddress: scene.remoteAddress }),
  )
  if (allowed) expect([response.statusCode, response.body]).toEqual([branch.status, expect.any(String)])
  else expectUnavailable(response, branch)
  expect(response.body).not.toMatch(/s3cret|ECONN|10\.0\.0/)
  if (after || allowed?.isAfterResponse) await Promise.race([trouble.struck, sleep(10_000)])
  if (allowed?.isAfterResponse && !trouble.hasStruck()) throw new Untouched('no call met the fault')
  expect(trouble.hasStruck()).toBe(true)
  if (allowed?.isAfterResponse) {
    if (!(isMailer && fault.hangs)) await outcome()
  } else if (allowed && branch.status < 300) {
    // In a store outage the recipient can't be looked up.
    expect(await outcome()).toBeOneOf(
      fault.isOutage ? [mail && 'arrived', mail && 'given up'] : [mail && 'arrived'],
    )
  }
  const session = sessionOf(response)
  if (session !== null) expect(await scene.whoIs(session)).toBe(scene.name)

  await trouble.respondLate()
  const changesSomething = action.again.length > 0
  const isDone = await action.isDone(scene)
  const mayBeDone = action.isTriedAgain || (fault.applies && name !== 'responds after the retry')
  if (allowed) expect(isDone).toBe(changesSomething)
  else if (!mayBeDone) expect(isDone).toBe(false)

  const again = await scene.send(branch.request(scene))
  if (isDone) expect(action.again).toContain(again.statusCode)
  else expect([again.statusCode, again.body]).toEqual([branch.status, expect.any(String)])
  if (!isDone && mail) expect((await post.mail(mail.kind, mail.to(scene))).kind).toBe(mail.kind)

  await trouble.respondLater()
  expect(await action.isDone(scene)).toBe(changesSomething)
  if (session !== null) expect(await scene.whoIs(session)).toBe(scene.name)
}

function expectUnavailable(response: Response, { route }: Branch): void {
  expect([response.statusCode, response.body]).toEqual([503, expect.any(String)])
  expect(response.cookies.filter(({ value }) => value !== '')).toEqual([])
  if (String(response.headers['content-type']).startsWith('text/html')) {
    expect(response.body).toContain('<h1>Temporarily unavailable</h1>')
  } else {
    expect(response.json()).toEqual({
      statusCode: 503,
      code: 'ACCOUNTS_UNAVAILABLE',
      error: 'Service Unavailable',
      message: 'The service is temporarily unavailable. Try again shortly.',
    })
  }
  // The host's own routes have the host's error responses.
  if (route) expect(response.headers['retry-after']).toBe('5')
}

/** The session that a response starts. */
function sessionOf(response: Response): string | null {
  const cookie = response.cookies.find(({ name, value }) => name.endsWith('session') && value !== '')
  return cookie === undefined ? null : `${cookie.name}=${encodeURIComponent(cookie.value)}`
}
