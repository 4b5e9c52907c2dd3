import { shownName } from '../../identifiers/account-name.js'
import { isReplacementName } from '../../identifiers/address-name.js'
import { type PublicUser, type StoredUser, withChanges } from '../../user.js'
import { asksUsername } from './choose-username.js'
import { type OwnershipEvent, ownershipChanges } from './table.js'
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
  const after = (profile: 'keep' | 'drop') =>
    withChanges(user, ownershipChanges(event, user, options, { profile }) ?? {})
  const [kept, dropped] = [after('keep'), after('drop')]
  const goes = Object.entries(kept.fields).filter(([name]) => !Object.hasOwn(dropped.fields, name))
  const name = shownName(options, kept)
  const hasName = name !== null && name !== dropped.username && !isReplacementName(name)
  const profile = { ...(hasName && { username: name }), ...Object.fromEntries(goes) }
  return {
    asksUsername: asksUsername(options, event, user),
    profile: Object.keys(profile).length === 0 ? null : profile,
  }
}
