import type { UserFields } from '../user.js'
import type { PasswordlessInput } from '../users/create.js'
import type { AccountBody } from './schemas.js'

/** An empty name or address in a form is none; all other fields are the integrator's. */
export function accountInput({ username, email, ...fields }: AccountBody & UserFields): PasswordlessInput {
  return { username: username || undefined, email: email || undefined, fields }
}
