import { AccountsError, type AccountUser, usernameKey } from 'fastify-accounts'
import {
  type accountInput,
  admitSignUp,
  checkInput,
  checkMayCreate,
  createUser,
  isHeld,
  type PasswordlessInput,
  type SignedUp,
  type User,
} from 'fastify-accounts/features'
import type { PasskeyDeps } from './deps.js'
import { withPasskey } from './passkey.js'
import { newPasskey, orTaken, type Registration } from './register.js'

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
  await checkName({ users, options }, input)
}

async function checkName(
  deps: Pick<PasskeyDeps, 'users' | 'options'>,
  { username }: PasswordlessInput,
): Promise<void> {
  // A name that is an address reveals no more than the address would.
  if (!username || username.includes('@')) return
  if (await isHeld(deps, await deps.users.findByUsername(usernameKey(username))))
    throw new AccountsError('ACCOUNTS_USERNAME_TAKEN')
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
  await checkName(deps, input)
  const { passkey } = await newPasskey(deps, registration, ['sign-up'], '')
  const proof = withPasskey({ credentials: [], identityKeys: [] }, passkey)
  const isOwn = (user: User) => deps.signUp.isFor(client, user)
  return orTaken(client, createUser(deps, actor, { input, proof, granted }, 'signup', isOwn))
}
