import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { goodPassword, signUp, testApp } from '@fastify-accounts/test-support/app'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AccountsOptions, type PasswordCheck, pwnedPasswords } from '../src/index.js'

const breached = 'a breached password'
const digestOf = (password: string) => createHash('sha1').update(password).digest('hex').toUpperCase()
const padding = '0'.repeat(35)

/** Emulates the range API on a local port, with this listener. */
async function rangeService(listener: RequestListener) {
  const asked: { url: string; padding: unknown }[] = []
  const server = createServer((request, response) => {
    asked.push({ url: `${request.url}`, padding: request.headers['add-padding'] })
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { asked, url: `http://127.0.0.1:${port}/range/` }
}

const lineOf = (password: string, count: number) => `${digestOf(password).slice(5)}:${count}`

const respondWith =
  (body: string, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status).end(body)

describe('password.check', () => {
  it('is not called if our own rules reject the password', async () => {
    let calls = 0
    const service = await testApp({
      password: {
        check: () => {
          calls += 1
          return null
        },
      },
    })
    for (const password of ['short', 'password1']) {
      const body = { username: 'ada', password, confirm_password: password }
      expect((await service.send('POST', '/signup/', body)).statusCode).toBe(400)
    }
    expect(calls).toBe(0)
  })

  it.each<[string, PasswordCheck]>([
    ['throws', () => Promise.reject(new Error(`no response about ${goodPassword}`))],
    ['returns something else', () => true as never],
    ["doesn't respond", () => new Promise(() => {})],
  ])('causes 503 if it %s', async (_, failing) => {
    const service = await testApp({ password: { check: failing }, adapterTimeout: 1_000 })
    const body = { username: 'ada', password: goodPassword, confirm_password: goodPassword }
    const response = await service.send('POST', '/signup/', body)
    expect([response.statusCode, response.json().code]).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
    const open = await testApp({
      password: {
        check: Object.assign((...given: Parameters<PasswordCheck>) => failing(...given), { failsOpen: true }),
      },
      adapterTimeout: 1_000,
    })
    expect((await open.send('POST', '/signup/', body)).statusCode).toBe(201)
  })

  it('stops the start if it is not a function', async () => {
    const password = { check: 'pwned' } as unknown as NonNullable<AccountsOptions['password']>
    await expect(testApp({ password })).rejects.toThrow(/option password\.check must be a function/)
  })
})

describe('pwnedPasswords', () => {
  const owner = { username: null, email: null }

  it('sends five digits, with padding, and detects breached passwords', async () => {
    const body = [`${padding}:0`, lineOf(breached, 3), lineOf('padded', 0)].join('\r\n')
    const { asked, url } = await rangeService(respondWith(body))
    const check = pwnedPasswords({ url })
    expect(await check(breached, owner)).toBe('breached')
    expect(await check('padded', owner)).toBe(null)
    expect(await check('unknown', owner)).toBe(null)
    expect(asked).toEqual(
      [breached, 'padded', 'unknown'].map((each) => ({
        url: `/range/${digestOf(each).slice(0, 5)}`,
        padding: 'true',
      })),
    )
  })

  it.each<[string, RequestListener]>([
    ['is slow', () => {}],
    ['is slow after a part', (_, response) => void response.writeHead(200).write(`${padding}:0\r\n`)],
    [
      'cuts the response off',
      (_, response) => {
        response
          .writeHead(200, { 'content-length': '5000' })
          .write(`${padding}:0\r\n`, () => response.destroy())
      },
    ],
    ['returns 500', respondWith('', 500)],
    ['leads elsewhere', (_, response) => void response.writeHead(302, { location: '/elsewhere' }).end()],
    ['sends a page', respondWith('<html>Log in to the Wi-Fi</html>')],
    [
      'sends too much',
      (_, response) => {
        response.writeHead(200)
        const more = () => {
          while (!response.destroyed && response.write(`${padding}:0\n`.repeat(2000)));
        }
        response.on('drain', more)
        more()
      },
    ],
  ])('accepts the password if the service %s, and logs it in one line', async (_, listener) => {
    const { asked, url } = await rangeService(listener)
    const lines: string[] = []
    const service = await testApp(
      { password: { check: pwnedPasswords({ url, timeout: 300 }) } },
      { server: { logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } } } },
    )
    for (const username of ['ada', 'bob'])
      await signUp(service, username, { password: breached, confirm_password: breached })
    expect(asked.length).toBeGreaterThanOrEqual(2)
    const told = lines.filter((line) => line.includes('the password check is unavailable'))
    expect(told).toHaveLength(1)
    expect(told[0]).not.toContain(breached)
    expect(told[0]).not.toContain(digestOf(breached).slice(0, 5))
  })

  it.each([[{ url: 'nowhere' }], [{ url: 'file:///etc' }], [{ timeout: 0 }], [{ timeout: 1001 }]])(
    'refuses the options %j',
    (options) => expect(() => pwnedPasswords(options)).toThrow(TypeError),
  )
})
