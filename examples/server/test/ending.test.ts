import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { createClient } from '@fastify-accounts/test-support/example-server/client'
import { start } from '@fastify-accounts/test-support/example-server/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { slowSmtp } from './support/slow-smtp.js'

const password = 'seven-green-lanterns'

describe('a shutdown signal', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s waits for the email being sent', async (signal) => {
    const smtp = await slowSmtp(1500)
    const server = await start({ SMTP_URL: smtp.url, MAIL_FROM: 'accounts@example.org' })
    const ada = createClient(server.ownUrl)
    const user = { username: 'ada', email: 'ada@example.org', password, confirm_password: password }
    expect((await ada.post('/signup/', user)).status).toBe(201)
    expect((await ada.post('/forgot/', { email: user.email })).status).toBe(202)
    const mail = await smtp.arrived
    expect(mail).toContain('ada@example.org')
    expect(smtp.taken).toEqual([])

    const begin = Date.now()
    server.process.kill(signal)
    expect(await server.ended).toBe(0)
    expect(smtp.taken).toEqual([mail])
    expect(Date.now() - begin).toBeLessThan(10_000)
  })

  it('finishes the request in progress, and accepts no new ones', async () => {
    // Slow enough for the signal to arrive during the hash.
    const server = await start({ SCRYPT: '16,8,3' })
    // In one packet, so the body has arrived when the request is logged.
    const signup = request(new URL('/signup/', server.ownUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    })
    const responded = once(signup, 'response')
    signup.end(JSON.stringify({ username: 'ada', password, confirm_password: password }))
    await expect.poll(server.output).toContain('"url":"/signup/"')
    server.process.kill('SIGTERM')
    const [response] = await responded
    expect(response.resume().statusCode).toBe(201)
    expect(await server.ended).toBe(0)
    await expect(fetch(server.ownUrl)).rejects.toThrow()
  })

  it('returns 503 with Retry-After to a request completed after the signal', async () => {
    const server = await start()
    const socket = connect(Number(new URL(server.ownUrl).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let response = ''
    socket.on('data', (chunk) => {
      response += chunk
    })
    await once(socket, 'connect')
    socket.write('GET /me/ HTTP/1.1\r\nHost: localhost\r\n')
    // Once another connection has its response, the server has read this one.
    await fetch(new URL('/start', server.ownUrl), { headers: { connection: 'close' } })
    server.process.kill('SIGTERM')
    const isRefused = () =>
      fetch(server.ownUrl).then(
        () => false,
        () => true,
      )
    await expect.poll(isRefused).toBe(true)
    const closed = once(socket, 'close')
    socket.write('\r\n')
    await closed
    const [head = '', body = ''] = response.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 503 /)
    expect(head.toLowerCase()).toMatch(/^retry-after: [1-9]/m)
    expect(head.toLowerCase()).toContain('cache-control: no-store')
    expect(JSON.parse(body)).toMatchObject({ statusCode: 503, code: 'ACCOUNTS_UNAVAILABLE' })
    expect(await server.ended).toBe(0)
  })

  it('has a time limit', async () => {
    const smtp = await slowSmtp(60_000)
    const server = await start({ SMTP_URL: smtp.url, MAIL_FROM: 'accounts@example.org' })
    const ada = createClient(server.ownUrl)
    await ada.post('/signup/', {
      username: 'ada',
      email: 'ada@example.org',
      password,
      confirm_password: password,
    })
    await ada.post('/forgot/', { email: 'ada@example.org' })
    await smtp.arrived
    const begin = Date.now()
    server.process.kill('SIGTERM')
    await server.ended
    expect(Date.now() - begin).toBeLessThan(10_000)
  })
})
