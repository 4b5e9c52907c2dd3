import { isOfOutage } from './outages.js'

/** What of a logger is used. */
interface TroubleLog {
  info(data: object, text: string): void
  warn(data: object, text: string): void
}

/** Logs what did not keep a request from its answer; in an outage that the log tells of, without the error. */
export function logTrouble(log: TroubleLog, error: unknown, text: string): void {
  if (isOfOutage(error)) log.info({}, text)
  else log.warn({ err: error }, text)
}
