import { wakeDelay } from '../accounts/src/emails/wake-delay.js'

// Tests wait for emails by order, not by time: each goes out right after the answer.
Object.assign(wakeDelay, { min: 0, max: 0 })
