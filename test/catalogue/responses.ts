import type { LightMyRequestResponse as Response } from 'fastify'
import { expect } from 'vitest'

/** Expects indistinguishable responses: same status, same header names, byte-identical body. */
export function expectAlike(first: Response, ...others: Response[]): void {
  const seen = ({ statusCode, headers, body }: Response) => ({
    statusCode,
    names: Object.keys(headers),
    body,
  })
  for (const other of others) expect(seen(other)).toEqual(seen(first))
}
