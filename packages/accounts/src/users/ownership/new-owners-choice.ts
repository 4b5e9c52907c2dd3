import { shownName } from '../../identifiers/account-name.js'
import { isReplacementName } from '../../identifiers/address-name.js'
import type { PublicUser, StoredUser } from '../../user.js'
import { accountAfter, changesHands, type OwnershipEvent } from './table.js'
import type { OwnershipOptions } from './verbs.js'

/** What the new owner of an account decides, as they are shown it once. */
export interface NewOwnersChoice {
  asksUsername: boolean
  /** What a former maker entered, which goes if they say so: the fields, and a chosen name. `null` if nothing is there. */
  profile: Omit<PublicUser, 'id'> | null
}

export function newOwnersChoice(
  options: OwnershipOptions,
  event: OwnershipEvent,
  user: StoredUser,
): NewOwnersChoice {
  const kept = accountAfter(event, user, options)
  const dropped = accountAfter(event, user, options, { profile: 'drop' })
  const goes = Object.entries(kept.fields).filter(([name]) => !Object.hasOwn(dropped.fields, name))
  const name = shownName(options, kept)
  const hasName = name !== null && name !== dropped.username && !isReplacementName(name)
  const profile = { ...(hasName && { username: name }), ...Object.fromEntries(goes) }
  return {
    asksUsername: asksUsername(options, event, user),
    profile: Object.keys(profile).length === 0 ? null : profile,
  }
}

/** Whether an event takes the name that a stranger may have chosen, so the new owner is asked for one. */
export function asksUsername(options: OwnershipOptions, event: OwnershipEvent, user: StoredUser): boolean {
  if (options.names !== 'required' || !changesHands(event, user)) return false
  const { username } = accountAfter(event, user, options)
  return isReplacementName(username) && username !== user.username
}
