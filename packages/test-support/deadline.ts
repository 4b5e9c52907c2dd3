/** Calls an adapter as the plugin does, which tells it when it stops waiting. */
export { callBefore } from '../accounts/src/seams/call-deadline.js'
