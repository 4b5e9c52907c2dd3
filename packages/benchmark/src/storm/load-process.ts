import type { ServiceName } from '../requests/names.js'
import { createLoad, type Load } from './load.js'

type Name = Exclude<keyof Load, 'close'>
/** An order to the process. */
export type Order = { [Each in Name]: [Each, ...Parameters<Load[Each]>] }[Name]
export type Reply<Each extends Name> = Awaited<ReturnType<Load[Each]>>

// A separate process: argv names the service, its port and how many users it has. Handles one order after the other.
const [service, port, users] = process.argv.slice(2)
const load = createLoad(service as ServiceName, Number(port), Number(users))

process.on('message', async ([name, ...args]: Order) => {
  const work = load[name] as (...args: unknown[]) => Promise<unknown>
  process.send?.((await work(...args)) ?? null)
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
