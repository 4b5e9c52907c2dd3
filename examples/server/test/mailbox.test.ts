import { mailerCases } from '@fastify-accounts/testing'
import Fastify from 'fastify'
import type { Mail } from 'fastify-accounts'
import { describe, expect, it } from 'vitest'
import { readSettings } from '../src/config.js'
import { createMailbox, mountMailbox } from '../src/mailbox.js'
import { createSite } from '../src/site.js'

const mail: Mail = {
  id: 'an-id',
  kind: 'reset-password',
  to: { name: 'ada', address: 'ada@example.org' },
  userId: null,
  subject: 'Choose <a> new password',
  text: 'Hello ada & co,\n\nhttps://example.org/reset/a/b/?x=1&y=2\n',
  html: '<p title="x">Hello</p>',
}

async function mailboxApp(capacity?: number) {
  const app = Fastify()
  const mailbox = createMailbox(capacity)
  mountMailbox(app, mailbox, 'https://app.example.org', createSite(readSettings({})))
  return { app, mailbox }
}

describe('/dev/mailbox.json', () => {
  it('lists the emails in the documented format, the newest last', async () => {
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

  it('keeps only the latest emails', async () => {
    const { app, mailbox } = await mailboxApp(2)
    for (const subject of ['first', 'second', 'third']) await mailbox.send({ ...mail, subject })
    const subjects = (await app.inject('/dev/mailbox.json')).json().map((each: Mail) => each.subject)
    expect(subjects).toEqual(['second', 'third'])
  })
})

it.each(['/dev/mailbox', '/dev/mailbox?mail=1', '/dev/mailbox.json', '/dev/mailbox/newest'])(
  '%s responds only under its own host names, so no other site can read it',
  async (url) => {
    const { app, mailbox } = await mailboxApp()
    await mailbox.send(mail)
    const statuses = async (hosts: string[]) =>
      Promise.all(hosts.map(async (host) => (await app.inject({ url, headers: { host } })).statusCode))
    expect(await statuses(['app.example.org', 'localhost:3000', '127.0.0.1:3000', '[::1]:3000'])).toEqual(
      Array(4).fill(200),
    )
    const response = await app.inject({ url, headers: { host: 'evil.example:3000' } })
    expect([response.statusCode, response.body.includes('Choose')]).toEqual([403, false])
  },
)

describe('/dev/mailbox', () => {
  it('says when there are no emails', async () => {
    const { app } = await mailboxApp()
    expect((await app.inject('/dev/mailbox')).body).toContain('No emails yet')
  })

  it('lists escaped emails, the newest first, and shows the text of one with clickable links', async () => {
    const { app, mailbox } = await mailboxApp()
    await mailbox.send(mail)
    await mailbox.send({ ...mail, subject: 'second' })
    const { body, headers } = await app.inject('/dev/mailbox?mail=1&view=text')
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; /,
    )
    expect(body).toContain('Choose &#60;a&#62; new password</h1>')
    expect(body).toContain('Hello ada &#38; co')
    expect(body).toContain('<a href="https://example.org/reset/a/b/?x=1&#38;y=2"')
    expect(body.indexOf('second')).toBeLessThan(body.indexOf('Choose'))
    expect(body).not.toMatch(/<script>|<style|style=/)
  })

  it('marks unopened emails as unread', async () => {
    const { app, mailbox } = await mailboxApp()
    for (const subject of ['first', 'second', 'third']) await mailbox.send({ ...mail, subject })
    const unread = async (path: string): Promise<string[]> => {
      const { body } = await app.inject(path)
      return [...body.matchAll(/Unread: <\/span>(\w+)</g)].map(([, subject = '']) => subject)
    }
    expect(await unread('/dev/mailbox')).toEqual(['third', 'second', 'first'])
    expect(await unread('/dev/mailbox?mail=2')).toEqual(['third', 'first'])
    expect(await unread('/dev/mailbox')).toEqual(['third', 'first'])
  })

  it('sandboxes the HTML of an email, also when opened directly', async () => {
    const { app, mailbox } = await mailboxApp()
    await mailbox.send({ ...mail, html: '<html><head></head><body><script>alert(1)</script></body></html>' })
    expect((await app.inject('/dev/mailbox?mail=1')).body).toContain(
      '<iframe src="mailbox/1" sandbox="allow-popups allow-popups-to-escape-sandbox"',
    )
    const { body, headers } = await app.inject('/dev/mailbox/1')
    expect(body).toContain('<head><base target="_blank">')
    expect(headers['content-security-policy']).toMatch(/^sandbox allow-popups [^;]*; default-src 'none';/)
    expect(headers['content-security-policy']).not.toContain('allow-scripts')
    for (const path of ['2', 'x', '__proto__']) {
      expect((await app.inject(`/dev/mailbox/${path}`)).statusCode).toBe(404)
    }
  })
})

describe('the mailer', () => {
  const cases = mailerCases(() => {
    const mailbox = createMailbox()
    return {
      mailer: mailbox,
      delivered: () =>
        mailbox.mails.map(({ to, subject, text, html }) => ({ recipients: [to], subject, text, html })),
      hidden: ['messageId'],
    }
  })
  for (const { name, run } of cases) it(name, run)
})
