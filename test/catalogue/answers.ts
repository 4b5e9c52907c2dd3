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
