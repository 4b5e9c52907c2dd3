import { AccountsError, type StoredUser, type UserChanges, usernameKey } from 'fastify-accounts'
import {
  acceptAlong,
  type Client,
  findAcceptances,
  isDuplicate,
  isReplacementName,
  isUsed,
  loginFollows,
  ownershipChanges,
  ownershipOf,
  replaceUser,
} from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import { type Identity, onlyIdentity } from './identity.js'
import { fieldsOf, type Newcomer } from './newcomer.js'
import { insertProven } from './sign-up.js'
import { freeName } from './who.js'

export type HandOverDeps = Pick<
  ProviderDeps,
  | 'users'
  | 'options'
  | 'rules'
  | 'invitations'
  | 'passwords'
  | 'postOffice'
  | 'events'
  | 'planDeletion'
  | 'removeSessions'
  | 'hasWayIn'
  | 'issuers'
>

/**
 * Lets the first user who proved the address of an account have it, or their own instead. Whatever is there may belong to
 * someone else who signed up with another person's address (Sudhodanan & Paverd 2022, classic-federated merge).
 * @param mayTake whether the account may still be taken at that point
 * @returns `'used'` if somebody has logged in to it, or confirmed the address, which only they can say whether it was
 * them; `null` if it may no longer be taken
 * @throws AccountsError ACCOUNTS_IDENTITY_TAKEN; ACCOUNTS_CONFLICT if another request was faster; RuleError
 */
export async function handOver(
  deps: HandOverDeps,
  client: Client,
  owner: StoredUser,
  newcomer: Newcomer,
  mayTake: (current: StoredUser) => boolean,
): Promise<StoredUser | 'used' | null> {
  const isNew = (user: StoredUser): boolean => !isUsed(user) && ownershipOf(user) === 'unproven'
  if (!isNew(owner)) return 'used'
  const isUnused = (current: StoredUser): boolean => mayTake(current) && isNew(current)
  return deps.hasWayIn(owner) || isChosen(owner)
    ? startAfresh(deps, client, owner, newcomer, isUnused)
    : fill(deps, client, owner, newcomer, isUnused)
}

/**
 * Whether a sign-up chose the name, which may be a stranger's choice. Nobody but the app itself can have done anything else
 * with an account that nobody can log in to; what a sign-up entered besides are its fields, which are replaced.
 */
function isChosen({ origin, username }: StoredUser): boolean {
  return origin === 'self' && username !== null && !isReplacementName(username)
}

/**
 * Gives the newcomer an account of their own, in place of the other one.
 * @param old `null` if an earlier attempt has freed the address already
 */
export async function startAfresh(
  deps: Omit<HandOverDeps, 'hasWayIn'>,
  client: Client,
  old: StoredUser | null,
  newcomer: Newcomer,
  mayTake: (current: StoredUser) => boolean,
): Promise<StoredUser | null> {
  const { identity, address } = newcomer
  // Checked before the other account goes.
  if (await deps.users.findByIdentity?.(`oidc:${identity.id}`))
    throw new AccountsError('ACCOUNTS_IDENTITY_TAKEN')
  const acceptances = await findAcceptances(deps, client, { ...address, username: null, handsOver: true })
  const create = (messages: Parameters<Parameters<typeof replaceUser>[3]>[0] = []): Promise<StoredUser> =>
    insertProven(deps, newcomer, acceptances, (user) => [
      ...deps.postOffice.about('identity-added', user, { label: labelOf(deps, identity) }),
      ...messages,
    ])
  if (old === null) return create()
  return replaceUser(deps, old, mayTake, create, (handedOver, formerId) =>
    client.note({ handedOver, formerId }),
  )
}

/** Makes an account that nobody can log in to the newcomer's. A name that no user chose becomes the provider's for them. */
async function fill(
  deps: HandOverDeps,
  client: Client,
  owner: StoredUser,
  newcomer: Newcomer,
  mayTake: (current: StoredUser) => boolean,
): Promise<StoredUser | null> {
  const { identity, address, roles = [], wishes } = newcomer
  const found = await findAcceptances(deps, client, { ...address, username: null, handsOver: true })
  return acceptAlong(deps, found, async ({ acceptances, assertInTime }) => {
    const granted = { fields: fieldsOf(newcomer, acceptances), roles }
    const change = (also: UserChanges) =>
      deps.users.change(
        owner,
        (current) => {
          assertInTime()
          if (!mayTake(current)) return null
          const bare = { ...current, fields: {} }
          const brought = { granted, acceptances }
          return {
            fields: {},
            ...ownershipChanges('proved-elsewhere', bare, deps.options, brought),
            ...onlyIdentity(identity),
            ...(isReplacementName(current.username) && also),
          }
        },
        { sessions: () => loginFollows },
      )
    if (deps.options.names !== 'required' || !isReplacementName(owner.username)) return change({})
    const username = await freeName(deps, wishes)
    return change({ username, usernameKey: usernameKey(username) }).catch((error: unknown) => {
      // Another request was faster. The account has a name.
      if (isDuplicate(error, 'username')) return change({})
      throw error
    })
  }).catch((error: unknown) => {
    throw isDuplicate(error, 'identity') ? new AccountsError('ACCOUNTS_IDENTITY_TAKEN') : error
  })
}

/** What people know the provider of an identity by. */
export const labelOf = ({ issuers }: Pick<ProviderDeps, 'issuers'>, { provider }: Identity): string =>
  issuers.get(provider)?.label ?? provider
