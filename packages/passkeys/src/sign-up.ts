import type { AccountUser } from 'fastify-accounts'
import {
  type accountInput,
  admitSignUp,
  checkInput,
  checkMayCreate,
  checkUsernameFree,
  createUser,
  type PasswordlessInput,
  type SignedUp,
  type User,
} from 'fastify-accounts/features'
import type { PasskeyDeps } from './deps.js'
import { firstPasskey } from './first-passkey.js'
import { orTaken, type Registration } from './register.js'

/**
 * Rejects an invalid sign-up before an unneeded passkey is created.
 * @throws AccountsError ACCOUNTS_FORBIDDEN, ACCOUNTS_INVALID_INPUT, ACCOUNTS_USERNAME_TAKEN
 */
export async function checkSignUp(
  { users, options }: Pick<PasskeyDeps, 'users' | 'options'>,
  actor: AccountUser | null,
  input: PasswordlessInput,
): Promise<void> {
  await checkMayCreate(options, actor)
  checkInput(input, options)
  await checkUsernameFree({ users, options }, input.username)
}

/**
 * Creates a user who logs in with the new passkey and has no password.
 * @returns as `createUser` does
 * @throws AccountsError ACCOUNTS_INVALID_PASSKEY, and what `admitSignUp` and `createUser` throw
 */
export async function signUpWithPasskey(
  deps: PasskeyDeps,
  actor: AccountUser | null,
  { transient, ...input }: ReturnType<typeof accountInput>,
  registration: Registration,
): Promise<SignedUp> {
  // Checked before the challenge is spent: a user who must choose another name needs another one.
  const { client } = registration
  const granted = await admitSignUp(deps, { actor, client }, { method: 'passkey', input, transient })
  await checkUsernameFree(deps, input.username)
  const proof = await firstPasskey(deps, registration, '')
  const isOwn = (user: User) => deps.signUp.isFor(client, user)
  return orTaken(client, createUser(deps, actor, { input, proof, granted }, 'signup', isOwn))
}
