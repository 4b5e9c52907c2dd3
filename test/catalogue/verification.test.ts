import {
  browser,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  secret,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import type { StoredUser } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { forgedLink, partsOf, resetLink, verifyLink } from './links.js'
import { choice, passwordsThatWork } from './passwords.js'
import { expectAlike } from './responses.js'
import type { Service } from './service.js'
import { holdNext } from './store-calls.js'

const hour = 3_600_000
const email = 'alice@example.org'
const pressed = {
  ...browser,
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
}

const json = { accept: 'application/json' }

const look = (service: Service, link: string, headers = {}) =>
  service.send('GET', link, undefined, { headers })
const ask = (service: Service, link: string) => look(service, link, json)
const press = (service: Service, link: string, headers = {}) =>
  service.app.inject({ method: 'POST', url: link, headers })

/** Verified by a client that didn't show who made the account: that is recorded, and nothing else changes. */
const verified = (user: StoredUser | null) => ({
  ...user,
  isVerified: true,
  version: 2,
  notes: { plainProof: { since: expect.any(String), suspects: [], epoch: 0 } },
})

cases('Verification', ({ rule, storage }) => {
  rule(
    'VER-01',
    {
      tried: 'a scanner opens the link by HEAD, and by GET as a browser does',
      expected:
        'nothing is verified: a button on a page does it, or the GET of a client that requests JSON; with `verifyLinks: click` only the POST',
    },
    async ({ start, users }) => {
      for (const verifyLinks of ['json', 'open', 'click'] as const) {
        const service = await start({ users: { verifyLinks }, requireEmailConfirmation: true })
        const { id } = await signUp(service, 'alice', { email })
        const link = linkPath(await service.mail('verify-email'))
        const before = await users.findById(id)
        for (const headers of [{}, browser]) {
          const head = await service.app.inject({ method: 'HEAD', url: link, headers })
          expect([head.statusCode, head.body]).toEqual([200, ''])
        }
        const page = await look(service, link, browser)
        expect(page.body).toContain('<form method="post"')
        // The page names the account, for people who didn't create it.
        expect(page.body).toMatch(/<strong[^>]*>(<bdi>)?alice</)
        if (verifyLinks === 'click') {
          expect((await look(service, link)).json()).toMatchObject({ valid: true, verified: false })
        }
        expect(await users.findById(id)).toEqual(before)
        const response = await (verifyLinks === 'click' ? press(service, link) : look(service, link, json))
        expect([response.statusCode, response.cookies]).toEqual([200, []])
        expect(await users.findById(id)).toEqual(verified(before))
        await users.delete(id)
      }
    },
  )

  rule(
    'VER-08',
    {
      tried:
        'a non-browser scanner opens the link: with `Accept: */*`, other ranges, JSON rejected by q=0, an empty header, or none',
      expected:
        'no response verifies and none names the account; the GET of a client that explicitly requests `application/json` does, and so does the button',
    },
    async ({ start, users }) => {
      const service = await start({ requireEmailConfirmation: true })
      const { id } = await signUp(service, 'alice', { email })
      const link = linkPath(await service.mail('verify-email'))
      const before = await users.findById(id)
      for (const url of [link, link.slice(0, -1)]) {
        for (const accept of [
          undefined,
          '',
          '*/*',
          '*/*;q=0.1',
          'application/*',
          'text/plain, */*;q=0.5',
          'image/avif,image/webp,*/*;q=0.8',
          'application/jsonx, */*',
          'application/xml',
          'application/json;q=0, text/plain',
        ]) {
          const response = await look(service, url, accept === undefined ? {} : { accept })
          expect([accept, response.statusCode, response.json()]).toEqual([accept, 200, { valid: true }])
          const varies = response.headers.vary?.split(', ').sort()
          expect([accept, varies]).toEqual([accept, ['Accept', 'Accept-Language']])
        }
        // A client that accepts both gets the one it prefers.
        const page = await look(service, url, { accept: 'text/html, application/json;q=0.9' })
        expect(page.body).toContain('<form method="post"')
        for (const accept of ['application/json', '*/*']) {
          const head = await service.app.inject({ method: 'HEAD', url, headers: { accept } })
          expect([head.statusCode, head.body]).toEqual([200, ''])
        }
      }
      expect(await users.findById(id)).toEqual(before)
      expect((await look(service, `${link.slice(0, -5)}/`)).statusCode).toBe(400)

      for (const accept of ['application/json', 'Application/JSON; charset=utf-8, */*;q=0.1']) {
        const response = await look(service, link, { accept })
        expect(response.json()).toEqual({ valid: true, verified: true, username: 'alice' })
      }
      expect(await users.findById(id)).toEqual(verified(before))
      // Scanners can't learn the state of the account, either.
      expect((await look(service, link)).json()).toEqual({ valid: true })

      const open = await start({ users: { verifyLinks: 'open' } })
      await signUp(open, 'bob', { email: 'bob@example.org' })
      const opened = await look(open, await verifyLink(open, 'bob@example.org'), { accept: '*/*' })
      expect(opened.json()).toEqual({ valid: true, verified: true, username: 'bob' })
    },
  )

  storage(
    'VER-02',
    {
      tried: 'the link opened and submitted repeatedly, and twenty times concurrently',
      expected: 'the same harmless response each time, and one change of the account; nobody is logged in',
    },
    async ({ start, users, sessionRows }) => {
      const service = await start({ requireEmailConfirmation: true })
      const { id, version } = await signUp(service, 'alice', { email })
      const link = linkPath(await service.mail('verify-email'))
      const uses = Array.from({ length: 20 }, (_, at) => (at % 2 ? ask : press)(service, link))
      const [first, ...others] = await Promise.all(uses)
      if (first === undefined) throw new Error('there is no response')
      expect(first.json()).toEqual({ valid: true, verified: true, username: 'alice' })
      expectAlike(first, ...others, await ask(service, link), await press(service, link))
      const page = await look(service, link, browser)
      expect(page.body).toContain('is confirmed')
      expectAlike(page, await look(service, link, browser), await press(service, link, pressed))
      expect(await users.findById(id)).toMatchObject({ isVerified: true, version: version + 1 })
      expect([...others, page].flatMap(({ cookies }) => cookies)).toEqual([])
      expect(await sessionRows()).toBe(0)
    },
  )

  storage(
    'VER-04',
    {
      tried: 'the address changes after the email was sent, and while the link is being used',
      expected: '400; only the address in the link is ever confirmed',
    },
    async ({ start, users }) => {
      const service = await start()
      const { id } = await signUp(service, 'alice', { email })
      const move = async (to: string) => {
        const version = (await users.findById(id))?.version ?? 0
        expect(await users.update(id, { email: to, emailKey: to }, version)).not.toBeNull()
      }
      const old = await verifyLink(service, email)
      await move('victim@example.org')
      for (const use of [ask, press]) {
        expect((await use(service, old)).json()).toMatchObject({
          statusCode: 400,
          code: 'ACCOUNTS_INVALID_LINK',
        })
      }
      expect((await look(service, old, browser)).statusCode).toBe(400)

      await move(email)
      for (const use of [ask, press]) {
        const link = await verifyLink(service, email)
        const held = holdNext(users, 'update')
        const slow = use(service, link)
        await held.reached
        await move('victim@example.org')
        held.release()
        expect((await slow).json()).toMatchObject({ statusCode: 400, code: 'ACCOUNTS_INVALID_LINK' })
        expect(await users.findById(id)).toMatchObject({ email: 'victim@example.org', isVerified: false })
        await move(email)
      }
    },
  )

  rule(
    'VER-05',
    {
      tried: 'links that are expired, tampered with, for a reset, of a deleted or a disabled user',
      expected: '400, byte-identical; also for a logged-in user, whose session continues',
    },
    async ({ start, users, wait }) => {
      const service = await start()
      const other = await start({ secret: `${secret}x` })
      const { id } = await signUp(service, 'alice', { email })
      await signUp(service, 'bob', { email: 'bob@example.org' })
      await wait(0)
      const bobs = await verifyLink(service, 'bob@example.org')
      const bobsToken = partsOf(bobs).token
      const otherStart = bobsToken.startsWith('B') ? 'C' : 'B'
      const gone = await signUp(service, 'carol', { email: 'carol@example.org' })
      const disabled = await signUp(service, 'dora', { email: 'dora@example.org' })
      const links = [
        forgedLink(bobs, { uid64: partsOf(await verifyLink(service, email)).uid64 }),
        forgedLink(bobs, { token: partsOf(await resetLink(service, 'bob@example.org')).token }),
        forgedLink(bobs, { token: otherStart + bobsToken.slice(1) }),
        forgedLink(bobs, { token: 'null' }),
        (await verifyLink(other, email)).replace('/user/', '/signup/'),
        await verifyLink(service, 'carol@example.org'),
        await verifyLink(service, 'dora@example.org'),
      ]
      await service.app.accounts.deleteUser(gone.id)
      await service.app.accounts.updateUser(disabled.id, { isActive: false })
      const cookie = await logIn(service)
      const before = await users.findById(id)
      const bad = [
        await look(service, '/user/v/x/x/'),
        await look(service, '/user/v/x/x/', browser),
        await press(service, '/user/v/x/x/'),
      ] as const
      expect(bad.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400])
      const isRefused = async (link: string) => {
        for (const headers of [{}, { cookie }]) {
          expectAlike(bad[0], await look(service, link, headers))
          expectAlike(bad[1], await look(service, link, { ...headers, ...browser }))
          expectAlike(bad[2], await press(service, link, headers))
        }
      }
      for (const link of links) await isRefused(link)
      // A valid link of one user, opened while another is logged in.
      expect((await press(service, bobs, { cookie })).json()).toMatchObject({ username: 'bob' })
      expect((await look(service, bobs)).statusCode).toBe(200)
      expect(await whoIs(service, cookie)).toBe('alice')
      expect(await users.findById(id)).toEqual(before)
      await wait(24 * hour - 2000)
      expect((await look(service, bobs)).statusCode).toBe(200)
      await wait(3000)
      await isRefused(bobs)
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )

  rule(
    'VER-06',
    {
      tried:
        'an attacker signs up with the victim’s address and the attacker’s own password, and waits for the victim to verify the mailbox',
      expected:
        'email and page name the attacker’s account; the mailbox owner takes it over by a reset, which ends the attacker’s password, sessions and links',
    },
    async ({ start, users, sessionRows }) => {
      for (const requireEmailConfirmation of [false, true]) {
        const service = await start({ requireEmailConfirmation })
        const { id } = await signUp(service, 'mallory', { email })
        if (requireEmailConfirmation) {
          const login = await service.send('POST', '/login/', { username: 'mallory', password: goodPassword })
          expect([login.statusCode, login.cookies.map(({ name }) => name)]).toEqual([403, ['session-signup']])
          await service.mail('verify-email')
          service.mails.splice(0)
        }
        const cookies = requireEmailConfirmation ? [] : [await logIn(service, 'mallory')]
        const links = [await verifyLink(service, email), await resetLink(service, email)]
        const [asked] = service.mails
        expect(asked?.text).toMatch(/the account mallory was created/i)
        expect((await look(service, links[0] ?? '', browser)).body).toMatch(/<strong[^>]*>(<bdi>)?mallory</)

        // The victim wants an account, or thinks they already have one.
        let mine = await resetLink(service, email)
        if (requireEmailConfirmation) {
          const body = { username: 'alice', password: otherPassword, confirm_password: otherPassword, email }
          expect((await service.send('POST', '/signup/', body)).statusCode).toBe(202)
          // The confirmation again, which says what was made, and offers a new password instead of the old one.
          const told = await service.mail('verify-email', email)
          expect(told.text).toContain('The account mallory')
          expect(await users.findByUsername('alice')).toMatchObject({ kind: 'unclaimed' })
          mine = `${linkPath(told)}new-password/`
        }
        const chosen = await service.send('POST', mine, choice(otherPassword))
        expect(chosen.statusCode).toBe(requireEmailConfirmation ? 200 : 204)
        expect(await users.findById(id)).toMatchObject({ isVerified: true, email })
        for (const cookie of cookies) expect(await whoIs(service, cookie)).toBeNull()
        expect(await sessionRows()).toBe(0)
        const candidates = [goodPassword, otherPassword]
        expect(await passwordsThatWork(service, candidates, email)).toEqual([otherPassword])
        for (const link of links) expect((await look(service, link)).statusCode).toBe(400)
        await service.app.accounts.deleteUser(id)
      }
    },
  )

  rule(
    'VER-07',
    {
      tried: 'the email requested again, a hundred times each, for pending, verified or unknown addresses',
      expected:
        '202, identical each time; five emails an hour to a pending address, after the first one, none to others',
    },
    async ({ start, wait }) => {
      const service = await start({ requireEmailConfirmation: true, throttle: {} })
      await signUp(service, 'alice', { email })
      const bob = await signUp(service, 'bob', { email: 'bob@example.org' })
      const disabled = await signUp(service, 'dora', { email: 'dora@example.org' })
      await expect.poll(() => service.mails.length).toBe(3)
      await service.app.accounts.updateUser(bob.id, { isVerified: true })
      await service.app.accounts.updateUser(disabled.id, { isActive: false })
      service.mails.splice(0)

      const addresses = [email, 'ALICE@example.org ', 'bob@example.org', 'dora@example.org', 'x@example.org']
      const ask = (at: number, address?: string) =>
        service.send(
          'POST',
          at % 2 ? '/user/v/' : '/signup/v/',
          { email: address ?? addresses[at % 5] },
          { remoteAddress: `10.0.${at >> 8}.${at & 255}` },
        )
      for (const variant of [0, 1]) {
        const unknown = await ask(variant, 'nobody@example.org')
        expect(unknown.statusCode).toBe(202)
        for (let at = variant; at < 500; at += 2) expectAlike(unknown, await ask(at))
      }
      const to = () => service.mails.map(({ kind, to }) => [kind, to.address])
      const mail = ['verify-email', email]
      await expect.poll(to).toEqual(Array(5).fill(mail))
      await service.settle()
      await wait(hour + 1000)
      await ask(0, email)
      await service.app.close()
      expect(to()).toEqual(Array(6).fill(mail))
    },
  )
})
