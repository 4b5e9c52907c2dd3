import { hash } from 'node:crypto'
import type { Session } from '../seams/session-store.js'
import { hasGivenFactor } from './session-rules.js'

/** What a cookie or token says of its session, signed: who has it, had the session in this state. */
export interface Claim {
  /** The session's random id. The store only has its hash, so a leaked table makes no claim, even with the secret. */
  base: string
  generation: number
  /** The user's `sessionEpoch` then: a change that ends all sessions ends the claims before it. */
  epoch: number
  /** Whether a second factor had been given by then: one given later proves nothing about who has this claim. */
  hasFactor: boolean
  /** The session's counter then: a later confirmation was somebody else's, perhaps. */
  confirmation: number
}

/** A claim as a client has brought it. */
export interface BroughtClaim extends Claim {
  /** Whether the secret of a cookie has been rotated since. */
  isOld?: boolean
  /** When an access token ends, in milliseconds since 1970. */
  expiresAt?: number
}

/** A claim to the newest state of a session, for a client that has given all of its methods. */
export function claimTo(base: string, session: Session): Claim {
  const { generation, epoch, confirmation } = session
  return { base, generation, epoch, hasFactor: hasGivenFactor(session), confirmation }
}

/** As it is signed; only the signature follows, and of an access token its end. */
export function spellClaim({ base, generation, epoch, hasFactor, confirmation }: Claim): string {
  return [base, generation, epoch, hasFactor ? 1 : 0, confirmation].join('.')
}

/** The claim of a text whose signature is right; `null` for one that an earlier version has signed. */
export function readClaim([base = '', ...parts]: readonly string[]): Claim | null {
  if (parts.length !== 4) return null
  const [generation = -1, epoch = -1, factor, confirmation = -1] = parts.map(Number)
  return { base, generation, epoch, hasFactor: factor === 1, confirmation }
}

/** The key of the session in the store: only its claims have the base itself. */
export function rowIdOf({ base }: Pick<Claim, 'base'>): string {
  return hash('sha256', base, 'base64url')
}

/** Whether nothing has ended the claims of its time. */
export function isOfEpoch({ epoch }: Session, claim: Claim): boolean {
  return epoch === claim.epoch
}
