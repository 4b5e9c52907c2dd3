import { type AdapterNotes, createAdapterNotes } from './adapter-notes.js'

/** After how long the server itself gives up a statement, learned from each connection as it opens. */
export interface ServerLimit {
  /**
   * Whether the server would give up in time what it is asked now. Not if it has been silent: its clock starts when it
   * reads the statement, which one that hangs does later.
   * @param deadline in milliseconds of `performance.now()`
   */
  endsBefore(deadline: number): boolean

  /** A connection is asked for its limit. @param answer milliseconds, 0 where it has none; rejects where it is given up */
  ask(answer: Promise<number>): void

  /** The server has answered just now, on any connection. */
  answered(): void
}

/** Milliseconds for a statement's way to the server and its answer's, and for how long an answer shows that it reads. */
const onTheWay = 500

export function createServerLimit(): ServerLimit {
  let asked = 0
  let longest = 0
  let lastAnswer = Number.NEGATIVE_INFINITY
  const answered = (): void => {
    lastAnswer = performance.now()
  }
  return {
    endsBefore(deadline) {
      const now = performance.now()
      return asked === 0 && longest > 0 && now - lastAnswer < onTheWay && now + longest + onTheWay < deadline
    },

    answered,

    ask(answer) {
      asked += 1
      answer
        .then(
          (own) => {
            answered()
            longest = Math.max(longest, own === 0 ? Number.POSITIVE_INFINITY : own)
          },
          () => {}, // asks nothing any more
        )
        .finally(() => {
          asked -= 1
        })
    },
  }
}

/** Of the databases that learn it. */
export const serverLimits: AdapterNotes<ServerLimit> = createAdapterNotes<ServerLimit>()
