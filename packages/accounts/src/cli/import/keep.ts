import { isDeepStrictEqual } from 'node:util'
import { describeError } from '../../adapters/describe-error.js'
import type {
  DuplicateError,
  ImportedUser,
  ImportOutcome,
  PendingMessage,
  Roles,
  UserStore,
} from '../../index.js'
import type { StoredUser, UserChanges } from '../../user.js'
import { isNamed } from './errors.js'
import { changesOf, isSame, leavesProofs, sizeFaultOf } from './existing-user.js'
import type { ImportedLine } from './mapping.js'

/** A line that can be stored. */
export interface Entry {
  at: number
  line: ImportedLine
  user: ImportedUser
}

/** The outcome for a line. */
export type Kept =
  | { became: 'created'; id: string }
  /** The user already exists. */
  | { became: 'existing'; id: string; leavesProofs: boolean; user: StoredUser }
  | { became: 'updated'; id: string; leavesProofs: boolean; hasNewProofs: boolean; user: StoredUser }
  | { reason: string }

interface KeepPlan {
  store: UserStore
  keepIds: boolean
  update: boolean
  /** Those of the app. */
  roles?: Roles | undefined
  /** The events of a change, stored along with it. */
  messagesOf(before: StoredUser, changes: UserChanges): readonly PendingMessage[]
}

/** Stores users, and updates existing ones if requested. */
export async function* keepUsers(
  plan: KeepPlan,
  entries: readonly Entry[],
): AsyncGenerator<{ entry: Entry; kept: Kept }> {
  const outcomes = await outcomesOf(
    plan.store,
    entries.map(({ user }) => user),
  )
  let isChecked = false
  for (const [index, entry] of entries.entries()) {
    const outcome = outcomes[index]
    if (outcome === undefined) throw new Error('the store returned no result for a user')
    if ('id' in outcome) {
      if (!isChecked) {
        await assertKept(plan.store, outcome.id, entry.user)
        isChecked = true
      }
      yield { entry, kept: { became: 'created', id: outcome.id } }
    } else {
      yield { entry, kept: 'reason' in outcome ? outcome : await meet(plan, entry.line, outcome) }
    }
  }
}

/** Handles a taken id or key: the holder is the same user, from an earlier run, or another one. */
async function meet(
  { store, keepIds, update, roles, messagesOf }: KeepPlan,
  line: ImportedLine,
  { taken, holder }: Exclude<ImportOutcome, { id: string }>,
): Promise<Kept> {
  if (!isSame(keepIds, line, holder)) return { reason: `${taken}: another user has it` }
  const { id } = holder
  const changes = update ? changesOf(line, holder, { roles }) : null
  if (changes === null)
    return { became: 'existing', id, user: holder, leavesProofs: leavesProofs(line, holder) }
  const fault = changes.fields === undefined ? null : sizeFaultOf(changes.fields)
  if (fault !== null) return { reason: fault }
  try {
    const user = await store.update(id, changes, holder.version, messagesOf(holder, changes))
    if (user === null) return { reason: 'was changed at the same time; run the import again' }
    const hasNewProofs = changes.credentials !== undefined
    return { became: 'updated', id, user, hasNewProofs, leavesProofs: leavesProofs(line, user) }
  } catch (error) {
    if (isOfLine(error)) return { reason: reasonOf(error) }
    const taken = takenIn(error)
    if (taken === null) throw error
    return { reason: `${taken}: another user has it` }
  }
}

/**
 * A store that drops unknown fields would silently turn off everybody's second factor, and nobody would be recognized when
 * the import is repeated.
 */
async function assertKept(
  store: UserStore,
  id: string,
  { origin, credentials, factors }: ImportedUser,
): Promise<void> {
  const kept = await store.findById(id)
  const isSame =
    kept?.origin === origin &&
    isDeepStrictEqual(kept.credentials, credentials) &&
    isDeepStrictEqual(kept.factors, factors)
  // Somebody logged in or deleted it meanwhile.
  if (isSame || kept === null || kept.version > 1) return
  throw new Error(
    'the user store does not store origin, credentials and factors as given: run userStoreCases from @fastify-accounts/testing on it',
  )
}

type Outcome = ImportOutcome | { reason: string }

/** Creates the whole batch at once if the store can, otherwise one user after the other. */
async function outcomesOf(store: UserStore, users: ImportedUser[]): Promise<Outcome[]> {
  if (store.findByIdentity === undefined && users.some(({ identityKeys }) => identityKeys.length > 0))
    throw new Error("this user store has no findByIdentity, so it can't store passkeys and identities")
  if (store.createMany === undefined) {
    const outcomes: Outcome[] = []
    for (const user of users) outcomes.push(await createOne(store, user))
    return outcomes
  }
  try {
    return await store.createMany(users)
  } catch (error) {
    if (!isOfLine(error)) throw error
    if (users.length === 1) return [{ reason: reasonOf(error) }]
    const outcomes: Outcome[] = []
    for (const user of users) outcomes.push(...(await outcomesOf(store, [user])))
    return outcomes
  }
}

async function createOne(store: UserStore, user: ImportedUser): Promise<Outcome> {
  try {
    return { id: (await store.create(user)).id }
  } catch (error) {
    if (isOfLine(error)) return { reason: reasonOf(error) }
    const taken = takenIn(error)
    if (taken === null) throw error
    const holder = await holderOf(store, taken, user)
    return holder === null
      ? { reason: 'was changed at the same time; run the import again' }
      : { taken, holder }
  }
}

async function holderOf(
  store: UserStore,
  taken: DuplicateError['field'],
  { usernameKey, emailKey, identityKeys }: ImportedUser,
): Promise<StoredUser | null> {
  if (taken === 'username') return store.findByUsername(usernameKey ?? '')
  if (taken === 'email') return store.findByEmail(emailKey ?? '')
  for (const key of identityKeys) {
    const holder = await store.findByIdentity?.(key)
    if (holder != null) return holder
  }
  return null
}

/** Whether the store, or the app's `alongside`, refused this user, and may take the others. */
function isOfLine(error: unknown): error is Error {
  return ['InvalidArgumentError', 'RefusedError', 'AlongsideError'].some((name) => isNamed(error, name))
}

/** A driver's own text may hold values; the app's is made to be read. */
function reasonOf(error: Error): string {
  return error.name === 'AlongsideError' ? describeError(error) : error.message
}

/** The taken key that an error reports, if it does. */
function takenIn(error: unknown): DuplicateError['field'] | null {
  return isNamed(error, 'DuplicateError') ? (error as DuplicateError).field : null
}
