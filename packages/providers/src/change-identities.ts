import { AccountsError, type StoredUser, type UserChanges } from 'fastify-accounts'
import { isDuplicate, type MountCore } from 'fastify-accounts/features'
import {
  type Identity,
  keysOf,
  mostIdentities,
  providerOf,
  shownId,
  withIdentity,
  withoutIdentity,
} from './identity.js'
import type { Provider } from './provider.js'

type Deps = Pick<MountCore, 'users' | 'postOffice'>

/** An identity to add, and for whom. */
interface Addition {
  key: string
  identity: Identity
  /** What the owner knows the provider by. */
  label: string
  /** Whether the user may still have it. */
  mayChange(current: StoredUser): boolean
  /** What changes if the user has it already. */
  again(current: StoredUser): UserChanges
}

/**
 * Adds an identity to an account and tells the owner.
 * @returns `null` if the user may no longer have it, or is gone
 * @throws AccountsError ACCOUNTS_IDENTITY_TAKEN if another account has it; ACCOUNTS_CONFLICT if the account has 25
 */
export async function addIdentity(
  { users, postOffice }: Deps,
  user: StoredUser,
  { key, identity, label, mayChange, again }: Addition,
): Promise<StoredUser | null> {
  const changed = await users
    .change(
      user,
      (current) => {
        if (!mayChange(current)) return null
        if (current.identityKeys.includes(key)) return again(current)
        if (keysOf(current).length >= mostIdentities)
          throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'limit_reached' })
        return withIdentity(current, identity)
      },
      {
        messages: (later, before) =>
          before.identityKeys.includes(key) ? [] : postOffice.about('identity-added', later, { label }),
      },
    )
    .catch((error: unknown) => {
      throw isDuplicate(error, 'identity') ? new AccountsError('ACCOUNTS_IDENTITY_TAKEN') : error
    })
  // A store that drops it would make its owner believe that a login method exists.
  if (changed !== null && !changed.identityKeys.includes(key))
    throw new Error('the user store does not keep identityKeys: see the laws of userStoreCases')
  return changed
}

/**
 * Removes an identity from an account, unless it is the last login method, and tells the owner.
 * @returns `null` if the user may no longer remove it, or is gone
 * @throws AccountsError ACCOUNTS_NOT_FOUND, ACCOUNTS_CONFLICT
 */
export async function dropIdentity(
  { users, postOffice, hasWayIn }: Deps & Pick<MountCore, 'hasWayIn'>,
  mounted: readonly Provider[],
  user: StoredUser,
  { id, mayChange }: { id: string; mayChange(current: StoredUser): boolean },
): Promise<StoredUser | null> {
  let removed: Provider | null = null
  return users.change(
    user,
    (current) => {
      if (!mayChange(current)) return null
      const key = keysOf(current).find((each) => shownId(each) === id)
      if (key === undefined) throw new AccountsError('ACCOUNTS_NOT_FOUND')
      const left = withoutIdentity(current, key)
      if (!hasWayIn({ ...current, ...left }))
        throw new AccountsError('ACCOUNTS_CONFLICT', { reason: 'last_way_in' })
      removed = providerOf(mounted, current, key)
      return left
    },
    {
      messages: (later) =>
        postOffice.about('identity-removed', later, removed === null ? {} : { label: labelOf(removed) }),
    },
  )
}

const labelOf = ({ name, label = name }: Provider): string => label
