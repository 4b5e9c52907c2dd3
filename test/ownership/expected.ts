import type { OwnershipEvent } from 'fastify-accounts/features'
import type { Column } from './accounts.js'
import type { Seen } from './seen.js'

/** What is seen of an account to which nothing happened. */
const before: Readonly<Record<Column, Partial<Seen>>> = {
  'no address': untouched({
    session: 'stays',
    passkey: 'stays',
    apiKey: 'stays',
    address: 'none',
    promise: 'theirs',
  }),
  'unproven, never used': untouched({
    address: 'unproven',
    promise: 'waits',
    invitation: 'waits',
    links: 'work',
    later: 'new owner',
  }),
  'unproven, used': untouched({
    session: 'stays',
    passkey: 'stays',
    apiKey: 'stays',
    address: 'unproven',
    promise: 'waits',
    invitation: 'waits',
    links: 'work',
    later: 'new owner',
  }),
  'plainly proven, never used': untouched({
    address: 'proven',
    promise: 'waits',
    invitation: 'waits',
    links: 'work',
    later: 'new owner',
  }),
  'plainly proven, used': untouched({
    session: 'stays',
    passkey: 'stays',
    apiKey: 'stays',
    address: 'proven',
    promise: 'waits',
    invitation: 'waits',
    links: 'work',
    later: 'new owner',
  }),
  proven: untouched({
    session: 'stays',
    passkey: 'stays',
    apiKey: 'stays',
    address: 'proven',
    promise: 'theirs',
    invitation: 'waits',
    links: 'work',
    later: 'same owner',
  }),
}

function untouched(own: Partial<Seen>): Partial<Seen> {
  return {
    password: 'old',
    name: 'stays',
    field: 'stays',
    rule: 'not asked',
    told: 'not told',
    verified: 'does not run',
    ...own,
  }
}

/** What differs after an event; `null` where it can't happen. */
type Row = Readonly<Record<Column, Partial<Seen> | null>>

const nothing = {}

/** An invitation applies by itself, if the app's rule lets it. */
const invited = { invitation: 'applies', rule: 'asked about the invitation' } as const

/** The person who signed up has proven the address. */
const makers = {
  ...invited,
  address: 'proven',
  verified: 'runs',
  promise: 'theirs',
  later: 'same owner',
} as const

const newPassword = { password: 'new', session: 'ends' } as const
const reset = { ...newPassword, links: 'end' } as const

/** Somebody else may have signed up. */
const newOwners = {
  password: 'new',
  session: 'ends',
  passkey: 'goes',
  apiKey: 'goes',
  promise: 'ends',
  links: 'end',
  invitation: 'applies',
  rule: 'asked about both',
  address: 'proven',
  verified: 'runs',
  later: 'same owner',
} as const
/** Nobody has ever logged in, so what was entered is a stranger's. */
const fromStranger = { ...newOwners, name: 'goes', field: 'goes' } as const
const fromUser = { ...newOwners, told: 'told' } as const
const byCode = { password: 'none' } as const

/** Also if the proof is plain, because there is more than a password. */
const vouched = { address: 'proven', verified: 'runs' } as const

const moved = { address: 'proven', links: 'end', promise: 'ends' } as const
const locked = {
  password: 'none',
  session: 'ends',
  passkey: 'goes',
  apiKey: 'goes',
  links: 'end',
} as const

/** docs/ownership.md in words that a test understands. TypeScript demands a cell for each of the plugin's. */
export const table: Readonly<Record<OwnershipEvent, Row>> = {
  'proved-by-maker': {
    'no address': null,
    'unproven, never used': makers,
    'unproven, used': makers,
    'plainly proven, never used': makers,
    'plainly proven, used': makers,
    proven: nothing,
  },
  'reset-by-maker': {
    'no address': null,
    'unproven, never used': { ...reset, ...makers },
    'unproven, used': { ...reset, ...makers },
    'plainly proven, never used': { ...reset, ...makers },
    'plainly proven, used': { ...reset, ...makers },
    proven: reset,
  },
  'proved-elsewhere': {
    'no address': null,
    'unproven, never used': fromStranger,
    'unproven, used': fromUser,
    'plainly proven, never used': fromStranger,
    'plainly proven, used': fromUser,
    proven: reset,
  },
  'code-elsewhere': {
    'no address': null,
    'unproven, never used': { ...fromStranger, ...byCode },
    'unproven, used': { ...fromUser, ...byCode },
    'plainly proven, never used': { ...fromStranger, ...byCode },
    'plainly proven, used': { ...fromUser, ...byCode },
    proven: nothing,
  },
  'opened-plainly': {
    'no address': null,
    'unproven, never used': { address: 'proven' },
    'unproven, used': { address: 'proven' },
    'plainly proven, never used': nothing,
    'plainly proven, used': nothing,
    proven: nothing,
  },
  'vouched-for': {
    'no address': { ...vouched, later: 'new owner', invitation: 'waits' },
    // Nothing is there that a stranger could log in with but the password.
    'unproven, never used': { ...vouched, promise: 'theirs', later: 'same owner' },
    'unproven, used': { ...vouched, promise: 'theirs' },
    'plainly proven, never used': nothing,
    'plainly proven, used': nothing,
    proven: nothing,
  },
  'password-vouched': {
    'no address': newPassword,
    'unproven, never used': { ...newPassword, promise: 'ends' },
    'unproven, used': { ...newPassword, promise: 'ends' },
    'plainly proven, never used': { ...newPassword, promise: 'ends' },
    'plainly proven, used': { ...newPassword, promise: 'ends' },
    proven: newPassword,
  },
  // The invitation is to the new address.
  'address-by-maker': {
    'no address': { ...invited, address: 'proven', verified: 'runs', later: 'same owner' },
    'unproven, never used': null,
    'unproven, used': { ...invited, ...moved, verified: 'runs', later: 'same owner' },
    'plainly proven, never used': null,
    'plainly proven, used': { ...invited, ...moved },
    proven: { ...invited, links: 'end', verified: 'runs' },
  },
  'address-elsewhere': {
    'no address': { address: 'proven', later: 'new owner', invitation: 'waits' },
    'unproven, never used': null,
    'unproven, used': moved,
    'plainly proven, never used': null,
    'plainly proven, used': moved,
    proven: { links: 'end' },
  },
  accepted: {
    'no address': null,
    'unproven, never used': null,
    'unproven, used': null,
    'plainly proven, never used': null,
    'plainly proven, used': null,
    proven: { invitation: 'applies' },
  },
  locked: {
    'no address': locked,
    'unproven, never used': { ...locked, promise: 'ends' },
    'unproven, used': { ...locked, promise: 'ends' },
    'plainly proven, never used': { ...locked, promise: 'ends', verified: 'runs', later: 'same owner' },
    'plainly proven, used': { ...locked, promise: 'ends', verified: 'runs', later: 'same owner' },
    proven: locked,
  },
  // The change that it undoes has proven the address, and takes a login.
  'address-undone': {
    'no address': null,
    'unproven, never used': null,
    'unproven, used': null,
    'plainly proven, never used': null,
    'plainly proven, used': { ...locked, promise: 'ends', verified: 'runs', later: 'same owner' },
    proven: { ...locked, verified: 'runs' },
  },
}

/** The rows of the table in docs/ownership.md, in its order. */
export const rows: Readonly<Record<OwnershipEvent, string>> = {
  'proved-by-maker':
    "Verification link or login code in the maker's browser; the link elsewhere with the password or passkey",
  'reset-by-maker': "Reset in the maker's browser",
  'proved-elsewhere': 'Reset, or verification or invitation link with a new password, elsewhere',
  'code-elsewhere': 'Login code elsewhere',
  'opened-plainly': 'Verification link opened elsewhere by a client that sends nothing else',
  'vouched-for': 'Staff or your code mark the address as verified',
  'password-vouched': 'Your code sets a password, or hands over a link for one',
  'address-by-maker': "Link to a new address, in the maker's browser, or logged in to the account",
  'address-elsewhere': 'Link to a new address, elsewhere',
  accepted: 'Invitation link, logged in to the account',
  locked: 'Account secured',
  'address-undone': 'Change of address undone',
}

/** What is expected of an account that an event has happened to, of all that it has in its state. */
export function expected(event: OwnershipEvent, column: Column, also: Partial<Seen> = {}): Partial<Seen> {
  const seen = { ...before[column], ...table[event][column], ...also }
  const isThere = (key: string) => key in before[column] || key === 'invitation' || key === 'later'
  return Object.fromEntries(Object.entries(seen).filter(([key]) => isThere(key)))
}
