import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

/** An email as received over the wire. */
export interface Arrived {
  from: string
  recipients: string[]
  /** Whether it arrived over TLS. */
  secure: boolean
  raw: string
  mail: Email
}

export interface TestServer {
  port: number
  arrived: Arrived[]
  /** Closes every connection, as servers do after a while. */
  hangUp(): void
  close(): Promise<void>
}

/** A real mail server on this machine, by default without TLS and authentication. */
export async function startSmtp(options: SMTPServerOptions = {}): Promise<TestServer> {
  const arrived: Arrived[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    closeTimeout: 100,
    async onData(stream, session, done) {
      const raw = await text(stream).catch(() => undefined)
      if (raw === undefined) return done() // the client hung up halfway
      const { mailFrom, rcptTo } = session.envelope
      arrived.push({
        from: mailFrom ? mailFrom.address : '',
        recipients: rcptTo.map(({ address }) => address),
        secure: session.secure,
        raw,
        mail: await PostalMime.parse(raw),
      })
      done()
    },
    ...options,
  })
  server.on('error', () => undefined) // several tests have the client hang up
  const sockets = collectSockets(server.server)
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    arrived,
    hangUp: () => sockets.forEach((socket) => void socket.destroy()),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** A TCP server with a custom connection handler. */
export async function startTcp(onConnection: (socket: Socket) => void): Promise<TestServer> {
  const server = createServer(onConnection)
  const sockets = collectSockets(server)
  const hangUp = () => sockets.forEach((socket) => void socket.destroy())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    arrived: [],
    hangUp,
    async close() {
      hangUp()
      server.close()
      await once(server, 'close')
    },
  }
}

function collectSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}
