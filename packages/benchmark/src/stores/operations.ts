import type { SessionStore, UserStore } from 'fastify-accounts'
import type { Side } from '../measure.js'
import type { BareSessions, BareUsers, Engine } from './engine.js'
import { draws, idOf as ownerOf, person, session, sessionId } from './people.js'

/** One row of the results, with both sides' operation. `theirs` is missing if there is nothing to compare with. */
export interface Operation {
  name: string
  ours: Side
  theirs: Side | undefined
}

/** Users per page. */
const pageSize = 100
/** Sessions per user when all of a user's sessions are ended. */
const devices = 5

/** The operations on an engine with `size` users, with one session each, in the order of measurement. */
export function operations(engine: Engine, size: number): Operation[] {
  return [...userOperations(engine.users, size), ...sessionOperations(engine.sessions, size)]
}

function userOperations(users: Engine['users'], size: number): Operation[] {
  if (!users) return []
  const { store, bare, idOf } = users
  const draw = draws(size)
  // Each user once, far from the previous one, then all again: so all are updated equally often.
  const step = coprime(Math.floor(size * 0.618), size)
  let updates = 0
  const nextUpdate = () => {
    const turn = updates++
    return { id: idOf((turn * step) % size), version: 1 + Math.floor(turn / size) }
  }
  let created = 0
  const page = (name: string, last: number | undefined): Operation => {
    const after = last === undefined ? undefined : { ...person(last), id: idOf(last) }
    return both(`list, ${name} page of ${pageSize}`, store, bare, {
      input: () => after,
      ours: async (to, place) => (await to.list?.({ limit: pageSize, after: place }))?.length === pageSize,
      theirs: async (to, place) => (await to.list(pageSize, place)).length === pageSize,
    })
  }
  return [
    both('find by id', store, bare, {
      input: () => idOf(draw()),
      ours: (to, id) => to.findById(id),
      theirs: (to, id) => to.findById(id),
    }),
    both('find by username', store, bare, {
      input: () => person(draw()).usernameKey ?? '',
      ours: (to, key) => to.findByUsername(key),
      theirs: (to, key) => to.findByUsername(key),
    }),
    page('first', undefined),
    page('middle', Math.floor(size / 2)),
    page('last', size - pageSize - 1),
    both('update, compare-and-set', store, bare, {
      input: nextUpdate,
      ours: (to, { id, version }) => to.update(id, { lastLoginAt: new Date() }, version),
      theirs: (to, { id, version }) => to.noteLogin(id, new Date(), version),
    }),
    both('create', store, bare, {
      input: () => ({ ...person(created++, 'new'), createdAt: new Date() }),
      ours: (to, user) => to.create(user),
      theirs: (to, user) => to.create(user),
    }),
  ]
}

function sessionOperations({ store, bare, load }: Engine['sessions'], size: number): Operation[] {
  const draw = draws(size)
  let made = 0
  let ended = 0
  return [
    both('session: find', store, bare, {
      input: () => sessionId(draw()),
      ours: (to, id) => to.find(id),
      theirs: (to, id) => to.find(id),
    }),
    both('session: renew', store, bare, {
      input: () => {
        const at = draw()
        return session(at, ownerOf(at))
      },
      ours: (to, renewed) => to.touch(renewed.id, renewed),
      theirs: async (to, renewed) => (await to.touch(renewed)) === 1,
    }),
    both('session: create', store, bare, {
      input: () => session(made++, ownerOf(draw()), 'new'),
      ours: async (to, one) => (await to.create(one)) ?? true,
      theirs: (to, one) => to.create(one),
    }),
    both(`session: end all ${devices} of a user`, store, bare, {
      input: () => `ended${ended++}`,
      async ready(userIds) {
        const all = userIds.flatMap((userId) =>
          Array.from({ length: devices }, (_, at) => session(at, userId, userId)),
        )
        for (let at = 0; at < all.length; at += 1000) await load(all.slice(at, at + 1000))
      },
      ours: async (to, userId) => (await to.deleteByUser(userId)) === devices,
      theirs: async (to, userId) => (await to.deleteByUser(userId)) === devices,
    }),
  ]
}

interface Action<Ours, Theirs, Input> {
  /** The input of the next call. Drawn before the clock starts. */
  input: () => Input
  /** Prepares the database for these calls. */
  ready?: (inputs: Input[]) => Promise<void>
  /** Both return a truthy value if the work was done. */
  ours: (to: Ours, input: Input) => unknown
  theirs: (to: Theirs, input: Input) => unknown
}

function both<Ours extends UserStore | SessionStore, Theirs extends BareUsers | BareSessions, Input>(
  name: string,
  store: Ours,
  bare: Theirs | undefined,
  { input, ready, ours, theirs }: Action<Ours, Theirs, Input>,
): Operation {
  const side = (work: (input: Input) => unknown): Side => ({
    async prepare(calls) {
      const inputs = Array.from({ length: calls }, input)
      await ready?.(inputs)
      // The measurement uses no turn beyond those it announced.
      return (turn) => work(inputs[turn] as Input)
    },
  })
  return {
    name,
    ours: side((given) => ours(store, given)),
    theirs: bare && side((given) => theirs(bare, given)),
  }
}

/** The first number from `start` on that has no divisor in common with `size`. */
function coprime(start: number, size: number): number {
  const divisor = (a: number, b: number): number => (b === 0 ? a : divisor(b, a % b))
  let step = Math.max(1, start)
  while (divisor(step, size) !== 1) step++
  return step
}
