import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { aims, footprints, isWorse, nameOf, pairs } from '../src/check.js'
import { createLoad, type LoadSettings } from '../src/requests/load.js'
import { type ServiceName, serviceNames } from '../src/requests/names.js'
import { type OperationName, operationNames, operationOf } from '../src/requests/operations.js'
import { createPlace } from '../src/requests/place.js'
import { bySetup, type Figure } from '../src/requests/run.js'
import type { Setup } from '../src/requests/service.js'
import { loadService } from '../src/requests/services.js'
import { tables } from '../src/requests/tables.js'

const withoutServers = serviceNames.filter((name) => !/postgres|redis/.test(name))

describe('the benchmark of requests', () => {
  it.each(withoutServers)('runs every operation of %s', async (service) => {
    const doable = operationNames.filter((name) => operationOf(name).services.includes(service))
    for (const operations of bySetup(doable)) {
      const { setup } = operationOf(operations[0] as OperationName)
      if (setup?.hash === 'real') continue
      await withLoads(service, { ...setup, users: 100 }, async (load) => {
        for (const operation of operations) {
          const { requests, p50, p99 } = await (await load(operation)).requests(6)
          expect({ operation, requests }).toEqual({ operation, requests: 6 })
          expect(p99).toBeGreaterThanOrEqual(p50)
        }
      })
    }
  })

  it('rejects an unexpected response', () =>
    withLoads('bare', { users: 0 }, async (load) => {
      // It has no list.
      await expect((await load('list')).round(0.1)).rejects.toThrow('/user/?limit=50 returned 404')
    }))

  it('divides round by round, and reports which targets are met', () => {
    const figure = (operation: OperationName, service: ServiceName, perSecond: number[]): Figure => ({
      operation,
      service,
      perSecond,
      cpu: perSecond.map((value) => 1e6 / value),
      p50: [1],
      p99: [2],
    })
    const figures = [
      figure('me', 'bare', [1000, 100, 1000]),
      figure('me', 'accounts-sqlite', [400, 60, 600]),
      figure('me', 'by-hand-sqlite', [300, 30, 300]),
      figure('public', 'bare', [1000]),
      figure('public', 'accounts-sqlite', [900]),
    ]
    const text = tables({ about: 'a machine; x 1.', figures })
    expect(text).toMatch(/bare Fastify \| requests\/s \| at least 0.5 \| 0.600 \(.*\) \| yes \|/)
    expect(text).toMatch(/by hand, SQLite \| requests\/s \| at least 2 \| 2.00 \(.*\) \| yes \|/)
    expect(text).toMatch(/public route.*bare Fastify \| .* \| 0.900 \(.*\) \| \*\*no\*\* \|/)
    expect(text).toContain('### Who am I, logged in')
    expect(text).toMatch(/\| by hand, SQLite \| 300 \(165–300\) \| 0.300/)
  })
})

describe('the check', () => {
  it('knows what is recorded, and can measure it', async () => {
    const file = new URL('../recorded.json', import.meta.url)
    const recorded = JSON.parse(await readFile(file, 'utf8')) as Record<string, number>
    expect(Object.keys(recorded)).toEqual([
      ...pairs.map(nameOf),
      ...Object.keys(footprints),
      ...Object.keys(aims),
    ])
    for (const { operation, ours, theirs } of pairs) {
      expect(operationOf(operation).services).toEqual(expect.arrayContaining([ours, theirs]))
    }
    for (const [name, value] of Object.entries(recorded)) expect(isWorse(name, value, value)).toBe(false)
  })

  it('finds a ratio that has lost a third, a start that takes a quarter longer, and an additional package', () => {
    const worse = (name: string, ...figures: [number, number]) => isWorse(name, ...figures)
    expect([worse('me: a / b', 3, 1.9), worse('me: a / b', 3, 2.1)]).toEqual([true, false])
    const start = 'start on SQLite, CPU: ours / better-auth'
    expect([worse(start, 2, 2.6), worse(start, 2, 2.4)]).toEqual([true, false])
    const packages = "packages, beyond Fastify's own"
    const login = 'login by code, CPU: with a subscriber / without'
    expect([worse(login, 1.3, 1.16), worse(login, 1, 1.14)]).toEqual([true, false])
    expect([worse(packages, 8, 9), worse(packages, 9, 9)]).toEqual([true, false])
  })
})

/** The service with this setup, and clients for each operation. */
async function withLoads(
  service: ServiceName,
  setup: Partial<Setup> & { users: number },
  work: (load: (operation: OperationName) => ReturnType<typeof createLoad>) => Promise<void>,
): Promise<void> {
  const { drop, ...place } = await createPlace(service)
  const app = await (await loadService(service)).serve(place, { hash: 'removed', ...setup })
  const ends: (() => unknown)[] = [() => app.close(), drop]
  try {
    await app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = app.server.address() as AddressInfo
    await work(async (operation) => {
      const settings: LoadSettings = { service, operation, port, users: setup.users, connections: 2 }
      const load = await createLoad(settings)
      ends.unshift(load.close)
      return load
    })
  } finally {
    for (const end of ends) await end()
  }
}
