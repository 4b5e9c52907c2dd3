import {
  AccountsError,
  type StoredUser,
  type UserChanges,
  type UserFields,
  usernameKey,
} from 'fastify-accounts'
import {
  type Client,
  fieldsWithin,
  invitationOf,
  isDuplicate,
  isReplacementName,
  isUsed,
  loginFollows,
  ownershipChanges,
  ownershipOf,
  replaceUser,
} from 'fastify-accounts/features'
import { askAnew } from './ask-rule.js'
import type { ProviderDeps } from './deps.js'
import type { Identity } from './identity.js'
import type { Newcomer } from './newcomer.js'
import { insertProven } from './sign-up.js'
import { freeName } from './who.js'

export type HandOverDeps = Pick<
  ProviderDeps,
  'users' | 'options' | 'rules' | 'passwords' | 'postOffice' | 'removeSessions' | 'hasWayIn' | 'issuers'
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
  const key = keyOf(identity)
  // Checked before the other account goes.
  if (await deps.users.findByIdentity?.(key)) throw new AccountsError('ACCOUNTS_IDENTITY_TAKEN')
  const ruled = await askAnew(deps, client, old, newcomer)
  // As of when the old account goes.
  let invited: Invited = null
  const create = (): Promise<StoredUser> =>
    insertProven(
      deps,
      newcomer.wishes,
      {
        address,
        fields: fieldsOf(ruled, invited),
        roles: [...(invited?.roles ?? []), ...(ruled.roles ?? [])],
        isVerified: true,
      },
      { credentials: [identity], identityKeys: [key] },
      (user) => deps.postOffice.about('identity-added', user, { label: labelOf(deps, identity) }),
    )
  if (old === null) return create()
  const takes = (current: StoredUser): boolean => {
    if (!mayTake(current)) return false
    invited = invitedAsSeen(current, ruled)
    return true
  }
  return replaceUser(deps, old, takes, create, (handedOver, formerId) =>
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
  const ruled = await askAnew(deps, client, owner, newcomer)
  const { identity, roles = [], wishes } = ruled
  const change = (also: UserChanges) =>
    deps.users.change(
      owner,
      (current) =>
        mayTake(current)
          ? {
              ...ownershipChanges('proved-elsewhere', current, deps.options, {
                granted: { fields: {}, roles },
              }),
              fields: fieldsOf(ruled, invitedAsSeen(current, ruled)),
              credentials: [identity],
              identityKeys: [keyOf(identity)],
              ...(isReplacementName(current.username) && also),
            }
          : null,
      { sessions: () => loginFollows },
    )
  const named = async () => {
    if (deps.options.names !== 'required' || !isReplacementName(owner.username)) return change({})
    const username = await freeName(deps, wishes)
    return change({ username, usernameKey: usernameKey(username) }).catch((error: unknown) => {
      // Another request was faster. The account has a name.
      if (isDuplicate(error, 'username')) return change({})
      throw error
    })
  }
  return named().catch((error: unknown) => {
    throw isDuplicate(error, 'identity') ? new AccountsError('ACCOUNTS_IDENTITY_TAKEN') : error
  })
}

/** The rule's own, then the invitation's, then the provider's, as far as they fit. */
function fieldsOf(
  { fields, grantedFields = {} }: Pick<Newcomer, 'fields' | 'grantedFields'>,
  invited: Invited,
): UserFields {
  return fieldsWithin(grantedFields, fieldsWithin(invited?.fields ?? {}, fields))
}

type Invited = ReturnType<typeof invitationOf>

/** @throws AccountsError ACCOUNTS_CONFLICT if they are invited with something else than the app's rule has seen */
function invitedAsSeen(current: StoredUser, { invitation }: Newcomer): Invited {
  const invited = invitationOf(current)
  if (invited?.id !== invitation)
    throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'changed_meanwhile' })
  return invited
}

const keyOf = ({ id }: Identity): string => `oidc:${id}`

/** What people know the provider of an identity by. */
export const labelOf = ({ issuers }: Pick<ProviderDeps, 'issuers'>, { provider }: Identity): string =>
  issuers.get(provider)?.label ?? provider
