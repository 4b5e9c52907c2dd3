import type { Deps } from '../deps.js'
import { AccountsError, about } from '../errors.js'
import { typedAddress } from '../identifiers/address-name.js'
import { usernameKey } from '../identifiers/username.js'
import type { Proof } from '../logins/finish-login.js'
import { tryPassword } from '../passwords/try-password.js'
import { accountKey, loginLimits } from '../throttle/throttle.js'
import type { User } from '../user.js'

/**
 * Proves by a username, or the address of the account, and a password whose account it is.
 * @param username the name or the address, as `login.by` lets
 * @param deviceOf the name of the caller's device, if it has logged in to this account before
 * @throws AccountsError ACCOUNTS_THROTTLED, ACCOUNTS_INVALID_CREDENTIALS
 */
export async function logIn(
  deps: Pick<Deps, 'users' | 'passwords' | 'throttle' | 'options'>,
  { username, password }: { username: string; password: string },
  deviceOf: (user: User) => string | null,
): Promise<Proof> {
  const { passwords } = deps
  const { user, known: knownAs } = await findByLogin(deps, username)
  const device = user && deviceOf(user)
  // A device that is known tries on its own account, so guessing elsewhere doesn't lock it out.
  const account = user === null ? knownAs : accountKey(user)
  const triedAs = device === null ? account : `device:${device}`
  return about(user, async () => {
    // Known and unknown names alike.
    const right = await tryPassword(
      deps,
      { password, hash: user?.passwordHash, caller: device === null ? 'stranger' : 'known' },
      { budgets: loginLimits, key: triedAs },
    )
    if (user === null || !right) throw new AccountsError('ACCOUNTS_INVALID_CREDENTIALS')
    return {
      user,
      methods: ['pwd'],
      changes: async () =>
        passwords.needsRehash(user.passwordHash)
          ? { passwordHash: await passwords.hash(password, 'known') }
          : {},
    }
  })
}

/**
 * Whose account a name or an address means. Every text costs the same questions to the store. `known` is what tries are
 * counted under where it means nobody's: one for all spellings that would mean one account, so that no budget tells
 * which do.
 */
async function findByLogin(
  { users, options: { login } }: Pick<Deps, 'users' | 'options'>,
  text: string,
): Promise<{ user: User | null; known: string }> {
  const address = login.byEmail ? typedAddress(text) : null
  // The white space around an address is none of it.
  const key = usernameKey(address === null ? text : text.trim())
  const [named, owner] = await Promise.all([
    login.byUsername ? users.findByUsername(key) : null,
    // What nobody can have, where it is no address.
    login.byEmail ? users.findByEmail(address ?? `@${key}`) : null,
  ])
  // Two addresses may fold to one name, and still are two people's.
  const isNamed = named !== null && (!login.byEmail || typedAddress(named.username) === address)
  const bearer = isNamed ? named : null
  // Names from elsewhere may be somebody else's address. Whoever has proven it is meant; who only claims it is not.
  const user = owner?.isVerified ? owner : (bearer ?? owner)
  return { user, known: address === null ? `name:${key}` : `address:${address}` }
}
