import { type StoredUser, type UserChanges, withChanges } from '../../user.js'
import { type OwnershipState, ownershipOf } from './states.js'
import {
  type Brought,
  confirmElsewhere,
  dropAdditions,
  dropLate,
  dropSuspects,
  endLinks,
  endPromises,
  keepPromises,
  leaveProfile,
  mark,
  markVouched,
  type OwnershipOptions,
  prove,
  returnInvitations,
  setPassword,
  settle,
  takeGranted,
  takeInvitations,
  takeUsername,
  tell,
  unmark,
  type Verb,
} from './verbs.js'

/** What says something about who owns an account. docs/ownership.md has the same in words. */
export type OwnershipEvent =
  /** A mailed link in the maker's browser; one elsewhere, with the password or passkey of the sign-up; or a code in the former. */
  | 'proved-by-maker'
  /** The same, with a new password: a first one, or a reset. */
  | 'reset-by-maker'
  /** A mailed link or code elsewhere, with a new password; or an invitation accepted; or a provider that vouches. */
  | 'proved-elsewhere'
  /** A login code elsewhere. */
  | 'code-elsewhere'
  /** A mailed link opened by a client that doesn't ask who made the account. */
  | 'opened-plainly'
  /** Staff, or the app's own code, say that the address is the account's. */
  | 'vouched-for'
  /** The app's own code sets a password, or hands over a link for one. */
  | 'password-vouched'
  /** The link about a first or new address, in the maker's browser or elsewhere. The user still has the old one, or none. */
  | 'address-by-maker'
  | 'address-elsewhere'
  /** Who is logged in accepts an invitation of the address by its link. */
  | 'accepted'
  /** Somebody reports a thief: the owner by a link, or the app's own code. */
  | 'locked'
  /** The same by the link that undoes a change of the address. */
  | 'address-undone'

type Cell = readonly Verb[]
type Row = Readonly<Record<OwnershipState, Cell | null>>

/** Nothing changes. */
const nothing: Cell = []

/** They made it, and everything in it is theirs. */
const makers: Cell = [keepPromises, unmark, settle, prove, takeInvitations]

/** Somebody else may have made it. */
const newOwners: Cell = [
  leaveProfile,
  takeUsername,
  endPromises,
  takeGranted,
  tell,
  endLinks,
  prove,
  unmark,
  settle,
  takeInvitations,
]

const everywhere = (cell: Cell): Row => ({ 'no-address': cell, unproven: cell, plain: cell, proven: cell })

/** States by events; `null` refuses. Verbs in the order in which they act. */
const table: Readonly<Record<OwnershipEvent, Row>> = {
  'proved-by-maker': { 'no-address': null, unproven: makers, plain: makers, proven: [settle] },
  'reset-by-maker': {
    'no-address': null,
    unproven: [setPassword, ...makers, endLinks],
    plain: [setPassword, ...makers, endLinks],
    proven: [setPassword, endLinks, settle],
  },
  'proved-elsewhere': {
    'no-address': null,
    unproven: [setPassword, dropAdditions, ...newOwners],
    plain: [setPassword, dropSuspects, ...newOwners],
    proven: [setPassword, endLinks],
  },
  'code-elsewhere': {
    'no-address': null,
    unproven: [setPassword, dropAdditions, ...newOwners],
    // Also a younger password: only who knew the former one can have chosen it.
    plain: [setPassword, dropSuspects, ...newOwners],
    proven: nothing,
  },
  'opened-plainly': { 'no-address': null, unproven: [mark, prove], plain: nothing, proven: nothing },
  'vouched-for': {
    // Only along with an address, which is unproven then.
    'no-address': null,
    unproven: [markVouched, keepPromises, prove, settle],
    // A form that saves every field would vouch unknowingly.
    plain: nothing,
    proven: nothing,
  },
  'password-vouched': everywhere([setPassword, endPromises]),
  'address-by-maker': {
    'no-address': [endPromises, prove, settle, takeInvitations],
    unproven: [endPromises, prove, settle, takeInvitations],
    plain: [settle, takeInvitations],
    proven: [settle, takeInvitations],
  },
  'address-elsewhere': {
    'no-address': [endPromises, mark, prove],
    unproven: [endPromises, mark, prove],
    plain: [confirmElsewhere],
    proven: [confirmElsewhere],
  },
  accepted: { 'no-address': null, unproven: null, plain: null, proven: [takeInvitations] },
  locked: everywhere([setPassword, dropLate, unmark, endLinks]),
  'address-undone': everywhere([setPassword, dropLate, unmark, endLinks, returnInvitations]),
}

/** What the event does to an account in its state; `null` if it is refused. */
function cellOf(event: OwnershipEvent, user: StoredUser): Cell | null {
  const state = ownershipOf(user)
  return Object.hasOwn(table[event], state) ? table[event][state as OwnershipState] : null
}

/** The changes that an event makes to an account; `null` if the account is in a state that refuses it. */
export function ownershipChanges(
  event: OwnershipEvent,
  user: StoredUser,
  options: OwnershipOptions,
  brought: Brought = {},
): UserChanges | null {
  const cell = cellOf(event, user)
  if (cell === null) return null
  let changes: UserChanges = {}
  for (const verb of cell) changes = { ...changes, ...verb(withChanges(user, changes), brought, options) }
  return changes
}

/** The account after an event; as it is if that is refused. */
export const accountAfter = (
  event: OwnershipEvent,
  user: StoredUser,
  options: OwnershipOptions,
  brought?: Brought,
): StoredUser => withChanges(user, ownershipChanges(event, user, options, brought) ?? {})

/** Whether the event gives what invitations of the address give. */
export function takesInvitations(event: OwnershipEvent, user: StoredUser): boolean {
  return cellOf(event, user)?.includes(takeInvitations) ?? false
}

/** Whether the event may give the account to somebody else than its maker. */
export function changesHands(event: OwnershipEvent, user: StoredUser): boolean {
  return cellOf(event, user)?.includes(tell) ?? false
}

/** Whether what the browser entered last becomes the account's, or at least its name. */
export const takesNewest = (event: OwnershipEvent, user: StoredUser): boolean =>
  isByMaker(event) || changesHands(event, user)

/** Whether the event shows that the account is its maker's. */
export const isByMaker = (event: OwnershipEvent): boolean =>
  event === 'proved-by-maker' || event === 'reset-by-maker'
