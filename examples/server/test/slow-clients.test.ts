import { connect } from 'node:net'
import { start } from '@fastify-accounts/test-support/example-server/server'
import { expect, it, onTestFinished } from 'vitest'

/** A client that sends these bytes, then one byte a second if `drips`, until the server closes the connection. */
async function slowClient(port: number, bytes: string, drips: boolean): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  let response = ''
  socket.on('data', (chunk) => {
    response += chunk
  })
  // Writing may fail because the connection was reset.
  socket.on('error', () => {})
  socket.write(bytes)
  const timer = setInterval(() => drips && socket.write('x'), 1000)
  onTestFinished(() => {
    clearInterval(timer)
    socket.destroy()
  })
  // Not `once` of node:events, which rejects if the connection is reset.
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(timer)
  return response
}

it('closes 400 silent or slow connections, and serves others meanwhile', async () => {
  const { ownUrl: url } = await start({ THROTTLE: 'off' })
  const port = Number(new URL(url).port)
  const head = 'POST /login/ HTTP/1.1\r\nHost: localhost\r\n'
  const body = `${head}Content-Type: application/json\r\nContent-Length: 10000\r\n\r\n{`
  const clients = Array.from({ length: 400 }, (_, n) =>
    slowClient(port, [`${head}X-Slow: `, body, '', head][n % 4] ?? '', n % 4 < 2),
  )
  expect((await fetch(new URL('/api-root/', url))).status).toBe(200)
  for (const response of await Promise.all(clients)) expect(response).toMatch(/^$|^HTTP\/1\.1 408 /)
})
