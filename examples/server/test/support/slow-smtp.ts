import { once } from 'node:events'
import { createServer } from 'node:net'
import { onTestFinished } from 'vitest'

/** A mail server that acknowledges emails with a delay. */
export interface SlowSmtp {
  url: string
  /** Resolves when a complete email has arrived, before it is acknowledged. */
  arrived: Promise<string>
  /** The acknowledged emails. */
  taken: string[]
}

export async function slowSmtp(delay: number): Promise<SlowSmtp> {
  const taken: string[] = []
  let announce: (mail: string) => void
  const arrived = new Promise<string>((resolve) => {
    announce = resolve
  })
  const server = createServer((socket) => {
    socket.setEncoding('utf8')
    socket.on('error', () => {})
    socket.write('220 slow\r\n')
    let text = ''
    let mail: string | null = null
    socket.on('data', (chunk) => {
      text += chunk
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        const line = text.slice(0, end)
        text = text.slice(end + 2)
        if (mail === null) {
          if (line === 'DATA') mail = ''
          socket.write(line === 'DATA' ? '354 go on\r\n' : line === 'QUIT' ? '221 bye\r\n' : '250 fine\r\n')
        } else if (line === '.') {
          const whole = mail
          mail = null
          announce(whole)
          setTimeout(() => {
            taken.push(whole)
            socket.write('250 taken\r\n')
          }, delay)
        } else mail += `${line}\n`
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return { url: `smtp://127.0.0.1:${address.port}`, arrived, taken }
}
