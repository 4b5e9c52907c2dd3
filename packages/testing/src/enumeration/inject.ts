import { AssertionError } from 'node:assert'
import { randomBytes, randomInt } from 'node:crypto'

/** The part of a Fastify app that the check needs, ready or not. */
export interface InjectableApp {
  inject(request: {
    method: 'POST'
    url: string
    payload: Record<string, unknown>
    remoteAddress: string
    headers?: Record<string, string>
  }): PromiseLike<InjectedResponse>
}

/** What an app returns. */
export interface InjectedResponse {
  statusCode: number
  body: string
  headers: Record<string, unknown>
}

/** Milliseconds after which a response counts as waiting for the mailer. */
const patience = 10_000

let clients = 0

/** From another client each time, so limits by address don't interfere. */
export function send(
  app: InjectableApp,
  path: string,
  payload: Record<string, unknown>,
  headers: Record<string, string> = {},
): PromiseLike<InjectedResponse> {
  clients += 1
  const network = clients
    .toString(16)
    .padStart(8, '0')
    .replace(/(.{4})$/, ':$1')
  return app.inject({ method: 'POST', url: path, payload, remoteAddress: `2001:db8:${network}::1`, headers })
}

/**
 * The response, if it comes while the mailer is held.
 * @throws AssertionError also if it only says that the check can't be made
 */
export async function inTime(
  path: string,
  name: string,
  response: PromiseLike<InjectedResponse>,
): Promise<InjectedResponse> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience)
  })
  const first = await Promise.race([response.then((value) => ({ value })), late])
  clearTimeout(timer)
  if (first === undefined) return broken(`${path} does not respond for "${name}" while the mailer is busy`)
  const { statusCode } = first.value
  if (statusCode === 429) broken(`${path} is throttled; check an app that was not used before`)
  return first.value
}

/** What is wrong if a request of the app's own gets this from everybody: then nothing was compared. */
export const notFound = (request: string): string => `${request} returns 404 to all; is there such a route?`

/** A username or password that nobody has, always as long. */
export function unlikely(): string {
  return `n${randomBytes(12).toString('hex')}`
}

/** Letters and digits of this number. */
export function randomName(length: number): string {
  return Array.from({ length }, () => randomInt(36).toString(36)).join('')
}

/** Two texts from their first difference. */
export function difference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const start = Math.max(0, at - 20)
  return `${shown(one.slice(start))} and ${shown(other.slice(start))}`
}

export function shown(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

export function broken(message: string): never {
  throw new AssertionError({ message })
}
