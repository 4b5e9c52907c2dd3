import { once } from 'node:events'
import { connect } from 'node:net'

/** An HTTP/1.1 response, read off the wire. */
export interface RawResponse {
  /** 0 if the connection was closed without a response. */
  statusCode: number
  /** By lowercase name; repeated headers are joined by line breaks. */
  headers: Record<string, string>
  body: string
}

/** Milliseconds to wait for data from the server. */
const patience = 20_000

/**
 * Sends bytes to a server on loopback and reads until it closes. Requests should include `Connection: close`.
 * @throws Error if the server neither responds nor closes
 */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<RawResponse> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.setTimeout(patience, () => socket.destroy(new Error('the server sent nothing in time')))
  const closed = once(socket, 'close')
  socket.write(bytes)
  try {
    await closed
  } catch (error) {
    // A server that rejects the request may reset the connection after its response.
    if (chunks.length === 0 && (error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
  return parse(Buffer.concat(chunks).toString('latin1'))
}

function parse(text: string): RawResponse {
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = name in headers ? `${headers[name]}\n${value}` : value
  }
  return { statusCode: Number(statusLine.split(' ')[1] ?? 0), headers, body: text.slice(end + 4) }
}
