import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'

/** The response; header names as the server wrote them. */
export interface Answer {
  status: number
  head: string
  body: string
}

/**
 * One connection that sends requests one after the other. It supports just enough HTTP/1.1 for Node servers that send
 * a content length: a full client uses more of a core than the server being measured.
 */
export interface Connection {
  /**
   * Sends this many requests at once and, after each answer, the next one, until `next` has none left.
   * @throws Error if the connection breaks, or `answered` throws
   */
  exchange(pipelined: number, next: () => string | null, answered: (answer: Answer) => void): Promise<void>
  close(): void
}

export async function connect(port: number): Promise<Connection> {
  const socket = createConnection({ host: '127.0.0.1', port, noDelay: true })
  // One byte per character, so lengths are right.
  socket.setEncoding('latin1')
  await once(socket, 'connect')
  return { exchange: (...args) => exchange(socket, ...args), close: () => socket.destroy() }
}

function exchange(
  socket: Socket,
  pipelined: number,
  next: () => string | null,
  answered: (answer: Answer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    let open = 0

    function send(most: number): void {
      let requests = ''
      for (let sent = 0; sent < most; sent++) {
        const request = next()
        if (request === null) break
        requests += request
        open++
      }
      if (requests !== '') socket.write(requests, 'latin1')
      if (open === 0) end()
    }
    function receive(data: string): void {
      text = text === '' ? data : text + data
      let done = 0
      try {
        for (let answer = take(); answer; answer = take()) {
          answered(answer)
          done++
        }
      } catch (error) {
        end(error as Error)
        return
      }
      open -= done
      if (done > 0) send(done)
    }
    function take(): Answer | null {
      const headEnd = text.indexOf('\r\n\r\n')
      if (headEnd === -1) return null
      const head = text.slice(0, headEnd)
      const status = Number(head.slice(9, 12))
      const end = headEnd + 4 + lengthOf(head, status)
      if (text.length < end) return null
      const body = text.slice(headEnd + 4, end)
      text = text.slice(end)
      return { status, head, body }
    }
    function end(error?: Error): void {
      socket.off('data', receive).off('error', end).off('close', closed)
      if (error) {
        socket.destroy()
        reject(error)
      } else resolve()
    }
    const closed = () => end(new Error('the server closed a connection'))

    socket.on('data', receive).on('error', end).on('close', closed)
    send(pipelined)
  })
}

function lengthOf(head: string, status: number): number {
  if (status === 204) return 0
  const found = /\r\ncontent-length: (\d+)/i.exec(head)
  if (!found) throw new Error(`an answer without its length: ${head}`)
  return Number(found[1])
}
