import { browser, linkTarget, logIn, signUp } from '@fastify-accounts/test-support/app'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { resetLink } from './links.js'

const offered = ['en', 'de', 'fr']
const email = 'alice@example.org'

cases('Languages', ({ rule }) => {
  rule(
    'LNG-01',
    {
      tried:
        'Accept-Language with ten thousand tags, with unusual qualities, prototypes, paths, markup, control characters, and repeated',
      expected: 'one of the offered languages, never 500, and no part of the header in the response',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service, 'alice', { email })
      const link = await resetLink(service, email)
      const headers = [
        Array.from({ length: 10_000 }, (_, at) => `x${at}`).join(','),
        Array.from({ length: 1000 }, () => 'de;q=0.1').join(','),
        'de;q=1e9',
        'de;q=-1, fr;q=NaN',
        'de;q=;q=;q=',
        'de;q=0, fr;q=0, en;q=0, *;q=0',
        '*',
        '*;q=0',
        '__proto__, constructor, toString, hasOwnProperty',
        '../../../../etc/passwd',
        'de/../en',
        '<script>alert(1)</script>',
        '"><img src=x>, de',
        'de\\u0000',
        'i-klingon, x-private, de-DE-1996-x-'.concat('a'.repeat(5000)),
        'a'.repeat(12_000),
        ','.repeat(10_000),
        ';'.repeat(10_000),
        ` ${'\t '.repeat(3000)}de`,
        'de-'.repeat(3000),
        'EN_us',
      ]
      for (const header of headers) {
        for (const [method, url] of [
          ['POST', '/login/'],
          ['GET', link],
          ['GET', '/user/nobody'],
        ] as const) {
          const response = await service.app.inject({
            method,
            url,
            headers: { 'accept-language': header, accept: browser.accept },
          })
          const shown = [header.slice(0, 30), url, response.statusCode]
          expect([...shown, response.statusCode < 500]).toEqual([...shown, true])
          expect([...shown, offered.includes(String(response.headers['content-language']))]).toEqual([
            ...shown,
            true,
          ])
          for (const part of ['passwd', 'alert(1)', 'img src', '__proto__', 'klingon', 'x9999']) {
            expect(response.body).not.toContain(part)
          }
        }
      }
      const twice = await service.raw(
        'GET /me/ HTTP/1.1\r\nHost: a\r\nAccept-Language: de\r\nAccept-Language: <b>\r\nConnection: close\r\n\r\n',
      )
      expect([twice.statusCode, twice.headers['content-language']]).toEqual([401, 'de'])
    },
  )

  rule(
    'LNG-02',
    {
      tried:
        'a user’s own field `locale` with paths, markup, prototypes, line breaks and ten thousand characters',
      expected:
        'it selects one of the offered languages, or has no effect; emails contain none of it, and go out',
    },
    async ({ start }) => {
      const fields = { type: 'object', properties: { locale: { type: 'string' } } } as const
      const service = await start({ users: { fields } })
      await signUp(service, 'alice', { email })
      const cookie = await logIn(service)
      const subjects: string[] = []
      for (const locale of [
        'de',
        '../../etc/passwd',
        '<img src=x onerror=alert(1)>',
        '__proto__',
        'constructor',
        'de\r\nBcc: evil@example.com',
        'de;q=0',
        'fr, de',
        'x'.repeat(10_000),
        '-'.repeat(5000),
        '',
      ]) {
        const set = await service.send('PATCH', '/me/', { locale }, { headers: { cookie } })
        expect([locale.slice(0, 30), set.statusCode]).toEqual([locale.slice(0, 30), 200])
        service.mails.splice(0)
        await service.send('POST', '/forgot/', { email })
        const mail = await service.mail('reset-password')
        expect(linkTarget(mail)).toContain('/reset/')
        for (const part of ['passwd', 'onerror', 'evil@', '__proto__', 'xxxxxx']) {
          expect(mail.subject + mail.text + mail.html).not.toContain(part)
        }
        expect(mail.subject).not.toMatch(/[\r\n]/)
        const lang = /<html lang="([^"]*)"/.exec(mail.html)?.[1] ?? ''
        expect([locale.slice(0, 30), offered.includes(lang)]).toEqual([locale.slice(0, 30), true])
        subjects.push(mail.subject)
      }
      expect(subjects[0]).not.toBe(subjects[1])
    },
  )
})
