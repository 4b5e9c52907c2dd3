import type { Act, Delivery } from './deliveries.js'
import type { Claim, Row, Rules } from './rules.js'

/** How a session may be: its row, and what each thing says that it has delivered. */
export interface World {
  row: Row
  claims: readonly Claim[]
}

/** What comes of a request. */
export interface Outcome {
  said: 'done' | 'not confirmed' | 'refused'
  /** What is delivered. */
  claim?: Claim
  /** Whether the owner is told that a token was reused. */
  isTold?: true
}

/** A request with what was delivered as this number. */
export interface Sent {
  act: Act
  number: number
  isExpired: boolean
}

/** What may become of a world. */
export interface Future {
  world: World
  /** Of each request. */
  outcomes: Outcome[]
}

/** A part of a request that nothing else comes between; `null` if the request goes on. */
type Part = (row: Row, claim: Claim) => Outcome | null

/** All that may come of requests at once: their parts may come in any order. */
export function createFutures(rules: Rules, { isGoodBelow }: Pick<Delivery, 'isGoodBelow'>) {
  const refused: Outcome = { said: 'refused' }

  const admit: Part = (row, claim) => {
    const standing = rules.present(row, claim)
    return standing === 'good' || (standing === 'below the base' && isGoodBelow) ? null : refused
  }

  const partsOf: Record<Act, readonly Part[]> = {
    visit: [admit, (row, claim) => ({ said: rules.isConfirmed(row, claim) ? 'done' : 'not confirmed' })],
    confirm: [admit, (row, claim) => admit(row, claim) ?? { said: 'done', claim: rules.confirm(row) }],
    'change password': [
      admit,
      (row, claim) => admit(row, claim) ?? { said: 'done', claim: rules.changePassword(row) },
    ],
    refresh: [
      (row, claim) => {
        const standing = rules.present(row, claim)
        if (standing === 'over') return refused
        if (standing === 'good') return { said: 'done', claim: rules.refresh(row, claim) }
        rules.end(row, claim)
        return { said: 'refused', isTold: true }
      },
    ],
    'log out': [end],
    revoke: [end],
  }

  function end(row: Row, claim: Claim): Outcome {
    rules.end(row, claim)
    return { said: 'done' }
  }

  /** What an expired token is still good for. */
  const neverExpires: readonly Act[] = ['refresh', 'log out', 'revoke']

  return function* futuresOf({ row, claims }: World, requests: readonly Sent[]): Generator<Future> {
    const parts = requests.map(({ act, isExpired }) =>
      isExpired && !neverExpires.includes(act) ? [() => refused] : partsOf[act],
    )
    yield* futuresFrom(
      row,
      requests.map(() => 0),
      [],
    )

    /** @param places of each request, how many of its parts are over */
    function* futuresFrom(row: Row, places: number[], outcomes: Outcome[]): Generator<Future> {
      if (requests.every((_, at) => outcomes[at])) yield { world: { row, claims }, outcomes }
      for (const [at, { number }] of requests.entries()) {
        const part = parts[at]?.[places[at] ?? 0]
        const claim = claims[number]
        if (outcomes[at] || part === undefined || claim === undefined) continue
        const after = { ...row }
        const outcome = part(after, claim)
        const all = [...outcomes]
        if (outcome !== null) all[at] = outcome
        yield* futuresFrom(after, places.with(at, (places[at] ?? 0) + 1), all)
      }
    }
  }
}
