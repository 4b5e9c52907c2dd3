import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** An address that can be given to a server before it listens: nobody else can take it meanwhile. */
export interface Door {
  port: number
  /** Passes connections on to this port from now on. */
  leadTo(port: number): void
  close(): Promise<void>
}

/** For servers that have to know their own address before they start. They listen on port 0, behind it. */
export async function openDoor(): Promise<Door> {
  let target: number | undefined
  const open = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (outside) => {
    if (target === undefined) return void outside.destroy()
    const inside = connect({ port: target, host: 'localhost', allowHalfOpen: true })
    for (const [from, to] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      open.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        // What was cut off on one side is cut off on the other.
        if (from.errored || !from.readableEnded) to.destroy()
      })
      from.setNoDelay()
      from.pipe(to)
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      target = port
    },
    async close() {
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
