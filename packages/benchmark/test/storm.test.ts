import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import type { ServiceName } from '../src/requests/names.js'
import { createPlace } from '../src/requests/place.js'
import { loadService } from '../src/requests/services.js'
import { arrivals, createLoad, type Load } from '../src/storm/load.js'
import type { Storm } from '../src/storm/run.js'
import { contestTable, stormTable } from '../src/storm/tables.js'

// Before the services are imported. A quarter of the cost is still slow enough for a queue.
await vi.hoisted(async () => {
  const { isFull } = await import('@fastify-accounts/test-support/depth')
  if (isFull) return
  // Not in the URL: vitest drops its query.
  process.env.ACCOUNTS_TEST_SCRYPT_MOST = '32768'
  await import(String(new URL('../../test-support/cheap-hashes.mjs', import.meta.url)))
})

const times = { count: 10, p50: 100, p99: 200, max: 200 }

describe('the benchmark of a login storm', () => {
  const attacked = ['accounts-sqlite', 'better-auth-sqlite'] as const

  it.each(attacked)(
    'makes %s log in whom it can, respond to the others, and serve logged-in users',
    (service) =>
      withLoad(service, async (load) => {
        const [me, { logins }] = await Promise.all([load.watch(0.5), load.storm(0.5, 6)])
        expect(me.p99).toBeGreaterThanOrEqual(me.p50)
        expect(logins.hashed?.count).toBeGreaterThan(0)
        const { sent, hashed, refused, timedOut } = logins
        expect((hashed?.count ?? 0) + (refused?.count ?? 0) + timedOut).toBe(sent)
      }),
  )

  it.each(attacked)('reports how strangers and known devices fare alongside insiders of %s', (service) =>
    withLoad(service, async (load) => {
      await load.gather(2, 2)
      const contest = await load.insiders(0.5, { insiders: 4, strangers: 4, devices: 4 })
      for (const outcomes of Object.values(contest)) {
        expect(outcomes).toMatchObject({ sent: 2, refused: null, timedOut: 0 })
      }
      const text = contestTable([{ service, capacity: 7, idle: times, contest: { ...contest, me: times } }])
      expect(text).toContain('| logins of known devices let in | 100 % |')
      expect(text).toMatch(/a known device's login: p99\*\* \| [\d.,]+ ms \|/)
    }),
  )

  it('sends at its rate, whether or not responses arrive', async () => {
    let sent = 0
    await arrivals(1000, performance.now() + 50, () => {
      sent += 1
    })
    expect([49, 50]).toContain(sent)
  })

  it('writes a column per service, with medians, ranges and the ratio', () => {
    const storm = (service: ServiceName, p99: number, refused: number): Storm => ({
      service,
      capacity: 7,
      idle: { ...times, p99: 2 },
      storm: {
        me: { ...times, p99 },
        logins: {
          sent: 100,
          hashed: { ...times, count: 100 - refused },
          refused: refused > 0 ? { ...times, p99: 2 } : null,
          timedOut: 0,
        },
        drain: 5,
      },
      recovered: times,
      base: 100 * 2 ** 20,
      peak: 140 * 2 ** 20,
    })
    const text = stormTable([
      storm('accounts-sqlite', 2, 80),
      storm('accounts-sqlite', 4, 80),
      storm('better-auth-sqlite', 200, 0),
    ])
    expect(text).toContain('| **p99, storm / idle** | 1.50 (1.00–2.00) | 100 |')
    expect(text).toContain('| a refusal takes: p99 | 2.00 ms (2.00–2.00) | – |')
    expect(text).toContain('| **memory at the most, above that** | 40.0 MiB (40.0–40.0) | 40.0 MiB |')
  })

  it('counts pending requests among the slowest', () => {
    const none = { sent: 10, hashed: times, refused: null, timedOut: 0 }
    const devices = { ...none, sent: 11, timedOut: 1 }
    const contest = { me: times, insiders: none, strangers: none, devices }
    const text = contestTable([{ service: 'better-auth-sqlite', capacity: 7, idle: times, contest }])
    expect(text).toContain("| **a known device's login: p99** | 15000 ms |")
    expect(text).toContain("| **a stranger's login: p99** | 200 ms |")
  })
})

/** A service with twenty users, one of them logged in. */
async function withLoad(service: ServiceName, work: (load: Load) => Promise<void>): Promise<void> {
  const { drop, ...place } = await createPlace(service)
  const { serve } = await loadService(service)
  const app = await serve(place, { users: 20, hash: 'real', production: true })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const load = createLoad(service, (app.server.address() as AddressInfo).port, 20)
  try {
    await load.begin()
    await work(load)
  } finally {
    await load.close()
    await app.close()
    await drop()
  }
}
