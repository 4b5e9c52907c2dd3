import type { Static } from '@sinclair/typebox'
import type { NewPasswordChoice } from '../../users/choose-password.js'
import type { newOwnerBody } from './schemas.js'

/** What somebody chooses who may not have made the account. */
export function newOwnerChoice({
  new_password: password,
  confirm_password: confirmPassword,
  username,
  profile,
}: Static<typeof newOwnerBody>): NewPasswordChoice {
  return { password, confirmPassword, username, profile }
}
