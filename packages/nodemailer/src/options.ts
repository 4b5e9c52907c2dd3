import type { SMTPPoolOptions, Transport } from 'nodemailer'
import { type Mailbox, parseMailbox } from './addresses.js'

/** Either `url` or `transport`. */
export interface NodemailerOptions {
  /** Where the mail server is: `smtp://user:password@host:port` (STARTTLS) or `smtps://…` (TLS from the start). */
  url?: string | undefined

  /**
   * Instead of `url`: the SMTP options of nodemailer, where a URL is not enough (`tls`, OAuth2 …), which come before
   * the defaults of this package; or one of its other transports, as it is (`sendmail`, SES), to which
   * `requireTLS` does not apply.
   */
  transport?: SMTPPoolOptions | Transport | undefined

  /** The sender: `no-reply@example.com`, `Example <no-reply@example.com>`, or the two apart. */
  from: string | { name?: string | undefined; address: string }

  /**
   * Whether mails go out over TLS only. Without TLS, anybody on the way reads the links, and can do so even where
   * the server offers TLS, by taking the offer out of the connection.
   * @default true, but for a server on this machine
   */
  requireTLS?: boolean | undefined

  /**
   * Milliseconds after which a mail that was not handed over is given up: connecting, waiting for a free
   * connection and each answer of the server included.
   * @default 10000
   */
  timeout?: number | undefined
}

/** The options, checked. */
export interface Settings {
  transport: (SMTPPoolOptions & { pool: true }) | Transport
  from: Mailbox
  timeout: number
}

/** @throws TypeError of one line that names the option; InvalidArgumentError likewise for `from` */
export function resolveOptions(options: NodemailerOptions): Settings {
  const { url, transport, timeout = 10_000, requireTLS } = options
  if (url === undefined && transport === undefined) {
    throw new TypeError('url is missing: give smtp://host or smtps://host, or a transport instead')
  }
  if (url !== undefined && transport !== undefined) throw new TypeError('give either url or transport')
  if (!Number.isSafeInteger(timeout) || timeout <= 0) {
    throw new TypeError('timeout must be a whole number of milliseconds above 0')
  }
  if (requireTLS !== undefined && typeof requireTLS !== 'boolean') {
    throw new TypeError('requireTLS must be true or false')
  }
  const from = parseMailbox('from', options.from)
  if (transport !== undefined && isTransport(transport)) return { transport, from, timeout }

  const smtp = transport ?? fromUrl(url)
  return {
    from,
    timeout,
    transport: {
      connectionTimeout: timeout,
      greetingTimeout: timeout,
      socketTimeout: timeout,
      dnsTimeout: timeout,
      // Once, for a pooled connection that the server has closed in the meantime. The plugin tries again by itself.
      maxRequeues: 1,
      ...smtp,
      requireTLS: requireTLS ?? smtp.requireTLS ?? !isLoopback(smtp.host),
      pool: true,
      // Their lines hold the links.
      logger: false,
      debug: false,
      transactionLog: false,
    },
  }
}

function isTransport(transport: SMTPPoolOptions | Transport): transport is Transport {
  if (typeof transport !== 'object' || transport === null) throw new TypeError('transport must be an object')
  if ('url' in transport) throw new TypeError('transport.url: give it as url')
  return 'send' in transport
}

/** Read here: nodemailer would let the query of a URL overrule the options, `requireTLS` too. */
function fromUrl(url: unknown): SMTPPoolOptions {
  // The text of the URL may hold a password: it is in no message.
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !['smtp:', 'smtps:'].includes(parsed.protocol) || parsed.hostname === '') {
    throw new TypeError('url must be smtp://host or smtps://host')
  }
  if (!['', '/'].includes(parsed.pathname) || parsed.search !== '' || parsed.hash !== '') {
    throw new TypeError('url must end after host and port: further options go into transport')
  }
  const { hostname, port, protocol, username, password } = parsed
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? undefined : Number(port),
    secure: protocol === 'smtps:',
    auth: username === '' ? undefined : { user: decoded(username), pass: decoded(password) },
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new TypeError('url must percent-encode special characters in the user and password')
  }
}

function isLoopback(host: string | undefined): boolean {
  return host !== undefined && /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host)
}
