import type { StoredUser } from '../user.js'

/** Which identity at another provider, as your app's own code names it. */
export interface IdentityName {
  /** The name of the provider in your options, such as `google`. */
  provider: string
  /** Who the user is there: the `sub` of its ID tokens. */
  subject: string
  /**
   * The `iss` of its ID tokens, where it isn't the `issuer` of the provider: Microsoft has one for each tenant. Default:
   * that `issuer`.
   */
  issuer?: string | undefined
}

/** An identity of a user at another provider, as your app's own code sees it. */
export interface HostIdentity {
  /** For `removeIdentity`. */
  id: string
  /** `null` if no provider of this mount has this issuer anymore. */
  provider: string | null
  /** The address or name at the provider at the last login; `null` before that. */
  label: string | null
  /** `null` if it was imported. */
  createdAt: Date | null
  lastUsedAt: Date | null
}

/** What a feature does with the identities of users for the app's own code. */
export interface HostIdentities {
  /**
   * The identity among a user's `identityKeys`.
   * @throws AccountsError ACCOUNTS_INVALID_INPUT
   */
  keyOf(identity: IdentityName): string
  /** In the order in which they were linked. */
  list(user: StoredUser): HostIdentity[]
  /**
   * Adds it and tells the owner; one that the user has already stays as it is.
   * @returns the user; `null` if there is no such user anymore
   * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_IDENTITY_TAKEN, ACCOUNTS_CONFLICT
   */
  add(user: StoredUser, identity: IdentityName): Promise<StoredUser | null>
  /**
   * Removes it and tells the owner.
   * @returns whether there was one
   * @throws AccountsError ACCOUNTS_CONFLICT if it is the last way to log in
   */
  remove(user: StoredUser, id: string): Promise<boolean>
}
