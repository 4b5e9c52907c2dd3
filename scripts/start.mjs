/** `npm start`: sets up, then runs the example server in this very process. */
import './setup.mjs'

// npm runs this through a shell, and a signal to npm ends that shell without reaching us: take it as ours.
const shell = process.ppid
setInterval(() => {
  if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM')
}, 200).unref()

await import('../examples/server/dist/main.js')
