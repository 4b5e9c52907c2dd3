import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { arrivals } from '../src/storm/arrivals.js'
import { createClock } from '../src/storm/clock.js'
import { createLoad, type Load } from '../src/storm/load.js'
import { type ServiceName, serviceNames } from '../src/storm/requests.js'
import type { Storm } from '../src/storm/run.js'
import { services } from '../src/storm/service.js'
import { settingsOf } from '../src/storm/settings.js'
import { tables } from '../src/storm/tables.js'

// Before the services are imported. A quarter of the cost is still slow enough for a queue.
await vi.hoisted(async () => {
  const { isFull } = await import('@fastify-accounts/test-support/depth')
  if (isFull) return
  // Not in the URL: vitest drops its query.
  process.env.ACCOUNTS_TEST_SCRYPT_MOST = '32768'
  await import(String(new URL('../../test-support/cheap-hashes.mjs', import.meta.url)))
})

describe('the benchmark of a login storm', () => {
  it.each(serviceNames)('makes %s log in whom it can, answer the others, and serve logged-in users', (name) =>
    withLoad(name, async (load) => {
      const [me, { logins }] = await Promise.all([load.watch(0.5), load.storm(0.5, 6)])
      expect(me.count).toBeGreaterThan(0)
      expect(me.p99).toBeGreaterThanOrEqual(me.p50)
      expect(logins.hashed?.count).toBeGreaterThan(0)
      const { sent, hashed, refused, unanswered } = logins
      expect((hashed?.count ?? 0) + (refused?.count ?? 0) + unanswered).toBe(sent)
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
    const storm = (service: Storm['service'], p99: number, refused: number): Storm => ({
      service,
      capacity: 7,
      idle: { count: 10, p50: 1, p99: 2, max: 2 },
      storm: {
        me: { count: 10, p50: 1, p99, max: p99 },
        logins: {
          sent: 100,
          hashed: { count: 100 - refused, p50: 9000, p99: 9000, max: 9000 },
          refused: refused > 0 ? { count: refused, p50: 1, p99: 2, max: 2 } : null,
          unanswered: 0,
        },
        drain: 5,
      },
      seconds: 20,
      recovered: { count: 10, p50: 1, p99: 2, max: 2 },
      base: 100 * 2 ** 20,
      peak: 140 * 2 ** 20,
    })
    const text = tables({
      ...nothing,
      storms: [
        storm('fastify-accounts', 2, 80),
        storm('fastify-accounts', 4, 80),
        storm('better-auth', 200, 0),
        storm('better-auth', 200, 0),
      ],
    })
    expect(text).toContain('| **p99, storm / idle** | 1.50 (1.00–2.00) | 100 (100–100) |')
    expect(text).toContain('| logins refused (429, 503) | 80.0 % (80.0–80.0) | 0.00 % (0.00–0.00) |')
    expect(text).toContain('| a refusal takes: p99 | 2.00 ms (2.00–2.00) | – |')
    expect(text).toContain(
      '| **memory at the most, above that** | 40.0 MiB (40.0–40.0) | 40.0 MiB (40.0–40.0) |',
    )
  })

  it.each(['fastify-accounts', 'better-auth'] as const)(
    'reports how strangers and known devices fare alongside insiders of %s',
    async (name) => {
      await withLoad(name, async (load) => {
        const idle = await load.watch(0.1)
        await load.gather(2, 2)
        const contest = await load.insiders(0.5, { insiders: 4, strangers: 4, devices: 4 })
        for (const outcomes of Object.values(contest)) {
          expect(outcomes).toMatchObject({ sent: 2, refused: null, unanswered: 0 })
        }
        const text = tables({
          ...nothing,
          contests: [{ service: name, capacity: 7, idle, contest: { ...contest, me: idle } }],
        })
        expect(text).toContain(`| insiders against strangers | ${name} |`)
        expect(text).toContain('| logins of known devices let in | 100 % |')
        expect(text).toMatch(/a known device's login: p99\*\* \| [\d.,]+ ms \|/)
      })
    },
  )

  it('counts unanswered requests among the slowest', () => {
    const times = { count: 10, p50: 100, p99: 200, max: 200 }
    const none = { sent: 10, hashed: times, refused: null, unanswered: 0 }
    const contest = {
      me: times,
      insiders: none,
      strangers: none,
      devices: { ...none, sent: 11, unanswered: 1 },
    }
    const text = tables({
      ...nothing,
      contests: [{ service: 'better-auth', capacity: 7, idle: times, contest }],
    })
    expect(text).toContain("| **a known device's login: p99** | 15000 ms |")
    expect(text).toContain("| **a stranger's login: p99** | 200 ms |")
  })

  it('reports how many log in right after a start', async () => {
    await withLoad('fastify-accounts', async (load) => {
      const readClock = createClock('/me/')
      const [idle, logins] = await Promise.all([load.watch(0.1), load.burst(100)])
      expect(logins.sent).toBe(100)
      expect(logins.refused?.count).toBeGreaterThan(0)
      const clock = readClock()
      expect(clock.me?.count).toBe(idle.count)
      expect(clock.longest).toBeGreaterThan(0)
      expect(readClock().me).toBeNull()
      const text = tables({
        ...nothing,
        starts: (['fastify-accounts', 'floor'] as const).map((service) => {
          return { service, logins: 100, idle, burst: { me: idle, logins }, clock }
        }),
      })
      expect(text).toContain('| 100 logins at once, right after a start | fastify-accounts | floor |')
    })
  })

  it('runs three storms at ten times the capacity against each service by default', () => {
    expect(settingsOf([])).toMatchObject({ services: serviceNames, rounds: 3, times: 10 })
    expect(() => settingsOf(['--services', 'passport'])).toThrow('--services: passport is none of')
  })
})

const nothing = { machine: 'a machine', versions: ['x 1'], times: 10, storms: [], contests: [], starts: [] }

/** A service with twenty users, one of them logged in. */
async function withLoad(name: ServiceName, work: (load: Load) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-storm-'))
  const file = join(folder, 'accounts.db')
  await services[name].seed(file, 20)
  const app = await services[name].serve(file, false)
  const load = createLoad(name, await app.listen({ host: '127.0.0.1', port: 0 }), 20)
  try {
    await load.begin()
    await work(load)
  } finally {
    await load.close()
    await app.close()
    await rm(folder, { recursive: true })
  }
}
