import { once } from 'node:events'
import { createConnection } from 'node:net'

/** The response; header names as the server wrote them. */
export interface HttpResponse {
  status: number
  head: string
  body: string
}

/**
 * One connection that sends requests one after the other. It supports just enough HTTP/1.1 for Node servers that send
 * a content length: a full client uses more of a core than the server being measured.
 */
export interface Connection {
  /** @throws Error if the connection breaks */
  ask(request: string): Promise<HttpResponse>
  close(): void
}

export async function connect(port: number): Promise<Connection> {
  const socket = createConnection({ host: '127.0.0.1', port, noDelay: true })
  // One byte per character, so lengths are right.
  socket.setEncoding('latin1')
  await once(socket, 'connect')
  let text = ''
  let waiting: { resolve(response: HttpResponse): void; reject(error: Error): void } | null = null
  socket.on('data', (data: string) => {
    text = text === '' ? data : text + data
    try {
      const response = parse(text)
      if (response === null) return
      text = ''
      waiting?.resolve(response)
    } catch (error) {
      waiting?.reject(error as Error)
    }
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('the server closed a connection')))
  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request, 'latin1')
      }),
    close: () => socket.destroy(),
  }
}

/** @returns `null` until all of it is there */
function parse(text: string): HttpResponse | null {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd === -1) return null
  const head = text.slice(0, headEnd)
  const status = Number(head.slice(9, 12))
  const start = headEnd + 4
  const end = start + (status === 204 ? 0 : lengthOf(head))
  return text.length < end ? null : { status, head, body: text.slice(start, end) }
}

function lengthOf(head: string): number {
  const found = /\r\ncontent-length: (\d+)/i.exec(head)
  if (!found) throw new Error(`a response without its length: ${head}`)
  return Number(found[1])
}
