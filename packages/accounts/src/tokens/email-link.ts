import { createHash } from 'node:crypto'
import { AccountsError } from '../errors.js'
import { findUserById } from '../identifiers/user-id.js'
import type { TokenClaims, TokenContext, TokenSigner } from '../seams/token-signer.js'
import type { UserStore } from '../seams/user-store.js'
import type { StoredUser, User } from '../user.js'
import { invalidLink, type LinkFault } from './link-fault.js'

/** What a link is for. */
export type Purpose = TokenContext['purpose']

/** The variable part of a link's path. */
export interface LinkParts {
  /** The id of the user, or of what else the link is about, base64url. */
  uid64: string
  token: string
}

/** A user, who may be about to be created. */
type BoundUser = Omit<User, 'id' | 'version'> & Partial<Pick<StoredUser, 'credentials' | 'notes'>>

/** What a link of some purpose depends on. */
export interface LinkState {
  /** The values that must stay unchanged: once one changes, the link is invalid. */
  boundTo(user: BoundUser): readonly unknown[]
  /** The user as the link may have been made for, if there are several possible states. Default: as they are. */
  variants?(user: StoredUser): readonly StoredUser[]
  /** Whether it is about the address that it was sent to, which may not be the user's. Default `false`. */
  isAboutAddress?: boolean
  /** For links that name something else than a user. Default: they name the user. */
  subject?: LinkSubject | undefined
}

/** What the links of a purpose name. */
export interface LinkSubject {
  /** The id in the link. */
  idOf(user: BoundUser): string
  /** Who stands in for the user of the link; `null` if it is invalid. */
  find(id: string): Promise<StoredUser | null>
}

/** The user of a valid link, and the one of the `variants` that it was made for. */
export interface OpenedLink {
  purpose: Purpose
  user: StoredUser
  variant: StoredUser
  /** Whether it is valid for a later record of the user as well. */
  stillValid(later: User): boolean
}

/** Makes and opens emailed links. A link is bound to the user's state, so a used one is invalid without a token table. */
export interface EmailLinks {
  /**
   * @param expiresAt truncated to a whole second
   * @param address the recipient; if the link is about the address, it is worth nothing with another one
   */
  issue(purpose: Purpose, user: User, expiresAt: Date, address: string): Promise<LinkParts>
  /** Digest of what the link depends on, its user, and the address if it is about that. */
  stateOf(purpose: Purpose, user: BoundUser, address: string | undefined): string
  /** How long links of this purpose are valid, in milliseconds. */
  lifetimeOf(purpose: Purpose): number
  /** Whom a link of this purpose is for; `null` if there is nobody. */
  find(purpose: Purpose, subject: string): Promise<StoredUser | null>
  /**
   * @param purposes what a link of this path may be for; its token is for one of them
   * @param address for a link about an address: the one that it names
   * @throws AccountsError ACCOUNTS_INVALID_LINK, the same for every reason
   */
  open(purposes: Purpose | readonly Purpose[], parts: LinkParts, address?: string): Promise<OpenedLink>
}

/** How far another process's clock may be ahead, in milliseconds. */
const clockSkew = 60_000

export function createEmailLinks(deps: {
  users: Pick<UserStore, 'findById'>
  signer: TokenSigner
  /** For each purpose: which mount its links lead to, and what they depend on. */
  kinds: Readonly<Record<Purpose, LinkState & { audience: string; lifetime: number }>>
}): EmailLinks {
  const { users, signer, kinds } = deps

  function stateOf(purpose: Purpose, user: BoundUser, address: string | undefined): string {
    const { boundTo, isAboutAddress } = kinds[purpose]
    const boundAddress = isAboutAddress ? address : undefined
    const facts = JSON.stringify([purpose, ...boundTo(user), user.createdAt.getTime(), boundAddress])
    return createHash('sha256').update(facts).digest('base64url').slice(0, 22)
  }

  const find: EmailLinks['find'] = (purpose, id) => {
    const { subject } = kinds[purpose]
    return subject === undefined ? findUserById(users, id) : subject.find(id)
  }

  async function verify(
    purposes: readonly Purpose[],
    token: string,
    subject: string,
  ): Promise<TokenClaims | null> {
    for (const purpose of purposes) {
      const claims = await signer.verify(token, { purpose, audience: kinds[purpose].audience, subject })
      // A signer of the app's own might leave the purpose as it finds it.
      if (claims !== null) return { ...claims, purpose }
    }
    return null
  }

  return {
    stateOf,
    find,
    lifetimeOf: (purpose) => kinds[purpose].lifetime,

    async issue(purpose, user, expiresAt, address) {
      const subject = kinds[purpose].subject?.idOf(user) ?? user.id
      const token = await signer.sign({
        purpose,
        audience: kinds[purpose].audience,
        subject,
        state: stateOf(purpose, user, address),
        issuedAt: wholeSecond(Date.now()),
        expiresAt: wholeSecond(expiresAt.getTime()),
      })
      return { uid64: Buffer.from(subject).toString('base64url'), token }
    },

    async open(purposes, { uid64, token }, address) {
      const subject = decodeUid64(uid64)
      if (subject === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
      const claims = await verify([purposes].flat(), token, subject)
      if (claims === null) throw new AccountsError('ACCOUNTS_INVALID_LINK')
      const { purpose } = claims
      const user = await find(purpose, subject)
      const refused = (state: LinkFault['state']) => invalidLink(state, purpose, user)
      if (!isTimely(claims)) throw refused('expired')
      const stillValid = (later: User): boolean =>
        later.isActive && stateOf(purpose, later, address) === claims.state
      if (user === null) throw refused('used')
      const variant = (kinds[purpose].variants?.(user) ?? [user]).find(stillValid)
      if (variant === undefined) throw refused('used')
      return { purpose, user, variant, stillValid }
    },
  }
}

function wholeSecond(time: number): Date {
  return new Date(Math.floor(time / 1000) * 1000)
}

function isTimely({ issuedAt, expiresAt }: TokenClaims): boolean {
  const now = Date.now()
  return issuedAt.getTime() <= now + clockSkew && Math.floor(now / 1000) * 1000 <= expiresAt.getTime()
}

/** The user id; `null` unless it is in canonical base64url. */
function decodeUid64(uid64: string): string | null {
  const id = Buffer.from(uid64, 'base64url').toString()
  return Buffer.from(id).toString('base64url') === uid64 ? id : null
}
