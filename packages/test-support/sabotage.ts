import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ConformanceCase, runCases } from '@fastify-accounts/testing'
import { expect } from 'vitest'
import { isFull } from './depth.js'

/**
 * Expects that the store breaks a law whose name contains `law`, and that each failure is reported in one line.
 * Returns the reasons of all failures. At quick depth only the matching laws run.
 */
export async function breaksLaws(all: ConformanceCase[], law: string): Promise<string[]> {
  const cases = isFull ? all : all.filter(({ name }) => name.includes(law))
  const lines: string[] = []
  const { passed, failures, skipped } = await runCases(cases, (line) => lines.push(line))
  expect(failures.map(({ name }) => name)).toContainEqual(expect.stringContaining(law))
  expect(passed + failures.length + skipped.length).toBe(cases.length)
  expect(lines).toHaveLength(failures.length + 1)
  for (const { reason } of failures) expect(reason).toMatch(/^\S.{5,}$/)
  return failures.map(({ reason }) => reason)
}

/** Waits, so that other calls can come in between. */
export function later(milliseconds = 1): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

/** Waits this many turns of the event loop, however long each takes. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn()
}

/** Adds a faulty `close()` to a store, and delays its calls. */
export function closesBadly<Store extends object>(
  store: Store,
  { waits = true, twice = true, rejects = true }: { waits?: boolean; twice?: boolean; rejects?: boolean },
): Store & { close(): Promise<void> } {
  const underWay = new Set<Promise<unknown>>()
  let closed = false
  const slow = (call: (...given: unknown[]) => Promise<unknown>) => {
    return async (...given: unknown[]) => {
      if (closed && rejects) throw new Error('closed')
      // If close() doesn't wait, the calls must still be running when it is done. So wait by turns: a busy machine may
      // skip milliseconds, but no turns.
      const response = (waits ? later() : turns(20)).then(() => call(...given))
      const settled = response.catch(() => undefined).finally(() => underWay.delete(settled))
      underWay.add(settled)
      return response
    }
  }
  const calls = Object.entries(store).map(([name, part]) => [
    name,
    typeof part === 'function' ? slow(part) : part,
  ])
  return {
    ...Object.fromEntries(calls),
    async close() {
      if (closed && !twice) throw new Error('closed already')
      closed = true
      if (waits) await Promise.all(underWay)
    },
  }
}
