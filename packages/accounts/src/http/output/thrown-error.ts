import type { FastifyError } from 'fastify'
import { isError } from '../../adapters/is-error.js'

/**
 * What was thrown and is no error: JavaScript can throw anything, and a hook of the app or of another plugin may throw the
 * body of a response, as @fastify/rate-limit does with an `errorResponseBuilder` that returns an object.
 */
export class ThrownError extends Error {
  override readonly name = 'ThrownError'
  readonly code: string
  readonly statusCode?: number
  // Private, as a log shows every property: it may be what another service responded, or was asked with.
  readonly #body: object | undefined
  readonly #text: string | undefined

  constructor(thrown: unknown) {
    const json = JSON.stringify(thrown) ?? String(thrown)
    const parsed: unknown = typeof thrown === 'object' && thrown !== null ? JSON.parse(json) : undefined
    const body = typeof parsed === 'object' && parsed !== null ? parsed : undefined
    const { statusCode, status, code, message } = Object(body)
    const text = typeof message === 'string' && message !== '' ? message : undefined
    const shown = body ? `an object with ${Object.keys(body)}` : json
    super(text ?? `thrown, although it isn't an error: ${shown.slice(0, 200)}`)
    this.code = typeof code === 'string' ? code : ''
    if (Number.isInteger(statusCode ?? status)) this.statusCode = statusCode ?? status
    this.#body = body
    this.#text = text
  }

  /** The response, if that is what was thrown. */
  get body(): object | undefined {
    return this.#body
  }

  get headers(): unknown {
    return Object(this.#body).headers
  }

  /** What it says to people. */
  get text(): string | undefined {
    return this.#text
  }
}

/** What was thrown, as an error that can be read and logged, whatever it is. */
export function asError(thrown: unknown): FastifyError {
  try {
    return isError(thrown) && isReadable(thrown) ? (thrown as FastifyError) : new ThrownError(thrown)
  } catch {
    return new ThrownError('something that cannot be read')
  }
}

/** Getters may throw, and a log reads them all. */
function isReadable(error: Error): boolean {
  const { cause } = error
  for (const each of isError(cause) ? [error, cause] : [error]) {
    for (const name of ['message', 'stack', 'code', 'statusCode']) Reflect.get(each, name)
    for (const name in each) Reflect.get(each, name)
  }
  return true
}
