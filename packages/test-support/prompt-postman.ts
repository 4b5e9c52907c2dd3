import { wakeDelay } from '../accounts/src/outbox/poll-times.js'

// Sends each email right after the response, as tests wait for emails by order, not by time.
Object.assign(wakeDelay, { min: 0, max: 0 })
