import { addressNameFaults } from '../../identifiers/address-name.js'
import { needsSmtpUtf8 } from '../../identifiers/email.js'
import type { ImportedUser, PasswordHasher, PendingMessage, Roles, User, UserStore } from '../../index.js'
import type { AccountsOptions, UsersOptions } from '../../options/options.js'
import { unknownRoles } from '../../options/privileges.js'
import { freshUser, noPassword, type StoredUser, type UserChanges } from '../../user.js'
import { createBatches } from './batches.js'
import type { SourceRecord } from './csv.js'
import { sizeFaultOf } from './existing-user.js'
import { type InvitationCounts, invitationState } from './invitees.js'
import type { Inviter } from './inviter.js'
import { type Entry, type Kept, keepUsers } from './keep.js'
import type { ImportedLine, Mapping } from './mapping.js'

/** The outcomes of the lines. */
export interface ImportCounts extends InvitationCounts {
  lines: number
  created: number
  updated: number
  /** Users that already existed. */
  existing: number
  rejected: number
  /** Of the created users, or in a dry run of those read: without a hash. They need a password. */
  withoutPassword: number
  /** Of the same users: with a hash that the app's hasher can't verify, if it is known. */
  unreadable: number
  /** Of the same users and those updated: with a username that is somebody else's address. */
  addressNames: number
  /** Of the same users: with a second factor. */
  withFactor: number
  /** Of the same users: with passkeys. */
  withPasskey: number
  /** Of the same users: with identities at other providers. */
  withIdentity: number
  /** Of the same users: with API keys. */
  withApiKey: number
  /** Existing users whose proofs differ from the file's, and were left unchanged. */
  proofsLeft: number
  /** Users who could not be invited, and are in the list of rejected lines. */
  inviteFailed: number
}

export interface ImportPlan {
  records: AsyncIterable<SourceRecord>
  mapping: Mapping
  store: UserStore
  /** Tells which hashes the app can verify, if known. */
  hasher: PasswordHasher | undefined
  keepIds: boolean
  /** Whether each needs a username, according to the app. */
  names: NonNullable<UsersOptions['names']>
  /** Which addresses the app accepts. */
  emailAddresses?: AccountsOptions['emailAddresses'] | undefined
  /** Which roles the app has. */
  roles?: Roles | undefined
  update: boolean
  dryRun: boolean
  /** Invites users without a way to log in. Default: nobody is invited, or counted in a dry run. */
  inviter?: Inviter | undefined
  /** The events of a changed user, stored along with the change. */
  messagesOf(before: StoredUser, changes: UserChanges): readonly PendingMessage[]
  /** Called at the end with how many were created, also if the store has failed. */
  onCreated(count: number): Promise<void>
  /** The faults of your own fields, by name. */
  checkFields(fields: User['fields']): string | null
  /** Called for each line that wasn't imported. */
  onRejected(line: number, reason: string): void
  /** Called for each user with their own id: the id in the file, and the new one. */
  onId(from: string, to: string): void
  onProgress(counts: ImportCounts): void
}

/** Reads the records and stores the users. Rejects if the store fails; what was stored before stays. */
export async function runImport(plan: ImportPlan): Promise<ImportCounts> {
  const counts = noCounts()
  const reject = (at: number, reason: string): void => {
    counts.rejected += 1
    plan.onRejected(at, reason)
  }
  const batches = createBatches(async (entries) => {
    for await (const { entry, kept } of keepUsers(plan, entries)) {
      if ('reason' in kept) reject(entry.at, kept.reason)
      else {
        if (entry.line.id !== undefined) plan.onId(entry.line.id, kept.id)
        countKept(counts, plan, entry, kept)
        const user = kept.became === 'created' ? { ...entry.user, id: kept.id, version: 1 } : kept.user
        const fault = await inviteKept(counts, plan, user)
        if (fault !== null) plan.onRejected(entry.at, `not invited: ${fault}`)
      }
    }
    plan.onProgress(counts)
  })
  for await (const { line: at, values, reason } of plan.records) {
    if (batches.hasFailed()) break
    counts.lines += 1
    const line = values === null ? { reason: reason ?? 'cannot be read' } : plan.mapping(values)
    const fault = 'reason' in line ? line.reason : faultOf(plan, line)
    if ('reason' in line || fault !== null) reject(at, fault ?? '')
    else if (plan.dryRun) {
      const user = userOf(plan, line)
      countNew(counts, plan, user)
      const state = plan.inviter && invitationState(user, plan)
      if (state) counts[state] += 1
    } else await batches.add({ at, line, user: userOf(plan, line) })
    if (counts.lines % progressEvery === 0) plan.onProgress(counts)
  }
  try {
    await batches.end()
  } finally {
    if (counts.created > 0) await plan.onCreated(counts.created)
  }
  return counts
}

/** Lines between two updates. */
const progressEvery = 500

function noCounts(): ImportCounts {
  return {
    lines: 0,
    created: 0,
    updated: 0,
    existing: 0,
    rejected: 0,
    withoutPassword: 0,
    unreadable: 0,
    addressNames: 0,
    withFactor: 0,
    withPasskey: 0,
    withIdentity: 0,
    withApiKey: 0,
    proofsLeft: 0,
    invited: 0,
    invitedBefore: 0,
    notInvited: 0,
    unreachable: 0,
    inviteFailed: 0,
  }
}

function countKept(
  counts: ImportCounts,
  plan: ImportPlan,
  { user }: Entry,
  kept: Exclude<Kept, { reason: string }>,
): void {
  if (kept.became === 'created') countNew(counts, plan, user)
  else if (kept.became === 'updated') {
    countName(counts, kept.user)
    if (kept.hasNewProofs) countProofs(counts, kept.user)
  }
  if (kept.became !== 'created' && kept.leavesProofs) counts.proofsLeft += 1
  counts[kept.became] += 1
}

function countNew(counts: ImportCounts, { hasher }: ImportPlan, user: ImportedUser): void {
  if (user.passwordHash === noPassword) counts.withoutPassword += 1
  else if (hasher?.canVerify(user.passwordHash) === false) counts.unreadable += 1
  countName(counts, user)
  countProofs(counts, user)
}

/** @returns why the user was not invited, although they should be */
async function inviteKept(counts: ImportCounts, plan: ImportPlan, user: StoredUser): Promise<string | null> {
  const { inviter } = plan
  if (inviter === undefined) return null
  const state = invitationState(user, plan)
  const outcome = state === 'invited' ? await inviter.invite(user) : state
  if (typeof outcome === 'object' && outcome !== null) {
    counts.inviteFailed += 1
    return outcome.fault
  }
  if (outcome !== null) counts[outcome] += 1
  return null
}

function countName(counts: ImportCounts, { username, emailKey }: Pick<User, 'username' | 'emailKey'>): void {
  if (username !== null && addressNameFaults(username, emailKey).length > 0) counts.addressNames += 1
}

function countProofs(
  counts: ImportCounts,
  { factors, credentials, identityKeys }: Pick<StoredUser, 'factors' | 'credentials' | 'identityKeys'>,
): void {
  if (factors.length > 0) counts.withFactor += 1
  if (credentials.some(({ kind }) => kind === 'passkey')) counts.withPasskey += 1
  if (identityKeys.some((key) => key.startsWith('oidc:'))) counts.withIdentity += 1
  if (credentials.some(({ kind }) => kind === 'api-key')) counts.withApiKey += 1
}

function faultOf(plan: ImportPlan, line: ImportedLine): string | null {
  if (plan.keepIds && line.id === undefined) return 'id: is empty'
  if (line.username === null && plan.names === 'required')
    return "username: is empty, and the option users.names is 'required'"
  if (line.username === null && line.emailKey === undefined) return 'email and username are both empty'
  if (plan.emailAddresses === 'ascii' && needsSmtpUtf8(line.email ?? ''))
    return 'email: needs SMTPUTF8, which the option emailAddresses rules out'
  const [role] = unknownRoles(line.roles ?? [], plan)
  // Stored, it would be granted to whoever has it once an option names it.
  if (role !== undefined) return `roles: ${role} is not in the option roles`
  if (line.fields === undefined) return null
  return plan.checkFields(line.fields) ?? sizeFaultOf(line.fields)
}

function userOf({ keepIds }: ImportPlan, line: ImportedLine): ImportedUser {
  const { id, ...facts } = line
  // No password matches this placeholder for an unknown hash, in any format.
  return { ...freshUser({ ...facts, origin: 'import' }), ...(keepIds && id !== undefined && { id }) }
}
