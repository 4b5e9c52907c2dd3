import type { Invitation, InvitationChanges } from 'fastify-accounts'
import type { Selectable } from 'kysely'
import type { InvitationsTable } from '../base/schema.js'
import {
  type Encoder,
  fromText,
  fromTime,
  limits,
  orNull,
  toAnyJson,
  toText,
  toTime,
  toWhole,
} from '../base/values.js'

/** An invitation as its columns store it; times in milliseconds. */
export interface InvitationRow {
  id: string
  target: string
  inviter_id: string
  email: string
  email_key: string
  gives: string
  created_at: number
  expires_at: number
  sends: number
  accepting_until: number | null
  version: number
}

const text =
  (limit: number): Encoder<string> =>
  (name, value) =>
    toText(name, value, limit)

/** Where each field of an invitation is stored, and how. */
const columns: {
  [Field in keyof Invitation]: [column: keyof InvitationRow, encode: Encoder<Invitation[Field]>]
} = {
  id: ['id', text(limits.id)],
  target: ['target', text(limits.id)],
  inviterId: ['inviter_id', toInviter],
  email: ['email', text(limits.text)],
  emailKey: ['email_key', text(limits.key)],
  gives: ['gives', toAnyJson],
  createdAt: ['created_at', toTime],
  expiresAt: ['expires_at', toTime],
  sends: ['sends', toWhole],
  acceptingUntil: ['accepting_until', orNull(toTime)],
  version: ['version', toWhole],
}
const fieldNames = Object.keys(columns) as (keyof Invitation)[]

/** All columns, so a query selects no column that the host has added. */
export const invitationColumns: readonly (keyof InvitationsTable)[] = fieldNames.map(
  (field) => columns[field][0],
)

function encode<Field extends keyof Invitation>(
  row: Record<string, string | number | null>,
  field: Field,
  value: Invitation[Field],
): void {
  const [column, encoder] = columns[field]
  row[column] = encoder(field, value)
}

/** @throws InvalidArgumentError */
export function toInvitationRow(invitation: Omit<Invitation, 'version'>): InvitationRow {
  const whole: Invitation = { ...invitation, version: 1 }
  const row = {}
  for (const field of fieldNames) encode(row, field, whole[field])
  // The loop fills every column, but only `columns` knows that: the types can't express it.
  return row as InvitationRow
}

const changeable: readonly (keyof InvitationChanges)[] = [
  'email',
  'gives',
  'expiresAt',
  'sends',
  'acceptingUntil',
]

/**
 * The columns of the fields that are set; `undefined` is not set.
 * @throws InvalidArgumentError
 */
export function toInvitationColumns(changes: InvitationChanges): Partial<InvitationRow> {
  const row = {}
  for (const field of changeable) {
    const value = changes[field]
    if (value !== undefined) encode(row, field, value)
  }
  return row
}

export function toInvitation(row: Selectable<InvitationsTable>): Invitation {
  return {
    id: fromText(row.id),
    target: fromText(row.target),
    inviterId: fromText(row.inviter_id) || null,
    email: row.email,
    emailKey: fromText(row.email_key),
    gives: JSON.parse(row.gives),
    createdAt: fromTime(row.created_at),
    expiresAt: fromTime(row.expires_at),
    sends: Number(row.sends),
    acceptingUntil: row.accepting_until === null ? null : fromTime(row.accepting_until),
    version: Number(row.version),
  }
}

function toInviter(name: string, value: string | null): string {
  return value === null ? '' : toText(name, value, limits.id)
}
