import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Html, html } from './html.js'
import type { KeptMail, Mailbox } from './mailbox.js'
import { appName, type Site } from './site.js'

/**
 * The mailbox page: the list of emails on the left, the open one on the right. The URL says which one is open.
 */
export function mountMailboxPage(app: FastifyInstance, mailbox: Mailbox, site: Site): void {
  /** Numbers of the opened emails. */
  const read = new Set<number>()

  app.get(
    '/dev/mailbox',
    (request: FastifyRequest<{ Querystring: { mail?: string; view?: string } }>, reply) => {
      const { mail: number, view } = request.query
      const opened = number === undefined ? undefined : numbered(mailbox, number)
      if (opened !== undefined) read.add(opened.number)
      const unread = mailbox.mails.filter((mail) => !read.has(mail.number)).length
      return site.page(reply, {
        title: unread === 0 ? 'Mailbox' : `Mailbox (${unread})`,
        main: html`<div class="mailbox${opened === undefined ? '' : ' opened'}">
${mailList(mailbox.mails, read, opened)}
${opened === undefined ? nothingOpened : openedMail(opened, view === 'text' ? 'text' : 'html')}
</div>`,
        script: 'mailbox',
        width: 'full',
        current: 'dev/mailbox',
      })
    },
  )

  app.get('/dev/mailbox/newest', (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return { number: mailbox.mails.at(-1)?.number ?? 0 }
  })

  app.get('/dev/mailbox/:number', (request: FastifyRequest<{ Params: { number: string } }>, reply) => {
    const mail = numbered(mailbox, request.params.number)
    if (mail === undefined) return reply.callNotFound()
    return sendMail(reply, mail)
  })
}

function numbered({ mails }: Mailbox, number: string): KeptMail | undefined {
  return mails.find((mail) => String(mail.number) === number)
}

/**
 * An email's HTML, for the frame. As in an email client, it can run no scripts, send no forms and load nothing from
 * this site. Links open in a new tab.
 */
function sendMail(reply: FastifyReply, mail: KeptMail): FastifyReply {
  reply.type('text/html; charset=utf-8').headers({
    'cache-control': 'no-store',
    'content-security-policy':
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src http: https:; frame-ancestors 'self'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  return reply.send(mail.html.replace('<head>', '<head><base target="_blank">'))
}

function mailList(mails: readonly KeptMail[], read: ReadonlySet<number>, opened: KeptMail | undefined): Html {
  return html`<section class="list" aria-labelledby="mails" data-newest="${mails.at(-1)?.number ?? 0}">
<div class="list-head">
${opened === undefined ? html`<h1 id="mails">Mailbox</h1>` : html`<h2 id="mails">Mailbox</h2>`}
<p class="hint">Emails aren’t sent. The last 100 are kept here. <a href="mailbox.json">As JSON</a></p>
<p class="unseen" role="status"></p>
${mails.length === 0 ? html`<p>No emails yet.</p>` : null}
</div>
<ul class="rows">${mails.toReversed().map((mail) => mailRow(mail, !read.has(mail.number), mail === opened))}</ul>
</section>`
}

function mailRow({ number, to, subject, at }: KeptMail, isUnread: boolean, isOpened: boolean): Html {
  return html`<li><a href="?mail=${number}" class="${isUnread ? 'unread' : 'read'}"${isOpened ? html` aria-current="true"` : null}>
<strong>${appName}</strong> ${timeOf(at)}
<strong class="subject">${isUnread ? html`<span class="unseen">Unread: </span>` : null}${subject}</strong>
<span class="to">To ${to}</span>
</a></li>`
}

const nothingOpened = html`<section class="mail empty"><p>Open an email to read it here.</p></section>`

function openedMail(mail: KeptMail, view: 'html' | 'text'): Html {
  const { number, kind, to, subject, at, text } = mail
  const tab = (name: 'html' | 'text', label: string): Html =>
    html`<li><a href="?mail=${number}${name === 'text' ? '&view=text' : ''}"${name === view ? html` aria-current="page"` : null}>${label}</a></li>`
  return html`<section class="mail" aria-labelledby="subject">
<p class="back"><a href="mailbox">All emails</a></p>
<h1 id="subject">${subject}</h1>
<dl><div class="fact"><dt>From</dt><dd>${appName}</dd></div><div class="fact"><dt>To</dt><dd><bdi>${to}</bdi></dd></div><div class="fact"><dt>Sent</dt><dd>${timeOf(at)}</dd></div><div class="fact"><dt>Kind</dt><dd>${kind}</dd></div></dl>
<nav aria-label="Views of the email"><ul class="tabs">${tab('html', 'HTML')}${tab('text', 'Text')}</ul></nav>
${
  view === 'text'
    ? html`<pre tabindex="0" aria-label="The email as text">${withLinks(text)}</pre>`
    : html`<iframe src="mailbox/${number}" sandbox="allow-popups allow-popups-to-escape-sandbox" title="Email: ${subject}"></iframe>`
}
</section>`
}

/** In UTC; web/mailbox.ts replaces it with local time. */
function timeOf(at: string): Html {
  return html`<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`
}

/** Plain text as HTML, with URLs as links. */
function withLinks(text: string): readonly Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, index) =>
      index % 2 === 1 ? html`<a href="${part}" target="_blank" rel="noopener">${part}</a>` : html`${part}`,
    )
}
