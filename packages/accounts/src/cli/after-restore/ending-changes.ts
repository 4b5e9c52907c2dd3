import { plainProofOf, promisedRolesOf } from '../../notes.js'
import { type ApiKey, withoutApiKeys } from '../../tokens/api-key.js'
import type { StoredUser, UserChanges, UserNotes } from '../../user.js'

/**
 * By how much the epochs of an account rise: more than they can have since the backup, so no session and no link from after
 * it matches either, now or when they rise again.
 */
const leap = 1_000_000

/** What ends of what a backup has brought back. */
export interface Meant {
  /** When the backup was made. */
  since: Date
  keepsKeys: boolean
}

/** Whether an API key ends: those that were removed after the backup can't be told from the others. */
export const isEnded = ({ createdAt }: ApiKey, { since, keepsKeys }: Meant): boolean =>
  !keepsKeys && Date.parse(createdAt) < since.getTime()

/** The changes that end what may have been ended after the backup, and that nobody can tell apart. */
export function endingChanges(current: StoredUser, meant: Meant): UserChanges {
  const { sessionEpoch, resetEpoch, verifyEpoch, isVerified, lastLoginAt } = current
  const { credentials, identityKeys } = withoutApiKeys(current, (key) => isEnded(key, meant))
  // Nobody has used such a sign-up; with another epoch it would be told apart from one with a taken address.
  const isUntouched = verifyEpoch === 0 && !isVerified && lastLoginAt === null
  const raised = isUntouched ? 0 : leap
  return {
    sessionEpoch: sessionEpoch + leap,
    resetEpoch: resetEpoch + leap,
    verifyEpoch: verifyEpoch + raised,
    identityKeys,
    credentials,
    notes: notesAfter(current, raised),
  }
}

/** Promised roles and marks stay so. */
function notesAfter(current: StoredUser, raised: number): UserNotes {
  const promise = promisedRolesOf(current)
  const mark = plainProofOf(current)
  return {
    ...current.notes,
    ...(promise && { promisedRoles: { ...promise, verifyEpoch: promise.verifyEpoch + raised } }),
    ...(mark?.epoch !== undefined && { plainProof: { ...mark, epoch: mark.epoch + leap } }),
  }
}
