import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import Negotiator from 'negotiator'

/** The name of the constraint, and its only value. */
const name = 'accountsPage'
const value = 'navigation'

/** The constraint of a route that only browsers reach that open a page or send its form. */
export const forNavigation = { [name]: value }

/**
 * Whether a browser opens a page, or sends the form of one, rather than a script or another program its request: a browser
 * says so itself (Fetch Metadata), an older one by preferring HTML.
 */
export function isNavigation({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  // A client that keeps tokens or keys gets no pages.
  if (headers['accounts-delivery'] !== undefined || /^bearer /i.test(headers.authorization ?? ''))
    return false
  if (method === 'POST') {
    const type = headers['content-type'] ?? ''
    if (!type.toLowerCase().startsWith('application/x-www-form-urlencoded')) return false
  } else if (method !== 'GET' && method !== 'HEAD') return false
  const mode = headers['sec-fetch-mode']
  if (mode !== undefined) return mode === 'navigate'
  if (!headers.accept?.includes('text/html')) return false
  const [first] = new Negotiator({ headers }).mediaTypes(['application/json', 'text/html'])
  return first === 'text/html'
}

/** Lets routes of this app have the constraint. Requests that don't meet it reach the other route of their path. */
export function addNavigation(scope: FastifyInstance): void {
  if (scope.hasConstraintStrategy(name)) return
  scope.addConstraintStrategy({
    name,
    mustMatchWhenDerived: false,
    deriveConstraint: (request: IncomingMessage) => (isNavigation(request) ? value : undefined),
    storage() {
      const handlers = new Map<unknown, never>()
      return {
        get: (key: unknown) => handlers.get(key) ?? null,
        set: (key: unknown, handler: never) => void handlers.set(key, handler),
      }
    },
    validate() {},
  } as never)
}
