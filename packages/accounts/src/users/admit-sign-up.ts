import type { Deps } from '../deps.js'
import type { PasswordPair } from '../passwords/password-policy.js'
import type { Granted, SignUpAttempt } from '../seams/before.js'
import type { Client } from '../sessions/client.js'
import type { AccountUser } from '../user.js'
import { askSignUp } from './ask-sign-up.js'
import { checkMayCreate } from './check-may-create.js'
import { checkInput, type PasswordlessInput } from './create.js'

/** What somebody entered to sign up. */
export interface SignUpInput {
  method: SignUpAttempt['method']
  input: PasswordlessInput
  /** For users who get a password. */
  pair?: PasswordPair | undefined
  /** See `signUp.fields`. */
  transient: SignUpAttempt['transient']
}

/**
 * Whether somebody may sign up with valid input, which is all that the app's rule gets to see. Nothing is looked up.
 * @returns for `createUser`
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT, ACCOUNTS_UNAVAILABLE; RuleError
 */
export async function admitSignUp(
  { options, rules }: Pick<Deps, 'options' | 'rules'>,
  { actor, client }: { actor: AccountUser | null; client: Client },
  { method, input, pair, transient }: SignUpInput,
): Promise<Granted> {
  await checkMayCreate(options, actor)
  const address = checkInput(input, options, pair)
  const { username = null, fields = {} } = input
  return askSignUp({ rules }, client, { method, address, username, fields, transient, actor })
}
