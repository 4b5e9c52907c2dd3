/** Calls an adapter as the plugin does, with the time at which it stops waiting. */
export { callBefore } from '../accounts/src/seams/call-deadline.js'
