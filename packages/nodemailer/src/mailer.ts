import { InvalidArgumentError, type Mailer } from 'fastify-accounts'
import { createTransport, type Transport } from 'nodemailer'
import { oneLine, plainAddress } from './addresses.js'
import { type NodemailerOptions, resolveOptions } from './options.js'

/**
 * Sends email over SMTP, through nodemailer.
 *
 * `send` resolves when the server has accepted the email. It rejects with `InvalidArgumentError` if the email cannot
 * be sent to anyone, or the server says that it will never accept one for this address, and with nodemailer's error
 * otherwise: `responseCode` is the server's response, if there was one, and `code` says what else went wrong
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
        const code = refusalOf(error)
        if (code === null) throw error
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
 */
function refusalOf(error: unknown): string | null {
  const { command, response } = error as { command?: unknown; response?: unknown }
  if (command !== 'RCPT TO' || typeof response !== 'string') return null
  const [, code = '', enhanced] = /^(5\d\d)[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? []
  if (enhanced !== undefined) return /^5\.1\.(?![789]$)/.test(enhanced) ? enhanced : null
  return ['550', '551', '553'].includes(code) ? code : null
}

/** @throws InvalidArgumentError unless it is valid in a `Message-ID` unchanged */
function plainId(id: unknown): string {
  if (typeof id === 'string' && /^[\w-]{1,200}$/.test(id)) return id
  throw new InvalidArgumentError('id must be letters, digits, - and _, at most 200')
}
