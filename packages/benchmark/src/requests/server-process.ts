import type { AddressInfo } from 'node:net'
import type { ServiceName } from './names.js'
import type { Place, Setup } from './service.js'
import { loadService } from './services.js'

export interface Usage {
  /** Microseconds, user and system, since the start. */
  cpu: number
  /** Bytes of the process, now and at most since the start. */
  resident: number
  peak: number
}

// A separate process: argv names the service, where it stores its data, and its setup. It reports its port, and
// replies to each message with its usage.
const [service, place = '', setup = ''] = process.argv.slice(2)
const { serve } = await loadService(service as ServiceName)
const app = await serve(JSON.parse(place) as Place, JSON.parse(setup) as Setup)
await app.listen({ host: '127.0.0.1', port: 0 })

process.on('message', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  const resident = process.memoryUsage.rss()
  process.send?.({ cpu: userCPUTime + systemCPUTime, resident, peak: maxRSS * 1024 } satisfies Usage)
})
process.on('disconnect', () => process.exit())
process.send?.((app.server.address() as AddressInfo).port)
