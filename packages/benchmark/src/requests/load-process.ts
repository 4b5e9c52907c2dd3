import { createLoad, type LoadSettings } from './load.js'

export type Order =
  | ['prepare', LoadSettings]
  | ['round' | 'warmUp', service: string, seconds: number]
  | ['requests', service: string, count: number]

// A process of its own, for all services of one operation. Handles one order after the other.
const loads = new Map<string, Awaited<ReturnType<typeof createLoad>>>()

process.on('message', async (order: Order) => {
  if (order[0] === 'prepare') {
    loads.get(order[1].service)?.close()
    loads.set(order[1].service, await createLoad(order[1]))
    process.send?.('prepared')
  } else {
    const [name, service, much] = order
    process.send?.((await loads.get(service)?.[name](much)) ?? null)
  }
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
