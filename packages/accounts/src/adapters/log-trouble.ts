import { isOfOutage } from './outages.js'

/** The part of a logger in use. */
interface TroubleLog {
  info(data: object, text: string): void
  warn(data: object, text: string): void
}

/** Logs an error that didn't fail the request. During a logged outage, the error itself is left out. */
export function logTrouble(log: TroubleLog, error: unknown, text: string): void {
  if (isOfOutage(error)) log.info({}, text)
  else log.warn({ err: error }, text)
}
