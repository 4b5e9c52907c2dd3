import type { ResolvedOptions } from '../../options/resolve.js'
import type { UserFields } from '../../user.js'
import type { PasswordlessInput } from '../../users/create.js'
import { propertiesOf } from './field-schemas.js'
import type { AccountBody } from './schemas.js'

/**
 * What a sign-up's body has: an empty username or address in a form counts as missing; the other fields are your own, or
 * those of `signUp.fields`, which are never stored.
 */
export function accountInput(
  { signUp }: Pick<ResolvedOptions, 'signUp'>,
  { username, email, ...others }: AccountBody & UserFields,
): PasswordlessInput & { fields: UserFields; transient: UserFields } {
  const declared = propertiesOf(signUp.fields)
  const [fields, transient]: [UserFields, UserFields] = [{}, {}]
  for (const [name, value] of Object.entries(others))
    (Object.hasOwn(declared, name) ? transient : fields)[name] = value
  return { username: username || undefined, email: email || undefined, fields, transient }
}
