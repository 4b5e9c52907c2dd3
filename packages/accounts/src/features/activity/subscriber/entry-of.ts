import type { ActivityEntry } from '../../../seams/activity-store.js'
import type { AccountEvent, EventType } from '../../../seams/events.js'
import type { JsonValue } from '../../../user.js'

/** Characters of a type, a device or a network. */
const longestText = { type: 100, note: 200 }

/** Bytes of JSON that an event tells: what features of others say at length is left out. */
const mostData = 4096

/** What the plugin does about an account, and the app sees to. */
const notTheirs: ReadonlySet<EventType> = new Set(['mail.given_up'])

/**
 * After these, nobody but who caused them has the account. Other requests without a login, as by an emailed link, may be those
 * of somebody else whose address it has.
 */
const byOwner: ReadonlySet<EventType> = new Set([
  'user.created',
  'session.created',
  'user.password_changed',
  'user.secured',
])

/** What the person of an account sees of an event; `null` if nothing. */
export function entryOf({ id, type, at, user, actor, data }: AccountEvent): ActivityEntry | null {
  if (user === null || notTheirs.has(type)) return null
  const request = actor.kind === 'request' ? actor : null
  const isTheirs = request === null || request.id === null || request.id === user.id
  const isFrom = request?.id === user.id || (request?.id === null && byOwner.has(type))
  return {
    id,
    userId: user.id,
    type: type.slice(0, longestText.type),
    at: new Date(at),
    actor: isTheirs ? actor.kind : 'staff',
    device: noteOf(isFrom ? request?.device : null),
    network: noteOf(isFrom ? request?.network : null),
    data: Buffer.byteLength(JSON.stringify(data)) <= mostData ? (data as { [name: string]: JsonValue }) : {},
  }
}

function noteOf(text: string | null | undefined): string | null {
  return text == null ? null : text.slice(0, longestText.note).replaceAll('\0', '').toWellFormed()
}
