import { createLoad, type Load } from './load.js'
import type { ServiceName } from './requests.js'

/** What the process is asked to do. */
export type Order =
  | ['begin']
  | ['capacity', seconds: number]
  | ['watch', seconds: number]
  | ['storm', seconds: number, loginsPerSecond: number]
export type Answer<Name extends keyof Load> = Awaited<ReturnType<Load[Name]>>

// A process of its own: argv names the service, its origin and how many users it has. Answers one order after the other.
const [service, origin = '', users] = process.argv.slice(2)
const load = createLoad(service as ServiceName, origin, Number(users))

process.on('message', async ([name, ...args]: Order) => {
  const work = load[name] as (...args: number[]) => Promise<unknown>
  process.send?.((await work(...args)) ?? null)
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
