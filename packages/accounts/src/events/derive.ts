import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { acceptedInvitationsOf, hasProven, isKnownOwner, isReplaced } from '../notes.js'
import type { EventData, EventType } from '../seams/events.js'
import { isKeyIdentity } from '../tokens/api-key.js'
import {
  type Credential,
  holdsPassword,
  type NewUser,
  type StoredUser,
  type User,
  type UserChanges,
  withChanges,
} from '../user.js'
import type { Draft } from './draft.js'

/*
 * Which events a write of a user record is, by whatever way it comes. What an account keeps for itself makes none: times of
 * logins, epochs, counters of codes, another hash of the same password.
 */

/** Adds an event about the user. */
type Tell = <Type extends EventType>(type: Type, data: EventData[Type]) => void

/** An `unclaimed` user has the same events as a person, so that the work is the same; nobody gets them. */
export function eventsOfCreation(user: NewUser): Draft[] {
  // The store makes the id.
  const { drafts, tell } = draftsAbout({ id: '', version: 1 })
  if (user.kind === 'service') tell('service.created', {})
  else tell('user.created', { origin: user.origin })
  if (isKnownOwner(user)) tell('user.verified', {})
  for (const invitation_id of Object.keys(acceptedInvitationsOf(user)))
    tell('invitation.accepted', { invitation_id })
  return drafts
}

export function eventsOfDeletion(user: Pick<User, 'id' | 'kind' | 'version'>): Draft[] {
  if (user.kind === 'unclaimed') return []
  const { drafts, tell } = draftsAbout({ id: user.id, version: user.version + 1 })
  tell(user.kind === 'service' ? 'service.deleted' : 'user.deleted', {})
  return drafts
}

/** @param before the record that the changes are for; what is not of every user only if it is whole */
export function eventsOfChange(before: User | StoredUser, changes: UserChanges): Draft[] {
  if (before.kind === 'unclaimed') return []
  const after = withChanges(before, changes)
  const { drafts, tell } = draftsAbout({ id: before.id, version: before.version + 1 })
  const fields = new Set<string>()
  const isWhole = 'notes' in before && 'notes' in after
  // An account is being replaced: either it is as before in the end, or it goes.
  if (isWhole && isReplaced(before) !== isReplaced(after)) return []
  const isProven = isWhole && hasProven(before, after)

  if (isProven) tell('user.verified', {})
  else if (after.isVerified !== before.isVerified) fields.add('is_verified')
  tellOwnView(before, after, tell, fields)
  if (isOtherPassword(before, after) || (isProven && before.passwordHash !== after.passwordHash))
    tell('user.password_changed', { has_password: holdsPassword(after) })
  if (after.isActive !== before.isActive) tell(after.isActive ? 'user.enabled' : 'user.disabled', {})
  tellRoles(before, after, tell)
  if (changes.factors !== undefined) tellFactors(before, after, tell)
  if (isWhole) {
    if (changes.identityKeys !== undefined) tellIdentities(before, after, tell)
    if (changes.credentials !== undefined) addCredentials(before, after, fields)
    if (changes.notes !== undefined) tellNotes(before, after, tell, fields)
  }
  if (fields.size > 0) tell('user.updated', { fields: [...fields].sort() })
  return drafts
}

function draftsAbout(user: { id: string; version: number | null }): { drafts: Draft[]; tell: Tell } {
  const drafts: Draft[] = []
  return { drafts, tell: (type, data) => drafts.push({ type, user, data } as Draft) }
}

function tellOwnView(before: User, after: User, tell: Tell, fields: Set<string>): void {
  if (after.username !== before.username) fields.add('username')
  if (after.emailKey !== before.emailKey) tell('user.email_changed', {})
  else if (after.email !== before.email) fields.add('email')
  if (after.fields === before.fields) return
  for (const name of new Set([...Object.keys(before.fields), ...Object.keys(after.fields)]))
    if (!isDeepStrictEqual(before.fields[name], after.fields[name])) fields.add(name)
}

/** Another hash alone is one of the same password: whatever sets a new one ends the links that set one. */
function isOtherPassword(before: User, after: User): boolean {
  if (after.passwordHash === before.passwordHash) return false
  return holdsPassword(after) !== holdsPassword(before) || after.resetEpoch !== before.resetEpoch
}

function tellRoles(before: User, after: User, tell: Tell): void {
  const added = without(after.roles, before.roles)
  const removed = without(before.roles, after.roles)
  const isChanged = added.length > 0 || removed.length > 0 || after.isStaff !== before.isStaff
  if (isChanged) tell('user.roles_changed', { added, removed, is_staff: after.isStaff })
}

function tellFactors(before: User, after: User, tell: Tell): void {
  for (const factor of without(after.factors, before.factors)) tell('factor.added', { factor })
  for (const factor of without(before.factors, after.factors)) tell('factor.removed', { factor })
}

function tellIdentities(before: StoredUser, after: StoredUser, tell: Tell): void {
  for (const key of without(after.identityKeys, before.identityKeys)) tellIdentity(key, 'added', tell)
  for (const key of without(before.identityKeys, after.identityKeys)) tellIdentity(key, 'removed', tell)
}

function tellIdentity(key: string, change: 'added' | 'removed', tell: Tell): void {
  const [, name = ''] = /^[^:]*:(.*)$/s.exec(key) ?? []
  // As the API names a passkey, whose own id can be long. That of an imported API key is what it is checked by.
  const id = hash('sha256', key, 'base64url').slice(0, 22)
  if (isKeyIdentity(key)) tell(`api_key.${change}`, { api_key_id: id })
  else if (key.startsWith('passkey:')) tell(`passkey.${change}`, { passkey_id: id })
  else tell(`identity.${change}`, { issuer: name.slice(0, name.indexOf('|')) })
}

/** Credentials by what the API calls their list; what is added or removed with an event of its own is only renamed here. */
const lists = [
  { field: 'passkeys', kind: 'passkey', has: 'names' },
  { field: 'identities', kind: 'oidc', has: 'names' },
  { field: 'api_keys', kind: 'api-key', has: 'names' },
  { field: 'totp_apps', kind: 'totp', has: 'all' },
  { field: 'recovery_codes', kind: 'recovery-code', has: 'all' },
  { field: 'remembered_devices', kind: 'remembered-device', has: 'all' },
] as const

function addCredentials(before: StoredUser, after: StoredUser, fields: Set<string>): void {
  for (const { field, kind, has } of lists) {
    // Told as a factor.
    if (kind === 'totp' && before.factors.includes(kind) !== after.factors.includes(kind)) continue
    const [former, later] = [listOf(before, kind), listOf(after, kind)]
    const isChanged = has === 'all' ? !isDeepStrictEqual(former, later) : isRenamed(former, later)
    if (isChanged) fields.add(field)
  }
}

/** Which there are, and what their owner calls them. */
const listOf = ({ credentials }: StoredUser, wanted: string): [id: unknown, name: unknown][] =>
  credentials.filter(({ kind }) => kind === wanted).map(({ id, name }: Credential) => [id, name])

const isRenamed = (former: readonly [unknown, unknown][], later: readonly [unknown, unknown][]): boolean =>
  later.some(([id, name]) => former.some(([other, old]) => other === id && old !== name))

function tellNotes(before: StoredUser, after: StoredUser, tell: Tell, fields: Set<string>): void {
  const [former, later] = [acceptedInvitationsOf(before), acceptedInvitationsOf(after)]
  for (const invitation_id of without(Object.keys(later), Object.keys(former)))
    tell('invitation.accepted', { invitation_id })
  const isOther = !isDeepStrictEqual(before.notes.pendingAddress, after.notes.pendingAddress)
  if (isOther && after.emailKey === before.emailKey) fields.add('pending_email')
}

const without = (all: readonly string[], others: readonly string[]): string[] =>
  all.filter((each) => !others.includes(each))
