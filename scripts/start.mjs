/** `npm start`: sets up, then runs the example server in this process. */
import './setup.mjs'

// npm runs this through a shell, and a signal to npm ends that shell without reaching us: take it as ours.
const shell = process.ppid
const watch = setInterval(() => {
  if (process.ppid === shell) return
  // Once: a second signal means "at once", and would cut off requests in progress.
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 200)
watch.unref()

await import('../examples/server/dist/main.js')
