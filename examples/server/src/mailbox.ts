import type { FastifyInstance } from 'fastify'
import { createConsoleMailer, type Mail, type Mailer } from 'fastify-accounts'
import { html, page } from './page.js'

/** The mails that were sent, for a developer to look at. */
export interface Mailbox extends Mailer {
  /** The newest is last. */
  readonly mails: readonly KeptMail[]
}

/** A mail as /dev/mailbox.json shows it. */
export interface KeptMail {
  kind: Mail['kind']
  to: string
  subject: string
  text: string
  html: string
  /** RFC 3339, UTC. */
  at: string
}

/** A mailer that delivers nothing and keeps the last mails. */
export function createMailbox(capacity = 100): Mailbox {
  const mails: KeptMail[] = []
  // Refuses what no mailer may take, and prints nothing.
  const checked = createConsoleMailer(() => {})
  return {
    mails,
    async send(mail) {
      await checked.send(mail)
      const { kind, to, subject, text, html } = mail
      mails.push({ kind, to: to.address, subject, text, html, at: new Date().toISOString() })
      if (mails.length > capacity) mails.shift()
    },
  }
}

/** Puts /dev/mailbox and /dev/mailbox.json in front of a mailbox. Only for development: anybody can read it. */
export function mountMailbox(app: FastifyInstance, mailbox: Mailbox): void {
  app.get('/dev/mailbox.json', (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return mailbox.mails
  })
  app.get('/dev/mailbox', (_request, reply) => page(reply, 'Mailbox', mailboxPage(mailbox.mails)))
}

function mailboxPage(mails: readonly KeptMail[]): string {
  const intro = html`<p>Mails are not sent but kept here, the last ${100}, newest first. As JSON: <a href="/dev/mailbox.json">/dev/mailbox.json</a>. <a href="/">Start page</a></p>`
  if (mails.length === 0) return `${intro}<p>No mail yet.</p>`
  return intro + mails.toReversed().map(mailArticle).join('')
}

function mailArticle({ kind, to, subject, text, html: source, at }: KeptMail): string {
  return (
    html`<article><h2>${subject}</h2><p class="facts">To ${to} · <time datetime="${at}">${at}</time> · ${kind}</p>` +
    `<pre>${withLinks(text)}</pre>` +
    html`<details><summary>As HTML</summary><iframe sandbox="allow-popups" title="${subject}" srcdoc="${source}"></iframe></details></article>`
  )
}

/** Plain text as HTML, its URLs as links. */
function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) => (index % 2 === 1 ? html`<a href="${part}">${part}</a>` : html`${part}`))
    .join('')
}
