import { createNodemailerMailer, type NodemailerOptions } from '@fastify-accounts/nodemailer'
import { describe, expect, test } from 'vitest'
import { resolveOptions } from '../src/options.js'

const from = 'no-reply@example.com'
const url = 'smtp://mail.example.com'

test.each<[unknown, string]>([
  [{ from }, 'url is missing: give smtp://host or smtps://host, or a transport instead'],
  [{ from, url, transport: {} }, 'give either url or transport'],
  [{ from, url: 'http://mail.example.com' }, 'url must be smtp://host or smtps://host'],
  [{ from, url: 'mail.example.com' }, 'url must be smtp://host or smtps://host'],
  [{ from, url: 'smtp://' }, 'url must be smtp://host or smtps://host'],
  [{ from, url: '' }, 'url must be smtp://host or smtps://host'],
  [
    { from, url: 'smtps://mail.example.com:587' },
    'url must begin with smtp:// for port 587, got smtps://; if the server differs, give a transport',
  ],
  [
    { from, url: 'smtp://user:s3cret@mail.example.com:465' },
    'url must begin with smtps:// for port 465, got smtp://; if the server differs, give a transport',
  ],
  [{ from, url: 7 }, 'url must be smtp://host or smtps://host'],
  [{ from, url: `${url}/?tls.rejectUnauthorized=false` }, 'url must end after host and port'],
  [{ from, url: `${url}/path` }, 'url must end after host and port'],
  [{ from, url: `${url}#part` }, 'url must end after host and port'],
  [{ from, url: 'smtp://ada:100%@mail.example.com' }, 'url must percent-encode special characters'],
  [{ from, transport: 'smtp://mail.example.com' }, 'transport must be an object'],
  [{ from, transport: null }, 'transport must be an object'],
  [{ from, transport: { url } }, 'transport.url: give it as url'],
  [{ from, url, timeout: 0 }, 'timeout must be a whole number of milliseconds above 0'],
  [{ from, url, timeout: 1.5 }, 'timeout must be a whole number of milliseconds above 0'],
  [{ from, url, timeout: '10' }, 'timeout must be a whole number of milliseconds above 0'],
  [{ from, url, requireTLS: 'no' }, 'requireTLS must be true or false'],
  [{ url }, 'from must be one plain email address'],
  [{ url, from: null }, 'from must be one plain email address'],
  [{ url, from: 'nobody' }, 'from must be one plain email address'],
  [{ url, from: 'a@example.com, b@example.com' }, 'from must be one plain email address'],
  [{ url, from: 'A <a@example.com> <b@example.com>' }, 'from must be one plain email address'],
  [{ url, from: 'A\r\nBcc: b@example.com <a@example.com>' }, 'from must be one line of text'],
  [{ url, from: { name: 'A' } }, 'from.address must be one plain email address'],
  [{ url, from: { name: 'A\n', address: from } }, 'from.name must be one line of text'],
])('%o is rejected immediately, in one line', (options, line) => {
  expect(() => createNodemailerMailer(options as NodemailerOptions)).toThrow(line)
})

test('a password in the URL never appears in errors', () => {
  expect(() => createNodemailerMailer({ from, url: 'imap://ada:s3cret@mail.example.com' })).toThrow(
    /^(?!.*s3cret)/,
  )
})

test.each([
  ['no-reply@example.com', { name: '', address: 'no-reply@example.com' }],
  ['<no-reply@example.com>', { name: '', address: 'no-reply@example.com' }],
  ['Ada & Co. <no-reply@example.com>', { name: 'Ada & Co.', address: 'no-reply@example.com' }],
  [{ address: 'no-reply@bücher.example' }, { name: '', address: 'no-reply@xn--bcher-kva.example' }],
])('from: %o', (given, mailbox) => {
  expect(resolveOptions({ from: given, url }).from).toEqual(mailbox)
})

test.each([
  ['smtp://mail.example.com', { host: 'mail.example.com', port: undefined, secure: false, auth: undefined }],
  ['smtps://mail.example.com:4465/', { host: 'mail.example.com', port: 4465, secure: true }],
  ['smtp://[::1]:1025', { host: '::1', port: 1025 }],
  ['smtp://ada%40example.com:p%3Ass@mail.example.com', { auth: { user: 'ada@example.com', pass: 'p:ss' } }],
])('url: %s', (url, transport) => {
  expect(resolveOptions({ from, url }).transport).toMatchObject(transport)
})

describe('requireTLS', () => {
  test.each([
    ['smtp://mail.example.com', true],
    ['smtp://10.0.0.5:2525', true],
    ['smtp://localhost.example.com', true],
    ['smtp://127.example.com', true],
    ['smtp://localhost:1025', false],
    ['smtp://127.0.0.1', false],
    ['smtp://[::1]:1025', false],
  ])('defaults for %s: %s', (url, requireTLS) => {
    expect(resolveOptions({ from, url }).transport).toMatchObject({ requireTLS })
  })

  test("may be set as an option or in nodemailer's own options; the option wins", () => {
    const host = 'mail.example.com'
    expect(resolveOptions({ from, url, requireTLS: false }).transport).toMatchObject({ requireTLS: false })
    const off = { host, requireTLS: false }
    expect(resolveOptions({ from, transport: { host } }).transport).toMatchObject({ requireTLS: true })
    expect(resolveOptions({ from, transport: { service: 'gmail' } }).transport).toMatchObject({
      requireTLS: true,
    })
    // As from a conditional expression.
    const unsaid = { host, requireTLS: undefined }
    expect(resolveOptions({ from, transport: unsaid }).transport).toMatchObject({ requireTLS: true })
    expect(resolveOptions({ from, transport: off }).transport).toMatchObject({ requireTLS: false })
    expect(resolveOptions({ from, transport: off, requireTLS: true }).transport).toMatchObject({
      requireTLS: true,
    })
  })
})

test("every timeout is set, unless nodemailer's options set it", () => {
  const waits = ['connectionTimeout', 'greetingTimeout', 'socketTimeout', 'dnsTimeout']
  for (const wait of waits) {
    expect(resolveOptions({ from, url }).transport).toHaveProperty(wait, 10_000)
    expect(resolveOptions({ from, url, timeout: 500 }).transport).toHaveProperty(wait, 500)
    expect(resolveOptions({ from, transport: { [wait]: 7 } }).transport).toHaveProperty(wait, 7)
  }
})
