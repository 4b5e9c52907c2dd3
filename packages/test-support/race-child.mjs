// A process of its own for the race tests. Loads the module of tasks; then each message names a task to prepare, and the
// next one starts it.
import { once } from 'node:events'

const { tasks } = await import(process.argv[2])
process.send({ loaded: true })

for (;;) {
  const [{ task, place }] = await once(process, 'message')
  const start = await tasks[task](place)
  process.send({ prepared: true })
  await once(process, 'message')
  process.send({ result: await start() })
}
