import { inspect } from 'node:util'
import { AccountsError } from '../errors.js'

/**
 * Describes an error in one line. The stores only say that they are unavailable; the underlying driver says
 * why. A message meant for the reader of a page is left out if there is a cause.
 */
export function describeError(error: unknown): string {
  const lines: string[] = []
  for (let each = error; each !== undefined && lines.length < 4; ) {
    const { message, cause, code, errors } = (each ?? {}) as {
      message?: unknown
      cause?: unknown
      code?: unknown
      errors?: unknown[]
    }
    const text = typeof message === 'string' && message !== '' ? message : plain(code ?? each)
    const next = cause ?? errors?.[0]
    const isForReaders = each instanceof AccountsError && next !== undefined
    if (!isForReaders && !lines.includes(text)) lines.push(text)
    each = next
  }
  return lines.join(': ').replaceAll(/\s+/g, ' ')
}

/** What passes between threads may have no prototype, and so no text of its own. */
function plain(value: unknown): string {
  const isBare = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === null
  return isBare ? inspect(value) : String(value)
}
