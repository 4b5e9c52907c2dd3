/** `npm start`: runs the example server in this process. */

// npm runs this in a shell. A signal to npm ends the shell but doesn't reach this process, so watch for that.
const shell = process.ppid
const watch = setInterval(() => {
  if (process.ppid === shell) return
  // Only once: a second signal would stop immediately and cut off requests in progress.
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, 200)
watch.unref()

await import('../examples/server/dist/main.js')
