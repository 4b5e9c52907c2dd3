import { describeError } from '../../adapters/describe-error.js'
import { databaseHint } from '../database-hint.js'

export type FindingState = 'ok' | 'warning' | 'failed'

export interface Finding {
  what: string
  state: FindingState
  /** The finding, on one line. */
  detail: string
}

/** What `work` says, or that it failed. */
export async function attempt(what: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { what, state: 'ok', detail: await work() }
  } catch (error) {
    const hint = databaseHint(error)
    return {
      what,
      state: 'failed',
      detail: hint === null ? describeError(error) : `${describeError(error)}; ${hint}`,
    }
  }
}

/** Problems that the store itself finds. */
export async function problems(
  what: string,
  inspect: () => Promise<string[]> | undefined,
): Promise<Finding[]> {
  try {
    const lines = (await inspect()) ?? []
    return lines.map((detail): Finding => ({ what, state: 'warning', detail }))
  } catch {
    // The check before this one has reported that it does not respond.
    return []
  }
}
