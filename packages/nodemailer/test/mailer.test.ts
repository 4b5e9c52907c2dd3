import { setImmediate as nextTurn } from 'node:timers/promises'
import { createNodemailerMailer, type NodemailerOptions } from '@fastify-accounts/nodemailer'
import { goodPassword, testApp } from '@fastify-accounts/test-support/app'
import { startSmtp, startTcp, type TestServer } from '@fastify-accounts/test-support/smtp'
import { InvalidArgumentError, type Mail, type Mailer } from 'fastify-accounts'
import type { SMTPPoolOptions } from 'nodemailer'
import type { SMTPServerOptions } from 'smtp-server'
import { afterEach, describe, expect, test, vi } from 'vitest'

const from = 'Accounts <no-reply@example.com>'
const open: { close?(): Promise<void> }[] = []
afterEach(async () => {
  for (const opened of open.splice(0).reverse()) await opened.close?.()
})

function newMail(changes: Partial<Mail> = {}): Mail {
  return {
    id: 'b3V0Ym94-ZW50_cnk',
    to: { name: 'Ada', address: 'ada@example.org' },
    userId: null,
    subject: 'Set a new password',
    text: 'Open https://example.com/reset/secret-token/\n',
    html: '<p>Open <a href="https://example.com/reset/secret-token/">the page</a></p>\n',
    kind: 'reset-password',
    ...changes,
  }
}

function mailerTo(server: TestServer, options: Partial<NodemailerOptions> = {}): Mailer {
  const where = options.transport ? {} : { url: `smtp://127.0.0.1:${server.port}` }
  const mailer = createNodemailerMailer({ ...where, from, ...options })
  open.push(mailer)
  return mailer
}

async function smtp(options?: SMTPServerOptions): Promise<TestServer> {
  const server = await startSmtp(options)
  open.push(server)
  return server
}

async function tcp(...args: Parameters<typeof startTcp>): Promise<TestServer> {
  const server = await startTcp(...args)
  open.push(server)
  return server
}

async function failure(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => expect.fail('the mail was handed over'),
    (error: unknown) => error,
  )
}

const refusing = (
  status: number,
  text = 'no',
): NonNullable<SMTPServerOptions['onMailFrom'] & SMTPServerOptions['onRcptTo']> => {
  return (_address, _session, done) => done(Object.assign(new Error(text), { responseCode: status }))
}

describe('an email', () => {
  test('has both parts, one recipient, and the headers of an automatic email', async () => {
    const server = await smtp()
    await mailerTo(server).send(newMail({ to: { name: 'Åse, "A"', address: 'ada@bücher.example' } }))
    expect(server.arrived).toHaveLength(1)
    const [arrived] = server.arrived
    expect(arrived).toMatchObject({
      from: 'no-reply@example.com',
      recipients: ['ada@bücher.example'], // decoded by the server
      mail: {
        from: { name: 'Accounts', address: 'no-reply@example.com' },
        to: [{ name: 'Åse, "A"', address: 'ada@xn--bcher-kva.example' }],
        subject: 'Set a new password',
      },
    })
    expect(arrived?.mail.text?.trim()).toBe(newMail().text.trim())
    expect(arrived?.mail.html?.trim()).toBe(newMail().html.trim())
    expect(arrived?.mail.messageId).toBe('<b3V0Ym94-ZW50_cnk@example.com>')
    expect(arrived?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m)
    expect(arrived?.raw).toMatch(/^Date: /m)
    expect(arrived?.raw).not.toMatch(/^(cc|bcc|reply-to|x-mailer):/im)
  })

  test('never loads a file or a URL', async () => {
    const server = await smtp()
    // Nodemailer would accept these, and JavaScript can pass them.
    const path = { path: '/etc/hostname' } as unknown as string
    const href = { href: `http://127.0.0.1:${server.port}/` } as unknown as string
    const mailer = mailerTo(server)
    expect(String(await failure(mailer.send(newMail({ text: path }))))).toMatch(
      /^Error: File access rejected/,
    )
    expect(String(await failure(mailer.send(newMail({ html: href }))))).toMatch(/^Error: Url access rejected/)
    expect(server.arrived).toEqual([])
  })

  test('writes nothing to the console, whatever the transport options', async () => {
    const server = await smtp()
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const logged = vi.spyOn(console, 'log').mockReturnValue()
    const transport = {
      host: '127.0.0.1',
      port: server.port,
      logger: true,
      debug: true,
      transactionLog: true,
    }
    await mailerTo(server, { transport }).send(newMail())
    const lines = [...written.mock.calls, ...logged.mock.calls].map(String)
    vi.restoreAllMocks()
    expect(lines.filter((line) => line.includes('secret-token') || line.includes('ada@'))).toEqual([])
    expect(server.arrived).toHaveLength(1)
  })

  test.each([
    [{ to: { name: 'a\0', address: 'ada@example.org' } }, 'to.name must be one line of text'],
    [{ to: { name: 'a', address: 'ada@exa mple.org' } }, 'to.address must be one plain email address'],
    [{ to: { name: 'a', address: 'ada@[127.0.0.1]' } }, 'to.address must be one plain email address'],
    [{ to: { name: 'a', address: 'ada@169.254.43518' } }, 'to.address must be one plain email address'],
    [{ to: { name: 'a', address: 'ada@example..org' } }, 'to.address must be one plain email address'],
    [{ to: { name: 'a', address: 'ada@b%C3%BCcher.example' } }, 'to.address must be one plain email address'],
    [{ to: { name: 'a', address: 'ada\ud800@example.org' } }, 'to.address must be one plain email address'],
    [{ to: { name: 'a', address: 'ada﹫x@example.org' } }, 'to.address must be one plain email address'],
    [{ id: 'a@b>\r\nBcc: eve@example.net' }, 'id must be letters, digits, - and _, at most 200'],
    [{ id: undefined as unknown as string }, 'id must be letters, digits, - and _, at most 200'],
    [{ subject: 'a\nBcc: eve@example.net' }, 'subject must be one line of text'],
    [{ subject: undefined as unknown as string }, 'subject must be one line of text'],
  ])('that cannot be sent is rejected as an argument: %o', async (changes, line) => {
    const server = await smtp()
    expect(await failure(mailerTo(server).send(newMail(changes)))).toEqual(new InvalidArgumentError(line))
    expect(server.arrived).toEqual([])
  })
})

describe('a server', () => {
  test('with a temporary or a permanent error: the two are distinguished', async () => {
    const later = await smtp({ onMailFrom: refusing(451) })
    expect(await failure(mailerTo(later).send(newMail()))).toMatchObject({ responseCode: 451 })
    const never = await smtp({ onMailFrom: refusing(550) })
    expect(await failure(mailerTo(never).send(newMail()))).toMatchObject({ responseCode: 550 })
  })

  test('that rejects the recipient, or the email after receiving it', async () => {
    const later = await smtp({ onRcptTo: refusing(450) })
    expect(await failure(mailerTo(later).send(newMail()))).toMatchObject({
      ...{ name: 'RefusedError', cause: { responseCode: 450 } },
      message: expect.stringMatching(/^to\.address is refused by the mail server for now: .*450 no/),
    })
    const never = await smtp({ onRcptTo: refusing(550) })
    expect(await failure(mailerTo(never).send(newMail()))).toEqual(
      new InvalidArgumentError('to.address is refused by the mail server for good (550)'),
    )
    const content = await smtp({
      onData(stream, _session, done) {
        stream.resume().once('end', () => done(Object.assign(new Error('full'), { responseCode: 452 })))
      },
    })
    expect(await failure(mailerTo(content).send(newMail()))).toMatchObject({ responseCode: 452 })
  })

  test.each([
    [550, '5.1.1 no such user', '5.1.1'],
    [551, 'user not local', '551'],
    [554, '5.1.10 null MX', '5.1.10'],
    [550, '5.1.7 bad sender', null],
    [550, '5.1.8 sender domain not found', null],
    [554, '5.7.1 relay access denied', null],
    [550, '5.7.1 client host blocked', null],
    [552, '5.2.2 mailbox full', 'for now'],
    [550, '5.2.1 mailbox disabled', 'for now'],
    [550, '5.4.1 Recipient address rejected: Access denied', 'for now'],
    [450, '4.2.0 greylisted', 'for now'],
    [451, '4.7.1 greylisted', 'for now'],
    [451, 'greylisted', 'for now'],
    [451, '4.3.0 temporary lookup failure', null],
    [452, '4.3.1 insufficient system storage', null],
    [554, 'no', null],
  ])('that responds to RCPT TO with %s %s', async (code, text, final) => {
    const server = await smtp({ onRcptTo: refusing(code, text) })
    const error = await failure(mailerTo(server).send(newMail()))
    const refused = { responseCode: code, command: 'RCPT TO' }
    if (final === null) expect(error).toMatchObject(refused)
    else if (final === 'for now') expect(error).toMatchObject({ name: 'RefusedError', cause: refused })
    else
      expect(error).toEqual(
        new InvalidArgumentError(`to.address is refused by the mail server for good (${final})`),
      )
  })

  test.each([
    [553, '5.6.7 non-ASCII addresses not permitted', '5.6.7'],
    [550, '5.6.7 SMTPUTF8 required', '5.6.7'],
    [501, '5.5.4 syntax error', '5.5.4'],
    [501, '5.1.3 bad recipient address syntax', '5.1.3'],
    [500, '5.5.2 unrecognized', '5.5.2'],
    [555, 'syntax error', '555'],
    [501, 'syntax error', '501'],
    [501, '5.7.1 not from here', null],
    [452, 'later', null],
  ])(
    'without SMTPUTF8, that responds to RCPT TO of пётр@example.org with %s %s',
    async (code, text, final) => {
      const server = await smtp({ hideSMTPUTF8: true, onRcptTo: refusing(code, text) })
      const to = { name: 'Пётр', address: 'пётр@example.org' }
      const error = await failure(mailerTo(server).send(newMail({ to })))
      if (final === null) expect(error).toMatchObject({ responseCode: code, command: 'RCPT TO' })
      else
        expect(error).toEqual(
          new InvalidArgumentError(`to.address is refused by the mail server for good (${final})`),
        )
      // A syntax error in an ASCII address is a fault of ours or of the server's.
      if (text.includes('syntax') && !text.startsWith('5.1')) {
        const ascii = await failure(mailerTo(server).send(newMail()))
        expect(ascii).toMatchObject({ responseCode: code, command: 'RCPT TO' })
      }
    },
  )

  test('that refuses an email to пётр@example.org after receiving it, because the next server has no SMTPUTF8', async () => {
    const server = await smtp({
      onData(stream, _session, done) {
        const refusal = Object.assign(new Error('5.6.7 SMTPUTF8 is required'), { responseCode: 550 })
        stream.resume().once('end', () => done(refusal))
      },
    })
    const to = { name: 'Пётр', address: 'пётр@example.org' }
    expect(await failure(mailerTo(server).send(newMail({ to })))).toBeInstanceOf(InvalidArgumentError)
    expect(await failure(mailerTo(server).send(newMail()))).toMatchObject({ responseCode: 550 })
    // The sender may be what needs SMTPUTF8.
    const both = mailerTo(server, { from: 'konto@example.org'.replace('o', 'ö') })
    expect(await failure(both.send(newMail({ to })))).toMatchObject({ responseCode: 550 })
  })

  test('without SMTPUTF8 gets an email to a domain in another script', async () => {
    const server = await smtp({ hideSMTPUTF8: true })
    await mailerTo(server).send(newMail({ to: { name: '', address: 'petr@пример.example' } }))
    expect(server.arrived[0]?.mail.to).toEqual([{ name: '', address: 'petr@xn--e1afmkfd.example' }])
  })

  test('without SMTPUTF8 ends a signup with пётр@example.org at the first attempt, and no outage is logged', async () => {
    let recipients = 0
    const server = await smtp({
      hideSMTPUTF8: true,
      onRcptTo(_address, _session, done) {
        recipients += 1
        done(Object.assign(new Error('5.6.7 no'), { responseCode: 553 }))
      },
    })
    const lines: string[] = []
    const logger = {
      level: 'warn',
      stream: { write: (line: string) => void lines.push(JSON.parse(line).msg) },
    }
    const options = { mailer: mailerTo(server), requireEmailConfirmation: true }
    const { app, send } = await testApp(options, { server: { logger } })
    const failed = new Promise((resolve) =>
      app.accounts.events.on('mail-failed', ({ error }) => resolve(error)),
    )
    const signUp = await send('POST', '/signup/', {
      ...{
        username: 'petr',
        email: 'пётр@example.org',
        password: goodPassword,
        confirm_password: goodPassword,
      },
    })
    expect(signUp.statusCode).toBe(202)
    expect(await failed).toBeInstanceOf(InvalidArgumentError)
    await expect.poll(() => lines).toEqual(['accounts: gave up on an email'])
    expect(recipients).toBe(1)
  })

  test('that rejected an email is tried again for the next one', async () => {
    let busy = true
    const server = await smtp({
      onMailFrom(_address, _session, done) {
        done(busy ? Object.assign(new Error('busy'), { responseCode: 421 }) : null)
      },
    })
    const mailer = mailerTo(server)
    await failure(mailer.send(newMail()))
    busy = false
    await mailer.send(newMail())
    expect(server.arrived).toHaveLength(1)
  })

  test.each([
    ['sends no greeting', () => undefined],
    ['stops responding', (say: (line: string) => void) => say('220 hello\r\n')],
    [
      'trickles data',
      (say: (line: string) => void) => {
        const timer = setInterval(() => say('220-a'), 20)
        setTimeout(() => clearInterval(timer), 20_000).unref()
      },
    ],
  ])('that %s times out', async (_, speak) => {
    const server = await tcp((socket) => speak((line) => void socket.write(line)))
    const mailer = mailerTo(server, { timeout: 200 })
    const start = performance.now()
    expect(await failure(mailer.send(newMail()))).toBeInstanceOf(Error)
    expect(performance.now() - start).toBeLessThan(10_000)
  })

  test("that isn't running", async () => {
    const server = await startTcp(() => undefined)
    await server.close()
    expect(await failure(mailerTo(server).send(newMail()))).toMatchObject({ code: 'ESOCKET' })
  })

  test('that disconnects after each email loses none', async () => {
    const server = await smtp()
    const mailer = mailerTo(server)
    for (let n = 0; n < 3; n++) {
      await mailer.send(newMail())
      server.hangUp()
    }
    expect(server.arrived).toHaveLength(3)
  })

  test("that requires a password gets it, and errors don't contain a wrong one", async () => {
    const server = await smtp({
      disabledCommands: ['STARTTLS'],
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        if (username === 'ada' && password === 'p@ss') done(null, { user: username })
        else done(new Error('wrong'))
      },
    })
    await mailerTo(server, { url: `smtp://ada:p%40ss@127.0.0.1:${server.port}` }).send(newMail())
    expect(server.arrived).toHaveLength(1)

    const wrong = mailerTo(server, { url: `smtp://ada:s3cret@127.0.0.1:${server.port}` })
    const error = await failure(wrong.send(newMail()))
    expect(error).toMatchObject({ code: 'EAUTH', responseCode: 535 })
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toMatch(/s3cret|secret-token/)
  })
})

describe('TLS', () => {
  const self = { rejectUnauthorized: false }
  const withTls = { disabledCommands: ['AUTH'] }
  const transportTo = (server: TestServer, options: SMTPPoolOptions = {}): SMTPPoolOptions => ({
    host: '127.0.0.1',
    port: server.port,
    ...options,
  })

  test('that is required but not offered: nothing is sent', async () => {
    const server = await smtp()
    const error = await failure(mailerTo(server, { requireTLS: true }).send(newMail()))
    expect(error).toMatchObject({ code: 'ETLS' })
    expect(server.arrived).toEqual([])
  })

  test('validates the certificate', async () => {
    const server = await smtp(withTls)
    expect(await failure(mailerTo(server, { requireTLS: true }).send(newMail()))).toBeInstanceOf(Error)
    expect(server.arrived).toEqual([])
  })

  test('sends the email if the certificate is trusted', async () => {
    const server = await smtp(withTls)
    const transport = transportTo(server, { tls: self })
    await mailerTo(server, { transport, requireTLS: true }).send(newMail())
    expect(server.arrived).toMatchObject([{ secure: true, recipients: ['ada@example.org'] }])
  })

  test('from the start of the connection', async () => {
    const server = await smtp({ secure: true })
    const transport = transportTo(server, { secure: true, tls: self })
    await mailerTo(server, { transport }).send(newMail())
    expect(server.arrived).toMatchObject([{ secure: true }])
  })
})

describe('a custom nodemailer transport', () => {
  test('is used as given, and closed with the mailer', async () => {
    const sent: unknown[] = []
    const close = vi.fn()
    const mailer = createNodemailerMailer({
      from: { name: 'Accounts', address: 'no-reply@example.com' },
      transport: {
        name: 'own',
        version: '1',
        send(mail, done) {
          sent.push(mail.message.getEnvelope())
          done(null, { envelope: mail.message.getEnvelope(), messageId: mail.message.messageId() })
        },
        close,
      },
    })
    await mailer.send(newMail())
    expect(sent).toEqual([{ from: 'no-reply@example.com', to: ['ada@example.org'] }])
    await mailer.close?.()
    expect(close).toHaveBeenCalledTimes(1)
  })
})

describe('close', () => {
  test('rejects later emails', async () => {
    const server = await smtp()
    const mailer = mailerTo(server)
    await mailer.send(newMail())
    await Promise.all([mailer.close?.(), mailer.close?.()])
    expect(await failure(mailer.send(newMail()))).toEqual(new Error('the mailer is closed'))
    expect(server.arrived).toHaveLength(1)
  })

  test('waits for failing emails as well', async () => {
    const server = await tcp(() => undefined)
    const mailer = mailerTo(server, { timeout: 100 })
    const sending = failure(mailer.send(newMail()))
    let failed = false
    sending.then(() => {
      failed = true
    })
    await mailer.close?.()
    await nextTurn()
    expect(failed).toBe(true)
  })
})
