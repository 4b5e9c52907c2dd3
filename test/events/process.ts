import '@fastify-accounts/test-support/prompt-postman'
import { randomUUID } from 'node:crypto'
import type { Place } from '@fastify-accounts/test-support/databases'
import { type Change, changes } from './changes.js'
import { haltAt, passing, type Step } from './halting.js'
import { openStores, type Service, startService, writesLedger } from './service.js'

/** One change by a mount of its own, and the step at which it stops. */
export interface Trial {
  place: Place
  ledger: string
  mount: string
  change: Change
  step: Step
  userId: string
  username: string
}

/** Changes and deliveries on several databases at once, until the process kills itself. */
export interface Work {
  places: readonly { place: Place; ledger: string }[]
  mount: string
  aheadMs: number
  /** The step of all databases together at which it does. */
  dieAt: number
  seed: number
}

/** Stores of this process, by database. */
const opened = new Map<string, ReturnType<typeof openStores>>()
function storesAt(place: Place, aheadMs = 0): ReturnType<typeof openStores> {
  const stores = opened.get(place.url) ?? openStores(place, aheadMs)
  opened.set(place.url, stores)
  return stores
}

/** For race-processes.ts in packages/test-support. */
export const tasks = {
  /** Makes each change; returns once each trial has reached its step: whether its change was acknowledged. */
  async halt({ trials }: { trials: readonly Trial[] }) {
    const ready = await Promise.all(
      trials.map(async ({ place, ledger, mount, change, step, userId, username }) => {
        const stores = await storesAt(place)
        const { isReached, pass } = haltAt(step)
        const service = await startService(
          passing(stores, mount, pass),
          mount,
          {
            ledger: {
              async '*'(event, call) {
                await pass('before the handler')
                await writesLedger(ledger, 'ledger')['*'](event, call)
                await pass('in the handler')
              },
            },
            other: writesLedger(ledger, 'other'),
          },
          { adapterTimeout: 600_000 },
        )
        return async (): Promise<boolean> => {
          let isAcknowledged = false
          void changes[change].make(service, userId, username).then(() => {
            isAcknowledged = true
          })
          await isReached
          return isAcknowledged
        }
      }),
    )
    return () => Promise.all(ready.map((go) => go()))
  },

  /** Never returns. */
  async work({ places, mount, aheadMs, dieAt, seed }: Work) {
    let passed = 0
    const pass = async (step: Step | undefined): Promise<void> => {
      if (step !== undefined) passed += 1
      if (passed >= dieAt) process.kill(process.pid, 'SIGKILL')
    }
    const services = await Promise.all(
      places.map(async ({ place, ledger }) => {
        const stores = await storesAt(place, aheadMs)
        return startService(passing(stores, mount, pass), mount, {
          ledger: {
            async '*'(event, call) {
              await pass('before the handler')
              // Some fail, and are delivered again.
              if (random(seed + passed) < 0.1) throw new Error('the CRM is down')
              await writesLedger(ledger, 'ledger')['*'](event, call)
              await pass('in the handler')
            },
          },
          other: writesLedger(ledger, 'other'),
        })
      }),
    )
    return () => Promise.all(services.map((service, at) => changeOn(service, seed + at)))
  },
}

/** A number from 0 to 1, the same for the same seed. */
export function random(seed: number): number {
  const mixed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d)
  return (Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39) >>> 0) / 2 ** 32
}

/** Signs up, updates and deletes users, one after the other, without end. */
async function changeOn(service: Service, seed: number): Promise<never> {
  const ids: string[] = []
  for (let turn = seed; ; turn += 1) {
    const drawn = random(turn)
    const username = `w${randomUUID().slice(0, 12)}`
    if (ids.length === 0 || drawn < 0.4) {
      const id = await changes['sign up'].make(service, '', username)
      ids.push(id)
      continue
    }
    const [id = ''] = ids.splice(Math.floor(random(turn * 31 + 7) * ids.length), 1)
    const change = drawn < 0.8 ? 'update' : 'delete'
    await changes[change].make(service, id, username)
    if (change === 'update') ids.push(id)
  }
}
