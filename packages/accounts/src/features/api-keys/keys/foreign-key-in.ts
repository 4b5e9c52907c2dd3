import type { IncomingHttpHeaders } from 'node:http'
import type { ForeignKeys } from '../../../tokens/api-key.js'

/** As long as any of these systems makes one, several times over: a longer value isn't even hashed. */
const longestKey = 512

/**
 * What a request sends in the places where other systems expect their keys: better-auth in `X-API-Key`, and apps on it
 * often as a bearer token; Django REST framework in `Authorization: Token`. A value there may also be the app's own.
 * @param imported whose keys work here; with none, nothing is read
 */
export function foreignKeyIn(headers: IncomingHttpHeaders, imported: readonly ForeignKeys[]): string | null {
  const candidates = imported.flatMap((each) =>
    each === 'authtoken' ? tokenIn(headers) : betterAuthIn(headers),
  )
  return candidates.find((text) => text !== '' && text.length <= longestKey) ?? null
}

function tokenIn({ authorization = '' }: IncomingHttpHeaders): string[] {
  return [/^Token +([0-9a-f]{40})$/i.exec(authorization)?.[1] ?? '']
}

function betterAuthIn(headers: IncomingHttpHeaders): string[] {
  const { authorization = '' } = headers
  return [[headers['x-api-key']].flat()[0] ?? '', /^Bearer +([\w.~+/=-]+)$/i.exec(authorization)?.[1] ?? '']
}
