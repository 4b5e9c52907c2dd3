import type { Invitation } from 'fastify-accounts'
import type { Deps } from 'fastify-accounts/features'

type WithName = Pick<Deps['options'], 'decorateAs'>

/** The word of organizations in the target of an invitation. */
export const word = 'organization'

const prefixOf = ({ decorateAs }: WithName): string => `${decorateAs.instance}:${word}:`

/** The target of invitations to an organization. */
export const targetOf = (options: WithName, { id }: { readonly id: string }): string =>
  `${prefixOf(options)}${id}`

/** The id of the organization that an invitation invites to; `null` if it invites to something else. */
export function organizationIdOf({ target }: Pick<Invitation, 'target'>, options: WithName): string | null {
  const prefix = prefixOf(options)
  return target.startsWith(prefix) ? target.slice(prefix.length) : null
}
