import type { Deps } from '../../deps.js'
import type { Invitation } from '../../seams/invitation-store.js'
import { RuleError } from '../../seams/rule-error.js'
import type { Client } from '../../sessions/client.js'
import { askSignUp } from '../ask-sign-up.js'
import type { Acceptance } from './accept-along.js'
import { findInvitations } from './find-invitations.js'
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
 * What somebody gets who has proven an address. The app's rule is asked about each invitation apart; one that it refuses stays
 * open.
 * @param except the id of one that is asked about with the account
 * @throws AccountsError ACCOUNTS_UNAVAILABLE
 */
export async function findAcceptances(
  deps: FindDeps,
  client: Client,
  invitee: ProvenAddress,
  except?: string,
): Promise<Acceptance[]> {
  const found: Acceptance[] = []
  const open = await findInvitations(deps, invitee.emailKey)
  for (const invitation of open.filter(({ id }) => id !== except).slice(0, mostAtOnce)) {
    try {
      found.push({ invitation, granted: await askAboutInvitation(deps, client, invitee, invitation) })
    } catch (error) {
      if (!(error instanceof RuleError)) throw error
    }
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
