import {
  baseUrl,
  browser,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  secret,
} from '@fastify-accounts/test-support/app'
import { causes, hostileName, mailApp, mailKinds, withoutLink } from '@fastify-accounts/test-support/mails'
import Fastify from 'fastify'
import { describe, expect, test } from 'vitest'
import accounts, { type AccountsOptions, escapeHtml, invitations } from '../src/index.js'
import { contrast, dark, edgeOf, inkOn, light } from '../src/options/brand.js'

const link = /https?:\/\/[^\s"<]+/g

describe.each(mailKinds)('the email %s', (kind) => {
  test('has text and HTML, with user input escaped', async () => {
    const service = await mailApp({}, { username: hostileName })
    const { to, subject, text, html } = await causes[kind](service, {})
    expect(subject).toContain('localhost:3000')
    expect(subject + to.name).not.toMatch(/[\r\n]/)
    expect(html).not.toContain('<b>')
    // Its second line looks like an address: see names-in-emails.test.ts.
    const isShown = !['verify-email', 'change-email'].includes(kind)
    expect(html.includes('&#60;b&#62;&#34;Ann&#34;')).toBe(isShown)
    expect(text).not.toMatch(/&#|<\w+ /)
  })

  test('only contains its own links, and loads nothing', async () => {
    const { text, html } = await causes[kind](await mailApp(), {})
    const urls = text.match(link) ?? []
    // The one for a change of address has a second link, for recipients without the account.
    const links = kind === 'change-email' ? 2 : 1
    expect(urls).toHaveLength(withoutLink.includes(kind) ? 0 : links)
    expect(new Set(html.match(link) ?? [])).toEqual(new Set(urls.map(escapeHtml)))
    expect(html).not.toMatch(/<(img|link|script|iframe)|url\(|@import/)
  })

  test('says who sends it, why, and what it is about', async () => {
    const brand = { name: 'Lantern & Co', color: '#ffcc00', footer: 'Lantern & Co, 1 Harbour Street' }
    const { subject, text, html } = await causes[kind](await mailApp({ brand }), {})
    expect(subject).toContain('Lantern & Co')
    expect(text).toMatch(/\n\nYou received this email because [^\n]+\n\nLantern & Co, 1 Harbour Street\n$/)
    expect(html).toContain('Lantern &#38; Co, 1 Harbour Street')
    expect(html).toMatch(/<div style="display:none[^>]*>[^<]{10,}&#847;/)
    if (!withoutLink.includes(kind)) expect(html).toContain('background-color:#ffcc00')
  })

  test('names the site and the account once each, and writes its link out last', async () => {
    const { text, html } = await causes[kind](await mailApp({ brand: { name: 'Lantern' } }), {})
    const shown = html.replace(/^.*?<div role="article"[^>]*>/s, '').replaceAll(/<[^>]*>/g, ' ')
    for (const part of [text.replaceAll(link, ''), shown.replaceAll(link, '')]) {
      expect(part.match(/Lantern/g)).toHaveLength(1)
      expect(part.match(/\b(alice|bob)\b(?!@)/g)).toHaveLength(1)
    }
    if (!withoutLink.includes(kind))
      expect(shown.trim()).toMatch(/You received this email because [^:]+ open this link: +https?:\S+$/)
  })

  test('can be replaced, in whole or in part', async () => {
    const service = await mailApp({
      emails: {
        [kind]: (
          facts: never,
          shipped: (facts: never) => { subject: string; text: string; html: string },
        ) => ({
          ...shipped(facts),
          subject: `Ours: ${(facts as { language: string }).language}\r\nBcc: eve@example.net`,
        }),
      },
    })
    const mail = await causes[kind](service, { 'accept-language': 'de' })
    expect(mail.subject).toBe('Ours: de Bcc: eve@example.net')
    expect(mail.text).toContain('Sie erhalten diese E-Mail')
  })
})

test('the first email and invitations say what the site is, and who invites', async () => {
  const brand = { about: 'Lantern lends lamps to lighthouses & ships.' }
  const features = [invitations()]
  const service = await mailApp({ brand, features, users: true })
  const first = await causes['verify-email'](service, {})
  expect(first.text).toContain(`\n\n${brand.about}\n\n`)
  expect(first.html).toContain('lighthouses &#38; ships.')
  expect((await causes['reset-password'](service, {})).text).not.toContain('lighthouses')
  await service.app.accounts.createUser({ username: 'hanna', password: goodPassword, isStaff: true })
  const cookie = await logIn(service, 'hanna')
  await service.send('POST', '/invitations/', { email: 'carol@example.org' }, { headers: { cookie } })
  const { text } = await service.mail('invitation', 'carol@example.org')
  expect(text).toContain(brand.about)
  expect(text).toContain('\n\nInvited by: hanna\n\n')
})

test('lifetimes are given in whole hours and days where possible', async () => {
  const told = async (resetLifetime: number) => {
    const service = await mailApp({ links: { resetLifetime } })
    const { text } = await causes['reset-password'](service, {})
    return /for (\d+ \w+)\./.exec(text)?.[1]
  }
  const minute = 60_000
  expect(await told(minute)).toBe('1 minute')
  expect(await told(90 * minute)).toBe('90 minutes')
  expect(await told(60 * minute)).toBe('1 hour')
  expect(await told(24 * 60 * minute)).toBe('24 hours')
  expect(await told(36 * 60 * minute)).toBe('36 hours')
  expect(await told(2 * 24 * 60 * minute)).toBe('2 days')
})

describe('the brand color', () => {
  test('has readable black or white text on it, whatever it is', () => {
    for (let each = 0; each < 0x1000; each += 1) {
      const color = `#${[...each.toString(16).padStart(3, '0')].map((digit) => digit + digit).join('')}`
      expect(contrast(color, inkOn(color)), color).toBeGreaterThanOrEqual(4.5)
      for (const scheme of [light, dark])
        expect(contrast(edgeOf(color, scheme), scheme.paper), color).toBeGreaterThanOrEqual(3)
    }
  })

  test('is readable on its backgrounds', () => {
    for (const { paper, ground, ink, faint, fault, line } of [light, dark]) {
      for (const each of [ink, faint, fault]) expect(contrast(each, paper)).toBeGreaterThanOrEqual(7)
      for (const each of [ink, faint]) expect(contrast(each, ground)).toBeGreaterThanOrEqual(6.5)
      expect(contrast(line, paper)).toBeGreaterThanOrEqual(4.5)
    }
  })
})

describe('the logo', () => {
  const page = async (logo: string) => {
    const service = await mailApp({ brand: { logo, name: 'Lantern' } })
    const mail = await causes['reset-password'](service, {})
    expect(mail.html).toContain(`src="${logo}" alt="Lantern"`)
    return service.send('GET', linkPath(mail), undefined, { headers: browser })
  }

  test('from the site itself is shown on pages, as their CSP allows', async () => {
    const { body, headers } = await page(`${baseUrl}/logo.png`)
    expect(body).toContain(`<img src="${baseUrl}/logo.png" alt="Lantern">`)
    expect(headers['content-security-policy']).toContain("img-src 'self'")
  })

  test('from elsewhere is not shown, so no one else learns who opens a link', async () => {
    const { body, headers } = await page('https://cdn.example.net/logo.png')
    expect(body).not.toMatch(/<img|cdn/)
    expect(body).toContain('<header>Lantern</header>')
    expect(headers['content-security-policy']).not.toContain('img-src')
  })
})

describe('`brand.url`', () => {
  const reach = async (brand: AccountsOptions['brand'], tag = 'en') => {
    const service = await mailApp({ brand: { name: 'Lantern & Co', ...brand } })
    const headers = { ...browser, 'accept-language': tag }
    const path = linkPath(await causes['reset-password'](service, {}))
    const [form, done, lost, nobody] = await Promise.all(
      [path, '/reset/d/', '/reset/x/y/', '/change-password/form/'].map(async (url) => {
        return (await service.send('GET', url, undefined, { headers })).body
      }),
    )
    return { form, ends: [done, lost, nobody] }
  }

  test.each([
    ['en', 'Continue to'],
    ['de', 'Weiter zu'],
    ['fr', 'Continuer vers'],
  ])('is linked from pages with nothing left to do, in %s', async (tag, words) => {
    const { form, ends } = await reach({ url: '/app?a=1&b=2' }, tag)
    const target = `href="${baseUrl}/app?a=1&#38;b=2"`
    for (const page of [form, ...ends]) {
      expect(page).toContain(`<header><a ${target}>Lantern &#38; Co</a></header>`)
    }
    for (const page of ends) expect(page).toContain(`<a ${target}>${words} Lantern &#38; Co</a>`)
    // A form has something left to do.
    expect(form).not.toContain(words)
  })

  test('may be on another site', async () => {
    const { ends } = await reach({ url: 'https://app.example.net/' })
    for (const page of ends) expect(page).toContain('href="https://app.example.net/"')
  })

  test('without it, pages have no such link', async () => {
    const { form, ends } = await reach({})
    for (const page of [form, ...ends]) expect(page).not.toContain('<a ')
  })
})

test('the brand name is not accepted as a password', async () => {
  const service = await mailApp({ brand: { name: 'Harbour Lanterns' } })
  const path = linkPath(await causes['reset-password'](service, {}))
  const response = (password: string) =>
    service.send('POST', path, { new_password: password, confirm_password: password })
  const refused = await response('harbour lanterns')
  expect(refused.json().fields).toMatchObject([{ field: 'new_password', code: 'too_common' }])
  expect((await response(otherPassword)).statusCode).toBe(204)
})

test.each<[string, AccountsOptions['brand'], RegExp]>([
  ['a color by name', { color: 'red' }, /brand\.color must be a hex color/],
  ['a color with something behind it', { color: '#fff;x:url(y)' }, /brand\.color must be a hex color/],
  ['a color with a line end behind it', { color: '#ffffff\n' }, /brand\.color must be a hex color/],
  ['a name of two lines', { name: 'a\nb' }, /brand\.name must be one line/],
  ['an empty name', { name: ' ' }, /brand\.name must be one line/],
  ['a logo that is a path', { logo: '/logo.png' }, /brand\.logo must be the http/],
  ['a logo that is a script', { logo: 'javascript:alert(1)' }, /brand\.logo must be the http/],
  ['a URL that is a script', { url: 'javascript:alert(1)' }, /brand\.url must be a path/],
  ['a URL that is none', { url: 'https://' }, /brand\.url must be a path/],
  ['a footer that is too long', { footer: 'x'.repeat(501) }, /brand\.footer must be one line/],
  ['an option that there is not', { sender: 'x' } as never, /brand\.sender does not exist/],
])('%s stops the start with one line', async (_what, brand, line) => {
  const app = Fastify()
  await expect(async () =>
    app.register(accounts, { secret, baseUrl, ...(brand && { brand }) }),
  ).rejects.toThrow(line)
  await app.close()
})
