import { AccountsError, type StoredUser } from 'fastify-accounts'
import { type Client, isDuplicate, isHeld, mailedName, withoutFactor } from 'fastify-accounts/features'
import { browserOf } from './browser.js'
import { checkAttestation } from './ceremony.js'
import type { Ceremony, OpenChallenge } from './challenge.js'
import type { PasskeyDeps } from './deps.js'
import { isOn } from './factor.js'
import {
  identityKey,
  mostPasskeys,
  type Passkey,
  passkeysOf,
  shownId,
  withChanged,
  withoutPasskey,
  withPasskey,
} from './passkey.js'
import { noteRefusal, Refusal, usedChallenge } from './refusal.js'
import type { AttestationBody } from './schemas.js'

/** A new passkey, and the browser that created it. */
export interface Registration {
  response: AttestationBody
  name: string
  client: Client
}

/**
 * Checks the passkey that a browser created, and spends the challenge.
 * @param subject that of the challenge
 * @throws AccountsError ACCOUNTS_INVALID_PASSKEY if it breaks any rule, or an account already has this credential
 */
export async function newPasskey(
  deps: Pick<PasskeyDeps, 'settings' | 'options' | 'challenges' | 'browser' | 'users' | 'spend'>,
  { response, name, client }: Registration,
  ceremonies: readonly Ceremony[],
  subject: string,
): Promise<{ passkey: Passkey; challenge: OpenChallenge }> {
  const { settings, challenges, users, spend } = deps
  const checked = await checkAttestation(settings, response, (challenge) =>
    challenges.open(challenge, ceremonies, subject, browserOf(deps, client)),
  )
  if (checked instanceof Refusal) throw invalid(client, checked)
  const { challenge } = checked
  const holder = await users.findByIdentity?.(identityKey(checked.passkey.id))
  if (await isHeld(deps, holder)) throw invalid(client, taken())
  if (!(await spend(`passkey:${challenge.id}`, challenge.expiresAt))) throw invalid(client, usedChallenge())
  const passkey: Passkey = {
    kind: 'passkey',
    ...checked.passkey,
    use: challenge.ceremony === 'add-factor' ? 'factor' : 'login',
    name,
    createdAt: new Date().toISOString(),
    lastUsedAt: null,
    handle: challenge.handle,
  }
  return { passkey, challenge }
}

function invalid(client: Client, refusal: Refusal): AccountsError {
  noteRefusal(client, refusal)
  return new AccountsError('ACCOUNTS_INVALID_PASSKEY')
}

const taken = () => new Refusal('PASSKEY_TAKEN', 'an account already has it')

/**
 * Adds a passkey to the logged-in user's account.
 * @param registration.isFirst whether it must be the first: a user who has to enroll has only given the password
 * @throws AccountsError ACCOUNTS_INVALID_PASSKEY; ACCOUNTS_CONFLICT if the account has 25; ACCOUNTS_ENROLLMENT_REQUIRED
 * if it must be the first and is not
 */
export async function addPasskey(
  deps: PasskeyDeps,
  user: StoredUser,
  registration: Registration & { isFirst: boolean },
): Promise<{ user: StoredUser; passkey: Passkey }> {
  const { users, postOffice } = deps
  const { passkey: newKey } = await newPasskey(
    deps,
    registration,
    ['add-login', 'add-silently', 'add-factor'],
    user.id,
  )
  // All passkeys of an account use the same user handle, so an authenticator keeps one.
  const passkey = { ...newKey, handle: handleOf(user) ?? newKey.handle }
  const changed = await orTaken(
    registration.client,
    users.change(
      user,
      (current) => {
        // A user logged out in the meantime must not add a way back in.
        if (current.sessionEpoch !== user.sessionEpoch) return null
        if (registration.isFirst) checkIsFirst(current)
        const passkeys = passkeysOf(current)
        if (passkeys.some(({ id }) => id === passkey.id)) throw invalid(registration.client, taken())
        if (passkeys.length >= mostPasskeys)
          throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'limit_reached' })
        return withPasskey(current, passkey)
      },
      {
        messages: (later) =>
          postOffice.about('passkey-added', later, { label: mailedName(later, passkey.name) }),
      },
    ),
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
  // A store that drops it would make its owner believe that a login method exists.
  if (!passkeysOf(changed).some(({ id }) => id === passkey.id))
    throw new Error('the user store does not keep credentials: see the laws of userStoreCases')
  return { user: changed, passkey }
}

/** @throws AccountsError ACCOUNTS_ENROLLMENT_REQUIRED if the account has a passkey */
export function checkIsFirst(user: StoredUser): void {
  if (passkeysOf(user).length > 0)
    throw new AccountsError('ACCOUNTS_ENROLLMENT_REQUIRED', { reason: 'has_passkey', userId: user.id })
}

/** Someone else registered the same credential first. */
export async function orTaken<T>(client: Client, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw isDuplicate(error, 'identity') ? invalid(client, taken()) : error
  }
}

/** The user handle in an account's passkeys; `null` if it has none yet. */
export function handleOf(user: StoredUser): string | null {
  return passkeysOf(user).find(({ handle }) => handle !== null)?.handle ?? null
}

/** @throws AccountsError ACCOUNTS_NOT_FOUND */
export async function renamePasskey(
  { users }: Pick<PasskeyDeps, 'users'>,
  user: StoredUser,
  id: string,
  name: string,
): Promise<Passkey> {
  const changed = await users.change(user, (current) => withChanged(current, listed(current, id), { name }))
  if (changed === null) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return listed(changed, id)
}

/**
 * Removes a passkey, unless it is the last login method. Without any, passkeys are no longer a factor.
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT, ACCOUNTS_LOGIN_REQUIRED
 */
export async function removePasskey(
  { users, postOffice, hasWayIn }: Pick<PasskeyDeps, 'users' | 'postOffice' | 'hasWayIn'>,
  user: StoredUser,
  id: string,
): Promise<void> {
  let removed: Passkey | undefined
  const changed = await users.change(
    user,
    (current) => {
      if (current.sessionEpoch !== user.sessionEpoch) return null
      removed = listed(current, id)
      const { credentials, identityKeys } = withoutPasskey(current, removed)
      const isLast = !passkeysOf({ credentials }).length && isOn(current)
      const left = {
        credentials,
        identityKeys,
        ...(isLast && withoutFactor({ factors: current.factors, credentials }, 'passkey')),
      }
      if (removed.use === 'login' && !hasWayIn({ ...current, ...left }))
        throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'last_way_in' })
      return left
    },
    {
      messages: (later) =>
        postOffice.about('passkey-removed', later, {
          label: removed ? mailedName(later, removed.name) : null,
        }),
    },
  )
  if (changed === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
}

function listed(user: StoredUser, id: string): Passkey {
  const passkey = passkeysOf(user).find((each) => shownId(each) === id)
  if (passkey === undefined) throw new AccountsError('ACCOUNTS_NOT_FOUND')
  return passkey
}
