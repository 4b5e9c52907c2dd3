import { Writable } from 'node:stream'
import type { Stores } from '@fastify-accounts/test-support/faults/grounds'
import { createPost, type Service, startService } from '@fastify-accounts/test-support/faults/service'
import type { AccountsOptions } from 'fastify-accounts'
import { expect, onTestFinished, vi } from 'vitest'

// docs/deployment.md: in the log an outage is two lines, however many requests it affects.

export interface Line {
  level: number
  msg: string
  adapter?: string
}

/** A service that logs, and its lines of level warn and above since it has started. */
export async function logging(
  stores: Stores,
  options: Partial<AccountsOptions> = {},
): Promise<{ service: Service; loud: () => Line[] }> {
  const lines: Line[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const service = await startService(stores, options, createPost(), { logger: { level: 'info', stream } })
  onTestFinished(() => service.app.close())
  lines.length = 0
  return { service, loud: () => lines.filter(({ level }) => level > 30) }
}

/** From now on, and until the end of the test, time passes only in `pass`. */
export function holdClock(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

/** Enough for emails in memory to be attempted and given up, and for the end of an outage to be logged. */
export async function pass(): Promise<void> {
  for (let second = 0; second < 12; second += 1) {
    await vi.advanceTimersByTimeAsync(1000)
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  }
}

/** The lines at the beginning of an outage: at most one for each adapter. */
export function expectBegun(lines: Line[], adapters: readonly string[], message: string): void {
  const told = lines.map(({ adapter }) => adapter)
  expect(adapters).toEqual(expect.arrayContaining(told))
  expect(new Set(told).size).toBe(told.length)
  for (const { level, msg, adapter } of lines)
    expect([level, msg]).toEqual([50, `accounts: ${adapter} is unavailable: ${message}`])
}

/** The lines at its end: one for each of those. */
export function expectEnded(lines: Line[], begun: Line[]): void {
  const ends = /is available again after \d+ (ms|s|min), [\d,]+ calls? failed$/
  expect(lines.map(({ adapter }) => adapter).sort()).toEqual(begun.map(({ adapter }) => adapter).sort())
  for (const { level, msg } of lines) expect([level, msg]).toEqual([40, expect.stringMatching(ends)])
}
