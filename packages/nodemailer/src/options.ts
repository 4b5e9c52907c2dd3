import type { SMTPPoolOptions, Transport } from 'nodemailer'
import { type Mailbox, parseMailbox } from './addresses.js'

/** Either `url` or `transport`. */
export interface NodemailerOptions {
  /** The mail server: `smtp://user:password@host:port` (STARTTLS) or `smtps://…` (TLS from the start). */
  url?: string | undefined

  /**
   * Instead of `url`: nodemailer's SMTP options, if a URL is not enough (`tls`, OAuth2 …), which override
   * this package's defaults; or one of its other transports, unchanged (`sendmail`, SES), to which
   * `requireTLS` does not apply.
   */
  transport?: SMTPPoolOptions | Transport | undefined

  /** The sender: `no-reply@example.com`, `Example <no-reply@example.com>`, or the two separately. */
  from: string | { name?: string | undefined; address: string }

  /**
   * Whether email is sent over TLS only. Without TLS, anyone on the network path can read the links, even if
   * the server offers TLS, by stripping the offer from the connection.
   * @default true, except for a server on this machine
   */
  requireTLS?: boolean | undefined

  /**
   * Milliseconds after which sending an email is abandoned, including connecting, waiting for a free
   * connection and each response of the server.
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

/** @throws TypeError with one line that names the option; InvalidArgumentError for `from` */
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
      // Once, for a pooled connection that the server has closed in the meantime. The plugin retries by itself.
      maxRequeues: 1,
      ...smtp,
      requireTLS: requireTLS ?? smtp.requireTLS ?? !isLoopback(smtp.host),
      pool: true,
      // Their log lines contain the links.
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

/** RFC 8314 section 3.3. With the other one, TLS fails as a "wrong version number", or the server's greeting never comes. */
const usualScheme: Readonly<Record<string, string>> = { 465: 'smtps:', 587: 'smtp:' }

/** Parsed here: nodemailer would let a URL's query override the options, including `requireTLS`. */
function fromUrl(url: unknown): SMTPPoolOptions {
  // The URL may contain a password, so no message includes it.
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  if (!parsed || !['smtp:', 'smtps:'].includes(parsed.protocol) || parsed.hostname === '') {
    throw new TypeError('url must be smtp://host or smtps://host')
  }
  if (!['', '/'].includes(parsed.pathname) || parsed.search !== '' || parsed.hash !== '') {
    throw new TypeError('url must end after host and port: further options go into transport')
  }
  const { hostname, port, protocol, username, password } = parsed
  const usual = usualScheme[port]
  if (usual !== undefined && usual !== protocol) {
    throw new TypeError(
      `url must begin with ${usual}// for port ${port}, got ${protocol}//; if the server differs, give a transport`,
    )
  }
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
