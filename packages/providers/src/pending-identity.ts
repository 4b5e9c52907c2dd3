import { AccountsError, parseEmail } from 'fastify-accounts'
import { type Client, type FeatureCore, fieldError, openSealed, seal } from 'fastify-accounts/features'
import type { Newcomer } from './newcomer.js'

/** An identity that isn't an account's yet: its address has to be proved, or its owner to say whose the account there is. */
export interface PendingIdentity extends Omit<Newcomer, 'address'> {
  /** The address, as the provider has it. */
  email: string
  methods: readonly string[]
  /** When the user logged in at the provider, in milliseconds since 1970. Default: when the login is finished. */
  provenAt?: number | undefined
  remember: boolean
  /** Where the browser goes afterwards. */
  next: string
  /** Whether the login began in an app, which no longer waits. */
  app?: true
  /** When it expires. */
  end: number
}

/**
 * They are kept in a sealed cookie of the browser that proved the identity. If the address is proved by email, one
 * without the other is useless: both for a user who gave another person's address, and for the owner of that address
 * who clicks a link that someone else requested.
 */
export interface PendingIdentities {
  /**
   * What `keep` takes; call it before anything is written.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT if it is too long for what the client keeps
   */
  seal(client: Client, identity: Omit<PendingIdentity, 'end'>): string
  keep(client: Client, sealed: string): void
  /**
   * `null` if this browser has none, or it has expired.
   * @param emailKey the address that it must be for. Default: any
   */
  read(client: Client, emailKey?: string | null): PendingIdentity | null
  drop(client: Client): void
}

/**
 * Browsers keep 4096 bytes per cookie, including name and attributes (RFC 6265 section 6.1). The state of an app has as
 * much for everything, and encodes it once more.
 */
const longest = { cookie: 3800, tokens: 2400 }

/**
 * @param name of the cookie
 * @param keys the first seals, all open
 * @param lifetime in milliseconds
 */
export function createPendingIdentities(
  { cookie }: Pick<FeatureCore, 'cookie'>,
  name: string,
  keys: readonly [Buffer, ...Buffer[]],
  lifetime: number,
): PendingIdentities {
  const own = cookie(name)
  return {
    seal({ delivery }, identity) {
      const pending: PendingIdentity = { ...identity, end: Date.now() + lifetime }
      const sealed = seal(keys[0], JSON.stringify(pending))
      const most = longest[delivery]
      if (sealed.length <= most) return sealed
      throw new AccountsError('ACCOUNTS_INVALID_INPUT', {
        fields: [fieldError('', 'too_long')],
        cause: new Error(
          `a new user takes ${sealed.length} characters in ${delivery === 'cookie' ? 'a cookie' : 'the state of an app'}, and ${most} fit: is \`fields\` of ${identity.identity.provider} too long?`,
        ),
      })
    },
    keep: (client, sealed) => own.write(client, sealed, Math.floor(lifetime / 1000)),
    read(client, emailKey) {
      const text = openSealed(keys, own.read(client) ?? '')
      const pending = text === null ? null : (JSON.parse(text) as PendingIdentity)
      if (pending === null || Date.now() >= pending.end) return null
      return emailKey === undefined || parseEmail(pending.email)?.emailKey === emailKey ? pending : null
    },
    drop: (client) => own.clear(client),
  }
}
