import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { createConsoleMailer, type Mail, type Mailer } from 'fastify-accounts'
import { mountMailboxPage } from './mailbox-page.js'
import type { Site } from './site.js'

/** The sent emails, for a developer to read. */
export interface Mailbox extends Mailer {
  /** The newest is last. */
  readonly mails: readonly KeptMail[]
}

/** An email, with its number in this mailbox. */
export interface KeptMail {
  number: number
  kind: Mail['kind']
  to: string
  subject: string
  text: string
  html: string
  /** RFC 3339, UTC. */
  at: string
}

/** A mailer that delivers nothing and keeps the latest emails. */
export function createMailbox(capacity = 100): Mailbox {
  const mails: KeptMail[] = []
  let count = 0
  // Rejects what no mailer may accept; prints nothing.
  const checked = createConsoleMailer(() => {})
  return {
    mails,
    async send(mail) {
      await checked.send(mail)
      const { kind, to, subject, text, html } = mail
      count += 1
      mails.push({ number: count, kind, to: to.address, subject, text, html, at: new Date().toISOString() })
      if (mails.length > capacity) mails.shift()
    },
  }
}

/**
 * Serves a mailbox at /dev/mailbox and /dev/mailbox.json. Only for development: anyone who reaches it can read it.
 * @param baseUrl the mailbox only responds under its host name, localhost and plain IP addresses. Otherwise another
 * site could read it through the developer's browser, by pointing its own name at this machine (DNS rebinding).
 */
export function mountMailbox(app: FastifyInstance, mailbox: Mailbox, baseUrl: string, site: Site): void {
  const own = new URL(baseUrl).hostname
  app.addHook('onRequest', async (request, reply) => {
    if (!request.routeOptions.url?.startsWith('/dev/')) return
    const name = request.hostname.replace(/^\[|\]$/g, '')
    if (name === own || name === 'localhost' || isIP(name) !== 0) return
    const message = `The mailbox is not available at the host ${name}: set BASE_URL.`
    return reply.code(403).send({ statusCode: 403, error: 'Forbidden', message })
  })
  app.get('/dev/mailbox.json', (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return mailbox.mails.map(({ number, ...mail }) => mail)
  })
  mountMailboxPage(app, mailbox, site)
}
