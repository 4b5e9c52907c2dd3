import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { limitPipelining } from '../src/index.js'

test("on an app's own routes a connection with pending requests isn't read, whatever Node.js resumes", async () => {
  const held: (() => void)[] = []
  const app = Fastify()
  app.addHook('onRequest', limitPipelining)
  app.get('/held', () => new Promise((resolve) => held.push(() => resolve('done'))))
  app.get('/other', async () => 'done')
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  onTestFinished(async () => {
    socket.destroy()
    await app.close()
  })
  let response = ''
  socket.on('data', (chunk) => {
    response += chunk
  })
  const send = (times: number) => socket.write('GET /held HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(times))
  /** Whatever was sent before is read before the last of these, if it is read at all. */
  const others = async () => {
    for (let n = 0; n < 5; n += 1) expect((await fetch(`${url}/other`)).status).toBe(200)
  }
  await once(socket, 'connect')
  send(20)
  await expect.poll(() => held.length).toBe(20)
  send(20)
  await others()
  held[0]?.()
  await expect.poll(() => response).toContain('done')
  await others()
  expect(held).toHaveLength(20)
  for (const goOn of held) goOn()
  await expect.poll(() => held.length).toBe(40)
  for (const goOn of held) goOn()
})
