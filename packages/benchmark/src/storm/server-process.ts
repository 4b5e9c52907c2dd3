import type { AddressInfo } from 'node:net'
import { createClock } from './clock.js'
import { requests, type ServiceName } from './requests.js'
import { services } from './service.js'

/** Bytes that the process holds now, and the most it held since it was asked before. */
export interface Memory {
  rss: number
  peak: number
}

/** An order to the process; each figure restarts every time. */
export type ServerOrder = 'memory' | 'clock'

// A separate process: argv names the service and its file. It reports its port, and answers each message.
const [service, file = ''] = process.argv.slice(2)
const app = await services[service as ServiceName].serve(file, true)
await app.listen({ host: '127.0.0.1', port: 0 })

const readClock = createClock(requests[service as ServiceName].mePath)
let peak = 0
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 20)

process.on('message', (order: ServerOrder) => {
  if (order === 'clock') {
    process.send?.(readClock())
    return
  }
  const rss = process.memoryUsage.rss()
  process.send?.({ rss, peak: Math.max(peak, rss) } satisfies Memory)
  peak = 0
})
process.on('disconnect', () => process.exit())
process.send?.((app.server.address() as AddressInfo).port)
