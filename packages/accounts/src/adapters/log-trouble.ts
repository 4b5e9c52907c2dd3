import { isOfOutage, type OutageLog } from './outages.js'

/** Logs an error that didn't fail the request. During a logged outage, the error itself is left out. */
export function logTrouble(log: Pick<OutageLog, 'info' | 'warn'>, error: unknown, text: string): void {
  if (isOfOutage(error)) log.info({}, text)
  else log.warn({ err: error }, text)
}
