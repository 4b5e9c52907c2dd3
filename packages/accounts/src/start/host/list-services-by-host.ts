import { fieldError, invalidInput } from '../../errors.js'
import { listServices } from '../../features/api-keys/list-services.js'
import type { MountCore } from '../../http/feature-core.js'
import { createListCursor } from '../../tokens/list-cursor.js'
import { type HostService, hostService, rulesOf } from './host-api-keys.js'
import { listOf } from './host-lists.js'

/** What identifies the list to its cursors. */
const listName = 'host services'

/**
 * One page of service accounts for the host's own code, without calling `authorize`.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT; Error if the user store can't list users
 */
export async function listServicesByHost(
  deps: MountCore,
  { cursor }: { cursor?: string | undefined },
): Promise<{ services: HostService[]; next: string | null }> {
  rulesOf(deps)
  const list = listOf(deps)
  const positions = createListCursor(deps.options.secret)
  const after = cursor === undefined ? undefined : positions.decode(`${cursor}`, listName)
  if (after === null) throw invalidInput(fieldError('cursor', 'invalid'))
  const { services, next } = await listServices({ ...deps, list }, 'host', after)
  return { services: services.map(hostService), next: next && positions.encode(next, listName) }
}
