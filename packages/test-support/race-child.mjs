// A child process for the race tests. It loads the module of tasks; then messages come in pairs: the first names a task
// to prepare, the second starts it.
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
