import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import type { StoredUser, UserChanges } from '../../user.js'
import type { CodeKind } from '../awaiting-factor.js'
import { liveCode, withCode } from './mailed-code.js'

/** Counts a wrong code on the account, not in a cookie, which can be copied. */
export async function countMiss(
  users: Deps['users'],
  owner: StoredUser,
  { kind, seed }: { kind: CodeKind; seed: string },
): Promise<void> {
  const count = (current: StoredUser): UserChanges | null => {
    const code = liveCode(current, kind, seed)
    if (code === null) return null
    return { credentials: withCode(current.credentials, { ...code, left: code.left - 1 }) }
  }
  await users.change(owner, count).catch((error: unknown) => {
    // With many at once, each is refused anyway, and the faster ones are counted.
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_CONFLICT')) throw error
  })
}
