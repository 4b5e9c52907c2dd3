import type { UserFields } from '../user.js'
import type { PasswordlessInput } from '../users/create.js'
import type { AccountBody } from './schemas/requests.js'

/** An empty username or address in a form counts as missing; all other fields are your own. */
export function accountInput({ username, email, ...fields }: AccountBody & UserFields): PasswordlessInput {
  return { username: username || undefined, email: email || undefined, fields }
}
