import { day } from './time.js'

/** How much of what has happened to an account is kept. */
export const activityBounds = {
  /** Milliseconds. */
  keptFor: 90 * day,
  /** The newest entries of an account. */
  entries: 1000,
  /** Entries of an account in any 24 hours, of types that cost nothing and that no email tells of. */
  perDay: {
    'session.refused': 10,
    'session.created': 50,
    'session.ended': 50,
    'user.updated': 50,
  } as Readonly<Record<string, number>>,
  /** The newest entries that are counted for it. */
  looked: 200,
} as const
