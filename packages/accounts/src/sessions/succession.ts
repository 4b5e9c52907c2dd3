import type { Session, SessionStore, SessionUpdate } from '../seams/session-store.js'
import { attemptChange } from './attempt-change.js'
import { expiryOf, type SessionLimits } from './session-rules.js'

/*
 * A confirmed session continues under a new id, as a row of its own: the successor. Its client may not know the new id
 * yet: other tabs have requests under way, and a response may get lost. So the old row stays, with `retiredBy`: logged in,
 * but never confirmed and never renewed, until `overlap` after the successor was first seen. Rows retired one
 * after the other are a family, and the one that isn't retired is its head. A row is valid only while its head is, so
 * ending the head ends all of them.
 */

/** Milliseconds: as long as a request of another tab may take. */
const overlap = 10_000

/** The most ids that a session may have: each confirmation whose response was lost adds one. */
const maxIds = 100

type Finds = Pick<SessionStore, 'find'>

/** What a successor begins with. */
export const nextGeneration = {
  generation: 1,
  /** Lower, so not seen yet: once it is, the ids before it end soon. */
  seenGeneration: 0,
  confirmedGeneration: 1,
} as const satisfies SessionUpdate

/** The change that retires a session. */
export function retirement(successor: Pick<Session, 'id'>, session: Session): SessionUpdate {
  return {
    generation: session.generation + 1,
    retiredBy: successor.id,
    confirmedAt: null,
    // Without methods, it would count as begun with a password, and as confirmed by that.
    methods: session.methods ?? ['pwd'],
  }
}

/** Whether its client has used it under this id. If not, the client may not know the id. */
export function isSeen({ generation, seenGeneration }: Session): boolean {
  return seenGeneration >= generation
}

/** The head of the session's family, which may be the session itself; `null` if it has ended. */
export async function headOf(sessions: Finds, session: Session | null): Promise<Session | null> {
  let head = session
  for (let steps = 0; head !== null && head.retiredBy !== null; steps += 1) {
    head = steps < maxIds ? await sessions.find(head.retiredBy) : null
  }
  return head
}

/** The rows of one session under all its ids: all that have the same head as the given one. */
export function familyOf(rows: readonly Session[], id: string | undefined): Session[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  let head = byId.get(id ?? '')
  for (let steps = 0; head?.retiredBy && steps < maxIds; steps += 1) head = byId.get(head.retiredBy)
  if (head === undefined) return []
  const retired = new Map<string, Session[]>()
  for (const row of rows) {
    const { retiredBy: successor } = row
    if (successor !== null) retired.set(successor, [...(retired.get(successor) ?? []), row])
  }
  // Those added on the way are visited as well.
  const family = new Set([head])
  for (const { id: successor } of family) for (const row of retired.get(successor) ?? []) family.add(row)
  return rows.filter((row) => family.has(row))
}

/** Notes that the client knows the new id, and lets the ids before it end after `overlap`. */
export async function noteFirstSight(
  sessions: Pick<SessionStore, 'listByUser' | 'touch'>,
  session: Session,
  limits: SessionLimits,
): Promise<void> {
  const lastSeenAt = new Date()
  const end = new Date(lastSeenAt.getTime() + overlap)
  const older = familyOf(await sessions.listByUser(session.userId), session.id)
  for (const each of older) {
    if (each.id === session.id || each.expiresAt <= end) continue
    await sessions.touch(each.id, { lastSeenAt: each.lastSeenAt, expiresAt: end })
  }
  const expiresAt = expiryOf({ ...session, lastSeenAt }, limits)
  await sessions.touch(session.id, { lastSeenAt, expiresAt, seenGeneration: session.generation })
}

/** Ends a retired session soon if its client was seen under the new id: a late `touch` may have put its end off again. */
export async function keepToOverlap(
  sessions: Pick<SessionStore, 'touch'>,
  { id, lastSeenAt, expiresAt }: Session,
  head: Session,
): Promise<void> {
  const end = new Date(Date.now() + overlap)
  if (isSeen(head) && expiresAt > end) await sessions.touch(id, { lastSeenAt, expiresAt: end })
}

/**
 * Retires the head of the session that a client brings.
 * @param next the successor, already stored
 * @returns `known` if the client has used another successor already, so it has that one's cookie; `ended` if the
 * session was ended meanwhile. In both cases the caller deletes `next`
 * @throws AccountsError ACCOUNTS_CONFLICT if every attempt ran into another change
 */
export async function retire(
  sessions: Finds & Required<Pick<SessionStore, 'change'>>,
  brought: Pick<Session, 'id'>,
  next: Pick<Session, 'id'>,
): Promise<'retired' | 'known' | 'ended'> {
  return attemptChange(async () => {
    const row = await sessions.find(brought.id)
    const head = await headOf(sessions, row)
    if (head === null) return 'ended'
    if (head.id !== brought.id && isSeen(head)) return 'known'
    if (!(await sessions.change(head.id, head.generation, retirement(next, head)))) return undefined
    // However many responses get lost, the new id is one step from the one that the client brings.
    if (row !== null && row.id !== head.id) {
      await sessions.change(row.id, row.generation, retirement(next, row)).catch(() => {})
    }
    return 'retired'
  })
}

/**
 * Deletes a successor after `retire` has failed, unless the session was retired after all: a store that failed, or
 * responded too late, may have made the change.
 * @throws Error if something else changed the session meanwhile: try again
 */
export async function dropUnretired(
  sessions: Pick<SessionStore, 'find' | 'delete' | 'change'>,
  id: string,
  next: string,
): Promise<void> {
  const head = await headOf(sessions, await sessions.find(id))
  if (head?.id === next) return
  // The change may still be on its way: with a higher generation it fails.
  const generation = (head?.generation ?? 0) + 1
  const changes = { generation, ...(head && isSeen(head) && { seenGeneration: generation }) }
  if (head !== null && !(await sessions.change?.(head.id, head.generation, changes)))
    throw new Error('the session was changed meanwhile')
  await sessions.delete(next)
}

/**
 * Ends a session, under whichever of its ids it is named.
 * @returns what it was; `null` if it had ended before
 * @throws AccountsError ACCOUNTS_CONFLICT if every attempt ran into another change
 */
export async function endSession(
  sessions: Pick<SessionStore, 'find' | 'delete' | 'change'>,
  id: string,
): Promise<Session | null> {
  if (sessions.change === undefined) {
    const session = await sessions.find(id)
    return (await sessions.delete(id)) ? session : null
  }
  return attemptChange(async () => {
    const head = await headOf(sessions, await sessions.find(id))
    if (head === null) return null
    // A confirmation at this moment may have retired it: then its successor has to end.
    return (await sessions.delete(head.id, head.generation)) ? head : undefined
  })
}
