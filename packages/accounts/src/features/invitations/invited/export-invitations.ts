import type { Deps } from '../../../deps.js'
import { isKnownOwner } from '../../../notes.js'
import type { Invitation } from '../../../seams/invitation-store.js'
import { accountUser, type JsonValue, type StoredUser } from '../../../user.js'
import { findInvitations } from '../../../users/invitations/find-invitations.js'
import { targetOf } from '../../../users/invitations/invitation.js'
import { listedInvitation } from './listed-invitation.js'
import { inviterNameOf } from './show-invitation.js'

/** The most of each kind that an export has, and how many are read at once. */
const most = 2000
const perPage = 500

/**
 * The invitations that a user has sent, only their dates if they may no longer see the list; and those to their address,
 * once it is known to be theirs.
 */
export async function exportInvitations(
  deps: Pick<Deps, 'users' | 'invitations' | 'options'>,
  user: StoredUser,
): Promise<JsonValue> {
  const mayList = await deps.options.authorize.invite(accountUser(user))
  const sent = (await sentBy(deps, user)).map((each) => {
    const listed = listedInvitation(each, deps.options)
    const { id, invited_at, expires_at } = listed
    return mayList ? listed : { id, invited_at, expires_at }
  })
  const received = await receivedBy(deps, user)
  return sent.length + received.length === 0 ? null : { sent, received }
}

async function sentBy({ invitations, options }: Pick<Deps, 'invitations' | 'options'>, { id }: StoredUser) {
  const found: Invitation[] = []
  for (;;) {
    const query = { target: targetOf(options), inviterId: id, limit: perPage, after: found.at(-1) }
    const page = await invitations.list(query)
    found.push(...page)
    if (page.length < perPage || found.length >= most) return found
  }
}

async function receivedBy(deps: Pick<Deps, 'users' | 'invitations' | 'options'>, user: StoredUser) {
  const received: JsonValue[] = []
  if (user.emailKey === null || !isKnownOwner(user)) return received
  for await (const each of findInvitations(deps, user.emailKey)) {
    const { id: _, ...listed } = listedInvitation(each, deps.options)
    received.push({ ...listed, invited_by: await inviterNameOf(deps, each) })
    if (received.length === most) break
  }
  return received
}
