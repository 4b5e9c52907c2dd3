import type { Deps } from '../../deps.js'
import type { HostCall } from '../../features/host.js'
import { nothingGranted } from '../../seams/before.js'
import type { FieldsOf, StoredUser } from '../../user.js'
import { askSignUp } from '../../users/ask-sign-up.js'
import { type CreateUserInput, checkInput, insertUser } from '../../users/create.js'

/** What `app.accounts.createUser` takes. */
export interface NewUserInput<Fields = undefined, Role extends string = string>
  extends Omit<CreateUserInput, 'password' | 'fields'> {
  /**
   * Within the limits of the option `password`; `null` for a user without one, who logs in with a passkey or another
   * provider, or chooses one with a link.
   */
  password: string | null
  /** Your own fields. */
  fields?: FieldsOf<Fields> | undefined
  /** Names of roles in the option `roles`, each once. Default: none. */
  roles?: readonly Role[] | undefined
}

/** How `app.accounts.createUser` creates a user. */
export interface HostCreation extends HostCall {
  /** Whether `before.signUp` is asked, with the method `host`. Default `false`. */
  before?: boolean | undefined
}

export async function createUserByHost(
  deps: Pick<Deps, 'users' | 'passwords' | 'options' | 'rules'>,
  { password, ...input }: NewUserInput,
  { before = false }: HostCreation = {},
): Promise<StoredUser> {
  const pair = password === null ? undefined : { ...input, password }
  const by = { caller: 'known', origin: 'host' } as const
  const beginning =
    pair === undefined
      ? { ...by, input, proof: { credentials: [], identityKeys: [] } }
      : { ...by, input: pair }
  if (!before) return insertUser(deps, { ...beginning, granted: nothingGranted })
  const address = checkInput(input, deps.options, pair)
  const { username = null, fields = {} } = input
  const granted = await askSignUp(deps, null, { method: 'host', address, username, fields })
  return insertUser(deps, { ...beginning, granted })
}
