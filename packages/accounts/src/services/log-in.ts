import type { Deps } from '../deps.js'
import { AccountsError, about } from '../errors.js'
import { typedAddress } from '../identifiers/address-name.js'
import { usernameKey } from '../identifiers/username.js'
import type { Proof } from '../logins/finish-login.js'
import { tryPassword } from '../passwords/try-password.js'
import { accountKey, addressKey, deviceBudgetKey, loginLimits } from '../throttle/throttle.js'
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
  deviceOf: (user: Pick<User, 'id' | 'resetEpoch'>) => string | null,
): Promise<Proof> {
  const { passwords } = deps
  const { user, triedAs: account } = await findByLogin(deps, username)
  // Looked for in any case: to read the cookie takes time, which must not tell whether there is an account.
  const mark = deviceOf(user ?? nobody)
  const device = user && mark
  // A device that is known tries on its own account, so guessing elsewhere doesn't lock it out.
  const triedAs = device === null ? account : deviceBudgetKey(device)
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

/** No account has an empty id, so no device is marked for it. */
const nobody = { id: '', resetEpoch: 0 }

/**
 * Whose account a name or an address means. Every text costs the same questions to the store. `triedAs` is what
 * attempts are counted under: one for all spellings of an address, one for an account whatever its name. An address and
 * a name are counted apart: a shared budget would tell whose address it is to anybody who has used it up by the name.
 */
async function findByLogin(
  { users, options: { login } }: Pick<Deps, 'users' | 'options'>,
  text: string,
): Promise<{ user: User | null; triedAs: string }> {
  const address = login.byEmail ? typedAddress(text) : null
  // The white space around an address is none of it.
  const key = usernameKey(address === null ? text : text.trim())
  const [named, owner] = await Promise.all([
    login.byUsername ? users.findByUsername(key) : null,
    // What nobody can have, where it is no address.
    login.byEmail ? users.findByEmail(address ?? `@${key}`) : null,
  ])
  // Two addresses may fold to one name, and still are two people's.
  const isNamed = named !== null && (!login.byEmail || typedAddress(named.username ?? '') === address)
  const bearer = isNamed ? named : null
  // Names from elsewhere may be somebody else's address. Whoever has proven it is meant; who only claims it is not.
  const user = owner?.isVerified ? owner : (bearer ?? owner)
  if (address !== null) return { user, triedAs: addressKey(address) }
  return { user, triedAs: user === null ? `name:${key}` : accountKey(user) }
}
