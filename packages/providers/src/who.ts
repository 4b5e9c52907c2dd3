import { randomBytes } from 'node:crypto'
import { type StoredUser, usernameKey } from 'fastify-accounts'
import { checkUsername, replacementName } from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import type { Claims, Profile, Provider } from './provider.js'

/** Whether a provider vouches for an address: only then does the address lead to an account. */
export function vouchesFor(
  { authoritativeFor = [] }: Provider,
  { emailVerified, claims }: Profile,
  emailKey: string,
): boolean {
  // What a `profile` makes of an answer may be a text, such as 'false'.
  if (emailVerified !== true) return false
  if (typeof authoritativeFor === 'function') return authoritativeFor(emailKey, claims) === true
  return authoritativeFor === true || authoritativeFor.includes(emailKey.slice(emailKey.lastIndexOf('@') + 1))
}

/** What a login at a provider proves: `fed`, and two factors where the provider asked for as much as is enough here. */
export function methodsOf({ enough = {} }: Provider, { acr, amr }: Claims): string[] {
  const isEnough =
    (typeof acr === 'string' && enough.acr?.includes(acr) === true) ||
    (Array.isArray(amr) && amr.some((each) => enough.amr?.includes(each)))
  return isEnough ? ['fed', 'mfa'] : ['fed']
}

/** Whether nobody has ever proved the address of an account, so that it goes to whoever does. Without an address, no. */
export function isUnclaimed({
  isActive,
  isVerified,
  isStaff,
  factors,
}: Omit<StoredUser, 'credentials' | 'identityKeys'>): boolean {
  // No factor is turned on behind an address that is not proven: this one was.
  return isActive && !isVerified && !isStaff && factors.length === 0
}

/** What somebody may be called here, the best first; never made of the address, which is nobody's business. */
export const wishesOf = ({ username, name }: Pick<Profile, 'username' | 'name'>): string[] =>
  [username, name].flatMap((each) => (each === null ? [] : [plain(each)]))

/** A free username as near to what is wished for as can be. */
export async function freeName(
  { users }: Pick<ProviderDeps, 'users'>,
  wishes: readonly string[],
): Promise<string> {
  for (const base of wishes) {
    for (const candidate of [base, `${base}-${randomBytes(2).toString('hex')}`]) {
      if (base.length < 2 || checkUsername(candidate) !== null) continue
      if ((await users.findByUsername(usernameKey(candidate))) === null) return candidate
    }
  }
  return replacementName().username
}

/** Without what a username may not have; what stands before an `@` is a part of an address. */
function plain(text: string): string {
  if (text.includes('@')) return ''
  const dashed = text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N}.+_-]+/gu, '-')
    .replaceAll(/^[\p{M}.+_-]+|[.+_-]+$/gu, '')
  return [...dashed].slice(0, 30).join('')
}
