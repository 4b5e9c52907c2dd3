import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to Redis or a database whose connection can be cut, held and restored. */
export interface Line {
  url: string
  /** Resets all connections, and new ones at once. */
  cut(): Promise<void>
  /** Holds back responses on existing connections; commands still get through, and new connections work. */
  hold(): void
  /** Holds back responses on all connections, including new ones. */
  silence(): void
  /**
   * The server stands still, with what it has received unread: commands only get through once the line is mended, even
   * those of connections that the client has closed by then.
   */
  stall(): void
  /** Restores normal operation. */
  mend(): Promise<void>
  close(): Promise<void>
}

const ports: Record<string, number> = { 'redis:': 6379, 'postgres:': 5432, 'mysql:': 3306 }

export async function openLine(to: string): Promise<Line> {
  const target = new URL(to)
  const sockets = new Set<Socket>()
  const responses = new Set<Socket>()
  let isCut = false
  let isSilent = false
  /** What the server will find, in order, if it stands still. */
  let unread: (() => void)[] | undefined

  // It listens even while the line is cut: otherwise something else could take its port.
  const server = createServer((near) => {
    if (isCut) return void near.on('error', () => undefined).resetAndDestroy()
    const far = connect(Number(target.port || ports[target.protocol]), target.hostname)
    const deliver = (work: () => void): void => void (unread ? unread.push(work) : work())
    near.on('data', (chunk) => deliver(() => far.write(chunk)))
    near.on('end', () => deliver(() => far.end()))
    // Not piped, because a pipe would resume a paused socket.
    far.on('data', (chunk) => near.write(chunk))
    responses.add(far)
    if (isSilent) far.pause()
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        responses.delete(far)
        near.destroy()
        deliver(() => far.destroySoon())
      })
    }
  })

  async function cut(): Promise<void> {
    isCut = true
    const closed = Array.from(sockets, (socket) => new Promise((resolve) => socket.once('close', resolve)))
    for (const socket of sockets) socket.destroy()
    await Promise.all(closed)
  }

  function hold(): void {
    for (const socket of responses) socket.pause()
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = new URL(to)
  own.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: own.href,
    cut,
    hold,
    silence() {
      isSilent = true
      hold()
    },
    stall() {
      unread ??= []
    },
    async mend() {
      isSilent = false
      const found = unread ?? []
      unread = undefined
      for (const deliver of found) deliver()
      for (const socket of responses) socket.resume()
      isCut = false
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      await cut()
      await closed
    },
  }
}
