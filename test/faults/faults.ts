import { isQuick, sample } from '@fastify-accounts/test-support/depth'
import type { OnCall } from '@fastify-accounts/test-support/faults/probe'

/** One adapter call within a request, such as the second `users.findById`. */
export interface Site {
  method: string
  /** Starts at 1. */
  nth: number
  /** Whether it returns a promise; if not, it can only throw. */
  isAsync: boolean
}

/** What happens to a call and, in an outage, to those after it. */
export interface Fault {
  /** Whether the real call is still made, now or later. */
  applies: boolean
  /** Whether the caller waits until its deadline. */
  hangs: boolean
  /** Whether everything behind the adapter fails from this call on. */
  isOutage?: boolean
  inject(inner: () => unknown, open: Open): unknown
}

/** Calls that wait for the test to release them. */
interface Open {
  /** Calls that complete after the response, before the request is sent again. */
  late: (() => unknown)[]
  /** Calls that complete after the request was sent again. */
  later: (() => unknown)[]
  /** Releases calls that never complete, so the app can close. */
  never: (() => void)[]
}

/** Contains text that must never reach a client. */
export const driverError = (): Error =>
  Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432: select s3cret'), { code: 'ECONNREFUSED' })

const refuse = (): Promise<never> => Promise.reject(driverError())

const hang = (_inner: () => unknown, { never }: Open): Promise<never> =>
  new Promise((_resolve, reject) => never.push(() => reject(driverError())))

const postpone = (inner: () => unknown, waiting: (() => unknown)[]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    waiting.push(() => Promise.resolve().then(inner).then(resolve, reject))
  })

export const faults = {
  rejects: { applies: false, hangs: false, inject: refuse },
  'throws synchronously': {
    applies: false,
    hangs: false,
    inject() {
      throw new TypeError('cannot read properties of s3cret')
    },
  },
  'never responds': { applies: false, hangs: true, inject: hang },
  'responds late': { applies: true, hangs: true, inject: (inner, { late }) => postpone(inner, late) },
  'responds after the retry': {
    applies: true,
    hangs: true,
    inject: (inner, { later }) => postpone(inner, later),
  },
  'applied, result lost': {
    applies: true,
    hangs: false,
    async inject(inner) {
      await Promise.allSettled([inner()])
      throw driverError()
    },
  },
  'goes away': { applies: false, hangs: false, isOutage: true, inject: refuse },
  'hangs from now on': { applies: false, hangs: true, isOutage: true, inject: hang },
} satisfies Record<string, Fault>

export type FaultName = keyof typeof faults

const [rejects, ...others] = Object.keys(faults) as [FaultName, ...FaultName[]]

/**
 * The faults to inject into a call: at full depth all, at push a rejection and one of the others, at quick one.
 * @param call the name of the call, which determines that one
 */
export function faultsOf(call: string): readonly FaultName[] {
  return isQuick ? sample(call, [rejects, ...others]) : [rejects, ...sample(call, others)]
}

/** Adapters that may share a database and so fail together. */
const stores: readonly string[] = ['users', 'sessions', 'invitations', 'organizations', 'throttle']

const adapterOf = (method: string): string => method.split('.')[0] ?? ''

/** Records calls in order. */
export function recorder(): { onCall: OnCall; sites: Site[] } {
  const sites: Site[] = []
  return {
    sites,
    onCall(method, inner) {
      const site = { method, nth: 1 + sites.filter((each) => each.method === method).length, isAsync: false }
      sites.push(site)
      const result = inner()
      site.isAsync = result instanceof Promise
      return result
    },
  }
}

/**
 * Injects a fault into one call.
 * @param healthy makes all other calls
 */
export function saboteur(
  { method, nth }: Pick<Site, 'method' | 'nth'>,
  name: FaultName,
  healthy: OnCall = (_method, inner) => inner(),
) {
  const fault: Fault = faults[name]
  const open: Open = { late: [], later: [], never: [] }
  const own = adapterOf(method)
  let calls = 0
  let isOver = false
  let strike = (): void => {}
  const struck = new Promise<void>((resolve) => {
    strike = resolve
  })
  const isGone = (other: string): boolean =>
    stores.includes(own) ? stores.includes(adapterOf(other)) : adapterOf(other) === own

  const onCall: OnCall = (called, inner) => {
    if (isOver) return inner()
    if (called === method) calls += 1
    const isStruck =
      (called === method && calls === nth) || (fault.isOutage === true && calls >= nth && isGone(called))
    if (!isStruck) return healthy(called, inner)
    strike()
    return fault.inject(inner, open)
  }
  const run = async (waiting: (() => unknown)[]): Promise<void> => {
    for (const go of waiting.splice(0)) await go()
  }
  return {
    onCall,
    hasStruck: () => calls >= nth,
    /** Resolves when the call has met the fault. */
    struck,
    respondLate: () => run(open.late),
    respondLater: () => run(open.later),
    /** Ends the fault; calls that would never complete now reject. */
    async end() {
      isOver = true
      await run(open.late)
      await run(open.later)
      await run(open.never)
    },
  }
}
