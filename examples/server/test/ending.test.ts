import { describe, expect, it } from 'vitest'
import { createClient } from './support/client.js'
import { start } from './support/server.js'
import { slowSmtp } from './support/slow-smtp.js'

const password = 'seven-green-lanterns'

describe('a signal to end', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('%s waits for the mail under way', async (signal) => {
    const smtp = await slowSmtp(1500)
    const server = await start({ SMTP_URL: smtp.url, MAIL_FROM: 'accounts@example.org' })
    const ada = createClient(server.url)
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

  it('lets the request under way be answered, and takes no new one', async () => {
    // A hash that takes long enough to be caught in the middle.
    const server = await start({ SCRYPT: '16,8,3' })
    const answer = createClient(server.url).post('/signup/', {
      username: 'ada',
      password,
      confirm_password: password,
    })
    await expect.poll(server.output).toContain('"url":"/signup/"')
    server.process.kill('SIGTERM')
    expect((await answer).status).toBe(201)
    expect(await server.ended).toBe(0)
    await expect(fetch(server.url)).rejects.toThrow()
  })

  it('does not wait forever', async () => {
    const smtp = await slowSmtp(60_000)
    const server = await start({ SMTP_URL: smtp.url, MAIL_FROM: 'accounts@example.org' })
    const ada = createClient(server.url)
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
