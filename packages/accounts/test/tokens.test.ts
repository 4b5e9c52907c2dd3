import { linkPath, logIn, secret, signUp, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createListCursor } from '../src/tokens/list-cursor.js'

const newer = 'bmV3LXNlY3JldC1vZi1lbm91Z2gtYnl0ZXMtZm9yLWEtdGVzdA'
const form = { new_password: 'staple gun and paper', confirm_password: 'staple gun and paper' }

afterEach(() => {
  vi.useRealTimers()
})

describe('a list cursor', () => {
  async function firstPage() {
    const service = await testApp()
    for (const name of ['alice', 'bob', 'carol']) await signUp(service, name)
    const cookie = await logIn(service)
    const get = (url: string) => service.app.inject({ url, headers: { cookie } })
    const next = new URL((await get('/user/?limit=1')).json().next)
    return { service, get, cookie, cursor: next.searchParams.get('cursor') ?? '' }
  }

  test('with any bit changed, or without text, is 400', async () => {
    const { get, cursor } = await firstPage()
    expect((await get(`/user/?cursor=${cursor}`)).statusCode).toBe(200)
    const bytes = Buffer.from(cursor, 'base64url')
    const forged = [...bytes.keys()].map((at) => {
      const copy = Buffer.from(bytes)
      copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
      return copy
    })
    for (const each of [...forged, bytes.subarray(0, 28), bytes.subarray(0, 27)]) {
      const response = await get(`/user/?cursor=${each.toString('base64url')}`)
      expect([response.statusCode, response.json().code]).toEqual([400, 'ACCOUNTS_INVALID_INPUT'])
    }
  })

  test('signed with an older secret continues as long as that secret is listed', async () => {
    const { service, cookie, cursor } = await firstPage()
    const page = async (secrets: string[]) => {
      const stores = { userStore: service.users, sessionStore: service.sessions }
      const rotated = await testApp({ ...stores, secret: secrets })
      // The session uses the old secret as well.
      const headers = { cookie: secrets.includes(secret) ? cookie : await logIn(rotated) }
      return rotated.app.inject({ url: `/user/?limit=1&cursor=${cursor}`, headers })
    }
    expect((await page([newer, secret])).json().results).toMatchObject([{ username: 'bob' }])
    expect((await page([newer])).statusCode).toBe(400)
  })

  test('is sealed with the first secret', () => {
    const position = { createdAt: new Date('2026-01-02T03:04:05.678Z'), id: 'user-1', usernameKey: 'ada' }
    const cursor = createListCursor([newer, secret]).encode(position, 'order=username')
    expect(createListCursor([newer]).decode(cursor, 'order=username')).toEqual(position)
    expect(createListCursor([newer]).decode(cursor, 'order=-username')).toBeNull()
    expect(createListCursor([secret]).decode(cursor, 'order=username')).toBeNull()
  })
})

describe('an emailed link', () => {
  const issued = new Date('2026-01-02T03:04:05Z')

  /** A service with a stopped clock, and a link emailed at that time. */
  async function linkOf(kind: 'reset-password' | 'verify-email') {
    vi.useFakeTimers({ toFake: ['Date'], now: issued.getTime() + 400 })
    const service = await testApp({ requireEmailConfirmation: kind === 'verify-email' })
    await service.send('POST', '/signup/', {
      username: 'alice',
      password: 'correct horse battery',
      confirm_password: 'correct horse battery',
      email: 'alice@example.org',
    })
    if (kind === 'reset-password') await service.send('POST', '/forgot/', { email: 'alice@example.org' })
    return { service, link: linkPath(await service.mail(kind)) }
  }

  const at = async ({ send }: TestApp, link: string, milliseconds: number) => {
    vi.setSystemTime(issued.getTime() + milliseconds)
    return (await send('GET', link)).statusCode
  }

  test.each([
    ['reset-password', 3600],
    ['verify-email', 24 * 3600],
  ] as const)('RST-12 %s is valid to the end of its last second', async (kind, seconds) => {
    const { service, link } = await linkOf(kind)
    expect(await at(service, link, seconds * 1000 + 999)).toBe(200)
    expect(await at(service, link, seconds * 1000 + 1000)).toBe(400)
  })

  test('is invalid with its id spelled differently, and once its user is deleted', async () => {
    const { service, link } = await linkOf('reset-password')
    const [, , uid64 = '', token] = link.split('/')
    // The same bytes for a lenient decoder.
    const last = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const others = [...last]
      .map((letter) => uid64.slice(0, -1) + letter)
      .filter(
        (each) => each !== uid64 && Buffer.from(each, 'base64url').equals(Buffer.from(uid64, 'base64url')),
      )
    for (const each of [...others, `${uid64}=`, `${uid64}~`, `${uid64}%20`, `~${uid64}`]) {
      expect([each, (await service.send('GET', `/reset/${each}/${token}/`)).statusCode]).toEqual([each, 400])
    }
    expect((await service.send('GET', link)).statusCode).toBe(200)
    const user = await service.users.findByUsername('alice')
    await service.users.delete(user?.id ?? '')
    const gone = await service.send('GET', link)
    expect([gone.statusCode, gone.json().code]).toEqual([400, 'ACCOUNTS_INVALID_LINK'])
  })

  test('that verifies becomes invalid once used, and after a change of address', async () => {
    const { service, link } = await linkOf('verify-email')
    const again = await linkOf('verify-email')
    expect((await service.send('POST', link)).statusCode).toBe(200)
    const user = await again.service.users.findByUsername('alice')
    const moved = { email: 'alice@example.net', emailKey: 'alice@example.net' }
    await again.service.users.update(user?.id ?? '', moved, user?.version ?? 0)
    expect((await again.service.send('POST', again.link)).statusCode).toBe(400)
    const used = await service.users.findByUsername('alice')
    await service.users.update(
      used?.id ?? '',
      { verifyEpoch: (used?.verifyEpoch ?? 0) + 1 },
      used?.version ?? 0,
    )
    expect((await service.send('GET', link)).statusCode).toBe(400)
  })

  test('is valid if the clock is up to a minute behind that of the process that signed it', async () => {
    const { service, link } = await linkOf('reset-password')
    expect(await at(service, link, -60_000)).toBe(200)
    expect(await at(service, link, -60_001)).toBe(400)
    expect((await service.send('POST', link, form)).statusCode).toBe(400)
  })
})
