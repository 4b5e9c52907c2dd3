import { day } from '../options/time.js'
import { textOf, UsageError, type Values } from './command.js'

/**
 * The time that many days ago, as given by an option; `undefined` if it is absent.
 * @param least the lowest number of days allowed
 * @throws UsageError
 */
export function daysAgo(values: Values, name: string, least: number): Date | undefined {
  const text = textOf(values, name)
  if (text === undefined) return undefined
  const days = Number(text)
  const moment = new Date(Date.now() - days * day)
  if (!Number.isSafeInteger(days) || days < least || text.trim() === '' || Number.isNaN(moment.getTime())) {
    throw new UsageError(`--${name} requires a whole number of days${least > 0 ? ` from ${least}` : ''}`)
  }
  return moment
}
