import { callBefore, callDeadline, type Session, type SessionStore, type UserStore } from 'fastify-accounts'

type Methods = Record<string, (...args: unknown[]) => unknown>

/** Records the names of the store's methods as they are called, but for the clock, which the delivery of emails asks. */
export function callsOf(store: object): string[] {
  const calls: string[] = []
  const methods = store as Methods
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method !== 'function' || name === 'now') continue
    methods[name] = (...args) => {
      calls.push(name)
      return method(...args)
    }
  }
  return calls
}

/** Records everything that is written to the session store. */
export function writtenTo(sessions: SessionStore): Session[] {
  const written: Session[] = []
  const { create } = sessions
  sessions.create = (session) => {
    written.push(session)
    return create(session)
  }
  return written
}

/** Suspends the next call of a method, before it does anything, until it is released: then it is late if its deadline has passed. */
export function holdNext<Store extends object>(
  store: Store,
  name: keyof Store & string,
): { reached: Promise<void>; release(): void } {
  return holdFirst([[store as unknown as Methods, name]])
}

/** Suspends the next write that changes a user, alone or together with their sessions. */
export function holdNextUpdate(users: UserStore, { withUsers }: SessionStore): ReturnType<typeof holdNext> {
  const together = withUsers?.update === undefined ? [] : [withUsers]
  return holdFirst([users, ...together].map((store) => [store as unknown as Methods, 'update']))
}

/** Suspends only the first call of any of these methods. */
function holdFirst(calls: readonly (readonly [store: Methods, name: string])[]): ReturnType<typeof holdNext> {
  const held = calls.map(([store, name]) => {
    const method = store[name]
    if (method === undefined) throw new Error(`the store has no ${name}`)
    return { store, name, method }
  })
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => {
    for (const { store, name, method } of held) {
      store[name] = async (...args) => {
        const deadline = callDeadline()
        for (const each of held) each.store[each.name] = each.method
        resolve()
        await released
        return callBefore(deadline, () => method(...args))
      }
    }
  })
  return { reached, release }
}
