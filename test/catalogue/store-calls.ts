import type { SessionStore, UserStore } from 'fastify-accounts'

type Methods = Record<string, (...args: unknown[]) => unknown>

/** The names of a store's methods that are called from now on, in order. */
export function callsOf(store: object): string[] {
  const calls: string[] = []
  const methods = store as Methods
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method !== 'function') continue
    methods[name] = (...args) => {
      calls.push(name)
      return method(...args)
    }
  }
  return calls
}

/** Holds the next call of a method, before it does anything, until it is released. */
export function holdNext<Store extends object>(
  store: Store,
  name: keyof Store & string,
): { reached: Promise<void>; release(): void } {
  const methods = store as unknown as Methods
  const method = methods[name]
  if (method === undefined) throw new Error(`the store has no ${name}`)
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const reached = new Promise<void>((resolve) => {
    methods[name] = async (...args) => {
      methods[name] = method
      resolve()
      await released
      return method(...args)
    }
  })
  return { reached, release }
}

/** Holds the next write that changes a user, alone or together with their sessions. */
export function holdNextUpdate(users: UserStore, { withUsers }: SessionStore): ReturnType<typeof holdNext> {
  if (withUsers?.update === undefined) return holdNext(users, 'update')
  const [alone, together] = [holdNext(users, 'update'), holdNext(withUsers, 'update')]
  // Only the first of them is held.
  void alone.reached.then(together.release)
  void together.reached.then(alone.release)
  return {
    reached: Promise.race([alone.reached, together.reached]),
    release() {
      alone.release()
      together.release()
    },
  }
}
