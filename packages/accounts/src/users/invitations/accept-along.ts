import type { Deps } from '../../deps.js'
import { AccountsError } from '../../errors.js'
import { hasAccepted } from '../../notes.js'
import type { Granted } from '../../seams/before.js'
import type { Invitation } from '../../seams/invitation-store.js'
import type { StoredUser } from '../../user.js'
import { isGood } from './check-may-invite.js'
import { isExpired } from './invitation.js'

type AcceptDeps = Pick<Deps, 'users' | 'invitations' | 'options'>

/** An invitation that somebody gets, and what the app's rule gives for it. */
export interface Acceptance {
  invitation: Invitation
  granted: Granted
}

/** Acceptances that may take effect with a write that begins now. */
export interface ClaimedInvitations {
  acceptances: readonly Acceptance[]
  /**
   * Call it right before each write.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE if it could take effect too late
   */
  assertInTime(): void
  /** @throws AccountsError ACCOUNTS_INVALID_LINK if it isn't among them */
  assertHas(invitation: Invitation): void
}

/**
 * Runs a write of the account that has proven an address, which gives what invitations of that address give.
 *
 * Users and invitations may be in two stores, hence the order: an invitation is `accepting` until just after the write can
 * take effect; the write notes it in the account, if that has proven the address; then the invitation goes. If the process
 * dies in between, that note says what has become of it. If the write is refused, the invitation is open again.
 * @param write gets those that nobody else has changed since they were found, and that are still good
 */
export async function acceptAlong<Written extends StoredUser | null>(
  deps: AcceptDeps,
  acceptances: readonly Acceptance[],
  write: (claim: ClaimedInvitations) => Promise<Written>,
): Promise<Written> {
  if (acceptances.length === 0) return write({ acceptances, assertInTime: () => {}, assertHas: () => {} })
  const begun = performance.now()
  const { adapterTimeout } = deps.options
  const claimed = await claim(deps, acceptances, 3 * adapterTimeout)
  let hasBegun = false
  let written: Written
  try {
    written = await write({
      acceptances: claimed,
      assertInTime() {
        // A write that meets a lapsed sign-up is tried once more, and each takes a timeout at most.
        if (performance.now() - begun > adapterTimeout) throw new AccountsError('ACCOUNTS_UNAVAILABLE')
        hasBegun = true
      },
      assertHas({ id }) {
        if (!claimed.some(({ invitation }) => invitation.id === id))
          throw new AccountsError('ACCOUNTS_INVALID_LINK')
      },
    })
  } catch (error) {
    // An unavailable store may have written it all the same.
    const isRefused = !(error instanceof AccountsError && error.code === 'ACCOUNTS_UNAVAILABLE')
    if (isRefused || !hasBegun) await release(deps, claimed)
    throw error
  }
  const isGiven = ({ invitation }: Acceptance): boolean =>
    written !== null && hasAccepted(written, invitation.id)
  await release(
    deps,
    claimed.filter((each) => !isGiven(each)),
  )
  // The outage is logged, and the note says that it was accepted.
  for (const { invitation } of claimed.filter(isGiven))
    await deps.invitations.delete(invitation.id).catch(() => {})
  return written
}

/** An acceptance whose invitation is `accepting`. */
interface Claimed extends Acceptance {
  /** Until when another acceptance of the invitation may take effect; `null` if there is none. */
  otherUntil: Date | null
}

/** @param lasts milliseconds */
async function claim(
  deps: AcceptDeps,
  acceptances: readonly Acceptance[],
  lasts: number,
): Promise<Claimed[]> {
  const { invitations } = deps
  const acceptingUntil = new Date((await invitations.time()) + lasts)
  const claimed: Claimed[] = []
  const begun = performance.now()
  for (const { invitation, granted } of acceptances) {
    // The others stay open, so there is time left for the write.
    if (performance.now() - begun > deps.options.adapterTimeout / 2) break
    const { id, version, acceptingUntil: otherUntil } = invitation
    const accepting = isExpired(invitation) ? null : await invitations.update(id, { acceptingUntil }, version)
    if (accepting === null) continue
    // The inviter is read again as late as possible.
    if (await isGood(deps, accepting)) claimed.push({ invitation: accepting, granted, otherUntil })
    else await release(deps, [{ invitation: accepting, granted, otherUntil }])
  }
  return claimed
}

/**
 * They are as before: one that somebody else is accepting can't be withdrawn yet. If that fails, they are open again once their
 * time is over. The outage is logged.
 */
async function release(
  { invitations }: Pick<AcceptDeps, 'invitations'>,
  claimed: readonly Claimed[],
): Promise<void> {
  for (const { invitation, otherUntil } of claimed)
    await invitations
      .update(invitation.id, { acceptingUntil: otherUntil }, invitation.version)
      .catch(() => {})
}
