import { AccountsError } from '../errors.js'
import { RuleError } from '../seams/rule-error.js'
import type { Client } from '../sessions/client.js'
import type { Visit } from '../sessions/session-reader.js'
import type { StoredUser } from '../user.js'
import { finishLogin } from './finish-login.js'

/**
 * Logs in who has just shown on a page that the address of an account is theirs; not where somebody is logged in, and not if
 * more is needed, which the login asks for.
 * @returns whether they are logged in now
 */
export async function enterOnProof(
  deps: Parameters<typeof finishLogin>[0] & { logsInOnProof: boolean },
  { who, client }: { who: Visit | null; client: Client },
  user: StoredUser,
): Promise<boolean> {
  if (!deps.logsInOnProof || !client.prefersPage || who !== null) return false
  try {
    await finishLogin(deps, client, { user, methods: ['email'] }, false)
    return true
  } catch (error) {
    if (error instanceof AccountsError || error instanceof RuleError) return false
    throw error
  }
}
