import type { AtCommit } from '@fastify-accounts/test-support/commits'
import type { Line } from '@fastify-accounts/test-support/redis/proxy'
import { expect, vi } from 'vitest'
import { driverError } from './faults.js'

/** What a function of `alongside` meets. */
export interface Fault {
  /** The status of the response. */
  status: number
  /** Whether the change is made all the same. Default `false`. */
  isMade?: boolean
  /** Whether it waits until the test goes on: before the request is sent again, or after it. */
  waits?: 'before' | 'after'
  /** Whether the function throws before it returns a promise, and so before its rows. */
  isSynchronous?: boolean
  /** Whether only a connection to a server can meet it. */
  isOfServers?: boolean
  /** @param own changes the app's rows */
  within?(own: () => Promise<void>, line: Line | undefined): Promise<void>
  /** @param isCommitted asks the database */
  atCommit?(line: Line | undefined, isCommitted: () => Promise<boolean>): AtCommit
}

export const refusal = () => Object.assign(new Error('the plan is full'), { statusCode: 402 })

export const faults: Record<string, Fault> = {
  // The app's own error is its response.
  rejects: {
    status: 402,
    async within(own) {
      await own()
      throw refusal()
    },
  },
  'throws synchronously': { status: 402, isSynchronous: true },
  'responds too late': { status: 503, waits: 'before' },
  'responds after the retry': { status: 503, waits: 'after' },
  'loses its connection before its rows': {
    status: 503,
    isOfServers: true,
    async within(own, line) {
      await line?.cut()
      await own()
    },
  },
  'loses its connection after its rows': {
    status: 503,
    isOfServers: true,
    async within(own, line) {
      await own()
      await line?.cut()
    },
  },
  'is not committed': {
    status: 503,
    atCommit: (line) => async (commit) => {
      if (line === undefined) throw driverError()
      await line.cut()
      await commit()
    },
  },
  'is committed, result lost': {
    status: 503,
    isMade: true,
    atCommit: (line, isCommitted) => async (commit) => {
      line?.hold()
      const committing = commit()
      committing.catch(() => {})
      await vi.waitFor(async () => expect(await isCommitted()).toBe(true), 60_000)
      if (line === undefined) throw driverError()
      await line.cut()
      await committing
    },
  },
}
