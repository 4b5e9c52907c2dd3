import { randomBytes } from 'node:crypto'
import { type Roles, type StoredUser, usernameKey } from 'fastify-accounts'
import type { FeatureCore } from 'fastify-accounts/features'
import { checkUsername, isHeld, isPrivileged, ownershipOf, replacementName } from 'fastify-accounts/features'
import type { Claims, Profile, Provider } from './provider.js'

/** Whether a provider vouches for an address: only then does the address lead to an account. */
export function vouchesFor(
  { authoritativeFor = [] }: Provider,
  { emailVerified, claims }: Profile,
  emailKey: string,
): boolean {
  // A `profile` may return a string, such as 'false'.
  if (emailVerified !== true) return false
  if (typeof authoritativeFor === 'function') return authoritativeFor(emailKey, claims) === true
  return authoritativeFor === true || authoritativeFor.includes(emailKey.slice(emailKey.lastIndexOf('@') + 1))
}

/** What a login at a provider proves: `fed`, and two factors if the provider's check is sufficient here. */
export function methodsOf({ enough = {} }: Provider, { acr, amr }: Claims): string[] {
  const isEnough =
    (typeof acr === 'string' && enough.acr?.includes(acr) === true) ||
    (Array.isArray(amr) && amr.some((each) => enough.amr?.includes(each)))
  return isEnough ? ['fed', 'mfa'] : ['fed']
}

/** Whether its maker never proved an account's address, so it goes to the first who does. False without an address. */
export function mayBeTaken(user: StoredUser, options: { readonly roles?: Roles | undefined }): boolean {
  if (!user.isActive || isPrivileged(user, options)) return false
  const state = ownershipOf(user)
  // A factor can't be turned on with an unproved address, so this one was proved.
  return state === 'plain' || (state === 'unproven' && user.factors.length === 0)
}

/** Candidate usernames, best first; never derived from the address, which is private. */
export const wishesOf = ({ username, name }: Pick<Profile, 'username' | 'name'>): string[] =>
  [username, name].flatMap((each) => (each === null ? [] : [plain(each)]))

/** A free username as close to the preferred one as possible. */
export async function freeName(
  deps: Pick<FeatureCore, 'users' | 'options'>,
  wishes: readonly string[],
): Promise<string> {
  for (const base of wishes) {
    for (const candidate of [base, `${base}-${randomBytes(2).toString('hex')}`]) {
      if (base.length < 2 || checkUsername(candidate) !== null) continue
      const holder = await deps.users.findByUsername(usernameKey(candidate))
      if (!(await isHeld(deps, holder))) return candidate
    }
  }
  return replacementName().username
}

/** Strips what a username may not contain; the text before an `@` is part of an address. */
function plain(text: string): string {
  if (text.includes('@')) return ''
  const dashed = text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N}.+_-]+/gu, '-')
    .replaceAll(/^[\p{M}.+_-]+|[.+_-]+$/gu, '')
  return [...dashed].slice(0, 30).join('')
}
