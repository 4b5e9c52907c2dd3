import type { Invitation } from 'fastify-accounts'
import type { Deps } from 'fastify-accounts/features'

type WithName = Pick<Deps['options'], 'decorateAs'>

/** What the target of an invitation to an organization has after the name of the mount. */
export const targetWord = 'organization'

const prefixOf = ({ decorateAs }: WithName): string => `${decorateAs.instance}:${targetWord}:`

/** The target of invitations to an organization. */
export const targetOf = (options: WithName, { id }: { readonly id: string }): string =>
  `${prefixOf(options)}${id}`

/** The id of the organization that an invitation invites to; `null` if it invites to something else. */
export function organizationIdOf({ target }: Pick<Invitation, 'target'>, options: WithName): string | null {
  const prefix = prefixOf(options)
  return target.startsWith(prefix) ? target.slice(prefix.length) : null
}
