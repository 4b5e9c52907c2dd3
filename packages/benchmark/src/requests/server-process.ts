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

// A separate process: argv names the service, where it stores its data, and its setup. It reports its port, and
// answers each message with its usage.
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
  // The second pass frees what the first one releases.
  gc()
  gc()
}
