import { isAddress, isReplacementName, replacementName } from '../../identifiers/address-name.js'
import { usernameKey } from '../../identifiers/username.js'
import {
  type AcceptedInvitation,
  acceptedInvitationsOf,
  endNote,
  hasAccepted,
  plainProofOf,
  promisedRolesOf,
  withNoteOf,
} from '../../notes.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import { day } from '../../options/time.js'
import type { Granted } from '../../seams/before.js'
import { isApiKey, keyIdentity, withoutApiKeys } from '../../tokens/api-key.js'
import {
  addedAt,
  type Credential,
  noPassword,
  type StoredUser,
  type User,
  type UserChanges,
} from '../../user.js'
import { fieldsWithin, isReadOnly } from '../../validation.js'
import type { Acceptance } from '../invitations/accept-along.js'
import { giftOf } from '../invitations/invitation.js'
import { isUsed } from './states.js'

/** What the person brings who causes an event; each absent if the event has none. */
export interface Brought {
  /** Default `noPassword`. */
  passwordHash?: string | undefined
  /** What the app's rule gives. */
  granted?: Granted | undefined
  /** Whether what a former maker entered stays. Default `keep`; never asked if nobody has used the account. */
  profile?: 'keep' | 'drop' | undefined
  /** The name that they choose. */
  username?: string | null | undefined
  /** The invitations that they accept. */
  acceptances?: readonly Acceptance[] | undefined
  /** The address that the account gets. Default: it keeps its own. */
  emailKey?: string | undefined
}

/** The options that events depend on. */
export type OwnershipOptions = Pick<ResolvedOptions, 'links' | 'names' | 'fields'>

/** How long an email about a change may take to arrive, in milliseconds: the outbox gives up after a day. */
const mailDelay = 2 * day

/** When the earliest event was that any link can report. */
export const earliestReported = ({ links }: Pick<OwnershipOptions, 'links'>): Date =>
  new Date(Date.now() - links.undoLifetime - mailDelay)

/** What an event does to an account. Each is a line or two, and leaves alone what others do. */
export type Verb = (current: StoredUser, brought: Brought, options: OwnershipOptions) => UserChanges

export const prove: Verb = () => ({ isVerified: true })

/** A new address whose confirmation doesn't show that the account is theirs who have the mailbox. */
export const confirmElsewhere: Verb = (current) => ({
  notes: withNoteOf(current, 'confirmedElsewhere', true),
})

/** It is theirs. */
export const settle: Verb = (current) => endNote(current, 'confirmedElsewhere')

/** Ends mailed links about the address, and promises to it. */
export const endLinks: Verb = ({ verifyEpoch }) => ({ verifyEpoch: verifyEpoch + 1 })

/** Another password, or none; sessions, tokens and reset links end. */
export function setPassword(
  { sessionEpoch, resetEpoch }: User,
  { passwordHash = noPassword }: Pick<Brought, 'passwordHash'>,
): UserChanges {
  return { passwordHash, sessionEpoch: sessionEpoch + 1, resetEpoch: resetEpoch + 1 }
}

/**
 * Passkeys, identities, keys and codes go. Authenticator apps stay, with the recovery codes: enrolling one requires a
 * verified address, so they are older than the change by which staff set or unverified the address. They let nobody in,
 * they only ask for more: a reset through a mailbox that staff mistyped must not remove the second factor.
 */
export const dropAdditions: Verb = ({ factors, credentials }) => {
  const kept = keptFactors(factors)
  return {
    credentials: credentials.filter(({ kind }) => kept.includes(kind)),
    identityKeys: [],
    factors: factors.filter((factor) => kept.includes(factor)),
  }
}

const keptFactors = (factors: readonly string[]): string[] =>
  factors.includes('totp') ? ['totp', 'recovery-code'] : []

/**
 * What was added in the unproven time goes. What was added since then may be somebody else's as well; it stays once the
 * links in the emails about it have expired, so a second factor isn't removed by just reading the owner's email.
 */
export const dropSuspects: Verb = (current, _brought, options) => {
  const { suspects = [], since = null } = plainProofOf(current) ?? {}
  const sinceMark = since === null ? Number.POSITIVE_INFINITY : Date.parse(since)
  return withoutAdditions(current, suspects, Math.max(earliestReported(options).getTime(), sinceMark))
}

/**
 * What was added since the earliest event that any link can report goes, because an attacker may have added it, and so do
 * suspects, however old. The event of the link in hand isn't early enough: using it ends the links about earlier ones, so a
 * thief who logs in twice would keep what the first login added. API keys go whatever their age: somebody who got in may
 * have read one, and a program is given another in a minute.
 */
export const dropLate: Verb = (current, _brought, options) => {
  const keyless = { ...current, ...withoutApiKeys(current) }
  const { credentials, identityKeys } = keyless
  const { suspects = [] } = plainProofOf(current) ?? {}
  return {
    credentials,
    identityKeys,
    ...withoutAdditions(keyless, suspects, earliestReported(options).getTime()),
  }
}

function withoutAdditions(
  { credentials, identityKeys, factors }: StoredUser,
  suspects: readonly string[],
  since: number,
): UserChanges {
  const isGone = (each: Credential): boolean => suspects.includes(nameOf(each)) || addedAt(each) >= since
  const gone = new Set([...suspects, ...credentials.filter(isGone).map(nameOf)])
  if (gone.size === 0) return {}
  const left = credentials.filter((each) => !isGone(each))
  const leftFactors = factors.filter((factor) => left.some(({ kind }) => kind === factor))
  return {
    // Recovery codes without a factor complete nothing.
    credentials: left.filter(({ kind }) => kind !== 'recovery-code' || leftFactors.length > 0),
    identityKeys: identityKeys.filter((key) => !gone.has(key)),
    factors: leftFactors,
  }
}

/** The name of a credential; of one with an identity, that in `identityKeys`. */
const nameOf = (each: Credential): string =>
  isApiKey(each) ? keyIdentity(each.id) : `${each.kind}:${each.id}`

/** What is there is marked as suspect. */
export const mark: Verb = (current) => marked(current, new Date().toISOString())

/** The same, but somebody vouches for what is added from now on. */
export const markVouched: Verb = (current) => {
  const former = plainProofOf(current)
  if (former !== null) return { notes: withNoteOf(current, 'plainProof', { ...former, since: null }) }
  const changes = marked(current, null)
  return plainProofOf({ notes: changes.notes ?? {} })?.suspects.length === 0 ? {} : changes
}

function marked(current: StoredUser, since: string | null): UserChanges {
  // Without an address, an app is from the time of one that its owner has given up, not one that staff replaced.
  const kept = since !== null && current.email === null ? [] : keptFactors(current.factors)
  const added = current.credentials.filter(({ kind }) => !kept.includes(kind))
  const suspects = [...new Set([...added.map(nameOf), ...current.identityKeys])]
  const note = { since, suspects, epoch: current.resetEpoch }
  return { notes: withNoteOf(current, 'plainProof', note) }
}

/** Its owner is known from now on. */
export const unmark: Verb = (current) => endNote(current, 'plainProof')

/**
 * What a maker entered goes, fields that clients may set and a chosen name, if nobody has used the account; otherwise only on request, because
 * its owner may well be its maker, with another browser. A name that has to be is replaced, until the owner chooses one.
 */
export const leaveProfile: Verb = (current, { profile }, { names, fields }) => {
  const isStrangers = !isUsed(current) && current.origin === 'self'
  if (!isStrangers && profile !== 'drop') return {}
  const { username, emailKey } = current
  const isChosen = username !== null && !isReplacementName(username) && !isAddress(username, emailKey)
  const name = names === 'required' ? replacementName() : { username: null, usernameKey: null }
  const kept = Object.entries(current.fields).filter(([field]) => isReadOnly(fields, field))
  return { fields: Object.fromEntries(kept), ...(isChosen && name) }
}

export const takeUsername: Verb = (_current, { username }) =>
  username === undefined ? {} : { username, usernameKey: username === null ? null : usernameKey(username) }

/** Roles that were promised to this address are given; those for another one go. */
export const keepPromises: Verb = (current) => {
  const promise = promisedRolesOf(current)
  if (promise === null) return {}
  const { emailKey, verifyEpoch, roles } = current
  const isValid = promise.emailKey === emailKey && promise.verifyEpoch === verifyEpoch
  return {
    ...endPromises(current),
    ...(isValid && { roles: [...new Set([...roles, ...promise.roles])] }),
  }
}

/** The password no longer shows who signed up. */
export const endPromises = (current: StoredUser): UserChanges => endNote(current, 'promisedRoles')

/** How many accepted invitations an account notes: all but the last have gone long since. */
const mostNoted = 100

/**
 * What invitations give is given, if the address that they are for is proven: roles, and fields that are missing. Each is noted
 * for a while, and given once.
 */
export const takeInvitations: Verb = (
  current,
  { acceptances = [], emailKey = current.emailKey },
  { links },
) => {
  if (!current.isVerified || acceptances.length === 0) return {}
  let { fields, roles } = current
  const now = Date.now()
  const notes = Object.entries(acceptedInvitationsOf(current)).filter(
    ([, { until }]) => Date.parse(until) > now,
  )
  for (const { invitation, granted } of acceptances) {
    // An accepted one may still be stored.
    if (invitation.emailKey !== emailKey || hasAccepted(current, invitation.id)) continue
    const gift = giftOf(invitation)
    const before = { fields, roles }
    fields = fieldsWithin(granted.fields, fieldsWithin(fields, gift.fields))
    roles = [...new Set([...roles, ...gift.roles, ...granted.roles])]
    const accepted: AcceptedInvitation = {
      at: new Date(now).toISOString(),
      until: new Date(Math.max(invitation.expiresAt.getTime(), now + links.undoLifetime)).toISOString(),
      roles: roles.filter((role) => !before.roles.includes(role)),
      fields: Object.keys(fields).filter((name) => !Object.hasOwn(before.fields, name)),
    }
    notes.push([invitation.id, accepted])
  }
  return {
    fields,
    roles,
    notes: withNoteOf(current, 'accepted', Object.fromEntries(notes.slice(-mostNoted))),
  }
}

/** What invitations have given since the change of the address goes: the account has been somebody else's. */
export const returnInvitations: Verb = (current) => {
  const since = current.emailChangedAt?.getTime() ?? Number.POSITIVE_INFINITY
  const notes = Object.values(acceptedInvitationsOf(current)).filter(({ at }) => Date.parse(at) >= since)
  if (notes.length === 0) return {}
  const roles = notes.flatMap((note) => note.roles)
  const names = notes.flatMap((note) => note.fields)
  return {
    roles: current.roles.filter((role) => !roles.includes(role)),
    fields: Object.fromEntries(Object.entries(current.fields).filter(([name]) => !names.includes(name))),
  }
}

/** What the app's rule gives is given. */
export const takeGranted = (
  { fields, roles }: Pick<StoredUser, 'fields' | 'roles'>,
  { granted }: Pick<Brought, 'granted'>,
): UserChanges => ({
  ...(granted && Object.keys(granted.fields).length > 0 && { fields: { ...fields, ...granted.fields } }),
  ...(granted && granted.roles.length > 0 && { roles: [...new Set([...roles, ...granted.roles])] }),
})

/** The app is told that the account may have changed hands. */
export const tell: Verb = () => ({})
