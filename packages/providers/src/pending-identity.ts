import type { FastifyReply, FastifyRequest } from 'fastify'
import { AccountsError, type UserFields } from 'fastify-accounts'
import { type FeatureCore, fieldError, openSealed, seal } from 'fastify-accounts/features'
import type { Identity } from './identity.js'

/** An identity pending proof of its address. */
export interface PendingIdentity {
  identity: Identity
  emailKey: string
  /** Your own fields of the new user. */
  fields: UserFields
  /** Candidate usernames for the new user. */
  wishes: readonly string[]
  methods: readonly string[]
  remember: boolean
  /** Where the browser goes afterwards. */
  next: string
  /** When it expires. */
  end: number
}

/**
 * It is kept in a sealed cookie of the browser that proved the identity; the address is proved by email.
 * One without the other is useless: both for a user who gave another person's address, and for the owner of
 * that address who clicks a link that someone else requested.
 */
export interface PendingIdentities {
  /**
   * What `keep` takes; call it before anything is written.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT if it is too long for a cookie
   */
  seal(identity: Omit<PendingIdentity, 'end'>): string
  keep(reply: FastifyReply, sealed: string): void
  /** `null` if this browser has none for the address, or it has expired. */
  read(request: FastifyRequest, emailKey: string | null): PendingIdentity | null
  drop(reply: FastifyReply): void
}

/** Browsers keep 4096 bytes per cookie, including name and attributes (RFC 6265 section 6.1). */
const longest = 3800

/** @param keys the first seals, all open */
export function createPendingIdentities(
  { cookie, options }: Pick<FeatureCore, 'cookie' | 'options'>,
  keys: readonly [Buffer, ...Buffer[]],
): PendingIdentities {
  const own = cookie('identity')
  const lifetime = options.links.verifyLifetime
  return {
    seal(identity) {
      const pending: PendingIdentity = { ...identity, end: Date.now() + lifetime }
      const sealed = seal(keys[0], JSON.stringify(pending))
      if (sealed.length <= longest) return sealed
      throw new AccountsError('ACCOUNTS_INVALID_INPUT', {
        fields: [fieldError('', 'too_long')],
        cause: new Error(
          `a new user takes ${sealed.length} characters in a cookie, and ${longest} fit: is \`fields\` of ${identity.identity.provider} too long?`,
        ),
      })
    },
    keep: (reply, sealed) => own.write(reply, sealed, Math.floor(lifetime / 1000)),
    read(request, emailKey) {
      const text = openSealed(keys, own.read(request) ?? '')
      const pending = text === null ? null : (JSON.parse(text) as PendingIdentity)
      return pending !== null && Date.now() < pending.end && pending.emailKey === emailKey ? pending : null
    },
    drop: (reply) => own.write(reply, '', 0),
  }
}
