import { InvalidArgumentError, type PendingMessage } from 'fastify-accounts'
import { v7 as uuidv7 } from 'uuid'
import type { OutboxRow, ReadRow } from './rows.js'
import { type Columns, fromRow, json, limits, orNull, text, time, whole } from './values.js'

const message = json<PendingMessage>()

/** The text of the message is read apart, since one that is unreadable must not hold up the others. */
const columns: Columns<Omit<OutboxRow, 'message'>, OutboxRow> = {
  id: text(limits.id),
  realm: text(limits.id),
  postedAt: time,
  dueAt: orNull(time),
  claim: orNull(text(limits.id)),
  attempts: whole,
  error: orNull(text(limits.text)),
}

/** A message in the outbox; `message` is `null` if what is stored isn't one. */
export type Waiting = Omit<OutboxRow, 'message'> & { message: PendingMessage | null }

/** Makes the row of a message posted at this time. */
export type NewOutboxRow = (at: Date) => OutboxRow

/** Checks the message at once, since the time may have to be asked for. @throws InvalidArgumentError */
export function toOutboxRow(pendingMessage: PendingMessage): NewOutboxRow {
  const row = {
    id: uuidv7(),
    realm: text(limits.id).write('realm', pendingMessage.realm),
    message: message.write('message', pendingMessage),
    claim: null,
    attempts: 0,
    error: null,
  }
  return (at) => ({ ...row, postedAt: at, dueAt: at })
}

/** @throws UnavailableError if anything but the message is unreadable */
export function toWaiting(row: ReadRow<OutboxRow>): Waiting {
  const read = message.read(row.message)
  return { ...fromRow(columns, row), message: typeof read?.realm === 'string' ? read : null }
}

/** A reason is for people: it drops what not every database can store. */
export function toReason(error: unknown): string {
  if (typeof error !== 'string') throw new InvalidArgumentError('error must be a text')
  return error.replaceAll('\0', '').slice(0, 1000).toWellFormed()
}
