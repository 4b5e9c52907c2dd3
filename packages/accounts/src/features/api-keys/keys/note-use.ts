import { logTrouble } from '../../../adapters/log-trouble.js'
import type { Deps } from '../../../deps.js'
import type { Client } from '../../../sessions/client.js'
import { isApiKey } from '../../../tokens/api-key.js'
import type { FoundKey } from './find-by-key.js'

/** The most that are written at once: the first requests of a day may come with every key. */
const mostAtOnce = 100
const underWay = new Set<string>()

/**
 * Notes the day on which a key was last used, for its owner to see. One attempt that nobody waits for: with many processes
 * one wins, and a day that is missing ends nothing.
 */
export function noteUse({ users }: Pick<Deps, 'users'>, { user, key }: FoundKey, log: Client['log']): void {
  const today = new Date().toISOString().slice(0, 10)
  const name = `${user.id}:${key.id}`
  if (key.lastUsedOn === today || underWay.has(name) || underWay.size >= mostAtOnce) return
  underWay.add(name)
  const credentials = user.credentials.map((each) =>
    isApiKey(each) && each.id === key.id ? { ...each, lastUsedOn: today } : each,
  )
  users
    .update(user, { credentials })
    .catch((error: unknown) => logTrouble(log, error, 'accounts: the use of an API key could not be noted'))
    .finally(() => underWay.delete(name))
}
