import { AccountsError, fieldError, invalidInput } from '../../errors.js'
import type { AnyCall, HostCall, HostOperation } from '../../features/host.js'
import type { MountCore } from '../../http/feature-core.js'
import type { AuditEvent, AuditTrail } from '../../http/guard/audit.js'
import { isPlainText } from '../../validation.js'

const longest: Required<{ [Name in keyof HostCall]: number }> = { actor: 200, reason: 1000 }

/**
 * A call of `app.accounts`, under its name there: checks its ids and who calls, and tells the audit trail of its outcome.
 */
export function bindCall<Call extends AnyCall>(
  name: string,
  { action, parameters, run, accountOf }: HostOperation<Call>,
  { isHeard, tell }: AuditTrail,
  core: MountCore,
): Call {
  const bound = async (...args: unknown[]): Promise<unknown> => {
    const ids = parameters.flatMap((id, at) => (id === null ? [] : checkId(name, id, args[at])))
    const { [parameters.length]: call = {} } = args
    checkCall(call as HostCall)
    const own = args.slice(0, parameters.length) as Parameters<Call>
    const { actor = null, reason = null } = call as HostCall
    const isNamed = actor !== null || reason !== null
    const work = run(isNamed ? { ...core, ...core.events.onCall({ actor, reason }) } : core)
    if (!isHeard(false)) return work(...own)
    const report = (outcome: Pick<AuditEvent, 'outcome' | 'reason' | 'userId'>): void => {
      const request = { method: null, actorId: null, ip: null, requestId: null }
      setImmediate(tell, { action, ...request, host: { actor, reason }, ...outcome, at: new Date() })
    }
    try {
      const result = (await work(...own)) as Awaited<ReturnType<Call>>
      const isNone = result === null || result === false
      const userId =
        accountOf === undefined ? (isNone ? undefined : (ids[0] ?? null)) : accountOf(result, ...own)
      if (userId === undefined) report({ outcome: 'refused', reason: 'ACCOUNTS_NOT_FOUND', userId: null })
      else report({ outcome: 'success', reason: null, userId })
      return result
    } catch (error) {
      report(refusalOf(error))
      throw error
    }
  }
  return bound as AnyCall as Call
}

/**
 * In JavaScript an id comes unchecked from a query, a column of another type, or a user who isn't there. The cause of the
 * error names the call.
 * @throws AccountsError ACCOUNTS_INVALID_INPUT
 */
export function checkId(call: string, name: string, id: unknown): string {
  if (typeof id === 'string') return id
  const shown = id === null ? 'null' : typeof id
  throw new AccountsError('ACCOUNTS_INVALID_INPUT', {
    fields: [fieldError(name, 'invalid')],
    cause: new TypeError(`fastify-accounts: ${call} expects ${name} to be a string, got ${shown}`),
  })
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
