import {
  AccountsError,
  type EmailAddress,
  type StoredUser,
  type UserChanges,
  type UserFields,
  usernameKey,
} from 'fastify-accounts'
import {
  type Client,
  fieldsWithin,
  invitedWith,
  isDuplicate,
  isReplacementName,
  loginFollows,
  ownershipChanges,
  replaceUser,
} from 'fastify-accounts/features'
import type { ProviderDeps } from './deps.js'
import type { Identity } from './identity.js'
import { insertProven } from './sign-up.js'
import { freeName } from './who.js'

/** The person who has proved an identity, and the address of an account that nobody had proved. */
export interface Newcomer {
  identity: Identity
  address: EmailAddress
  /** Your own fields of the new user, from the provider. */
  fields: UserFields
  /** Those that the app's rule gives, before all others. Default: none. */
  grantedFields?: UserFields | undefined
  /** The roles that the app's rule gives to the new user. Default: none. */
  roles?: readonly string[] | undefined
  /** Candidate usernames for the new user. */
  wishes: readonly string[]
}

export type HandOverDeps = Pick<
  ProviderDeps,
  'users' | 'options' | 'passwords' | 'postOffice' | 'removeSessions' | 'hasWayIn' | 'issuers'
>

/**
 * Lets the first user who proved the address of an account have it, or their own instead. Whatever is there may belong to
 * someone else who signed up with another person's address (Sudhodanan & Paverd 2022, classic-federated merge).
 * @param mayTake whether the account is still unproven at that point
 * @returns `'used'` if somebody has logged in to it, which only they can say whether it was them; `null` if it is no
 * longer unproven
 * @throws AccountsError ACCOUNTS_IDENTITY_TAKEN; ACCOUNTS_CONFLICT if another request was faster
 */
export async function handOver(
  deps: HandOverDeps,
  client: Client,
  owner: StoredUser,
  newcomer: Newcomer,
  mayTake: (current: StoredUser) => boolean,
): Promise<StoredUser | 'used' | null> {
  if (owner.lastLoginAt !== null) return 'used'
  const isUnused = (current: StoredUser): boolean => mayTake(current) && current.lastLoginAt === null
  return deps.hasWayIn(owner) || isChosen(owner)
    ? startAfresh(deps, client, owner, newcomer, isUnused)
    : fill(deps, owner, newcomer, isUnused)
}

/**
 * Whether a sign-up chose the name, which may be a stranger's choice. Nobody but the app itself can have done anything else
 * with an account that nobody can log in to; what a sign-up entered besides are its fields, which are replaced.
 */
function isChosen({ origin, username }: StoredUser): boolean {
  const isMadeForThem = origin === 'staff' || origin === 'host' || origin === 'import'
  return !isMadeForThem && username !== null && !isReplacementName(username)
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
  const { identity, address, roles, wishes } = newcomer
  const key = keyOf(identity)
  // Checked before the other account goes.
  if (await deps.users.findByIdentity?.(key)) throw new AccountsError('ACCOUNTS_IDENTITY_TAKEN')
  // As of when the old account goes.
  let invited: ReturnType<typeof invitedWith> = { fields: {}, roles: [] }
  const create = (): Promise<StoredUser> =>
    insertProven(
      deps,
      wishes,
      {
        address,
        fields: fieldsOf(newcomer, invited),
        roles: [...invited.roles, ...(roles ?? [])],
        isVerified: true,
      },
      { credentials: [identity], identityKeys: [key] },
      (user) => deps.postOffice.about('identity-added', user, { label: labelOf(deps, identity) }),
    )
  if (old === null) return create()
  const takes = (current: StoredUser): boolean => {
    invited = invitedWith(current)
    return mayTake(current)
  }
  return replaceUser(deps, old, takes, create, (handedOver, formerId) =>
    client.note({ handedOver, formerId }),
  )
}

/** Makes an account that nobody can log in to the newcomer's. A name that no user chose becomes the provider's for them. */
async function fill(
  deps: HandOverDeps,
  owner: StoredUser,
  newcomer: Newcomer,
  mayTake: (current: StoredUser) => boolean,
): Promise<StoredUser | null> {
  const { identity, roles = [], wishes } = newcomer
  const change = (also: UserChanges) =>
    deps.users.change(
      owner,
      (current) =>
        mayTake(current)
          ? {
              ...ownershipChanges('proved-elsewhere', current, deps.options, {
                granted: { fields: {}, roles },
              }),
              fields: fieldsOf(newcomer, invitedWith(current)),
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
  invited: ReturnType<typeof invitedWith>,
): UserFields {
  return fieldsWithin(grantedFields, fieldsWithin(invited.fields, fields))
}

const keyOf = ({ id }: Identity): string => `oidc:${id}`

/** What people know the provider of an identity by. */
export const labelOf = ({ issuers }: Pick<ProviderDeps, 'issuers'>, { provider }: Identity): string =>
  issuers.get(provider)?.label ?? provider
