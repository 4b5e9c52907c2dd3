import type { CustomFetch } from 'openid-client'
import { isLoopback } from './settings.js'

/** A provider that does not answer, or not as one may. */
export class OutageError extends Error {}

/** The longest answer of a provider that is read, in bytes: documents, keys and tokens are a few KB. */
const longest = 512 * 1024

/**
 * Fetches with a deadline for the whole answer and a limit to its size. A redirect is an answer, and not followed.
 * @param deadline milliseconds
 */
export function createBoundedFetch(deadline: number): CustomFetch {
  return async (url, { body, headers, method }) => {
    const target = new URL(url)
    // A discovery document may name any address.
    if (target.protocol !== 'https:' && !isLoopback(target))
      throw new OutageError(`${target.origin} is not https`)
    const signal = AbortSignal.timeout(deadline)
    const answer = await fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(body !== undefined && body !== null && { body: body as NonNullable<RequestInit['body']> }),
    })
    const { status, statusText, headers: answered } = answer
    const bytes = await readBounded(answer)
    // fetch() has decoded it.
    const kept = new Headers(answered)
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
    if (length > longest) throw new OutageError(`an answer was longer than ${longest} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}
