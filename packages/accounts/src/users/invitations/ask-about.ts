import type { Deps } from '../../deps.js'
import type { Invitation } from '../../seams/invitation-store.js'
import { RuleError } from '../../seams/rule-error.js'
import type { Client } from '../../sessions/client.js'
import { askSignUp } from '../ask-sign-up.js'
import type { Acceptance } from './accept-along.js'
import { findInvitations, leaveOut } from './find-invitations.js'
import { giftOf } from './invitation.js'

type FindDeps = Pick<Deps, 'users' | 'invitations' | 'options' | 'rules'>

/** How many somebody gets with one proof, the newest first; others stay open. */
const mostAtOnce = 20

/** An address that somebody has proven. */
export interface ProvenAddress {
  username: string | null
  email: string
  emailKey: string
  /** Whether their account may have been somebody else's. */
  handsOver: boolean
}

/**
 * What somebody gets who has proven an address. The app's rule is asked about each invitation apart. One that it refuses, or
 * doesn't decide about in time, stays open.
 * @param except the id of one that is asked about with the account
 * @throws AccountsError ACCOUNTS_UNAVAILABLE if a store doesn't respond
 */
export async function findAcceptances(
  deps: FindDeps,
  client: Client,
  invitee: ProvenAddress,
  except?: string,
): Promise<Acceptance[]> {
  const found: Acceptance[] = []
  const begun = performance.now()
  for await (const invitation of findInvitations(deps, invitee.emailKey)) {
    if (invitation.id === except) continue
    const granted = await askAboutInvitation(deps, client, invitee, invitation).catch((error: unknown) =>
      error instanceof RuleError ? null : leaveOut(error),
    )
    if (granted !== null) found.push({ invitation, granted })
    if (found.length === mostAtOnce || performance.now() - begun > deps.options.adapterTimeout / 2) break
  }
  return found
}

/** @throws RuleError; AccountsError ACCOUNTS_UNAVAILABLE */
export function askAboutInvitation(
  deps: Pick<Deps, 'rules'>,
  client: Client,
  { username, handsOver, ...address }: ProvenAddress,
  invitation: Pick<Invitation, 'gives'>,
): Promise<Acceptance['granted']> {
  return askSignUp(
    deps,
    client,
    { method: 'invitation', address, username, ...giftOf(invitation) },
    handsOver,
  )
}
