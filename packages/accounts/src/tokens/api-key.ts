import type { Credential, StoredUser } from '../user.js'

/** The credential kind of an API key. It lets nobody in and is no factor: only `requireScope` accepts one. */
export const apiKeyKind = 'api-key'

/** An API key as stored: enough to recognize it, not to make it. */
export interface ApiKey extends Credential {
  kind: typeof apiKeyKind
  /** Part of the key, and of its identity; of an imported key, the SHA-256 of all of it in base64url. */
  id: string
  /** SHA-256 of the secret in base64url; `null` for an imported key, whose `id` is the digest. */
  hash: string | null
  /** The name that its owner gave it. */
  name: string
  scopes: string[]
  /** What it is for alone; `null` or absent for one that is for everything. */
  resource?: string | null
  /** The mount it works at: the name of its instance decorator; `null` for an imported key, which works at each. */
  realm: string | null
  /** RFC 3339, like `expiresAt`. */
  createdAt: string
  expiresAt: string
  /** The day in UTC, as in `2026-11-26`; `null` until the first. */
  lastUsedOn: string | null
}

/** What keys may do, how long they last, and how many an account may have: the options of `apiKeys()`. */
export interface ApiKeyRules {
  /** Each with its description, or `null`. */
  scopes: ReadonlyMap<string, string | null>
  /** Milliseconds, unless a key is given another. */
  lifetime: number
  /** Per account. */
  max: number
  /** Whose keys work as well, once imported. */
  imported: readonly ForeignKeys[]
}

/** Systems whose keys can be imported. */
export const foreignKeys = ['better-auth', 'authtoken'] as const
export type ForeignKeys = (typeof foreignKeys)[number]

/** What precedes the id of a key among the `identityKeys`. */
const prefix = 'key:'

/** The name of a key among the `identityKeys`. */
export const keyIdentity = (id: string): string => `${prefix}${id}`

export const isKeyIdentity = (identity: string): boolean => identity.startsWith(prefix)

export function isApiKey(credential: Credential): credential is ApiKey {
  return credential.kind === apiKeyKind
}

/** The keys of an account, oldest first, including expired ones. */
export function apiKeysOf({ credentials }: Pick<StoredUser, 'credentials'>): ApiKey[] {
  return credentials.filter(isApiKey)
}

/** An account without the keys for which `isGone` holds. Default: without any. */
export function withoutApiKeys(
  { credentials, identityKeys }: Pick<StoredUser, 'credentials' | 'identityKeys'>,
  isGone: (key: ApiKey) => boolean = () => true,
): Pick<StoredUser, 'credentials' | 'identityKeys'> {
  const gone = new Set(credentials.filter(isApiKey).filter(isGone))
  const identities = new Set([...gone].map(({ id }) => keyIdentity(id)))
  return {
    credentials: credentials.filter((each) => !gone.has(each as ApiKey)),
    identityKeys: identityKeys.filter((each) => !identities.has(each)),
  }
}
