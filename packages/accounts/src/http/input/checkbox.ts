import type { Static } from '@sinclair/typebox'
import type { checkbox } from './schemas.js'

/** Whether a checkbox is checked; one that isn't sent isn't. */
export const isChecked = (value: Static<typeof checkbox> = false): boolean =>
  value !== false && value !== 'false'
