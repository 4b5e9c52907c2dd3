import type { FastifyError } from 'fastify'

/**
 * What was thrown and is no error: JavaScript can throw anything, and a hook of the app or of another plugin may throw the
 * body of a response, as @fastify/rate-limit does with an `errorResponseBuilder` that returns an object.
 */
export class ThrownError extends Error {
  override readonly name = 'ThrownError'
  readonly code: string
  readonly statusCode?: number
  readonly headers: unknown
  /** The response, if that is what was thrown. */
  readonly body: object | undefined
  /** What it says to people. */
  readonly text: string | undefined

  constructor(thrown: unknown) {
    const json = JSON.stringify(thrown) ?? String(thrown)
    const body: unknown = typeof thrown === 'object' && thrown !== null ? JSON.parse(json) : undefined
    const { statusCode, status, code, message, headers } = Object(body)
    const text = typeof message === 'string' && message !== '' ? message : undefined
    super(text ?? `thrown, although it isn't an error: ${json.slice(0, 200)}`)
    this.code = typeof code === 'string' ? code : ''
    if (Number.isInteger(statusCode ?? status)) this.statusCode = statusCode ?? status
    this.headers = headers
    this.body = typeof body === 'object' && body !== null ? body : undefined
    this.text = text
  }
}

/** What was thrown, as an error that can be read and logged, whatever it is. */
export function asError(thrown: unknown): FastifyError {
  try {
    return thrown instanceof Error && isReadable(thrown) ? (thrown as FastifyError) : new ThrownError(thrown)
  } catch {
    return new ThrownError('something that cannot be read')
  }
}

/** Getters may throw, and a log reads them all. */
function isReadable(error: Error): boolean {
  const { cause } = error
  for (const each of cause instanceof Error ? [error, cause] : [error]) {
    for (const name of ['message', 'stack', 'code', 'statusCode']) Reflect.get(each, name)
    for (const name in each) Reflect.get(each, name)
  }
  return true
}
