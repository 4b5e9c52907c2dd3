import { AccountsError } from '../errors.js'
import type { Session, SessionStore, SessionUpdate } from '../seams/session-store.js'
import { expiryOf, type SessionLimits } from './session-rules.js'

/*
 * A session that is confirmed goes on under a new id. Its client may not know that yet: other tabs have requests under
 * way, and a response may get lost. So the old session stays, retired by the new one: good for reading, but never
 * confirmed and never renewed, until `overlap` after the new one was first seen. It is valid only while the new one is,
 * so ending that ends both.
 */

/** Milliseconds: as long as a request of another tab may take. */
const overlap = 10_000

/** How often a change is attempted while others change the same session. */
const maxAttempts = 10

/** The most ids that a session may have; each but the last is of a confirmation whose response was lost. */
const maxIds = 100

type Finds = Pick<SessionStore, 'find'>

/** What the session has that another one goes on as. */
export const nextGeneration = {
  generation: 1,
  /** Not seen yet: that ends the one before it. */
  seenGeneration: 0,
  confirmedGeneration: 1,
} as const satisfies SessionUpdate

/** The change that retires a session. */
export function retiredBy(successor: Pick<Session, 'id'>, session: Session): SessionUpdate {
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

/** The session that one goes on as by now; `null` if that has ended. */
export async function headOf(sessions: Finds, session: Session | null): Promise<Session | null> {
  let head = session
  for (let steps = 0; head !== null && head.retiredBy !== null; steps += 1) {
    head = steps < maxIds ? await sessions.find(head.retiredBy) : null
  }
  return head
}

/** The rows of one session under all its ids: the one that the given one goes on as, and those that it has retired. */
export function familyOf(rows: readonly Session[], id: string | undefined): Session[] {
  const rowOf = (wanted: string | null | undefined): Session | undefined =>
    rows.find((row) => row.id === wanted)
  const headIn = (row: Session | undefined): string | undefined => {
    let head = row
    for (let steps = 0; head?.retiredBy && steps < maxIds; steps += 1) head = rowOf(head.retiredBy)
    return head?.id
  }
  const own = headIn(rowOf(id))
  return own === undefined ? [] : rows.filter((row) => headIn(row) === own)
}

/** Notes that the client knows the new id, so those before it end soon. */
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

/**
 * Retires the session that a client brings.
 * @param next what it goes on as, already stored
 * @returns `known` if the client's other requests have used another successor already, so it has its cookie;
 * `ended` if the session was ended meanwhile. `next` is not wanted then
 * @throws AccountsError ACCOUNTS_CONFLICT if every attempt ran into another change
 */
export async function retire(
  sessions: Finds & Required<Pick<SessionStore, 'change'>>,
  brought: Pick<Session, 'id'>,
  next: Pick<Session, 'id'>,
): Promise<'retired' | 'known' | 'ended'> {
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const head = await headOf(sessions, await sessions.find(brought.id))
    if (head === null) return 'ended'
    if (head.id !== brought.id && isSeen(head)) return 'known'
    if (await sessions.change(head.id, head.generation, retiredBy(next, head))) return 'retired'
  }
  throw new AccountsError('ACCOUNTS_CONFLICT')
}

/**
 * Deletes the row that a session should have gone on as, unless it has after all: a store that failed, or answered too
 * late, may have made the change.
 * @throws Error if something else changed it meanwhile: try again
 */
export async function dropUnretired(
  sessions: Pick<SessionStore, 'find' | 'delete' | 'change'>,
  id: string,
  next: string,
): Promise<void> {
  const head = await headOf(sessions, await sessions.find(id))
  if (head?.id === next) return
  // The change may still be on its way: it fails from now on.
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
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const head = await headOf(sessions, await sessions.find(id))
    if (head === null) return null
    // If a confirmation has it go on in this moment, that is what has to end.
    if (await sessions.delete(head.id, head.generation)) return head
  }
  throw new AccountsError('ACCOUNTS_CONFLICT')
}
