import { InvalidArgumentError, type Mailer, RefusedError } from 'fastify-accounts'
import { createTransport, type Transport } from 'nodemailer'
import { oneLine, plainAddress } from './addresses.js'
import { type NodemailerOptions, resolveOptions } from './options.js'

/**
 * Sends email over SMTP, through nodemailer.
 *
 * `send` resolves when the server has accepted the email. It rejects with `InvalidArgumentError` if the email cannot
 * be sent to anyone, or the server says that it will never accept one for this address, with `RefusedError` if the server
 * doesn't accept one for this address now, and with nodemailer's error otherwise: `responseCode` is the server's response, if there was one, and `code` says what else went wrong
 * (`ETIMEDOUT`, `ETLS`, `EAUTH` …).
 * An email may arrive twice if the connection broke after the server accepted it; both have one `Message-ID`, made
 * from the email's `id` and the domain of `from`.
 * @throws TypeError or InvalidArgumentError with one line that names the option
 */
export function createNodemailerMailer(options: NodemailerOptions): Required<Mailer> {
  const { transport, from, timeout } = resolveOptions(options)
  const transporter = createTransport(transport as Transport)
  const domain = from.address.slice(from.address.indexOf('@') + 1)
  const underWay = new Set<Promise<unknown>>()
  let closing: Promise<void> | undefined

  return {
    async send({ id, to, subject, text, html }) {
      if (closing) throw new Error('the mailer is closed')
      const name = oneLine('to.name', to.name)
      const address = plainAddress('to.address', to.address)
      const sending = transporter.sendMail({
        from,
        // Never a string: nodemailer would parse lists, groups and comments in it.
        to: [{ name, address }],
        envelope: { from: from.address, to: [address] },
        subject: oneLine('subject', subject),
        messageId: `<${plainId(id)}@${domain}>`,
        text,
        html,
        // Wraps lines so links arrive byte for byte; 7bit would leave that to the mail reader.
        textEncoding: 'quoted-printable',
        // Prevents vacation replies, RFC 3834.
        headers: { 'Auto-Submitted': 'auto-generated' },
        disableFileAccess: true,
        disableUrlAccess: true,
        signal: AbortSignal.timeout(timeout),
      })
      underWay.add(sending)
      try {
        await sending
      } catch (error) {
        // A sender that needs SMTPUTF8, too, may be what is refused.
        const code = refusalOf(error, isUtf8(address) && !isUtf8(from.address))
        if (code === null) throw isForNow(error) ? refusedForNow(error) : error
        throw new InvalidArgumentError(`to.address is refused by the mail server for good (${code})`, {
          cause: error,
        })
      } finally {
        underWay.delete(sending)
      }
    },

    close() {
      closing ??= Promise.allSettled(underWay).then(() => transporter.close())
      return closing
    },
  }
}

/**
 * The response of a server that will never accept email for this address: an enhanced code 5.1.x, RFC 3463 section 3.2, unless
 * it concerns the sender or a relay (5.1.7 to 5.1.9 in IANA's registry); or without one, 550, 551 or 553,
 * RFC 5321 section 4.2.3. `null` for any other failure: a full mailbox, a policy, a denied relay or a blocked
 * sender is not the address's fault, and may be over in an hour.
 * @param isUtf8 whether the address needs SMTPUTF8. A server may refuse such an address, or the email to it, with 5.6.7
 * or 5.6.9, RFC 6531 section 4.3; to one that doesn't know SMTPUTF8 it is a syntax error, RFC 5321 section 4.2.2
 */
function refusalOf(error: unknown, isUtf8: boolean): string | null {
  const { command, response } = error as { command?: unknown; response?: unknown }
  if (typeof response !== 'string') return null
  const [, code = '', enhanced] = /^(5\d\d)[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? []
  if (isUtf8 && /^5\.6\.[79]$/.test(enhanced ?? '')) return enhanced ?? code
  if (command !== 'RCPT TO') return null
  const refusals = isUtf8 ? /^5\.(1\.(?![789]$)|5\.)/ : /^5\.1\.(?![789]$)/
  if (enhanced !== undefined) return refusals.test(enhanced) ? enhanced : null
  return ['550', '551', '553', ...(isUtf8 ? ['500', '501', '555'] : [])].includes(code) ? code : null
}

/**
 * Whether the server refuses this recipient only, and for now: greylisting, a busy, full or disabled mailbox, no route to it,
 * which Microsoft 365 also says of one that doesn't exist (4.1.x, x.2.x, x.4.x and 4.7.x in RFC 3463; or without an
 * enhanced code 450, 451 or 552). With 421 the server closes the connection.
 */
function isForNow(error: unknown): boolean {
  const { command, response } = error as { command?: unknown; response?: unknown }
  return (
    command === 'RCPT TO' &&
    typeof response === 'string' &&
    /^(4(?!21)\d\d[ -]4\.[1247]\.|5\d\d[ -]5\.[24]\.|(450|451|552)[ -](?!\d\.\d))/.test(response)
  )
}

function refusedForNow(cause: unknown): RefusedError {
  const { message } = cause as Error
  return new RefusedError(`to.address is refused by the mail server for now: ${message}`, { cause })
}

/** Whether an address isn't ASCII; its domain is. */
function isUtf8(address: string): boolean {
  return /[^\p{ASCII}]/u.test(address)
}

/** @throws InvalidArgumentError unless it is valid in a `Message-ID` unchanged */
function plainId(id: unknown): string {
  if (typeof id === 'string' && /^[\w-]{1,200}$/.test(id)) return id
  throw new InvalidArgumentError('id must be letters, digits, - and _, at most 200')
}
