import type { Invitation, InvitationChanges } from 'fastify-accounts'
import type { InvitationRow, ReadRow } from './rows.js'
import {
  anyJson,
  type Column,
  type Columns,
  fromRow,
  limits,
  orNull,
  text,
  time,
  toColumns,
  toRow,
  whole,
} from './values.js'

const id = text(limits.id)

/** '' for the app's own code: NULL would not be unique. */
const inviter: Column<string | null, string> = {
  write: (name, value) => (value === null ? '' : id.write(name, value)),
  read(stored) {
    const found = id.read(stored)
    return found === '' ? null : found
  },
}

const changeable: Columns<
  Pick<Invitation, 'email' | 'gives' | 'expiresAt' | 'sends' | 'acceptingUntil'>,
  InvitationRow
> = {
  email: text(limits.text),
  gives: anyJson,
  expiresAt: time,
  sends: whole,
  acceptingUntil: orNull(time),
}

const columns: Columns<Invitation, InvitationRow> = {
  ...changeable,
  id,
  target: id,
  inviterId: inviter,
  emailKey: text(limits.key),
  createdAt: time,
  version: whole,
}

/** @throws InvalidArgumentError */
export function toInvitationRow(invitation: Omit<Invitation, 'version'>): InvitationRow {
  return toRow(columns, { ...invitation, version: 1 })
}

/** The columns of the fields that change. @throws InvalidArgumentError */
export function toInvitationColumns(changes: InvitationChanges): Partial<InvitationRow> {
  return toColumns(changeable, changes)
}

/** @throws UnavailableError if the row is unreadable */
export function toInvitation(row: ReadRow<InvitationRow>): Invitation {
  return fromRow(columns, row)
}
