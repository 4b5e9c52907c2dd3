import type { MountCore } from '../../http/feature-core.js'
import type { Client } from '../../sessions/client.js'
import type { JsonValue, StoredUser } from '../../user.js'
import { accountFacts } from './account-facts.js'

/** All that is kept of a person, without secrets. Times are RFC 3339 in UTC. */
export interface UserExport {
  exported_at: string
  /** The account itself. */
  account: { [name: string]: JsonValue }
  /** What each feature keeps, by its name. Those that keep nothing are absent. */
  features: { [feature: string]: JsonValue }
}

/**
 * @param client whose session is marked as its own; `null` for the app's own code
 * @throws AccountsError ACCOUNTS_UNAVAILABLE if a feature can't say what it keeps: an incomplete document would look whole
 */
export async function exportUser(
  { options, exportOf }: Pick<MountCore, 'options' | 'exportOf'>,
  user: StoredUser,
  client: Client | null,
): Promise<UserExport> {
  const features = await exportOf(user, client)
  return { exported_at: new Date().toISOString(), account: accountFacts(user, options), features }
}
