import type { LightMyRequestResponse as Response } from 'fastify'
import { expect } from 'vitest'

/** Nobody can tell these answers apart: same status, same names of headers, same body to the byte. */
export function expectAlike(first: Response, ...others: Response[]): void {
  const seen = ({ statusCode, headers, body }: Response) => ({
    statusCode,
    names: Object.keys(headers),
    body,
  })
  for (const other of others) expect(seen(other)).toEqual(seen(first))
}

/** The names of a store's methods that are called from now on, in order. */
export function callsOf(store: object): string[] {
  const calls: string[] = []
  const methods = store as Record<string, unknown>
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method !== 'function') continue
    methods[name] = (...args: unknown[]) => {
      calls.push(name)
      return method.apply(store, args)
    }
  }
  return calls
}
