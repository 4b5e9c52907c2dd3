import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  testApp,
} from '@fastify-accounts/test-support/app'
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
  const check: PasswordCheck = (password, owner) =>
    password === breached
      ? 'breached'
      : password.includes(`${owner.username}s`)
        ? { message: 'Not your name.' }
        : null
  const refusal = (field: string) => ({ field, code: 'breached' })

  it('is called wherever a password is set, and not at login', async () => {
    const asked: string[] = []
    const watched: PasswordCheck = (password, owner) => {
      asked.push(password)
      return check(password, owner)
    }
    const service = await testApp({ password: { check: watched } })
    const { app } = service
    const faultsOf = (response: { statusCode: number; json(): { fields?: object[] } }) => {
      expect(response.statusCode).toBe(400)
      return response.json().fields
    }
    const create = await service.send('POST', '/signup/', {
      username: 'ada',
      email: 'ada@example.org',
      password: breached,
      confirm_password: breached,
    })
    expect(faultsOf(create)).toMatchObject([refusal('password')])
    const { id } = await signUp(service, 'ada', { email: 'ada@example.org' })
    const cookie = await logIn(service, 'ada')
    expect(asked.splice(0)).toEqual([breached, goodPassword])

    const passwords = { new_password: breached, confirm_password: breached }
    const change = await service.send(
      'POST',
      '/change-password/',
      { old_password: goodPassword, ...passwords },
      { headers: { cookie } },
    )
    expect(faultsOf(change)).toMatchObject([refusal('new_password')])
    await service.send('POST', '/forgot/', { email: 'ada@example.org' })
    const link = linkPath(await service.mail('reset-password', 'ada@example.org'))
    expect(faultsOf(await service.send('POST', link, passwords))).toMatchObject([refusal('new_password')])
    const own = 'what adas friends know'
    const german = { headers: { 'accept-language': 'de' } }
    const named = await service.send('POST', link, { new_password: own, confirm_password: own }, german)
    expect(faultsOf(named)).toEqual([{ field: 'new_password', code: 'invalid', message: 'Not your name.' }])
    await expect(app.accounts.setPassword(id, breached)).rejects.toMatchObject({
      fields: [refusal('password')],
    })
    const bob = { username: 'bob', password: breached }
    await expect(app.accounts.createUser(bob)).rejects.toMatchObject({ fields: [refusal('password')] })
    expect(asked).toEqual([breached, breached, own, breached, breached])
    // The link is still valid.
    const right = { new_password: otherPassword, confirm_password: otherPassword }
    expect((await service.send('POST', link, right)).statusCode).toBe(204)
  })

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
    const service = await testApp({ password: { check: failing }, adapterTimeout: 100 })
    const body = { username: 'ada', password: goodPassword, confirm_password: goodPassword }
    const response = await service.send('POST', '/signup/', body)
    expect([response.statusCode, response.json().code]).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
    const open = await testApp({
      password: {
        check: Object.assign((...given: Parameters<PasswordCheck>) => failing(...given), { failsOpen: true }),
      },
      adapterTimeout: 100,
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
