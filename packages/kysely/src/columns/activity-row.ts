import type { ActivityActor, ActivityEntry } from 'fastify-accounts'
import type { Selectable } from 'kysely'
import type { ActivityTable } from '../base/schema.js'
import {
  fromText,
  fromTime,
  limits,
  oneOf,
  orNull,
  toJson,
  toLongText,
  toText,
  toTime,
} from '../base/values.js'

/** An entry as its columns store it; times in milliseconds. */
export type ActivityRow = Record<'id' | 'user_id' | 'type' | 'actor' | 'data', string> &
  Record<'device' | 'network', string | null> & { happened_at: number }

/** All columns, so a query selects no column that the host has added. */
export const activityColumns: readonly (keyof ActivityTable)[] = [
  'id',
  'user_id',
  'type',
  'happened_at',
  'actor',
  'device',
  'network',
  'data',
]

const actors: Record<ActivityActor, true> = {
  request: true,
  staff: true,
  host: true,
  command: true,
  plugin: true,
}
const toActor = oneOf(Object.keys(actors))

/** What a person reads, of which a client has chosen a part. */
const toNote = orNull((name, value: string) => toLongText(name, value))

/** @throws InvalidArgumentError */
export function toActivityRow(entry: ActivityEntry): ActivityRow {
  return {
    id: toText('id', entry.id, limits.id),
    user_id: toText('userId', entry.userId, limits.id),
    type: toText('type', entry.type, limits.id),
    happened_at: toTime('at', entry.at),
    actor: String(toActor('actor', entry.actor)),
    device: toNote('device', entry.device) as string | null,
    network: toNote('network', entry.network) as string | null,
    data: toJson('data', entry.data),
  }
}

export function toActivityEntry(row: Selectable<ActivityTable>): ActivityEntry {
  return {
    id: fromText(row.id),
    userId: fromText(row.user_id),
    type: fromText(row.type),
    at: fromTime(row.happened_at),
    actor: fromText(row.actor) as ActivityActor,
    device: row.device,
    network: row.network,
    data: JSON.parse(row.data),
  }
}
