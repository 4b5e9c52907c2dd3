import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'

export interface HeldRequest {
  port: number
  method: string
  url: string
  cookie?: string
  /** Others. Default: none. */
  headers?: Record<string, string>
  body: object
}

/** Sends a request without its body, which is sent when the function is called; it resolves with the status. */
export function holdBody({ port, method, url, cookie, headers, body }: HeldRequest): () => Promise<number> {
  const text = JSON.stringify(body)
  const outgoing = request({
    ...{ host: '127.0.0.1', port, method, path: url },
    headers: {
      ...(cookie && { cookie }),
      ...headers,
      ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    },
  })
  const responded = once(outgoing, 'response')
  outgoing.flushHeaders()
  return async () => {
    outgoing.end(text)
    const [response] = (await responded) as [IncomingMessage]
    response.resume()
    return response.statusCode ?? 0
  }
}
