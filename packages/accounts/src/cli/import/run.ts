import { addressNameFaults } from '../../identifiers/address-name.js'
import type {
  DuplicateError,
  ImportedUser,
  ImportOutcome,
  PasswordHasher,
  User,
  UserChanges,
  UserFields,
  UserStore,
} from '../../index.js'
import type { UsersOptions } from '../../options/options.js'
import { freshUser, noPassword } from '../../user.js'
import { flagChanges, type UserFlags } from '../../users/change.js'
import { fieldsSizeFaults } from '../../validation.js'
import type { SourceRecord } from './csv.js'
import type { ImportedLine, Mapping } from './mapping.js'

/** What became of the lines. */
export interface ImportCounts {
  lines: number
  created: number
  updated: number
  /** They were there already. */
  existing: number
  bad: number
  /** Of those created, or in a dry run of those read: without a hash. They need a password. */
  withoutPassword: number
  /** Likewise: with a hash that the app's hasher cannot verify, where it is known. */
  unreadable: number
  /** Likewise, and of those updated: with a username that is an address, but not their own. */
  addressNames: number
}

export interface ImportPlan {
  records: AsyncIterable<SourceRecord>
  mapping: Mapping
  store: UserStore
  /** Tells which hashes the app will verify, where it is known. */
  hasher: PasswordHasher | undefined
  keepIds: boolean
  /** Whether each needs a username, as the app says. */
  names: NonNullable<UsersOptions['names']>
  update: boolean
  dryRun: boolean
  /** What is wrong with the fields of the integrator's, each by its name. */
  checkFields(fields: User['fields']): string | null
  /** Told of each line that was not imported. */
  onBad(line: number, reason: string): void
  /** Told of each user with an id of their own: the id in the file, and the one they have now. */
  onId(from: string, to: string): void
  onProgress(counts: ImportCounts): void
}

/** Users a statement, and statements at once: what is in memory is so much, however long the file. */
const batchSize = 500
const concurrency = 4

interface Entry {
  at: number
  line: ImportedLine
  user: ImportedUser
}

/** Reads the records, and keeps the users. Rejects where the store fails; what was kept until then stays. */
export async function runImport(plan: ImportPlan): Promise<ImportCounts> {
  const counts: ImportCounts = {
    lines: 0,
    created: 0,
    updated: 0,
    existing: 0,
    bad: 0,
    withoutPassword: 0,
    unreadable: 0,
    addressNames: 0,
  }
  /** The batches that are being kept, each with what nobody else may have. */
  const underWay = new Map<Promise<void>, Set<string>>()
  let batch: Entry[] = []
  let failure: { error: unknown } | undefined

  const bad = (at: number, reason: string): void => {
    counts.bad += 1
    plan.onBad(at, reason)
  }

  function count(user: ImportedUser): void {
    countPassword(user)
    countName(user)
  }

  function countName({ username, emailKey }: Pick<User, 'username' | 'emailKey'>): void {
    if (username !== null && addressNameFaults(username, emailKey).length > 0) counts.addressNames += 1
  }

  function countPassword({ passwordHash }: ImportedUser): void {
    if (passwordHash === noPassword) counts.withoutPassword += 1
    else if (plan.hasher?.canVerify(passwordHash) === false) counts.unreadable += 1
  }

  async function send(): Promise<void> {
    const entries = batch
    batch = []
    if (entries.length === 0) return
    if (plan.dryRun) {
      for (const { user } of entries) count(user)
      return
    }
    const names = new Set(entries.flatMap(({ user }) => namesOf(user)))
    // Of two lines that want one name, the first has it, in whatever order batches end.
    const repeats = (): boolean =>
      [...underWay.values()].some((others) => [...names].some((name) => others.has(name)))
    while (underWay.size >= concurrency || repeats()) await Promise.race(underWay.keys())
    const work = keep(entries)
      .catch((error: unknown) => {
        failure ??= { error }
      })
      .finally(() => underWay.delete(work))
    underWay.set(work, names)
  }

  async function keep(entries: Entry[]): Promise<void> {
    const outcomes = await outcomesOf(
      plan.store,
      entries.map(({ user }) => user),
    )
    for (const [index, { at, line, user }] of entries.entries()) {
      const outcome = outcomes[index]
      if (outcome === undefined) throw new Error('the store said nothing of a user')
      if ('reason' in outcome) bad(at, outcome.reason)
      else if ('id' in outcome) {
        counts.created += 1
        count(user)
        if (line.id !== undefined) plan.onId(line.id, outcome.id)
      } else await meet(at, line, outcome)
    }
    plan.onProgress(counts)
  }

  /** Somebody has the id or a key: the very same user, from an earlier run, or another one. */
  async function meet(
    at: number,
    line: ImportedLine,
    { taken, holder }: Exclude<ImportOutcome, { id: string }>,
  ): Promise<void> {
    if (!isSame(plan, line, holder)) return bad(at, `${taken}: another user has it`)
    if (line.id !== undefined) plan.onId(line.id, holder.id)
    const changes = plan.update ? changesOf(line, holder) : null
    if (changes === null) {
      counts.existing += 1
      return
    }
    const fault = changes.fields === undefined ? null : sizeFaultOf(changes.fields)
    if (fault !== null) return bad(at, fault)
    try {
      const updated = await plan.store.update(holder.id, changes, holder.version)
      if (updated === null) return bad(at, 'was changed at the same moment; run again')
      counts.updated += 1
      countName(updated)
    } catch (error) {
      const taken = takenIn(error)
      if (taken === null) throw error
      bad(at, `${taken}: another user has it`)
    }
  }

  for await (const { line: at, values, reason } of plan.records) {
    if (failure !== undefined) break
    counts.lines += 1
    const line = values === null ? { reason: reason ?? 'cannot be read' } : plan.mapping(values)
    const fault = 'reason' in line ? line.reason : faultOf(plan, line)
    if ('reason' in line || fault !== null) bad(at, fault ?? '')
    else batch.push({ at, line, user: userOf(plan, line) })
    if (batch.length >= batchSize) await send()
    if (counts.lines % batchSize === 0) plan.onProgress(counts)
  }
  await send()
  await Promise.all(underWay.keys())
  if (failure !== undefined) throw failure.error
  return counts
}

function faultOf(plan: ImportPlan, line: ImportedLine): string | null {
  if (plan.keepIds && line.id === undefined) return 'id: is empty'
  if (line.username === null && plan.names === 'required') return 'username: is empty'
  if (line.username === null && line.emailKey === undefined) return 'email: is empty, and so is the username'
  if (line.fields === undefined) return null
  return plan.checkFields(line.fields) ?? sizeFaultOf(line.fields)
}

function sizeFaultOf(fields: UserFields): string | null {
  return fieldsSizeFaults(fields).length === 0 ? null : 'fields: too_long'
}

function userOf({ keepIds }: ImportPlan, line: ImportedLine): ImportedUser {
  const { id, ...known } = line
  // No password makes the hash that stands where none is known, in any of the formats.
  return { ...freshUser(known), ...(keepIds && id !== undefined && { id }) }
}

function namesOf({ id, usernameKey, emailKey }: ImportedUser): string[] {
  const names: string[] = []
  if (usernameKey !== null) names.push(`username ${usernameKey}`)
  if (id !== undefined) names.push(`id ${id}`)
  if (emailKey !== null) names.push(`email ${emailKey}`)
  return names
}

type Outcome = ImportOutcome | { reason: string }

/** Of the batch as a whole where the store can, else of one user after the other. */
async function outcomesOf(store: UserStore, users: ImportedUser[]): Promise<Outcome[]> {
  if (store.createMany === undefined) {
    const outcomes: Outcome[] = []
    for (const user of users) outcomes.push(await createOne(store, user))
    return outcomes
  }
  try {
    return await store.createMany(users)
  } catch (error) {
    if (!isNamed(error, 'InvalidArgumentError')) throw error
    if (users.length === 1) return [{ reason: error.message }]
    const outcomes: Outcome[] = []
    for (const user of users) outcomes.push(...(await outcomesOf(store, [user])))
    return outcomes
  }
}

async function createOne(store: UserStore, user: ImportedUser): Promise<Outcome> {
  try {
    return { id: (await store.create(user)).id }
  } catch (error) {
    if (isNamed(error, 'InvalidArgumentError')) return { reason: error.message }
    const taken = takenIn(error)
    if (taken === null) throw error
    const holder =
      taken === 'username'
        ? await store.findByUsername(user.usernameKey ?? '')
        : await store.findByEmail(user.emailKey ?? '')
    return holder === null ? { reason: 'was changed at the same moment; run again' } : { taken, holder }
  }
}

/**
 * Whether the holder of a name is whom the line tells of, from an earlier run. The name alone does not say so: anybody
 * may have signed up under it, and would get the person's address and rights. So it takes what only the person or an
 * import can have: the moment of creation, a proven address, the old hash, or an account that nobody ever had a
 * password for.
 */
function isSame({ keepIds }: ImportPlan, line: ImportedLine, holder: User): boolean {
  if (keepIds && line.id !== undefined) return holder.id === line.id
  const isMeant =
    line.usernameKey === null ? holder.emailKey === line.emailKey : holder.usernameKey === line.usernameKey
  if (!isMeant) return false
  const isUntouched =
    holder.passwordHash === noPassword && sameTime(holder.lastLoginAt, line.lastLoginAt ?? null)
  return (
    isUntouched ||
    (line.createdAt !== undefined && sameTime(holder.createdAt, line.createdAt)) ||
    (line.emailKey != null && holder.emailKey === line.emailKey && holder.isVerified) ||
    // Locked accounts have this one in common.
    (line.passwordHash !== noPassword && holder.passwordHash === line.passwordHash)
  )
}

function sameTime(one: Date | null, other: Date | null): boolean {
  return one?.getTime() === other?.getTime()
}

/** What somebody else has, where that is what an error says. */
function takenIn(error: unknown): DuplicateError['field'] | null {
  return isNamed(error, 'DuplicateError') ? (error as DuplicateError).field : null
}

/** The store may bring its own copy of the library, so that its errors are of other classes than ours. */
function isNamed(error: unknown, name: string): error is Error {
  return error instanceof Error && error.name === name
}

/**
 * What the line says otherwise than the store. Never the password: who logged in since has a newer hash. Never the
 * time of creation, which pages of the list go by.
 */
function changesOf(line: ImportedLine, holder: User): UserChanges | null {
  const flags: UserFlags = {}
  for (const flag of ['isVerified', 'isStaff', 'isActive'] as const) {
    if (line[flag] !== undefined && line[flag] !== holder[flag]) flags[flag] = line[flag]
  }
  const changes: UserChanges = Object.keys(flags).length === 0 ? {} : flagChanges(holder, flags)
  if (line.emailKey !== undefined && line.email !== holder.email) {
    changes.email = line.email
    changes.emailKey = line.emailKey
    // Links that went to the old address are dead.
    changes.resetEpoch = holder.resetEpoch + 1
    changes.verifyEpoch = holder.verifyEpoch + 1
    changes.emailChangedAt = null
    // What was proven is the old mailbox.
    if (line.isVerified === undefined && line.emailKey !== holder.emailKey) changes.isVerified = false
  }
  // A session from before must not gain rights, nor live on under another address.
  if (changes.isStaff === true || changes.email !== undefined) {
    changes.sessionEpoch = holder.sessionEpoch + 1
  }
  const fields = { ...holder.fields, ...line.fields }
  if (JSON.stringify(fields) !== JSON.stringify(holder.fields)) changes.fields = fields
  return Object.keys(changes).length === 0 ? null : changes
}
