import { type AdapterNotes, createAdapterNotes } from './adapter-notes.js'

/** After how long the server itself cancels a statement, learned from each connection as it opens. */
export interface ServerLimit {
  /**
   * Whether the server would cancel a statement sent now in time. False if it has been silent: its clock starts when
   * it reads the statement, which a hanging server does later.
   * @param deadline in milliseconds of `performance.now()`
   */
  endsBefore(deadline: number): boolean

  /** Asks a connection for its limit. @param answer milliseconds, 0 if it has none; rejects if it is closed */
  ask(answer: Promise<number>): void

  /** The server has just answered, on any connection. */
  answered(): void
}

/** Milliseconds for a statement and its answer to travel, and for how long an answer shows that the server reads. */
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

/** For the databases that learn it. */
export const serverLimits: AdapterNotes<ServerLimit> = createAdapterNotes<ServerLimit>()
