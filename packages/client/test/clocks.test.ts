import { times } from '@fastify-accounts/test-support/depth'
import fc from 'fast-check'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createAccountsClient, type StoredTokens } from '../src/index.js'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** How long the service takes an access token. */
const lifetime = 15 * minute
/** The client refreshes ten seconds early, because a request takes a while. */
const usable = lifetime - 10 * second

type Step =
  | { does: 'wait'; milliseconds: number; isAsleep: boolean }
  /** Somebody sets the device's clock. */
  | { does: 'set'; milliseconds: number }
  /** The app ends and begins again, with what is stored. */
  | { does: 'restart' }
  /** Sockets connect at once. If that needs a refresh, its response is on the way so long. */
  | { does: 'connect'; sockets: number; milliseconds: number; isAsleep: boolean }

const wait = (milliseconds: number, isAsleep = false): Step => ({ does: 'wait', milliseconds, isAsleep })
const sleep = (milliseconds: number) => wait(milliseconds, true)
const set = (milliseconds: number): Step => ({ does: 'set', milliseconds })
const restart: Step = { does: 'restart' }
const connect = (milliseconds = 0, isAsleep = false): Step => ({
  ...{ does: 'connect', sockets: 3, milliseconds, isAsleep },
})

/** A service, and a device whose clocks are those of this process. */
function createWorld() {
  /** By the service, whose clock is right. */
  let time = 0
  const issuedAt = new Map<string, { time: number; wall: number }>()
  /** When the app of now first had the token, by the device. */
  let firstHad = new Map<string, { wall: number; steady: number }>()
  let refreshes = 0
  let transit = { milliseconds: 0, isAsleep: false }
  let json = 'null'

  /** Asleep, the device's steady clock stands still. */
  function pass({ milliseconds, isAsleep }: typeof transit): void {
    time += milliseconds
    if (isAsleep) vi.setSystemTime(Date.now() + milliseconds)
    else vi.advanceTimersByTime(milliseconds)
  }

  function note(token: string | undefined): void {
    if (token === undefined || firstHad.has(token)) return
    firstHad.set(token, { wall: Date.now(), steady: performance.now() })
  }

  function issue() {
    const token = `fat_${issuedAt.size}`
    issuedAt.set(token, { time, wall: Date.now() })
    note(token)
    pass(transit)
    transit = { milliseconds: 0, isAsleep: false }
    return { access_token: token, refresh_token: `far_${token}`, expires_in: lifetime / second }
  }

  function start() {
    firstHad = new Map()
    return createAccountsClient({
      baseUrl: 'https://example.org',
      tokens: {
        load() {
          const stored: StoredTokens | null = JSON.parse(json)
          note(stored?.access)
          return stored
        },
        save(stored) {
          json = JSON.stringify(stored)
        },
      },
      async fetch(input) {
        if (String(input).endsWith('/tokens/refresh/')) refreshes += 1
        return Response.json({ tokens: issue() })
      },
    })
  }

  return {
    start,
    pass,
    time: () => time,
    refreshes: () => refreshes,
    delay(next: typeof transit) {
      transit = next
    },
    /** Whether the service takes the token. */
    takes: (token: string) => time - (issuedAt.get(token)?.time ?? Number.NaN) < lifetime,
    /** The greatest age of the token that a clock of the device shows. */
    shownAge(token: string): number {
      const [issued, had] = [issuedAt.get(token), firstHad.get(token)]
      if (issued === undefined || had === undefined) throw new Error(`${token} came from nowhere`)
      const since = Math.max(Date.now() - had.wall, performance.now() - had.steady)
      return Math.max(Date.now() - issued.wall, since + Math.max(had.wall - issued.wall, 0))
    },
  }
}

async function live(steps: Step[]): Promise<void> {
  vi.setSystemTime('2026-11-29')
  const world = createWorld()
  let app = world.start()
  await app.logIn({ username: 'ada', password: 'seven green lanterns' })
  let [setForward, refused] = [0, 0]

  /** The one token that all sockets get. */
  async function tokenFor(sockets: number, call?: { refused: string }): Promise<string> {
    const tokens = await Promise.all(Array.from({ length: sockets }, () => app.accessToken(call)))
    expect(new Set(tokens).size).toBe(1)
    return String(tokens[0])
  }

  for (const step of steps) {
    if (step.does === 'wait') world.pass(step)
    else if (step.does === 'restart') app = world.start()
    else if (step.does === 'set') {
      vi.setSystemTime(Date.now() + step.milliseconds)
      if (step.milliseconds > 0) setForward += 1
    } else {
      world.delay(step)
      const token = await tokenFor(step.sockets)
      world.delay({ milliseconds: 0, isAsleep: false })
      if (world.takes(token)) continue
      expect(world.shownAge(token), 'a clock showed that the token had expired').toBeLessThan(lifetime)
      const before = world.refreshes()
      expect(world.takes(await tokenFor(step.sockets, { refused: token }))).toBe(true)
      expect(world.refreshes() - before).toBe(1)
      refused += 1
    }
  }
  expect(world.refreshes()).toBeLessThanOrEqual(world.time() / usable + setForward + refused)
}

it('a token that has expired by any clock is not handed out, and one that the service refuses is replaced once', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const span = fc
    .oneof(
      fc.integer({ max: 30, min: 0 }),
      fc.integer({ max: 1200, min: 0 }),
      fc.integer({ max: 172_800, min: 0 }),
    )
    .map((seconds) => seconds * second)
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({ does: fc.constant('wait'), milliseconds: span, isAsleep: fc.boolean() }),
    fc.record({
      does: fc.constant('set'),
      milliseconds: fc.oneof(
        span,
        span.map((each) => -each),
      ),
    }),
    fc.constant(restart),
    {
      weight: 2,
      arbitrary: fc.record({
        does: fc.constant('connect'),
        sockets: fc.integer({ min: 1, max: 5 }),
        milliseconds: fc.oneof(fc.constant(0), span),
        isAsleep: fc.boolean(),
      }),
    },
  )
  await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 30 }), live), {
    numRuns: times({ quick: 300, full: 10_000 }),
    seed: 20_261_129,
    examples: [
      // Woken after an hour.
      [[sleep(hour), ...[1, 2, 3].flatMap(() => [connect(), wait(5 * second)])]],
      // Put to sleep while the response was on its way.
      [[wait(lifetime), connect(hour, true), connect()]],
      // The clock was wrong when the token was stored.
      ...[wait(lifetime), sleep(lifetime)].map((pause): [Step[]] => [
        [set(day), wait(lifetime), connect(), set(-day), restart, connect(), pause, connect()],
      ]),
      // The clock is set back, without sleep and after a restart.
      [[set(-hour), wait(lifetime), connect()]],
      [[wait(10 * minute), restart, connect(), set(-hour), wait(10 * minute), connect()]],
    ],
  })
})
