import type { AddressInfo } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { ServiceName } from './names.js'
import type { Place, Setup } from './service.js'
import { loadService } from './services.js'

/** `memory` collects garbage first. */
export type Question = 'usage' | 'memory'

export interface Usage {
  /** Microseconds, user and system, since the start. */
  cpu: number
  /** Bytes of the heap that are in use. */
  heap: number
  /** Bytes of the process. */
  resident: number
}

// A process of its own: argv names the service, where it keeps its data, and its setup. Says on which port it listens,
// and answers each message with what it has used.
const [service, place = '', setup = ''] = process.argv.slice(2)
const { serve } = await loadService(service as ServiceName)
const app = await serve(JSON.parse(place) as Place, JSON.parse(setup) as Setup)
await app.listen({ host: '127.0.0.1', port: 0 })

process.on('message', (question: Question) => {
  if (question === 'memory') collectGarbage()
  const { user, system } = process.cpuUsage()
  const { heapUsed, rss } = process.memoryUsage()
  process.send?.({ cpu: user + system, heap: heapUsed, resident: rss } satisfies Usage)
})
process.on('disconnect', () => process.exit())
process.send?.((app.server.address() as AddressInfo).port)

function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  // What the first round lets go, the second frees.
  gc()
  gc()
}
