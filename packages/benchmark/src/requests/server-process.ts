import type { AddressInfo } from 'node:net'
import type { ServiceName } from './names.js'
import type { Place, Setup } from './service.js'
import { loadService } from './services.js'

// A process of its own: argv names the service, where it keeps its data, and its setup. Says on which port it listens,
// and answers each message with the microseconds of CPU that it has used.
const [service, place = '', setup = ''] = process.argv.slice(2)
const { serve } = await loadService(service as ServiceName)
const app = await serve(JSON.parse(place) as Place, JSON.parse(setup) as Setup)
await app.listen({ host: '127.0.0.1', port: 0 })

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send?.(user + system)
})
process.on('disconnect', () => process.exit())
process.send?.((app.server.address() as AddressInfo).port)
