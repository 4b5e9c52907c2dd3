import Fastify from 'fastify'
import type { Mail } from 'fastify-accounts'
import { mailerCases } from 'fastify-accounts/testing'
import { describe, expect, it } from 'vitest'
import { createMailbox, mountMailbox } from '../src/mailbox.js'

const mail: Mail = {
  kind: 'reset-password',
  to: { name: 'ada', address: 'ada@example.org' },
  subject: 'Choose <a> new password',
  text: 'Hello ada & co,\n\nhttps://example.org/reset/a/b/?x=1&y=2\n',
  html: '<p title="x">Hello</p>',
}

async function mailboxApp(capacity?: number) {
  const app = Fastify()
  const mailbox = createMailbox(capacity)
  mountMailbox(app, mailbox)
  return { app, mailbox }
}

describe('/dev/mailbox.json', () => {
  it('has each mail in the form of the contract, the newest last', async () => {
    const { app, mailbox } = await mailboxApp()
    await mailbox.send(mail)
    await mailbox.send({ ...mail, subject: 'second' })
    const response = await app.inject('/dev/mailbox.json')
    expect(response.headers['cache-control']).toBe('no-store')
    expect(response.json()).toEqual([
      {
        kind: 'reset-password',
        to: 'ada@example.org',
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
      expect.objectContaining({ subject: 'second' }),
    ])
  })

  it('keeps the last mails only', async () => {
    const { app, mailbox } = await mailboxApp(2)
    for (const subject of ['first', 'second', 'third']) await mailbox.send({ ...mail, subject })
    const subjects = (await app.inject('/dev/mailbox.json')).json().map((each: Mail) => each.subject)
    expect(subjects).toEqual(['second', 'third'])
  })
})

describe('/dev/mailbox', () => {
  it('says that there is no mail', async () => {
    const { app } = await mailboxApp()
    expect((await app.inject('/dev/mailbox')).body).toContain('No mail yet')
  })

  it('shows mails escaped, with links to click and no script', async () => {
    const { app, mailbox } = await mailboxApp()
    await mailbox.send(mail)
    await mailbox.send({ ...mail, subject: 'second' })
    const { body, headers } = await app.inject('/dev/mailbox')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(body).toContain('<h2>Choose &#60;a&#62; new password</h2>')
    expect(body).toContain('Hello ada &#38; co')
    expect(body).toContain('<a href="https://example.org/reset/a/b/?x=1&#38;y=2">')
    expect(body).toContain('srcdoc="&#60;p title=&#34;x&#34;&#62;Hello&#60;/p&#62;"')
    expect(body.indexOf('second')).toBeLessThan(body.indexOf('Choose'))
    expect(body).not.toContain('<script')
  })
})

describe('the mailer', () => {
  const cases = mailerCases(() => {
    const mailbox = createMailbox()
    return {
      mailer: mailbox,
      delivered: () =>
        mailbox.mails.map(({ to, subject, text, html }) => ({ recipients: [to], subject, text, html })),
    }
  })
  for (const { name, run } of cases) it(name, run)
})
