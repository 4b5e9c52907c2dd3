import type { Deps } from '../../deps.js'
import type { Invitation } from '../../seams/invitation-store.js'
import type { UserFields } from '../../user.js'

/**
 * The target of invitations to an account of the mount, its name. They apply by themselves once somebody has proven the
 * address.
 */
export const targetOf = ({ decorateAs }: Pick<Deps['options'], 'decorateAs'>): string => decorateAs.instance

/** Whether a target is of the mount: its accounts, or what a feature invites to, whose word follows a colon. */
export const isOfMount = (target: string, options: Pick<Deps['options'], 'decorateAs'>): boolean =>
  `${target}:`.startsWith(`${targetOf(options)}:`)

/** The word of what a feature invites to; `null` for an invitation to an account, or of another mount. */
export function wordOf(
  { target }: Pick<Invitation, 'target'>,
  options: Pick<Deps['options'], 'decorateAs'>,
): string | null {
  const [, word = null] = isOfMount(target, options) ? target.slice(targetOf(options).length).split(':') : []
  return word
}

/** What an invitation to an account gives. */
export interface Gift {
  fields: UserFields
  roles: readonly string[]
}

/** What an invitation to something else gives the account. */
export const noGift: { fields: UserFields; roles: string[] } = { fields: {}, roles: [] }

export function giftOf({ gives }: Pick<Invitation, 'gives'>): Gift {
  const { fields, roles } = gives as { fields: UserFields; roles: string[] }
  return { fields, roles }
}

/** Whether an invitation gives nothing anymore. */
export const isExpired = ({ expiresAt }: Invitation): boolean => Date.now() >= expiresAt.getTime()
