import type { ListingUserStore } from '../../index.js'
import { UsageError } from '../command.js'
import type { Project } from '../project.js'

const sequence =
  'ids are numbers, and the next users get those of users from after the backup: move the sequence beyond them before the service starts (docs/guides/backups.md)'
const sessions =
  "ids are numbers, and sessions may be outside the users' database: those of users from after the backup would log in to the accounts of the next ones; empty the session store (docs/guides/backups.md), then pass --sessions-emptied"

/**
 * Warnings, one line each, if ids are numbers: a restore sets their sequence back. Others, such as UUIDs, are never reused.
 * @throws UsageError if `ends`, and sessions may be left that the next users would share
 */
export async function warnOfReusedIds(
  { options: { sessionStore } }: Project,
  userStore: ListingUserStore,
  { ends, isEmptied }: { ends: boolean; isEmptied: boolean },
): Promise<string[]> {
  const [user] = await userStore.list({ limit: 1 })
  if (user === undefined || !/^\d+$/.test(user.id)) return []
  // Without a store they are in memory, or in a @fastify/session of the app.
  if (isEmptied || sessionStore?.withUsers?.users === userStore) return [sequence]
  if (ends) throw new UsageError(sessions)
  return [sequence, sessions]
}
