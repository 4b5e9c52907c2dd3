import { hash } from 'node:crypto'
import type { Credential, StoredUser } from 'fastify-accounts'

/** A passkey as stored in the user record. It is a public key: nobody can log in by reading it. */
export interface Passkey extends Credential {
  kind: 'passkey'
  /** The credential id, base64url without padding. */
  id: string
  /** COSE, base64url. */
  publicKey: string
  /** The authenticator's signature count; 0 if it doesn't count. */
  counter: number
  /** How the browser reaches the authenticator: `internal`, `usb`. */
  transports: string[]
  /** `login`: it can log in by itself. `factor`: only together with another proof. */
  use: PasskeyUse
  name: string
  /** ISO 8601, UTC. */
  createdAt: string
  lastUsedAt: string | null
  /** Whether it can be synced to other devices, as its authenticator last said; `null` if it hasn't yet. */
  backupEligible: boolean | null
  /** Whether it is synced. */
  backedUp: boolean
  /** WebAuthn's `user.id`, base64url: random, and the same for all passkeys of an account. `null` if unknown. */
  handle: string | null
}

export type PasskeyUse = 'login' | 'factor'

/** A passkey as its owner sees it over HTTP. */
export interface ListedPasskey {
  id: string
  credential_id: string
  name: string
  use: PasskeyUse
  created_at: string
  last_used_at: string | null
  synced: boolean
}

/** The maximum number per account. */
export const mostPasskeys = 25

export type Holder = Pick<StoredUser, 'credentials' | 'identityKeys'>

export function passkeysOf({ credentials }: Pick<Holder, 'credentials'>): Passkey[] {
  return credentials.filter((each): each is Passkey => each.kind === 'passkey')
}

/** Among the `identityKeys` of a user. */
export const identityKey = (credentialId: string): string => `passkey:${credentialId}`

export function withPasskey({ credentials, identityKeys }: Holder, passkey: Passkey): Holder {
  return {
    credentials: [...credentials, passkey],
    identityKeys: [...identityKeys, identityKey(passkey.id)],
  }
}

export function withoutPasskey({ credentials, identityKeys }: Holder, { id }: Passkey): Holder {
  return {
    credentials: credentials.filter((each) => !isSame(each, id)),
    identityKeys: identityKeys.filter((each) => each !== identityKey(id)),
  }
}

/** The others, and their order, stay unchanged. */
export function withChanged(
  { credentials }: Pick<Holder, 'credentials'>,
  { id }: Passkey,
  changes: { name: string } | Pick<Passkey, 'counter' | 'backupEligible' | 'backedUp' | 'lastUsedAt'>,
): Pick<Holder, 'credentials'> {
  return { credentials: credentials.map((each) => (isSame(each, id) ? { ...each, ...changes } : each)) }
}

function isSame(each: Credential, id: string): boolean {
  return each.kind === 'passkey' && each.id === id
}

/**
 * The public id of a passkey: 128 bits of its credential id, which can be too long for a Fastify path.
 * It is looked up among the user's own.
 */
export function shownId({ id }: Pick<Passkey, 'id'>): string {
  return hash('sha256', `passkey:${id}`, 'base64url').slice(0, 22)
}

export function listedPasskey(passkey: Passkey): ListedPasskey {
  const { id, name, use, createdAt, lastUsedAt, backedUp } = passkey
  return {
    id: shownId(passkey),
    credential_id: id,
    name,
    use,
    created_at: createdAt,
    last_used_at: lastUsedAt,
    synced: backedUp,
  }
}
