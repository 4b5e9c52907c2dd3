import { sample } from '@fastify-accounts/test-support/depth'
import type { OnCall } from '@fastify-accounts/test-support/faults/probe'

/** One call of an adapter by one request, such as the second `users.findById`. */
export interface Site {
  method: string
  /** From 1. */
  nth: number
  /** Whether it returns a promise; what does not can only throw. */
  isAsync: boolean
}

/** What befalls a call, and of an outage also those after it. */
export interface Fault {
  /** Whether the real call is made all the same, now or in the end. */
  applies: boolean
  /** Whether the caller waits until its deadline. */
  hangs: boolean
  /** Whether everything behind the adapter is gone from this call on. */
  isOutage?: boolean
  befall(inner: () => unknown, open: Open): unknown
}

/** What waits until the test has it go on. */
interface Open {
  /** Calls that are answered after the request was, before it is sent again. */
  late: (() => unknown)[]
  /** Calls that are answered when the request was sent again already. */
  later: (() => unknown)[]
  /** Lets go of calls that are never answered, for the sake of whoever closes the app. */
  never: (() => void)[]
}

/** With what must never reach a client. */
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
  rejects: { applies: false, hangs: false, befall: refuse },
  'throws at once': {
    applies: false,
    hangs: false,
    befall() {
      throw new TypeError('cannot read properties of s3cret')
    },
  },
  'never answers': { applies: false, hangs: true, befall: hang },
  'answers late': { applies: true, hangs: true, befall: (inner, { late }) => postpone(inner, late) },
  'answers later than the next try': {
    applies: true,
    hangs: true,
    befall: (inner, { later }) => postpone(inner, later),
  },
  'applied, answer lost': {
    applies: true,
    hangs: false,
    async befall(inner) {
      await Promise.allSettled([inner()])
      throw driverError()
    },
  },
  'goes away': { applies: false, hangs: false, isOutage: true, befall: refuse },
  'hangs from now on': { applies: false, hangs: true, isOutage: true, befall: hang },
} satisfies Record<string, Fault>

export type FaultName = keyof typeof faults

const [rejects, ...others] = Object.keys(faults) as [FaultName, ...FaultName[]]

/**
 * The faults that a call meets: at quick depth it rejects, and one of the others befalls it.
 * @param call which of them that is follows from this name of the call
 */
export function faultsOf(call: string): readonly FaultName[] {
  return [rejects, ...sample(call, others)]
}

/** Adapters that may well be one database, and are gone together. */
const stores: readonly string[] = ['users', 'sessions', 'throttle']

const adapterOf = (method: string): string => method.split('.')[0] ?? ''

/** The calls that are made, in their order. */
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
 * Has a fault befall one call.
 * @param healthy makes the calls that nothing befalls
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
    return fault.befall(inner, open)
  }
  const run = async (waiting: (() => unknown)[]): Promise<void> => {
    for (const go of waiting.splice(0)) await go()
  }
  return {
    onCall,
    hasStruck: () => calls >= nth,
    /** Resolves when the fault has befallen its call. */
    struck,
    answerLate: () => run(open.late),
    answerLater: () => run(open.later),
    /** The end of the fault: whatever still waits fails. */
    async end() {
      isOver = true
      await run(open.late)
      await run(open.later)
      await run(open.never)
    },
  }
}
