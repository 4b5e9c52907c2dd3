import { readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { compareFootprint, type RecordedFootprint } from '../src/check/footprint.js'
import { compare, type Recorded } from '../src/check/recorded.js'
import { createLoad } from '../src/requests/load.js'
import { type ServiceName, serviceNames } from '../src/requests/names.js'
import { type Operation, type OperationName, operationNames, operations } from '../src/requests/operations.js'
import { picture } from '../src/requests/picture.js'
import { createPlace } from '../src/requests/place.js'
import type { Figure } from '../src/requests/run.js'
import type { Setup } from '../src/requests/service.js'
import { loadService } from '../src/requests/services.js'
import { settingsOf } from '../src/requests/settings.js'
import { tables } from '../src/requests/tables.js'
import { tableOfTargets } from '../src/requests/targets.js'

const withoutServers = serviceNames.filter((name) => !/postgres|redis/.test(name))

describe('the benchmark of requests', () => {
  it.each(withoutServers)('runs every operation of %s', async (name) => {
    const service = await loadService(name)
    const doable = operationNames.filter((each) => (operations[each] as Operation).services.includes(name))
    const setups = new Set(doable.map((each) => JSON.stringify((operations[each] as Operation).setup ?? {})))
    for (const json of setups) {
      const setup = JSON.parse(json) as Partial<Setup>
      const wanted = doable.filter(
        (each) => json === JSON.stringify((operations[each] as Operation).setup ?? {}),
      )
      if (setup.hash === 'real') continue
      const { drop, ...place } = await createPlace(name, false)
      const app = await service.serve(place, { hash: 'removed', list: false, ...setup, users: 100 })
      try {
        await app.listen({ host: '127.0.0.1', port: 0 })
        const { port } = app.server.address() as AddressInfo
        for (const operation of wanted) {
          const settings = { service: name, operation, port, users: 100, connections: 2, pipelining: 1 }
          const load = await createLoad(settings)
          try {
            const { requests, p50, p99 } = await load.requests(6)
            expect({ operation, requests }).toEqual({ operation, requests: 6 })
            expect(p99).toBeGreaterThanOrEqual(p50)
          } finally {
            load.close()
          }
        }
      } finally {
        await app.close()
        await drop()
      }
    }
  })

  it('rejects an unexpected response', async () => {
    const service = await loadService('accounts-memory')
    const { drop, ...place } = await createPlace('accounts-memory')
    const app = await service.serve(place, { users: 100, hash: 'removed', list: false })
    app.addHook('onRequest', async ({ url }, reply) => (url === '/me/' ? reply.code(500).send() : undefined))
    try {
      await app.listen({ host: '127.0.0.1', port: 0 })
      const { port } = app.server.address() as AddressInfo
      const settings = { service: 'accounts-memory', operation: 'me', users: 100, connections: 1 } as const
      const load = await createLoad({ ...settings, port, pipelining: 4 })
      await expect(load.round(0.1)).rejects.toThrow('/me/ answered 500')
    } finally {
      await app.close()
      await drop()
    }
  })

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
    figure('log-in', 'accounts-sqlite', [500, 2000, 4000]),
  ]

  it('divides round by round, and reports which targets are met', () => {
    const text = tableOfTargets(figures)
    expect(text).toMatch(/bare Fastify \| requests\/s \| at least 0.5 \| 0.600 \(.*\) \| yes \|/)
    expect(text).toMatch(/by hand, SQLite \| requests\/s \| at least 2 \| 2.00 \(.*\) \| yes \|/)
    expect(text).toMatch(/log in, hash removed: .* \| CPU, µs \| under 1000 \| 500 .* \| yes \|/)
    expect(tableOfTargets([figure('me', 'bare', [10]), figure('me', 'accounts-sqlite', [4])])).toContain(
      '**no**',
    )
  })

  it('reports every measured service', () => {
    const text = tables({ machine: 'a machine', versions: ['x 1'], bound: false, figures })
    expect(text).toContain('a machine, no process bound to a core; x 1.')
    expect(text).toContain('### Who am I, logged in')
    expect(text).toMatch(/\| by hand, SQLite \| 300 \(165–300\) \| 0.300/)
  })

  it.each(['light', 'dark'] as const)('draws a bar per service, for a %s page', (theme) => {
    const svg = picture(figures, theme)
    expect(svg.match(/<rect x=/g)).toHaveLength(figures.length)
    expect(svg).toContain('>fastify-accounts, SQLite</text>')
  })

  it('finds a ratio that is more than a third below the recorded one, and no other', () => {
    const pair = { operation: 'me', ours: 'accounts-sqlite', theirs: 'by-hand-sqlite' } as const
    expect(compare(figures, [{ ...pair, cpu: 2.9 }])).toMatchObject([{ now: 2, fallen: false }])
    expect(compare(figures, [{ ...pair, cpu: 3.1 }])).toMatchObject([{ now: 2, fallen: true }])
    expect(() => compare([], [{ ...pair, cpu: 1 }])).toThrow('were not measured')
  })

  it('records ratios only for what it can measure', async () => {
    const file = new URL('../recorded.json', import.meta.url)
    const recorded = JSON.parse(await readFile(file, 'utf8')) as (Recorded | RecordedFootprint)[]
    for (const { operation, ours, theirs, cpu } of recorded.filter((each) => 'operation' in each)) {
      const { services } = operations[operation] as Operation
      expect(services).toEqual(expect.arrayContaining([ours, theirs]))
      expect(cpu).toBeGreaterThan(0)
    }
    const footprint = recorded.filter((each) => 'what' in each)
    expect(footprint).toHaveLength(5)
    // Nothing has grown when compared with itself.
    for (const { grown } of compareFootprint(footprint, footprint)) expect(grown).toBe(false)
  })

  it('finds a start that takes a quarter longer, and an additional package', () => {
    const start = 'start on SQLite: CPU, ours / by hand'
    const packages = "packages, beyond Fastify's own"
    const now: RecordedFootprint[] = [
      { what: start, value: 1.5 },
      { what: packages, value: 9 },
    ]
    const grown = (what: RecordedFootprint['what'], value: number) =>
      compareFootprint(now, [{ what, value }])[0]?.grown
    expect([grown(start, 1.21), grown(start, 1.19)]).toEqual([false, true])
    expect([grown(packages, 9), grown(packages, 8)]).toEqual([false, true])
    expect(() => compareFootprint([], now)).toThrow('was not measured')
  })

  it('runs everything by default', () => {
    expect(settingsOf([])).toMatchObject({ operations: operationNames, services: serviceNames })
    expect(settingsOf(['--seconds', '0.25', '--services', 'bare'])).toMatchObject({
      seconds: 0.25,
      services: ['bare'],
    })
    expect(() => settingsOf(['--operations', 'fly'])).toThrow('--operations: fly is none of')
    expect(() => settingsOf(['--seconds', '0'])).toThrow('--seconds must be')
  })
})
