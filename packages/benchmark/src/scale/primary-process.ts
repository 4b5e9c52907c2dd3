import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Usage } from '../requests/server-process.js'

// A separate process: argv as for a server's process, plus the number of workers behind one port. It reports the
// port, and answers each message with the usage of all workers.
const [service = '', place = '', setup = '', count = '1'] = process.argv.slice(2)
cluster.setupPrimary({ exec: fileURLToPath(new URL('../requests/server-process.js', import.meta.url)) })

/** Only the first one has users to create. */
const none = JSON.stringify({ ...JSON.parse(setup), users: 0 })
const workers: Worker[] = []
let port = 0
for (let at = 0; at < Number(count); at++) {
  cluster.setupPrimary({ args: [service, place, at === 0 ? setup : none] })
  const worker = cluster.fork()
  workers.push(worker)
  // In a cluster port 0 is the same for all.
  ;[port] = (await once(worker, 'message')) as [number]
}

process.on('message', async () => {
  const all = await Promise.all(workers.map(usageOf))
  const sum = (of: (usage: Usage) => number) => all.reduce((total, usage) => total + of(usage), 0)
  process.send?.({
    cpu: sum(({ cpu }) => cpu),
    heap: sum(({ heap }) => heap),
    resident: sum(({ resident }) => resident),
  } satisfies Usage)
})
process.on('disconnect', () => process.exit())
process.send?.(port)

async function usageOf(worker: Worker): Promise<Usage> {
  const answer = once(worker, 'message')
  worker.send('usage')
  return (await answer)[0] as Usage
}
