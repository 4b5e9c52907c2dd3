import { InvalidArgumentError, type PendingMessage } from 'fastify-accounts'
import { v7 as uuidv7 } from 'uuid'
import type { OutboxTable } from '../base/schema.js'
import { limits, toJson, toText } from '../base/values.js'

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

/** A new message as its columns store it, but for its times, which the database sets. */
export interface OutboxRow {
  id: string
  realm: string
  mail: string
  attempts: number
  claim: null
  error: null
}

/** @throws InvalidArgumentError */
export function toOutboxRow(message: PendingMessage): OutboxRow {
  const json = toJson('message', message)
  const realm = toText('realm', message.realm, limits.id)
  return { id: uuidv7(), realm, mail: json, attempts: 0, claim: null, error: null }
}

/** Most characters of the reason why a message was not delivered. */
const longestReason = 1000

/** A reason is for people: it drops what not every engine can store. */
export function toReason(error: unknown): string {
  if (typeof error !== 'string') throw new InvalidArgumentError('error must be a text')
  return error.replaceAll('\0', '').slice(0, longestReason).toWellFormed()
}

/** `null` if somebody has written something else into the column. */
export function toMessage(text: string): PendingMessage | null {
  try {
    const message: Partial<PendingMessage> | null = JSON.parse(text)
    return typeof message?.realm === 'string' ? (message as PendingMessage) : null
  } catch {
    return null
  }
}
