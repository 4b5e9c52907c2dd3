import type { Who } from '../../logins/who.js'
import { can } from '../../options/privileges.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import type { Client } from '../../sessions/client.js'
import { ownUser, type StoredUser, type User } from '../../user.js'
import type { SignedUp } from '../../users/create-user.js'
import type { FeatureCore } from '../feature-core.js'
import type { Result } from '../operation.js'
import { ownUserReply } from './reply-schemas.js'
import { detailReply } from './schemas.js'

/**
 * The responses of a route that signs somebody up, as `created` makes them.
 * @param mayConfirm whether some have to read an email first even if `requireEmailConfirmation` is off. Default `false`
 */
export function createdReplies(
  options: Pick<ResolvedOptions, 'fields' | 'requireEmailConfirmation' | 'names' | 'roles'>,
  mayConfirm: boolean = false,
): object {
  const { requireEmailConfirmation } = options
  return {
    ...(!requireEmailConfirmation && { 201: ownUserReply(options) }),
    ...((requireEmailConfirmation || mayConfirm) && { 202: detailReply }),
  }
}

/**
 * The result of a sign-up: 201, or 202 whether or not the address already had an account. Marks the browser as the
 * maker's.
 * @param signedUp what `createUser` returned
 * @param logIn logs the new user in, unless an email has to be read first. Default: nobody is logged in
 */
export async function created(
  { signUp, where, options }: Pick<FeatureCore, 'signUp' | 'where' | 'options'>,
  { who, client }: { who: Who | null; client: Client },
  { user, emailKey, mustConfirm }: SignedUp,
  logIn: (user: StoredUser) => Promise<User> = async (user) => user,
): Promise<Result> {
  const isTaken = user === null || user.kind === 'unclaimed'
  // The response hides it; the audit trail doesn't have to.
  client.note(isTaken ? { user: null, reason: 'ACCOUNTS_EMAIL_TAKEN' } : { user })
  const isForOthers = who !== null && can(who.user, 'users:create', options)
  if (!isForOthers && emailKey !== null) {
    // Somebody who signs up there twice remains the maker of the first account. Also if that is gone: a new cookie would tell
    // that the address was free.
    if (mustConfirm && signUp.isForAddress(client, emailKey)) signUp.keep(client, user, emailKey)
    else signUp.write(client, user, emailKey)
  }
  if (mustConfirm || user === null) return { status: 202, message: 'confirm' }
  const begun = await logIn(user)
  // With the variant `signup` only, no route shows a single user.
  const location = where.url('user-detail', { pk: user.id }) ?? where.url('me')
  return { status: 201, body: ownUser(begun), ...(location !== undefined && { location }) }
}
