import type { CustomFetch } from 'openid-client'
import { isLoopback } from './settings.js'

/** A provider that does not respond, or whose response is invalid. */
export class OutageError extends Error {}

/** The maximum size of a provider's response, in bytes: documents, keys and tokens are a few KB. */
const longest = 512 * 1024

/**
 * Fetches with a deadline for the whole response and a size limit. Redirects are returned, not followed.
 * @param deadline milliseconds
 */
export function createBoundedFetch(deadline: number): CustomFetch {
  return async (url, { body, headers, method }) => {
    const target = new URL(url)
    // A discovery document may contain any URL.
    if (target.protocol !== 'https:' && !isLoopback(target))
      throw new OutageError(`${target.origin} is not https`)
    const signal = AbortSignal.timeout(deadline)
    const response = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(body !== undefined && body !== null && { body: body as NonNullable<RequestInit['body']> }),
    })
    const { status, statusText, headers: responseHeaders } = response
    const bytes = await readBounded(response)
    // fetch() has decoded it.
    const kept = new Headers(responseHeaders)
    for (const name of ['content-encoding', 'content-length']) kept.delete(name)
    const hasBody = ![101, 204, 205, 304].includes(status)
    return new Response(hasBody ? bytes : null, { status, statusText, headers: kept })
  }
}

async function readBounded({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = []
  let length = 0
  if (body === null) return Buffer.alloc(0)
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    length += part.byteLength
    if (length > longest) throw new OutageError(`a response was longer than ${longest} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
