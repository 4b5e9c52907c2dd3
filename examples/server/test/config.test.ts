import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { run, start, temporaryFolder } from '@fastify-accounts/test-support/example-server/server'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSettings, SettingError } from '../src/config.js'

const long = 'a secret of at least 32 bytes for tests'
const mailServer = { SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: 'accounts@example.org' }

describe('the default settings', () => {
  it('match the documentation', () => {
    expect(readSettings({})).toMatchObject({
      host: 'localhost',
      port: 3000,
      baseUrl: 'http://localhost:3000',
      secret: null,
      database: { engine: 'sqlite', file: 'data/accounts.db' },
      smtp: null,
      requireEmailConfirmation: false,
      usersVariant: 'both',
      throttle: true,
      passwordMinLength: 8,
      trustProxy: false,
      logLevel: 'info',
      warnings: [],
    })
  })

  it('also apply if a variable is empty', () => {
    expect(readSettings({ PORT: '', BASE_URL: '', TRUST_PROXY: '', DATABASE_URL: ' ' })).toMatchObject({
      baseUrl: 'http://localhost:3000',
      trustProxy: false,
      database: { engine: 'sqlite', file: 'data/accounts.db' },
    })
  })
})

describe('a valid setting', () => {
  it.each([
    [{ HOST: '::1', PORT: '8080' }, { baseUrl: 'http://[::1]:8080' }],
    [{ PORT: '0', BASE_URL: 'http://localhost' }, { port: 0 }],
    [{ BASE_URL: 'https://example.org/', ...mailServer }, { baseUrl: 'https://example.org' }],
    [
      { BASE_URL: 'https://example.org/accounts/', ...mailServer },
      { baseUrl: 'https://example.org/accounts' },
    ],
    [{ SECRET: `${long}, ${long} the older` }, { secret: [long, `${long} the older`] }],
    [
      { DATABASE_URL: 'file:/srv/my%20data/a.db' },
      { database: { engine: 'sqlite', file: '/srv/my data/a.db' } },
    ],
    [{ DATABASE_URL: 'file:///srv/a.db' }, { database: { engine: 'sqlite', file: '/srv/a.db' } }],
    [
      { DATABASE_URL: 'postgresql://user:pass@db.example.org/accounts' },
      { database: { engine: 'postgres', url: 'postgresql://user:pass@db.example.org/accounts' } },
    ],
    [
      { DATABASE_URL: 'mariadb://root@db.example.org/accounts' },
      { database: { engine: 'mysql', url: 'mariadb://root@db.example.org/accounts' } },
    ],
    [
      { SMTP_URL: 'smtps://user:pass@mail.example.org', MAIL_FROM: 'Accounts <accounts@example.org>' },
      { smtp: { url: 'smtps://user:pass@mail.example.org', from: 'Accounts <accounts@example.org>' } },
    ],
    [{ REST_AUTH_SIGNUP_REQUIRE_EMAIL_CONFIRMATION: 'true' }, { requireEmailConfirmation: true }],
    [{ USERS_VARIANT: 'off' }, { usersVariant: 'off' }],
    [{ PASSWORD_MIN_LENGTH: '15' }, { passwordMinLength: 15 }],
    [{ TRUST_PROXY: 'false' }, { trustProxy: false }],
    [
      { TRUST_PROXY: 'loopback, 10.0.0.0/8,fd00::/8,192.0.2.1' },
      { trustProxy: ['loopback', '10.0.0.0/8', 'fd00::/8', '192.0.2.1'] },
    ],
    [{ SCRYPT: '17,8,1' }, { warnings: [] }],
    [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  ])('%o is accepted', (environment, expected) => {
    expect(readSettings(environment)).toMatchObject(expected)
  })

  it.each(['http://localhost', 'https://127.0.0.1:8443', 'http://[::1]:3000'])(
    '%s may be used without a mail server',
    (baseUrl) => {
      expect(readSettings({ BASE_URL: baseUrl })).toMatchObject({ baseUrl, smtp: null, warnings: [] })
    },
  )

  it.each([
    [{ THROTTLE: 'off' }, 'THROTTLE=off'],
    [{ HOST: '0.0.0.0', BASE_URL: 'http://localhost' }, 'HOST=0.0.0.0 without SMTP_URL'],
    [{ SCRYPT: '15,8,2' }, 'SCRYPT=15,8,2 is below'],
    [{ SCRYPT: '17,4,1' }, 'SCRYPT=17,4,1 is below'],
    [{ SCRYPT: '12,8,40' }, 'SCRYPT=12,8,40 is below'],
    [{ TRUST_PROXY: 'true' }, 'TRUST_PROXY=true'],
  ])('%o is accepted with a warning', (environment, start) => {
    const { warnings } = readSettings(environment)
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain(start)
  })
})

describe('an invalid setting', () => {
  it.each([
    [{ PORT: 'http' }, 'PORT must be a whole number from 1 to 65535'],
    [{ PORT: '0' }, 'PORT must be a whole number from 1 to 65535'],
    [{ PORT: '65536' }, 'PORT must be'],
    [{ PORT: '3000.5' }, 'PORT must be'],
    [{ BASE_URL: 'example.org' }, 'BASE_URL must be'],
    [{ BASE_URL: 'https://example.org' }, 'SMTP_URL is missing'],
    [{ BASE_URL: 'http://localhost.example.org' }, 'SMTP_URL is missing'],
    [{ BASE_URL: 'http://192.168.0.5:3000' }, 'SMTP_URL is missing'],
    [{ HOST: '0.0.0.0' }, 'SMTP_URL is missing'],
    [{ PROVIDERS: 'facebook' }, 'PROVIDERS must be one of demo'],
    [
      { PROVIDERS: 'demo', BASE_URL: 'https://example.org', ...mailServer },
      'PROVIDERS can be demo on this machine only',
    ],
    [{ GOOGLE_CLIENT_ID: 'app' }, 'GOOGLE_CLIENT_SECRET is required with GOOGLE_CLIENT_ID'],
    [{ GITHUB_CLIENT_SECRET: 'secret' }, 'GITHUB_CLIENT_ID is required with GITHUB_CLIENT_SECRET'],
    [{ BASE_URL: 'ftp://example.org' }, 'BASE_URL must be'],
    [{ BASE_URL: 'https://user:pass@example.org' }, 'BASE_URL must be'],
    [{ BASE_URL: 'https://example.org/?a=b' }, 'BASE_URL must be'],
    [{ SECRET: '' }, 'SECRET has an empty entry'],
    [{ SECRET: `${long},` }, 'SECRET has an empty entry'],
    [{ SECRET: `${long}, ,${long}` }, 'SECRET has an empty entry'],
    [{ SECRET: 'changeme' }, 'SECRET has an entry of fewer than 32 bytes'],
    [{ SECRET: 'a'.repeat(40) }, 'SECRET has an entry that can be guessed'],
    [{ SECRET: `${long},${long}` }, 'SECRET has the same entry twice'],
    [
      { DATABASE_URL: 'mongodb://db.example.org/accounts' },
      'DATABASE_URL must begin with file:, postgres://',
    ],
    [{ DATABASE_URL: 'accounts.db' }, 'DATABASE_URL must begin with file:'],
    [{ DATABASE_URL: 'postgres://user:pass@db.example.org' }, 'DATABASE_URL must name a host and a database'],
    [{ DATABASE_URL: 'mysql:accounts' }, 'DATABASE_URL must name a host and a database'],
    [{ DATABASE_URL: 'file:' }, 'DATABASE_URL must name a file'],
    [{ DATABASE_URL: 'file:data/' }, 'DATABASE_URL must name a file'],
    [{ DATABASE_URL: 'file::memory:' }, 'DATABASE_URL must name a file'],
    [{ DATABASE_URL: 'file://host/accounts.db' }, 'DATABASE_URL must name a file'],
    [{ DATABASE_URL: 'file:accounts.db?mode=ro' }, 'DATABASE_URL must name a file'],
    [{ DATABASE_URL: 'file:%' }, 'DATABASE_URL has a %'],
    [{ REDIS_URL: 'localhost:6379' }, 'REDIS_URL must be a URL such as redis://'],
    [{ REDIS_URL: 'http://localhost' }, 'REDIS_URL must be a URL such as redis://'],
    [{ SMTP_URL: 'mail.example.org', MAIL_FROM: 'a@example.org' }, 'SMTP_URL must be a URL such as smtp://'],
    [{ SMTP_URL: 'https://mail.example.org', MAIL_FROM: 'a@example.org' }, 'SMTP_URL must be'],
    [
      { SMTP_URL: 'smtp://mail.example.org/?tls=no', MAIL_FROM: 'a@example.org' },
      'SMTP_URL must end after host and port',
    ],
    [
      { SMTP_URL: 'smtp://ada:100%@mail.example.org', MAIL_FROM: 'a@example.org' },
      'SMTP_URL must percent-encode special characters',
    ],
    [
      { SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: 'accounts@0x7f.1' },
      'MAIL_FROM must be one plain email address',
    ],
    [{ SMTP_URL: 'smtp://mail.example.org' }, 'MAIL_FROM is required with SMTP_URL'],
    [{ SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: 'accounts' }, 'MAIL_FROM must be an email address'],
    [
      { REST_AUTH_SIGNUP_REQUIRE_EMAIL_CONFIRMATION: 'yes' },
      'REST_AUTH_SIGNUP_REQUIRE_EMAIL_CONFIRMATION must be one of true, false',
    ],
    [{ USERS_VARIANT: 'a' }, 'USERS_VARIANT must be one of user, signup, both, off, not "a"'],
    [{ THROTTLE: 'false' }, 'THROTTLE must be one of on, off'],
    [{ PASSWORD_MIN_LENGTH: '7' }, 'PASSWORD_MIN_LENGTH must be a whole number from 8 to 64'],
    [{ PASSWORD_MIN_LENGTH: '99999999999' }, 'PASSWORD_MIN_LENGTH must be'],
    [{ SCRYPT: '15,8' }, 'SCRYPT must be logN,r,p such as 15,8,3'],
    [{ SCRYPT: '0,8,3' }, 'SCRYPT cannot be 0,8,3'],
    [{ SCRYPT: '30,8,1' }, 'SCRYPT cannot be 30,8,1'],
    [{ TRUST_PROXY: '1' }, 'TRUST_PROXY must not be a number of hops'],
    [{ TRUST_PROXY: 'proxy.example.org' }, 'TRUST_PROXY must be true, false, or IP addresses'],
    [{ TRUST_PROXY: '10.0.0.0/33' }, 'TRUST_PROXY must be'],
    [{ TRUST_PROXY: '10.0.0.1,' }, 'TRUST_PROXY must be'],
    [{ LOG_LEVEL: 'verbose' }, 'LOG_LEVEL must be one of trace,'],
  ])('%o is rejected', (environment: Record<string, string>, message) => {
    const read = () => readSettings(environment)
    expect(read).toThrow(SettingError)
    expect(read).toThrow(message)
    expect(read).not.toThrow(/\n/)
  })

  it('is reported without the secrets in it', () => {
    const password = 'hunter2-and-more'
    for (const environment of [
      { SECRET: password },
      { DATABASE_URL: `postgres://user:${password}@db` },
      { DATABASE_URL: `sqlite://user:${password}@db/accounts` },
      { SMTP_URL: `smtp:user:${password}`, MAIL_FROM: 'a@example.org' },
      { SMTP_URL: `smtp://user:${password}%@mail.example.org`, MAIL_FROM: 'a@example.org' },
    ]) {
      expect(() => readSettings(environment)).toThrow(SettingError)
      expect(() => readSettings(environment)).not.toThrow(password)
    }
  })
})

describe('startup', () => {
  it.each([
    [{ SECRET: 'short' }, /^Not started: SECRET has an entry of fewer than 32 bytes.*\n$/],
    [
      { DATABASE_URL: 'file:/dev/null/accounts.db' },
      /^Not started: DATABASE_URL names \/dev\/null\/accounts\.db.*\n$/,
    ],
    [
      { SMTP_URL: 'smtp://mail.example.org/?tls=no', MAIL_FROM: 'a@example.org' },
      /^Not started: SMTP_URL must end after host and port.*\n$/,
    ],
    [
      { HOST: 'no-such-host.invalid', BASE_URL: 'http://localhost' },
      /^Not started: HOST cannot be listened on: .*\n$/,
    ],
  ])('fails with one line for %o', async (environment, line) => {
    const server = run({ LOG_LEVEL: 'silent', ...environment })
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(line)
  })

  it('fails with one line if the database file is not a database', async () => {
    const folder = temporaryFolder()
    const { writeFileSync } = await import('node:fs')
    writeFileSync(`${folder}/accounts.db`, 'This is no database. '.repeat(100))
    const server = run({ DATABASE_URL: 'file:accounts.db', LOG_LEVEL: 'silent' }, folder)
    expect(await server.ended).toBe(1)
    expect(server.output()).toMatch(
      /^Not started: DATABASE_URL names accounts\.db, which cannot be used: .*\n$/,
    )
  })

  it('fails with one line if the port is in use', async () => {
    const first = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void first.close())
    await once(first, 'listening')
    const { port } = first.address() as AddressInfo
    const second = run({ HOST: '127.0.0.1', PORT: `${port}`, LOG_LEVEL: 'silent' })
    expect(await second.ended).toBe(1)
    expect(second.output()).toMatch(/^Not started: PORT cannot be listened on: .*\n$/)
  })

  it('logs its warnings', async () => {
    const server = await start({ THROTTLE: 'off' })
    expect(server.output()).toContain('THROTTLE=off')
    expect(server.output()).toContain('SCRYPT=10,8,1 is below')
  })
})
