import { createNodemailerMailer } from '@fastify-accounts/nodemailer'
import { goodPassword, linkPath } from '@fastify-accounts/test-support/app'
import { memory } from '@fastify-accounts/test-support/faults/grounds'
import { startService } from '@fastify-accounts/test-support/faults/service'
import { startSmtp, startTcp, type TestServer } from '@fastify-accounts/test-support/smtp'
import type { Mailer } from 'fastify-accounts'
import { afterEach, expect, test } from 'vitest'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

function mailerAt({ port }: Pick<TestServer, 'port'>, timeout?: number): Required<Mailer> {
  const mailer = createNodemailerMailer({
    url: `smtp://127.0.0.1:${port}`,
    from: 'a@example.org',
    ...(timeout !== undefined && { timeout }),
  })
  ends.push(() => mailer.close())
  return mailer
}

async function refusing(responseCode: number): Promise<TestServer> {
  return startSmtp({
    onRcptTo: (_address, _session, done) => done(Object.assign(new Error('not now'), { responseCode })),
  })
}

const servers: Record<string, () => Promise<TestServer>> = {
  async 'that is down'() {
    const server = await startTcp(() => {})
    await server.close()
    return { ...server, close: async () => {} }
  },
  'that accepts connections but stays silent': () => startTcp(() => {}),
  'that hangs up': () => startTcp((socket) => socket.destroy()),
  'that returns 451': () => refusing(451),
  'that returns 550': () => refusing(550),
}

test.each(Object.entries(servers))(
  'FLT-04 a mail server %s delays no sign-up and loses no account, and the email can be resent',
  async (_, startBad) => {
    const bad = await startBad()
    ends.push(() => bad.close())
    const good = await startSmtp()
    ends.push(() => good.close())
    let mailer = mailerAt(bad, 300)
    const { app, send } = await startService(await memory.open(), {
      requireEmailConfirmation: true,
      mailer: { send: (mail) => mailer.send(mail) },
    })
    ends.push(() => app.close())
    const failed = new Promise<string>((resolve) => {
      app.accounts.events.once('mail-failed', ({ kind }) => resolve(kind))
    })
    const ada = { username: 'ada', email: 'ada@example.org', password: goodPassword }
    const post = (url: string, payload?: object) => send({ method: 'POST', url, ...(payload && { payload }) })

    const signUp = { ...ada, confirm_password: goodPassword }
    expect((await post('/signup/', signUp)).statusCode).toBe(202)
    expect((await post('/signup/', signUp)).json().code).toBe('ACCOUNTS_USERNAME_TAKEN')
    expect(await failed).toBe('verify-email')

    mailer = mailerAt(good)
    expect((await post('/signup/v/', { email: ada.email })).statusCode).toBe(202)
    await expect.poll(() => good.arrived.length).toBe(1)
    const [arrived] = good.arrived
    const link = linkPath({ text: arrived?.mail.text ?? '' } as Parameters<typeof linkPath>[0])
    expect((await post(link)).statusCode).toBe(200)
    const login = await post('/login/', { username: ada.username, password: ada.password })
    expect(login.statusCode).toBe(200)
  },
)
