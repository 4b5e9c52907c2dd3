import { day } from './time.js'

/** How much of what has happened to an account is kept. */
export const activityBounds = {
  /** Milliseconds. */
  keptFor: 90 * day,
  /** The newest entries of an account. */
  entries: 1000,
} as const
