import type { UserChanges, UserFields } from '../../index.js'
import { type Credential, noPassword, type StoredUser } from '../../user.js'
import { flagChanges, type UserFlags } from '../../users/change.js'
import { fieldsSizeFaults } from '../../validation.js'
import type { ImportedLine } from './mapping.js'

/**
 * Whether the holder of a name is whom the line tells of, from an earlier run. The name alone does not say so: anybody
 * may have signed up under it, and would get the person's address and rights. So it takes what only the person or an
 * import can have: the moment of creation, a proven address, the old hash, or an account that nobody ever had a
 * password for, nor a passkey that the line does not have.
 */
export function isSame(keepIds: boolean, line: ImportedLine, holder: StoredUser): boolean {
  if (keepIds && line.id !== undefined) return holder.id === line.id
  const isMeant =
    line.usernameKey === null ? holder.emailKey === line.emailKey : holder.usernameKey === line.usernameKey
  if (!isMeant) return false
  const isUntouched =
    holder.passwordHash === noPassword &&
    holder.identityKeys.every((key) => line.identityKeys?.includes(key)) &&
    sameTime(holder.lastLoginAt, line.lastLoginAt ?? null)
  return (
    isUntouched ||
    (line.createdAt !== undefined && sameTime(holder.createdAt, line.createdAt)) ||
    (line.emailKey != null && holder.emailKey === line.emailKey && holder.isVerified) ||
    holder.passwordHash === line.passwordHash
  )
}

function sameTime(one: Date | null, other: Date | null): boolean {
  return one?.getTime() === other?.getTime()
}

/**
 * What the line says otherwise than the store. Never the password: who logged in since has a newer hash. Never the
 * time of creation, which pages of the list go by.
 */
export function changesOf(line: ImportedLine, holder: StoredUser): UserChanges | null {
  const flags: UserFlags = {}
  for (const flag of ['isVerified', 'isStaff', 'isActive'] as const) {
    if (line[flag] !== undefined && line[flag] !== holder[flag]) flags[flag] = line[flag]
  }
  const changes: UserChanges = Object.keys(flags).length === 0 ? {} : flagChanges(holder, flags)
  if (line.emailKey !== undefined && line.email !== holder.email) {
    changes.email = line.email
    changes.emailKey = line.emailKey
    // Links that went to the old address are dead.
    changes.resetEpoch = holder.resetEpoch + 1
    changes.verifyEpoch = holder.verifyEpoch + 1
    changes.emailChangedAt = null
    // What was proven is the old mailbox.
    if (line.isVerified === undefined && line.emailKey !== holder.emailKey) changes.isVerified = false
  }
  // A session from before must not gain rights, nor live on under another address.
  if (changes.isStaff === true || changes.email !== undefined) {
    changes.sessionEpoch = holder.sessionEpoch + 1
  }
  const fields = { ...holder.fields, ...line.fields }
  if (JSON.stringify(fields) !== JSON.stringify(holder.fields)) changes.fields = fields
  if (hasProofs(line) && isUntouched(line, holder)) {
    const { credentials, identityKeys, factors } = line
    Object.assign(changes, { credentials, identityKeys, factors })
  }
  return Object.keys(changes).length === 0 ? null : changes
}

/** Whether the file has proofs which the user does not have. */
export function leavesProofs(line: ImportedLine, holder: StoredUser): boolean {
  const { credentials = [], identityKeys = [] } = line
  // Each reading seals and names anew what it reads. Recovery codes are spent.
  const apps = (all: readonly Credential[]) => all.filter(({ kind }) => kind === 'totp').length
  return (
    identityKeys.some((key) => !holder.identityKeys.includes(key)) ||
    apps(credentials) > apps(holder.credentials)
  )
}

function hasProofs({ credentials = [], identityKeys = [] }: ImportedLine): boolean {
  return credentials.length > 0 || identityKeys.length > 0
}

/**
 * Whether nobody has been in the account here, so that it lacks proofs for no other reason than that it was imported
 * without. Else those of the file may be what its owner, a lock-down or a reset took away.
 */
function isUntouched(line: ImportedLine, holder: StoredUser): boolean {
  const { lastLoginAt, passwordHash, isVerified, credentials, identityKeys } = holder
  return (
    credentials.length === 0 &&
    identityKeys.length === 0 &&
    (lastLoginAt === null || (line.lastLoginAt != null && lastLoginAt <= line.lastLoginAt)) &&
    passwordHash === (line.passwordHash ?? noPassword) &&
    (line.isVerified === true || !isVerified)
  )
}

export function sizeFaultOf(fields: UserFields): string | null {
  return fieldsSizeFaults(fields).length === 0 ? null : 'fields: too_long'
}
