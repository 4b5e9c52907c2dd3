import { goodPassword, signUp, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { beforeAll, describe, expect, test } from 'vitest'
import type { AccountsOptions } from '../src/index.js'

/** The client that a session reports after a login with this User-Agent. */
async function detailsOf(
  { send, sessions, users }: TestApp,
  extra: { headers?: Record<string, string>; remoteAddress?: string },
) {
  const response = await send('POST', '/login/', { username: 'alice', password: goodPassword }, extra)
  expect(response.statusCode).toBe(200)
  const user = await users.findByUsername('alice')
  const [row] = await sessions.listByUser(user?.id ?? '')
  await sessions.delete(row?.id ?? '')
  return row?.details
}

describe('the description of a User-Agent', () => {
  let service: TestApp
  beforeAll(async () => {
    service = await testApp()
    await signUp(service)
  })

  const like = 'AppleWebKit/537.36 (KHTML, like Gecko)'
  const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
  const linux = 'Mozilla/5.0 (X11; Linux x86_64)'
  const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
  const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)'
  const android = 'Mozilla/5.0 (Linux; Android 10; K)'
  const chrome = `${like} Chrome/142.0.0.0 Safari/537.36`
  test.each([
    [`${windows.slice(0, -1)}; rv:145.0) Gecko/20100101 Firefox/145.0`, 'Firefox', 'Windows'],
    [`${linux} ${chrome}`, 'Chrome', 'Linux'],
    [`${linux} ${like} Ubuntu Chromium/142.0.0.0 Safari/537.36`, 'Chrome', 'Linux'],
    [`${windows} ${chrome} Edg/142.0.0.0`, 'Edge', 'Windows'],
    [`${android} ${chrome} EdgA/142.0.0.0`, 'Edge', 'Android'],
    [`${iPhone} ${like} Version/18.0 EdgiOS/142.0 Mobile/15E148 Safari/605.1.15`, 'Edge', 'iOS'],
    [`${windows} ${like} Chrome/52.0 Safari/537.36 Edge/15.14986`, 'Edge', 'Windows'],
    [`${mac} ${like} Version/26.0 Safari/605.1.15`, 'Safari', 'macOS'],
    ['Mozilla/5.0 (Macintosh) Version/9.1 (x) Safari/601', 'Safari', 'macOS'],
    ['Mozilla/5.0 (Mac OS X) Gecko FxiOS/145.0', 'Firefox', 'macOS'],
    [`${iPhone} ${like} CriOS/142.0 Mobile/15E148 Safari/604.1`, 'Chrome', 'iOS'],
    [`${iPhone.replaceAll('iPhone', 'iPad')} ${like} FxiOS/145.0 Mobile/15E148`, 'Firefox', 'iOS'],
    ['Mozilla/5.0 (iPod touch; like Mac OS X) Version/15.0 Mobile Safari/604.1', 'Safari', 'iOS'],
    [
      `${android} ${like} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet',
      'Android',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${chrome} OPR/126.0.0.0`, 'Opera', 'ChromeOS'],
    [`${iPhone} ${like} Version/18.0 Safari/604.1 OPT/6.0`, 'Opera', 'iOS'],
    ['Opera/9.80 (Windows NT 6.0) Presto/2.12 Version/12.14', 'Opera', 'Windows'],
    [`${windows} ${chrome} Vivaldi/7.6`, 'Vivaldi', 'Windows'],
    // Not as part of a word.
    ['NotFirefox/1 XChrome/2 Operatic Edgy/3 MyVivaldi/4 Linuxy Androids MyCrOS', null, null],
    ['Firefox Chrome SamsungBrowser Vivaldi Edg Windows98', null, null],
    ['Version/ Safari/1 Macintoshes XMacintosh MaciPhone iPads LMac OS X', null, null],
    ['Version/26.0Safari/1 Mac OS XI', null, null],
    ['curl/8.14.1', null, null],
    ['', null, null],
    // Only the first 512 characters are read.
    [`${'-'.repeat(502)} Firefox/1`, 'Firefox', null],
    [`${'-'.repeat(503)} Firefox/1`, 'Firefox', null],
    [`${'-'.repeat(504)} Firefox/1`, null, null],
    [`${'<b>'.repeat(4000)} Firefox/1`, null, null],
  ])('%s', async (agent, browser, system) => {
    expect(await detailsOf(service, { headers: { 'user-agent': agent } })).toMatchObject({ browser, system })
  })
})

describe.each([
  ['full', '203.0.113.77', '203.0.113.77'],
  ['full', '::ffff:203.0.113.77', '203.0.113.77'],
  ['full', '2001:DB8::5:6', '2001:db8::5:6'],
  ['full', 'fe80::1%eth0', 'fe80::1'],
  ['truncated', '203.0.113.77', '203.0.113.0/24'],
  ['truncated', '2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['truncated', '::ffff:203.0.113.77', '203.0.113.0/24'],
  ['off', '203.0.113.77', null],
  // With every proxy trusted, the address can be any text.
  ['full', 'unix:', null],
  ['full', '1.2.3', null],
] as const)('session.ip %s', (ip: NonNullable<AccountsOptions['session']>['ip'], address, kept) => {
  test(`${address} is kept as ${kept}`, async () => {
    const service = await testApp({ session: { ip: ip ?? 'full' } }, { server: { trustProxy: () => true } })
    await signUp(service)
    const headers = { 'x-forwarded-for': address }
    expect((await detailsOf(service, { headers }))?.ip).toBe(kept)
  })
})
