import { isApiKey, keyIdentity } from '../tokens/api-key.js'
import { type Credential, plainProofKind, type StoredUser, type UserChanges } from '../user.js'
import { isPromise, promiseKept } from './promised-roles.js'

/**
 * Kept with an account whose address was verified by somebody who didn't show that they made the account: the
 * owner of the mailbox may have clicked a link about an account of someone else, who knows its password. Until
 * the owner has shown both, a reset also secures the account. It names what must go then, however old, so
 * nothing that uses or renames a credential can lose the mark.
 */
interface PlainProof extends Credential {
  kind: typeof plainProofKind
  /** When, RFC 3339: since then somebody who knows the password may have added more. `null` if staff vouch for it. */
  since: string | null
  /** The credentials and identities of the unproven time: `<kind>:<id>`, as in `identityKeys`. */
  suspects: string[]
}

/** The name of a credential; of one with an identity, that in `identityKeys`. */
export const nameOf = (each: Credential): string =>
  isApiKey(each) ? keyIdentity(each.id) : `${each.kind}:${each.id}`

const isPlainProof = (each: Credential): each is PlainProof => each.kind === plainProofKind

/** How the address was verified, if the person who did it hasn't shown that they made the account; otherwise `null`. */
export function plainProofOf({ credentials }: Pick<StoredUser, 'credentials'>): PlainProof | null {
  return credentials.find(isPlainProof) ?? null
}

/** The credentials without that record. */
export function withoutPlainProof(credentials: readonly Credential[]): Credential[] {
  return credentials.filter((each) => !isPlainProof(each))
}

/**
 * The changes that verify an address and leave everything else as it is. Every way to do so comes here, except
 * a first proof and undoing a change of the address, which also remove what may be someone else's.
 * @param by who does it. `maker`: somebody who has shown that they made the account, so what it has is theirs.
 * `anyone`: a reader of the mailbox, who may not have. `staff`: they vouch for the account, from then on
 */
export function plainProof(current: StoredUser, by: 'maker' | 'anyone' | 'staff'): UserChanges {
  const { isVerified, credentials } = current
  // Someone who has the mailbox of a verified address may have got a login here since, which shows nothing.
  if (isVerified) return {}
  if (by === 'maker') {
    const own = plainProofOf(current) ? { credentials: withoutPlainProof(credentials) } : {}
    return { isVerified: true, ...own, ...promiseKept({ ...current, ...own }) }
  }
  // Without an address, an app is from the time of one that its owner has given up, not one that staff replaced.
  const kept = by === 'anyone' && current.email === null ? [] : nothingAdded(current).credentials
  const added = credentials.filter((each) => !kept.includes(each) && !isPlainProof(each) && !isPromise(each))
  const suspects = [...new Set([...added.map(nameOf), ...current.identityKeys])]
  if (by === 'staff' && suspects.length === 0) return { isVerified: true }
  const since = by === 'staff' ? null : new Date().toISOString()
  const proof: PlainProof = { kind: plainProofKind, since, suspects }
  return { isVerified: true, credentials: [...withoutPlainProof(credentials), proof] }
}

/**
 * Removes what somebody without access to the address may have added. Authenticator apps stay, with the
 * recovery codes: enrolling one requires a verified address, so they are older than the change by which staff
 * set or unverified the address. They let nobody in, they only ask for more: a reset through a mailbox that
 * staff mistyped must not remove the second factor.
 */
export function nothingAdded({
  factors,
  credentials,
}: StoredUser): Pick<StoredUser, 'credentials' | 'identityKeys' | 'factors'> {
  const owners = factors.includes('totp') ? ['totp', 'recovery-code'] : []
  return {
    credentials: credentials.filter(({ kind }) => owners.includes(kind)),
    identityKeys: [],
    factors: factors.filter((factor) => owners.includes(factor)),
  }
}
