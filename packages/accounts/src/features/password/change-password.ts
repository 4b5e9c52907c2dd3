import type { Deps } from '../../deps.js'
import { fieldError, invalidInput } from '../../errors.js'
import { checkPasswordPair, normalizePassword } from '../../passwords/password-policy.js'
import { tryOwnPassword, withPriority } from '../../passwords/try-password.js'
import type { ContinueEffect } from '../../sessions/session-effect.js'
import { holdsPassword, type User } from '../../user.js'
import { changeOwn } from '../../users/own-record.js'
import { setPassword } from '../../users/ownership/verbs.js'

/**
 * Sets a new password for somebody who knows the old one, or a first one, for which the caller has required a
 * recent login. All the user's sessions become invalid, but for the caller's own.
 * @param input.oldPassword may be absent if there is none
 * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_THROTTLED, ACCOUNTS_CONFLICT
 */
export async function changePassword(
  deps: Pick<Deps, 'users' | 'passwords' | 'throttle' | 'options' | 'postOffice'>,
  user: User,
  input: { oldPassword: string | undefined; newPassword: string; confirmPassword: string },
  sessions: ContinueEffect,
): Promise<void> {
  const { passwords, throttle, options, postOffice } = deps
  const { oldPassword, newPassword, confirmPassword } = input
  const pair = { password: newPassword, confirmPassword }
  const faults = checkPasswordPair('new_password', pair, user, options.password)
  const isFirst = !holdsPassword(user)
  if (oldPassword === undefined) {
    if (!isFirst) faults.unshift(fieldError('old_password', 'required'))
  } else if (normalizePassword(oldPassword) === normalizePassword(newPassword)) {
    faults.push(fieldError('new_password', 'unchanged'))
  }
  if (faults.length > 0) throw invalidInput(...faults)

  if (oldPassword === undefined) {
    await throttle.spend('changePassword', user.id)
  } else if (!(await tryOwnPassword(deps, user, oldPassword))) {
    throw invalidInput(fieldError('old_password', 'incorrect'))
  }
  const chosen = { password: newPassword, field: 'new_password' }
  const passwordHash = await withPriority(throttle, { account: user.id }, (owner) =>
    passwords.hashNew(chosen, user, owner),
  )
  // The epoch of their sessions tells whether the checked password is still current.
  await changeOwn(deps, user, user, (current) => setPassword(current, { passwordHash }), {
    messages: (changed) => postOffice.about(isFirst ? 'password-added' : 'password-changed', changed),
    sessions: () => sessions,
  })
}
