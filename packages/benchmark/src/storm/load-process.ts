import { createLoad, type Load } from './load.js'
import type { ServiceName } from './requests.js'

/** An order to the process. */
export type Order = { [Name in Exclude<keyof Load, 'close'>]: [Name, ...Parameters<Load[Name]>] }[Exclude<
  keyof Load,
  'close'
>]
export type Answer<Name extends keyof Load> = Awaited<ReturnType<Load[Name]>>

// A separate process: argv names the service, its origin and how many users it has. Answers one order after the other.
const [service, origin = '', users] = process.argv.slice(2)
const load = createLoad(service as ServiceName, origin, Number(users))

process.on('message', async ([name, ...args]: Order) => {
  const work = load[name] as (...args: unknown[]) => Promise<unknown>
  process.send?.((await work(...args)) ?? null)
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
