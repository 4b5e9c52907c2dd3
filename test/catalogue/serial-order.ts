/** What two actors do to one account concurrently. Each has a session, and their own password to set. */
export const actions = ['login', 'change', 'reset', 'verify', 'delete', 'create'] as const
export type Action = (typeof actions)[number]

export type Actor = 0 | 1

/** The allowed status codes of an action: when it succeeds, and when it comes too late. */
export const responsesTo: Record<Action, { done: number; refused: readonly number[] }> = {
  login: { done: 200, refused: [401] },
  change: { done: 204, refused: [400, 401, 409] },
  reset: { done: 204, refused: [400] },
  verify: { done: 200, refused: [400] },
  delete: { done: 204, refused: [401, 404] },
  create: { done: 201, refused: [409] },
}

/** The externally visible state after both actions. */
export interface Outcome {
  done: readonly [boolean, boolean]
  /** Who has the name: the original account, one that an actor created, or nobody. */
  owner: 'first' | 'created' | null
  /** The passwords that work: `old`, or `new-` and the actor. */
  passwords: readonly string[]
  isVerified: boolean
  /** The live sessions, sorted: `own-`, `login-` or `renewed-` and the actor. */
  sessions: readonly string[]
}

/** A model of an account: the contract in docs/routes.md, without storage. */
interface World {
  owner: Outcome['owner']
  password: string
  isVerified: boolean
  resetLives: boolean
  verifyLives: boolean
  sessions: readonly string[]
}

/**
 * The outcomes of the two orders: concurrent actions must have one of them. One exception is allowed: a deletion checks
 * for a live session when the request begins, so another action may end that session before the deletion runs. (The
 * other actions check the epoch of their session again when they write.)
 */
export function serialOutcomes(pair: readonly [Action, Action]): Outcome[] {
  const start = startOf(pair)
  const orders = [[0, 1] as const, [1, 0] as const]
  return orders.flatMap((order) => [outcomeOf(pair, order), outcomeOf(pair, order, start)])
}

/** @param begun the world in which a deletion begins; by default, the one in which it runs */
function outcomeOf(pair: readonly [Action, Action], order: readonly Actor[], begun?: World): Outcome {
  let world = startOf(pair)
  const done: [boolean, boolean] = [false, false]
  for (const actor of order) {
    const next = after(world, pair[actor], actor, begun ?? world)
    done[actor] = next !== null
    world = next ?? world
  }
  const { owner, password, isVerified, sessions } = world
  return { done, owner, passwords: owner ? [password] : [], isVerified, sessions: sessions.toSorted() }
}

/** An account where both actors are logged in; no account if both want to create one. */
function startOf(pair: readonly [Action, Action]): World {
  const exists = pair.some((action) => action !== 'create')
  return {
    owner: exists ? 'first' : null,
    password: 'old',
    isVerified: false,
    resetLives: exists,
    verifyLives: exists,
    sessions: exists ? ['own-0', 'own-1'] : [],
  }
}

/** The world after an action; `null` if the action is rejected. */
function after(world: World, action: Action, actor: Actor, begun: World): World | null {
  const { owner, password, sessions } = world
  const isHere = owner === 'first'
  const isLoggedIn = isHere && sessions.includes(`own-${actor}`)
  const changed = { ...world, password: `new-${actor}`, resetLives: false }
  switch (action) {
    case 'login':
      return isHere && password === 'old' ? { ...world, sessions: [...sessions, `login-${actor}`] } : null
    case 'change':
      return isLoggedIn && password === 'old' ? { ...changed, sessions: [`renewed-${actor}`] } : null
    case 'reset':
      return isHere && world.resetLives
        ? { ...changed, isVerified: true, verifyLives: false, sessions: [] }
        : null
    case 'verify':
      return isHere && world.verifyLives ? { ...world, isVerified: true } : null
    case 'delete':
      return isHere && begun.sessions.includes(`own-${actor}`)
        ? { ...world, owner: null, isVerified: false, sessions: [] }
        : null
    case 'create':
      return owner === null ? { ...changed, owner: 'created', isVerified: false, sessions: [] } : null
  }
}
