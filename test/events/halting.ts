import type { OutboxEntry, PendingEvents, UserStore } from 'fastify-accounts'
import type { Stores } from './service.js'

/** Where a process is killed, in the order in which an event passes. */
export const steps = [
  'before the write',
  'after the write',
  'before the claim',
  'after the claim',
  'before the split',
  'after the split',
  "before a subscriber's claim",
  "after a subscriber's claim",
  'before the handler',
  'in the handler',
  'before the removal',
  'after the removal',
] as const
export type Step = (typeof steps)[number]

/** Whether a step has been reached. From then on no call of the stores returns, as if the process were gone. */
export interface Halt {
  /** Resolves when it is reached. */
  isReached: Promise<void>
  /** Never resolves once it is reached. */
  pass(step: Step | undefined): Promise<void>
}

export function haltAt(wanted: Step): Halt {
  let reach = (): void => {}
  let isOver = false
  const isReached = new Promise<void>((resolve) => {
    reach = resolve
  })
  return {
    isReached,
    pass(step) {
      if (step === wanted) isOver = true
      if (!isOver) return Promise.resolve()
      reach()
      return new Promise(() => {})
    },
  }
}

/** What a call of a store is, for the events of a mount. */
interface Call {
  before?: Step | undefined
  after?(result: unknown): Step | undefined
}

/** The stores, whose calls are told before and after they take effect. */
export function passing({ users, sessions }: Stores, mount: string, pass: Halt['pass']): Stores {
  /** Messages for subscribers that were claimed. */
  const claimed = new Set<string>()
  /** What has happened so far: polls before it are none of an event's. */
  const past = new Set<Step>()
  const isEvents = (message: unknown): message is PendingEvents =>
    (message as PendingEvents | null)?.realm === `${mount}:events`
  const isFor = (realm: string): boolean => realm.startsWith(`${mount}:to:`)

  function write(args: unknown[]): Call {
    const messages = args.flatMap((each) => (Array.isArray(each) ? each : []))
    return messages.some(isEvents) ? { before: 'before the write', after: () => 'after the write' } : {}
  }
  const calls: Record<string, (...args: never[]) => Call> = {
    create: (...args) => write(args),
    update: (...args) => write(args),
    delete: (...args) => write(args),
    claim: ({ realms }: { realms: readonly string[] }) => ({
      before:
        past.has('after the write') && realms.includes(`${mount}:events`)
          ? 'before the claim'
          : past.has('after the split') && realms.some(isFor)
            ? "before a subscriber's claim"
            : undefined,
      after(result) {
        const entries = result as OutboxEntry[]
        const own = entries.filter(({ message }) => isFor(message.realm))
        for (const { id } of own) claimed.add(id)
        if (entries.some(({ message }) => isEvents(message))) return 'after the claim'
        return own.length > 0 ? "after a subscriber's claim" : undefined
      },
    }),
    split: ({ message }: OutboxEntry) =>
      isEvents(message) ? { before: 'before the split', after: () => 'after the split' } : {},
    remove: ({ id }: OutboxEntry) =>
      claimed.has(id) ? { before: 'before the removal', after: () => 'after the removal' } : {},
  }

  const watched = <Store extends object>(store: Store, names: readonly string[]): Store =>
    new Proxy(store, {
      get(target, name) {
        const value = Reflect.get(target, name)
        if (typeof value !== 'function' || name === 'now') return value
        return async (...args: never[]) => {
          const call = names.includes(String(name)) ? calls[String(name)]?.(...args) : undefined
          await pass(call?.before)
          const result = await Reflect.apply(value, target, args)
          const after = call?.after?.(result)
          if (after !== undefined) past.add(after)
          await pass(after)
          return result
        }
      },
    })
  const writes = ['create', 'update', 'delete']
  const outbox = users.outbox && watched(users.outbox, ['claim', 'split', 'remove'])
  const userStore: UserStore = watched({ ...users, outbox }, writes)
  const { withUsers } = sessions
  const sessionStore = {
    ...watched(sessions, []),
    ...(withUsers && { withUsers: { ...watched(withUsers, writes), users: userStore } }),
  }
  return { users: userStore, sessions: sessionStore }
}
