import { InvalidArgumentError, type PendingMail } from 'fastify-accounts'
import { v7 as uuidv7 } from 'uuid'
import type { OutboxTable } from './schema.js'
import { limits, toJson, toText } from './values.js'

/** All columns, so a query selects no column that the host has added. */
export const outboxColumns: (keyof OutboxTable)[] = [
  'id',
  'realm',
  'mail',
  'posted_at',
  'due_at',
  'attempts',
  'claim',
  'error',
]

/** A new mail as its columns store it; times in milliseconds. */
export interface OutboxRow {
  id: string
  realm: string
  mail: string
  posted_at: number
  due_at: number
  attempts: number
  claim: null
  error: null
}

/**
 * The row of a new mail: due at once, and before any that was postponed.
 * @throws InvalidArgumentError
 */
export function toOutboxRow(mail: PendingMail): OutboxRow {
  const json = toJson('mail', mail)
  const realm = toText('realm', mail.realm, limits.id)
  const fresh = { due_at: 0, attempts: 0, claim: null, error: null }
  return { id: uuidv7(), realm, mail: json, posted_at: Date.now(), ...fresh }
}

/** Most characters of the reason why a mail was not sent. */
const longestReason = 1000

/** A reason is for people: it drops what not every engine can store. */
export function toReason(error: unknown): string {
  if (typeof error !== 'string') throw new InvalidArgumentError('error must be a text')
  return error.replaceAll('\0', '').slice(0, longestReason).toWellFormed()
}

/** `null` if somebody has written something else into the column. */
export function toMail(text: string): PendingMail | null {
  try {
    const mail: unknown = JSON.parse(text)
    return typeof mail === 'object' && mail !== null ? (mail as PendingMail) : null
  } catch {
    return null
  }
}
