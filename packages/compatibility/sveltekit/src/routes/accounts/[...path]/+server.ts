import type { RequestHandler } from '@sveltejs/kit'
import { callService } from '$lib/server/accounts'

// The URLs of the service's pages end in a slash.
export const trailingSlash = 'ignore'

/** Proxies link pages and calls from scripts to the service, with the browser's own headers. */
const handOn: RequestHandler = async (event) => {
  const { method, headers } = event.request
  const own: Record<string, string> = {}
  for (const name of ['accept', 'content-type', 'origin', 'sec-fetch-site']) {
    const value = headers.get(name)
    if (value !== null) own[name] = value
  }
  const { response } = await callService(event, event.url.pathname + event.url.search, {
    method,
    headers: own,
    ...(method !== 'GET' && method !== 'HEAD' && { body: await event.request.arrayBuffer() }),
  })
  const handed = new Headers(response.headers)
  // They describe the transfer between the two servers.
  for (const name of [
    'connection',
    'content-encoding',
    'content-length',
    'keep-alive',
    'transfer-encoding',
  ]) {
    handed.delete(name)
  }
  return new Response(response.body, { status: response.status, headers: handed })
}

export const GET = handOn
export const HEAD = handOn
export const POST = handOn
export const PATCH = handOn
export const DELETE = handOn
