// A process of its own for the race tests. Loads the module of tasks as the tests do; then each message names a task to
// prepare, and the next one starts it.
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createViteServer } from 'vitest/node'

const vite = await createViteServer({
  configFile: fileURLToPath(new URL('../../vitest.config.ts', import.meta.url)),
  server: { middlewareMode: true, ws: false, watch: null },
  appType: 'custom',
  logLevel: 'error',
  optimizeDeps: { noDiscovery: true },
})
const { tasks } = await vite.ssrLoadModule(process.argv[2])
process.send({ loaded: true })

for (;;) {
  const [{ task, place }] = await once(process, 'message')
  const start = await tasks[task](place)
  process.send({ prepared: true })
  await once(process, 'message')
  process.send({ result: await start() })
}
