/**
 * Stores that query their tables through your own database client or ORM: you write one statement per function.
 *
 * @module table-stores
 */

export type { Transactions } from './calls.js'
export { createTableInvitationStore } from './invitation-store.js'
export type { ExpectedInvitation, InvitationPage, InvitationTable } from './invitation-table.js'
export type { ExpectedMessage, OutboxTable } from './outbox-table.js'
export type { InvitationRow, OutboxRow, ReadRow, RowCount, SessionRow, UserRow, VisitorRow } from './rows.js'
export { createTableSessionStore } from './session-store.js'
export type { ExpectedSession, SessionTable } from './session-table.js'
export { describeTables } from './tables.js'
export { createTableUserStore } from './user-store.js'
export type { UserKey, UserTable } from './user-table.js'
