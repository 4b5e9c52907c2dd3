import { isIP } from 'node:net'
import { createNodemailerMailer } from '@fastify-accounts/nodemailer'
import { createScryptHasher, type PasswordHasher } from 'fastify-accounts'

/** The settings from the environment, checked. */
export interface Settings {
  host: string
  port: number
  /** Without a trailing slash. */
  baseUrl: string
  /** `null`: created at the first start, and stored next to the data. */
  secret: readonly string[] | null
  database: DatabasePlace
  /** For sessions and throttle counters; may contain a password. `null`: in the database, and in this process. */
  redisUrl: string | null
  /** `null`: the dev mailbox. */
  smtp: { url: string; from: string } | null
  requireEmailConfirmation: boolean
  usersVariant: 'user' | 'signup' | 'both' | 'off'
  throttle: boolean
  passwordMinLength: number
  /** The URL of the demo provider; `null`: not started. */
  demoIssuer: string | null
  /** The app's credentials at providers. */
  providerClients: readonly ProviderClient[]
  passwordHasher: PasswordHasher
  trustProxy: boolean | string[]
  logLevel: string
  /** Warnings: settings that work, but need attention. */
  warnings: readonly string[]
}

/** Where users and sessions are. */
export type DatabasePlace =
  | { engine: 'sqlite'; file: string }
  /** `url` may contain a password. */
  | { engine: 'postgres' | 'mysql'; url: string }

/** From the console of a provider with a preset. */
export interface ProviderClient {
  name: 'google' | 'microsoft' | 'github' | 'linkedin'
  clientId: string
  clientSecret: string
}

/** An invalid setting. Its message is one line that names the variable. */
export class SettingError extends Error {
  override readonly name = 'SettingError'

  constructor(variable: string, reason: string) {
    super(`${variable} ${reason.replaceAll(/\s+/g, ' ')}`)
  }
}

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Reads the settings. An empty variable counts as unset, except for SECRET.
 * @throws SettingError
 */
export function readSettings(environment: Environment): Settings {
  const get = (name: string): string | undefined => environment[name]?.trim() || undefined
  const warnings: string[] = []
  const host = get('HOST') ?? 'localhost'
  // With 0 any free port, which only BASE_URL can lead to.
  const port = readWhole('PORT', get('PORT') ?? '3000', get('BASE_URL') === undefined ? 1 : 0, 65_535)
  const throttle = oneOf('THROTTLE', get('THROTTLE') ?? 'on', ['on', 'off']) === 'on'
  if (!throttle)
    warnings.push('THROTTLE=off: all limits are off, including those on emails; for load tests only')
  const smtp = readSmtp(get('SMTP_URL'), get('MAIL_FROM'))
  const baseUrl = readBaseUrl(get('BASE_URL') ?? `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`)
  if (smtp === null && !isThisMachine(baseUrl)) {
    throw new SettingError(
      'SMTP_URL',
      `is missing: without a mail server all emails are in /dev/mailbox, which anyone who can reach ${baseUrl} can read. For this machine only, set BASE_URL=http://localhost:${port}`,
    )
  }
  if (smtp === null && !isLoopback(host)) {
    warnings.push(
      `HOST=${host} without SMTP_URL: anyone who can reach this host can read all emails in /dev/mailbox`,
    )
  }

  return {
    host,
    port,
    baseUrl,
    secret: readSecret(environment.SECRET),
    database: readDatabase(get('DATABASE_URL') ?? 'file:data/accounts.db'),
    redisUrl: readRedis(get('REDIS_URL')),
    smtp,
    requireEmailConfirmation: readBoolean(
      'REST_AUTH_SIGNUP_REQUIRE_EMAIL_CONFIRMATION',
      get('REST_AUTH_SIGNUP_REQUIRE_EMAIL_CONFIRMATION') ?? 'false',
    ),
    usersVariant: oneOf('USERS_VARIANT', get('USERS_VARIANT') ?? 'both', ['user', 'signup', 'both', 'off']),
    throttle,
    passwordMinLength: readWhole('PASSWORD_MIN_LENGTH', get('PASSWORD_MIN_LENGTH') ?? '8', 8, 64),
    demoIssuer: readDemo(get('PROVIDERS'), { baseUrl, port }),
    providerClients: [
      ...readClient('google', get('GOOGLE_CLIENT_ID'), get('GOOGLE_CLIENT_SECRET')),
      ...readClient('microsoft', get('MICROSOFT_CLIENT_ID'), get('MICROSOFT_CLIENT_SECRET')),
      ...readClient('github', get('GITHUB_CLIENT_ID'), get('GITHUB_CLIENT_SECRET')),
      ...readClient('linkedin', get('LINKEDIN_CLIENT_ID'), get('LINKEDIN_CLIENT_SECRET')),
    ],
    passwordHasher: readScrypt(get('SCRYPT') ?? '15,8,3', warnings),
    trustProxy: readTrustProxy(get('TRUST_PROXY'), warnings),
    logLevel: oneOf('LOG_LEVEL', get('LOG_LEVEL') ?? 'info', logLevels),
    warnings,
  }
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === value)
  if (found === undefined)
    throw new SettingError(name, `must be one of ${allowed.join(', ')}, not ${quote(value)}`)
  return found
}

function readBoolean(name: string, value: string): boolean {
  return oneOf(name, value, ['true', 'false']) === 'true'
}

function readWhole(name: string, value: string, min: number, max: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  throw new SettingError(name, `must be a whole number from ${min} to ${max}, not ${quote(value)}`)
}

function readBaseUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : null
  const isPlain = url !== null && !url.search && !url.hash && !url.username && !url.password
  if (!isPlain || !['http:', 'https:'].includes(url.protocol)) {
    throw new SettingError('BASE_URL', 'must be an http or https URL without query, fragment or credentials')
  }
  return url.href.replace(/\/+$/, '')
}

/** A secret is never quoted in a message. */
function readSecret(value: string | undefined): string[] | null {
  if (value === undefined) return null
  const secrets = value.split(',').map((each) => each.trim())
  for (const secret of secrets) {
    if (secret === '') throw new SettingError('SECRET', 'has an empty entry')
    if (Buffer.byteLength(secret) < 32) {
      throw new SettingError(
        'SECRET',
        'has an entry of fewer than 32 bytes: use 32 random bytes in base64url',
      )
    }
    if (new Set(secret).size < 8) throw new SettingError('SECRET', 'has an entry that can be guessed')
  }
  if (new Set(secrets).size < secrets.length) throw new SettingError('SECRET', 'has the same entry twice')
  return secrets
}

function readDatabase(value: string): DatabasePlace {
  // The value is never quoted: it may contain a password.
  const scheme = /^[a-z]+(?=:)/.exec(value)?.[0] ?? ''
  if (scheme === 'file') return { engine: 'sqlite', file: readFilePath(value) }
  const engine = networkEngines[scheme]
  if (engine === undefined) {
    throw new SettingError('DATABASE_URL', 'must begin with file:, postgres:// or mysql://')
  }
  const url = URL.canParse(value) ? new URL(value) : null
  if (!url?.hostname || url.pathname.length < 2) {
    throw new SettingError(
      'DATABASE_URL',
      `must name a host and a database: ${scheme}://user:password@host/database`,
    )
  }
  return { engine, url: value }
}

const networkEngines: Partial<Record<string, 'postgres' | 'mysql'>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
}

function readFilePath(value: string): string {
  const path = value.slice('file:'.length).replace(/^\/\/(?=\/)/, '')
  if (path === '' || path.startsWith('//') || path.startsWith(':') || /[?#\0]|[\\/]$/.test(path)) {
    throw new SettingError('DATABASE_URL', 'must name a file, such as file:data/accounts.db')
  }
  return decodePath(path)
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    throw new SettingError('DATABASE_URL', 'has a % that is not a percent-encoding')
  }
}

function readRedis(value: string | undefined): string | null {
  if (value === undefined) return null
  // Not quoted: it may contain a password.
  const url = URL.canParse(value) ? new URL(value) : null
  if (url === null || !['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '') {
    throw new SettingError('REDIS_URL', 'must be a URL such as redis://:password@redis.example.org:6379/0')
  }
  return value
}

function isThisMachine(url: string): boolean {
  return isLoopback(new URL(url).hostname.replace(/^\[|\]$/g, ''))
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))
}

function readSmtp(url: string | undefined, from: string | undefined): Settings['smtp'] {
  if (url === undefined) return null
  // Not quoted: it may contain a password.
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed === null || !['smtp:', 'smtps:'].includes(parsed.protocol) || parsed.hostname === '') {
    throw new SettingError('SMTP_URL', 'must be a URL such as smtp://user:password@mail.example.org:587')
  }
  if (from === undefined)
    throw new SettingError('MAIL_FROM', 'is required with SMTP_URL: the address emails are sent from')
  if (!/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/.test(from)) {
    throw new SettingError('MAIL_FROM', `must be an email address, not ${quote(from)}`)
  }
  checkMailer({ url, from })
  return { url, from }
}

/** Reports what else the mailer rejects under the variable's name. Its messages contain no values. */
function checkMailer(smtp: { url: string; from: string }): void {
  try {
    createNodemailerMailer(smtp)
  } catch (error) {
    const [, option, reason = ''] = /^(\w+) (.*)$/s.exec(error instanceof Error ? error.message : '') ?? []
    throw new SettingError(option === 'from' ? 'MAIL_FROM' : 'SMTP_URL', reason)
  }
}

/** On the port after the app's, so identities stay the same after a restart; on any free one if the app is. */
function readDemo(
  value: string | undefined,
  { baseUrl, port }: { baseUrl: string; port: number },
): string | null {
  if (value === undefined) return null
  oneOf('PROVIDERS', value, ['demo'])
  // At this provider anyone can log in as anyone.
  if (!isThisMachine(baseUrl)) {
    throw new SettingError('PROVIDERS', `can be demo on this machine only, but BASE_URL is ${baseUrl}`)
  }
  return `http://127.0.0.1:${[0, 65_535].includes(port) ? Math.max(port - 1, 0) : port + 1}`
}

/** A secret is never quoted in a message. */
function readClient(
  name: ProviderClient['name'],
  clientId: string | undefined,
  clientSecret: string | undefined,
): ProviderClient[] {
  if (clientId === undefined && clientSecret === undefined) return []
  const variable = `${name.toUpperCase()}_CLIENT_`
  if (clientId === undefined) throw new SettingError(`${variable}ID`, `is required with ${variable}SECRET`)
  if (clientSecret === undefined)
    throw new SettingError(`${variable}SECRET`, `is required with ${variable}ID`)
  return [{ name, clientId, clientSecret }]
}

/** OWASP Password Storage Cheat Sheet: logN and the lowest p that is as strong as 2^17 with p = 1; r is 8. */
const owaspMinimum: readonly [logN: number, p: number][] = [
  [17, 1],
  [16, 2],
  [15, 3],
  [14, 5],
  [13, 10],
]

function readScrypt(value: string, warnings: string[]): PasswordHasher {
  const match = /^(\d{1,3}),(\d{1,3}),(\d{1,3})$/.exec(value)
  if (match === null) throw new SettingError('SCRYPT', `must be logN,r,p such as 15,8,3, not ${quote(value)}`)
  const [logN = 0, r = 0, p = 0] = match.slice(1).map(Number)
  if (r < 8 || !owaspMinimum.some(([leastLogN, leastP]) => logN >= leastLogN && p >= leastP)) {
    warnings.push(`SCRYPT=${value} is below OWASP's minimum: 15,8,3 or equally strong`)
  }
  try {
    return createScryptHasher({ logN, r, p })
  } catch (error) {
    throw new SettingError(
      'SCRYPT',
      `cannot be ${value}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

const proxyNames: readonly string[] = ['loopback', 'linklocal', 'uniquelocal']

function readTrustProxy(value: string | undefined, warnings: string[]): boolean | string[] {
  if (value === undefined || value === 'false') return false
  if (value === 'true') {
    warnings.push('TRUST_PROXY=true: any client can claim any address; set the addresses of your proxies')
    return true
  }
  if (/^\d+$/.test(value)) {
    throw new SettingError(
      'TRUST_PROXY',
      'must not be a number of hops, which Fastify ignores: set the addresses',
    )
  }
  const proxies = value.split(',').map((each) => each.trim())
  for (const proxy of proxies) {
    if (!proxyNames.includes(proxy) && !isNetwork(proxy)) {
      throw new SettingError(
        'TRUST_PROXY',
        `must be true, false, or IP addresses, networks or ${proxyNames.join(', ')}, got ${quote(proxy)}`,
      )
    }
  }
  return proxies
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
}

/** A value for a message: on one line and truncated. */
function quote(value: string): string {
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)
}
