/** What two actors do to one account at the same time. Each has a session, and a password of their own to set. */
export const actions = ['login', 'change', 'reset', 'verify', 'delete', 'create'] as const
export type Action = (typeof actions)[number]

export type Actor = 0 | 1

/** What a action may be answered: first where it was done, then where it came too late. */
export const answersTo: Record<Action, { done: number; refused: readonly number[] }> = {
  login: { done: 200, refused: [401] },
  change: { done: 204, refused: [400, 401, 409] },
  reset: { done: 204, refused: [400] },
  verify: { done: 200, refused: [400] },
  delete: { done: 204, refused: [401, 404] },
  create: { done: 201, refused: [409] },
}

/** What is left when both are through, as one can see it from outside. */
export interface Outcome {
  done: readonly [boolean, boolean]
  /** Who has the name: the account that was there, one that an actor has made, or nobody. */
  owner: 'first' | 'created' | null
  /** Which passwords log in: `old`, or `new-` and the actor. */
  passwords: readonly string[]
  isVerified: boolean
  /** Which sessions live, in order: `own-`, `login-` or `renewed-` and the actor. */
  sessions: readonly string[]
}

/** An account, as the rules say it is: the contract of docs/routes.md without its storage. */
interface World {
  owner: Outcome['owner']
  password: string
  isVerified: boolean
  resetLives: boolean
  verifyLives: boolean
  sessions: readonly string[]
}

/**
 * The outcomes of the two orders: whatever happens at the same time must look like one of them. With one freedom: who
 * deletes is asked for a live session when the request begins, and may be overtaken by what ends that session. (The
 * others hold on to the epoch of their session until they write.)
 */
export function serialOutcomes(pair: readonly [Action, Action]): Outcome[] {
  const start = startOf(pair)
  const orders = [[0, 1] as const, [1, 0] as const]
  return orders.flatMap((order) => [outcomeOf(pair, order), outcomeOf(pair, order, start)])
}

/** @param begun the world in which a deletion begins; by default the one in which it is done */
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

/** An account on which each actor is logged in; none where both want to make one. */
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

/** The world after a action; `null` where it is refused. */
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
