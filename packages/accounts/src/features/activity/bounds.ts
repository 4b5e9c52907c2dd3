import { day } from '../../options/time.js'

/** How much of what has happened to an account is kept. */
export const activityBounds = {
  /** Milliseconds. */
  keptFor: 90 * day,
  /** The newest entries of an account. */
  entries: 1000,
  /** Entries of refusals that an account gets in any 24 hours. In 90 days they fill less than the entries that are kept. */
  refusalsPerDay: 10,
} as const
