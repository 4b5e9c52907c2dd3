import { type Alongside, AlongsideError, type UserStore } from 'fastify-accounts'
import { type ConformanceCase, casesOf, type Handles, isPair, type Laws } from './cases.js'
import { check, rejects, same } from './checks.js'
import { newUser } from './users.js'

/** Makes an empty store with these functions as its option `alongside`, or two on the same data. */
export type MakeAlongside = (
  alongside: Alongside<unknown>,
) => Promise<Handles<UserStore>> | Handles<UserStore>

type Name = 'created' | 'verified' | 'deleted'

/** A store, and what has run in its transactions. */
interface Watched {
  stores: readonly UserStore[]
  store: UserStore
  /** What has run since the last call of it, in order. */
  ran(): string[]
  /** Lets a function fail while the call runs, which must then reject because of it. */
  failing(name: Name, call: () => Promise<unknown>): Promise<void>
}

/** Laws about `alongside`, on stores of their own. */
export function alongsideCases(make: MakeAlongside): ConformanceCase[] {
  return casesOf(
    laws,
    () => watched(make),
    async ({ stores }) => {
      for (const store of stores) await store.close?.()
    },
  )
}

async function watched(make: MakeAlongside): Promise<Watched> {
  const runs: string[] = []
  let failure: { name: Name; error: Error } | null = null
  const functionOf =
    (name: Name) =>
    async (_: unknown, { username }: { username: string | null }): Promise<void> => {
      if (failure?.name === name) throw failure.error
      runs.push(`${name} ${username}`)
    }
  const handles = await make({
    created: functionOf('created'),
    verified: functionOf('verified'),
    deleted: functionOf('deleted'),
  })
  const stores: readonly UserStore[] = isPair(handles) ? handles : [handles]
  const [store] = stores
  check(store, 'no store was made')
  return {
    stores,
    store,
    ran: () => runs.splice(0),
    async failing(name, call) {
      const error = new Error('refused by the suite')
      failure = { name, error }
      const thrown = await rejects(AlongsideError, call, `a call in which alongside.${name} fails`)
      failure = null
      check(thrown.cause === error, `the cause of the error is not what alongside.${name} threw`)
      runs.length = 0
    },
  }
}

const laws: Laws<Watched> = {
  'law 41: alongside.created runs once for each person, and nobody is created if it fails': async ({
    store,
    ran,
    failing,
  }) => {
    const { username } = await store.create(newUser())
    same(ran(), [`created ${username}`], 'what ran when a person was created')
    const verified = await store.create(newUser({ isVerified: true }))
    const both = [`created ${verified.username}`, `verified ${verified.username}`]
    same(ran(), both, 'what ran when a verified person was created')
    await store.create(newUser({ kind: 'service', email: null, emailKey: null }))
    same(ran(), [], 'what ran when a service account was created')
    for (const name of ['created', 'verified'] as const) {
      const user = newUser({ isVerified: true })
      await failing(name, () => store.create(user))
      same(await store.findByUsername(`${user.usernameKey}`), null, `the user after alongside.${name} failed`)
      await store.create(user)
      ran()
    }
  },
  'law 42: alongside.deleted runs once for each person, and nobody is deleted if it fails': async ({
    store,
    ran,
    failing,
  }) => {
    const user = await store.create(newUser())
    const service = await store.create(newUser({ kind: 'service', email: null, emailKey: null }))
    ran()
    await failing('deleted', () => store.delete(user.id))
    same(await store.findById(user.id), user, 'the user after alongside.deleted failed')
    same(await store.delete(user.id), true, 'what delete() returns')
    same(ran(), [`deleted ${user.username}`], 'what ran when a person was deleted')
    same(await store.findById(user.id), null, 'the user after delete()')
    await store.delete(user.id)
    same(ran(), [], 'what ran when nobody was deleted')
    await store.delete(service.id)
    same(ran(), [], 'what ran when a service account was deleted')
  },
  'law 43: alongside.verified runs once when an address is first verified, which is undone if it fails':
    async ({ store, ran, failing }) => {
      const user = await store.create(newUser())
      ran()
      const verify = (version: number) => store.update(user.id, { isVerified: true }, version)
      await failing('verified', () => verify(user.version))
      same(await store.findById(user.id), user, 'the user after alongside.verified failed')
      same(await verify(user.version + 1), null, 'what update() of another version returns')
      same(ran(), [], 'what ran when nothing was updated')
      const verified = await verify(user.version)
      same(ran(), [`verified ${user.username}`], 'what ran when the address was verified')
      check(verified !== null, 'update() returned null for the current version')
      const again = await verify(verified.version)
      await store.update(user.id, { passwordHash: 'other' }, again?.version ?? 0)
      same(ran(), [], 'what ran when the address had been verified before')
      const service = await store.create(newUser({ kind: 'service', email: null, emailKey: null }))
      await store.update(service.id, { isVerified: true }, service.version)
      same(ran(), [], 'what ran for a service account')
    },
}
