import { AccountsError, fieldError } from '../../errors.js'
import type { Accounts } from '../accounts.js'

/** Which arguments of the host's calls are ids, in their order; `null` is another. */
const idsOf = {
  logIn: [null, null, 'userId'],
  updateUser: ['userId'],
  setPassword: ['userId'],
  createPasswordLink: ['userId'],
  listSessions: ['userId'],
  endSession: ['userId', 'sessionId'],
  endUserSessions: ['userId'],
  resetUserFactors: ['userId'],
  secureUser: ['userId'],
  listIdentities: ['userId'],
  addIdentity: ['userId'],
  removeIdentity: ['userId', 'id'],
  deleteUser: ['userId'],
  resendInvitation: ['invitationId'],
  withdrawInvitation: ['invitationId'],
  createApiKey: ['userId'],
  listApiKeys: ['userId'],
  removeApiKey: ['userId', 'keyId'],
  mail: [null, 'userId'],
} satisfies { [Name in keyof Accounts]?: (string | null)[] }

/**
 * The host's calls, which then reject an id that is no string with ACCOUNTS_INVALID_INPUT: in JavaScript it comes unchecked
 * from a query, a column of another type, or a user who isn't there. Its cause names the call.
 */
export function checkingIds(accounts: Accounts): Accounts {
  type Call = (...given: unknown[]) => Promise<unknown>
  const checked = Object.entries(idsOf).map(([name, ids]): [string, Call] => {
    const call = accounts[name as keyof typeof idsOf] as Call
    return [
      name,
      async (...given) => {
        for (const [at, id] of ids.entries()) if (id !== null) checkId(name, id, given[at])
        return call(...given)
      },
    ]
  })
  return { ...accounts, ...Object.fromEntries(checked) }
}

function checkId(call: string, name: string, given: unknown): void {
  if (typeof given === 'string') return
  const shown = given === null ? 'null' : typeof given
  throw new AccountsError('ACCOUNTS_INVALID_INPUT', {
    fields: [fieldError(name, 'invalid')],
    cause: new TypeError(`fastify-accounts: ${call} expects ${name} to be a string, got ${shown}`),
  })
}
