import { createHash } from 'node:crypto'
import { AccountsError } from '../errors.js'
import { findUserById } from '../identifiers/user-id.js'
import type { TokenClaims, TokenContext, TokenSigner } from '../seams/token-signer.js'
import type { UserStore } from '../seams/user-store.js'
import type { NewUser, User } from '../user.js'

/** What a link is for. */
export type Purpose = TokenContext['purpose']

/** The variable part of a link's path. */
export interface LinkParts {
  /** The user id, base64url. */
  uid64: string
  token: string
}

/** Makes and opens the links in mails. A link is bound to the user's state, so that a used one is dead with no token table. */
export interface EmailLinks {
  /**
   * @param expiresAt cut to a whole second
   * @param about the address that the link is for, where it is for one that is not the user's
   */
  issue(purpose: Purpose, user: User, expiresAt: Date, about?: string): Promise<LinkParts>
  /**
   * The user a link belongs to.
   * @throws AccountsError ACCOUNTS_INVALID_LINK, one answer for every reason
   */
  open(
    purpose: Purpose,
    parts: LinkParts,
    about?: string,
  ): Promise<{ user: User; stillValid(later: User): boolean }>
}

/** How far another process's clock may be ahead, in milliseconds. */
const clockSkew = 60_000

export function createEmailLinks(deps: {
  users: Pick<UserStore, 'findById'>
  signer: TokenSigner
  /** Purpose by purpose: where its links lead. */
  kinds: Record<Purpose, { audience: string }>
}): EmailLinks {
  const { users, signer, kinds } = deps
  return {
    async issue(purpose, user, expiresAt, about) {
      const token = await signer.sign({
        purpose,
        audience: kinds[purpose].audience,
        subject: user.id,
        state: stateOf(purpose, user, about),
        issuedAt: wholeSecond(Date.now()),
        expiresAt: wholeSecond(expiresAt.getTime()),
      })
      return { uid64: Buffer.from(user.id).toString('base64url'), token }
    },

    async open(purpose, { uid64, token }, about) {
      const subject = decodeUid64(uid64)
      if (subject === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
      const claims = await signer.verify(token, { purpose, audience: kinds[purpose].audience, subject })
      if (claims === null || !isTimely(claims)) throw new AccountsError('ACCOUNTS_INVALID_LINK')
      const user = await findUserById(users, subject)
      const stillValid = (later: User): boolean =>
        later.isActive && stateOf(purpose, later, about) === claims.state
      if (user === null || !stillValid(user)) throw new AccountsError('ACCOUNTS_INVALID_LINK')
      return { user, stillValid }
    },
  }
}

/**
 * What must not have changed since a link was made. An undo outlasts whatever the one does who took the account over:
 * another password, another address; it dies when it is used.
 */
const boundTo: Record<Purpose, (user: NewUser) => unknown[]> = {
  'reset-password': ({ resetEpoch, emailKey }) => [resetEpoch, emailKey],
  'verify-email': ({ verifyEpoch, emailKey }) => [verifyEpoch, emailKey],
  'change-email': ({ sessionEpoch, resetEpoch, verifyEpoch, emailKey }) => [
    sessionEpoch,
    resetEpoch,
    verifyEpoch,
    emailKey,
  ],
  'undo-email': ({ emailChangedAt }) => [emailChangedAt?.getTime() ?? null],
  // Alive before the address is confirmed and after it, whatever the account does: it serves whoever has the mailbox.
  'release-email': () => [],
  'not-me': ({ verifyEpoch, emailKey }) => [verifyEpoch, emailKey],
}

/** Digest of that, of which user it was, and of what the link says beside it. */
export function stateOf(purpose: Purpose, user: NewUser, about?: string): string {
  const facts = JSON.stringify([purpose, ...boundTo[purpose](user), user.createdAt.getTime(), about])
  return createHash('sha256').update(facts).digest('base64url').slice(0, 22)
}

function wholeSecond(time: number): Date {
  return new Date(Math.floor(time / 1000) * 1000)
}

function isTimely({ issuedAt, expiresAt }: TokenClaims): boolean {
  const now = Date.now()
  return issuedAt.getTime() <= now + clockSkew && Math.floor(now / 1000) * 1000 <= expiresAt.getTime()
}

/** The user id; `null` unless it is spelled in base64url's one canonical way. */
function decodeUid64(uid64: string): string | null {
  const id = Buffer.from(uid64, 'base64url').toString()
  return Buffer.from(id).toString('base64url') === uid64 ? id : null
}
