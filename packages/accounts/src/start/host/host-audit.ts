import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import type { AuditEvent, AuditTrail } from '../../http/guard/audit.js'
import { isPlainText } from '../../validation.js'

/** Who calls, and why: for the audit trail only, never in an email. */
export interface HostCall {
  /** The id of a user, such as a member of staff, or the name of a system. At most 200 characters. Default: not known. */
  actor?: string | undefined
  /** At most 1,000 characters. Default: none. */
  reason?: string | undefined
}

const longest: Required<{ [Name in keyof HostCall]: number }> = { actor: 200, reason: 1000 }

/**
 * Runs a call, and tells the audit trail of its outcome. `null` and `false` mean that there is no such account.
 * @param userIdOf the account that the call was about, once it has succeeded
 */
export type Audited = <T>(
  action: AuditEvent['action'],
  call: HostCall | undefined,
  work: () => Promise<T>,
  userIdOf: (result: NonNullable<T>) => string | null,
) => Promise<T>

export function createHostAudit({ isHeard, tell }: AuditTrail): Audited {
  return async (action, call = {}, work, userIdOf) => {
    checkCall(call)
    if (!isHeard()) return work()
    const { actor = null, reason = null } = call
    const report = (outcome: Pick<AuditEvent, 'outcome' | 'reason' | 'userId'>): void => {
      const request = { method: null, actorId: null, ip: null, requestId: null }
      setImmediate(tell, { action, ...request, host: { actor, reason }, ...outcome, at: new Date() })
    }
    try {
      const result = await work()
      if (result === null || result === false)
        report({ outcome: 'refused', reason: 'ACCOUNTS_NOT_FOUND', userId: null })
      else
        report({ outcome: 'success', reason: null, userId: userIdOf(result as NonNullable<typeof result>) })
      return result
    } catch (error) {
      report(refusalOf(error))
      throw error
    }
  }
}

function refusalOf(error: unknown): Pick<AuditEvent, 'outcome' | 'reason' | 'userId'> {
  if (!(error instanceof AccountsError)) return { outcome: 'failure', reason: 'HTTP_500', userId: null }
  const outcome = error.statusCode >= 500 ? 'failure' : 'refused'
  return { outcome, reason: error.code, userId: error.userId ?? null }
}

/** @throws AccountsError ACCOUNTS_INVALID_INPUT */
function checkCall(call: HostCall): void {
  const faults = Object.entries(call).flatMap(([name, value]: [string, unknown]) => {
    const most = Object.hasOwn(longest, name) ? longest[name as keyof HostCall] : undefined
    if (most === undefined) return [fieldError(name, 'unknown')]
    if (value === undefined) return []
    if (typeof value !== 'string' || !isPlainText(value)) return [fieldError(name, 'invalid')]
    return value.length > most ? [fieldError(name, 'too_long', { text: 'max_length', count: most })] : []
  })
  if (faults.length > 0) throw invalidInput(...faults)
}
