import { isDeepStrictEqual } from 'node:util'
import type { Roles, UserChanges, UserFields } from '../../index.js'
import { plainProofOf } from '../../notes.js'
import { rolesAfter } from '../../options/privileges.js'
import { type Credential, noPassword, type StoredUser } from '../../user.js'
import { flagChanges, type UserFlags } from '../../users/change.js'
import { fieldsSizeFaults } from '../../validation.js'
import type { ImportedLine } from './mapping.js'

/**
 * Whether the holder of a line's id or name is the line's user, from an earlier run. Neither is enough: anybody may have
 * signed up with the name, a store that counts its ids may have given this one to anybody, and they would get the user's
 * address and rights. So it takes what only the user or an import can have: an account that an import made, and nobody
 * has used if it is known by its name alone; the creation time; a verified address; or the old hash.
 */
export function isSame(keepIds: boolean, line: ImportedLine, holder: StoredUser): boolean {
  // What somebody entered at a sign-up is never the user's account.
  if (holder.kind !== 'person') return false
  const isImported = holder.origin === 'import'
  if (keepIds && line.id !== undefined) return holder.id === line.id && (isImported || isShown(line, holder))
  const isMeant =
    line.usernameKey === null ? holder.emailKey === line.emailKey : holder.usernameKey === line.usernameKey
  const isUntouched =
    holder.passwordHash === noPassword &&
    holder.identityKeys.every((key) => line.identityKeys?.includes(key)) &&
    sameTime(holder.lastLoginAt, line.lastLoginAt ?? null)
  return isMeant && ((isImported && isUntouched) || isShown(line, holder))
}

/** Whether the account has something that only the line's user can have, no matter who created it. */
function isShown(line: ImportedLine, holder: StoredUser): boolean {
  return (
    (line.createdAt !== undefined && sameTime(holder.createdAt, line.createdAt)) ||
    (line.emailKey != null && holder.emailKey === line.emailKey && isProvenByMaker(holder)) ||
    holder.passwordHash === line.passwordHash
  )
}

/** Somebody else may have signed up with the address, and its owner just clicked the link. */
function isProvenByMaker(holder: StoredUser): boolean {
  return holder.isVerified && plainProofOf(holder) === null
}

function sameTime(one: Date | null, other: Date | null): boolean {
  return one?.getTime() === other?.getTime()
}

/**
 * The differences between the line and the store. Never the password: a login since has stored a newer hash.
 * Never the creation time, which the list uses for paging.
 */
export function changesOf(
  line: ImportedLine,
  holder: StoredUser,
  options: { roles?: Roles | undefined },
): UserChanges | null {
  const flags: UserFlags = {}
  for (const flag of ['isVerified', 'isStaff', 'isActive'] as const) {
    if (line[flag] !== undefined && line[flag] !== holder[flag]) flags[flag] = line[flag]
  }
  const roles = line.roles && rolesAfter(holder.roles, line.roles, options)
  if (roles !== undefined && !isDeepStrictEqual(roles, holder.roles)) flags.roles = line.roles
  const changes: UserChanges = Object.keys(flags).length === 0 ? {} : flagChanges(holder, flags, options)
  if (line.emailKey !== undefined && line.email !== holder.email) {
    changes.email = line.email
    changes.emailKey = line.emailKey
    // Links sent to the old address become invalid.
    changes.resetEpoch = holder.resetEpoch + 1
    changes.verifyEpoch = holder.verifyEpoch + 1
    changes.emailChangedAt = null
    // The old mailbox was verified, not this one.
    if (line.isVerified === undefined && line.emailKey !== holder.emailKey) changes.isVerified = false
  }
  // Existing sessions must not gain rights, or continue under another address.
  const gainsRoles = changes.roles?.some((role) => !holder.roles.includes(role))
  if (changes.isStaff === true || gainsRoles || changes.email !== undefined) {
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

/** Whether the file has proofs that the user lacks. */
export function leavesProofs(line: ImportedLine, holder: StoredUser): boolean {
  const { credentials = [], identityKeys = [] } = line
  // Each read seals and names them again. Recovery codes get used up.
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
 * Whether nobody has used the account here, so it can only lack proofs because it was imported without them.
 * Otherwise its owner, a lockdown or a reset may have removed those of the file.
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
