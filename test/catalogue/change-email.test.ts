import {
  as,
  browser,
  cheapHasher,
  cookieOf,
  goodPassword,
  linkTarget,
  logIn,
  otherPassword,
  outbox,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { codeOf, enroll, firstStep, secondStep } from '@fastify-accounts/test-support/second-factor'
import { storesWith } from '@fastify-accounts/test-support/workspaces'
import { countHashes, holdMails } from '@fastify-accounts/testing'
import { secondFactor } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { releaseLink, resetLink, verifyLink } from './links.js'
import { choice } from './passwords.js'
import { expectAlike } from './responses.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'

const old = 'alice@example.org'
const fresh = 'alice@example.net'
const third = 'mallory@example.com'
const minute = 60_000
const day = 24 * 60 * minute

const ask = ({ send }: Service, cookie: string, email: string) =>
  send('POST', '/change-email/', { email }, as(cookie))

/** Requests a change of address, and reads the emailed link. */
async function linkTo(service: Service, cookie: string, email: string): Promise<string> {
  service.mails.splice(0)
  expect((await ask(service, cookie, email)).statusCode).toBe(202)
  return linkTarget(await service.mail('change-email', email))
}
async function changeTo(service: Service, cookie: string, email: string): Promise<void> {
  expect((await service.send('POST', await linkTo(service, cookie, email))).statusCode).toBe(200)
}
const undoOf = async (service: Service, address: string) =>
  linkTarget(await service.mail('email-changed', address))

/** Variants of a link for another address, user or purpose. */
function forgeries(link: string, userId: string): string[] {
  const [path = ''] = link.split('?')
  const uid64 = link.split('/').at(-3) ?? ''
  return [
    path,
    `${path}?email=`,
    `${path}?email=${third}`,
    `${link}&email=${third}`,
    `${path}?email[]=${third}`,
    `${path}?EMAIL=${third}`,
    `${link}%00`,
    `${link}%0d%0aBcc:%20${third}`,
    link.replace(uid64, Buffer.from(userId).toString('base64url')),
    link.includes('/undo/')
      ? link.replace('/email/undo/', '/email/')
      : link.replace('/email/', '/email/undo/'),
    // The undo link also works for /email/keep/; no other link does.
    ...(link.includes('/undo/') ? [] : [link.replace('/email/', '/email/keep/')]),
    link.replace(/^\/email\/(undo\/)?/, '/email/release/'),
    path.replace(/^\/email\/(undo\/)?/, '/not-me/'),
    path.replace(/^\/email\/(undo\/)?/, '/user/v/'),
  ]
}

cases('Change of address', ({ rule, storage }) => {
  rule(
    'EML-01',
    {
      tried:
        'a link to a new address and an undo link: for another address, another user, another purpose, duplicated, truncated, expired',
      expected: '400 and nothing changes; the link itself works, once',
    },
    async ({ start, users, wait }) => {
      const service = await start()
      const { id } = await signUp(service, 'alice', { email: old })
      await service.app.accounts.updateUser(id, { isVerified: true })
      const bob = await signUp(service, 'bob', { email: 'bob@example.org' })
      await wait(0)
      const dead = async (link: string) => {
        const before = [await users.findById(id), await users.findById(bob.id)]
        for (const url of [...forgeries(link, bob.id), link.replace(/\w\/\?/, '/?')]) {
          const response = await service.send('POST', url)
          expect([url, response.statusCode]).toEqual([url, 400])
        }
        expect([await users.findById(id), await users.findById(bob.id)]).toEqual(before)
      }
      const late = await linkTo(service, await logIn(service), fresh)
      await wait(day + minute)
      expect((await service.send('POST', late)).json().code).toBe('ACCOUNTS_INVALID_LINK')

      const link = await linkTo(service, await logIn(service), fresh)
      await dead(link)
      expect((await service.send('GET', `${link}&utm_source=mail`)).json()).toEqual({ valid: true })
      expect((await service.send('POST', link)).statusCode).toBe(200)
      expect(await users.findById(id)).toMatchObject({ email: fresh, isVerified: true })
      expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
      const undo = await undoOf(service, old)
      await dead(undo)
      expect((await service.send('POST', undo)).statusCode).toBe(200)
      expect((await service.send('POST', undo)).json().code).toBe('ACCOUNTS_INVALID_LINK')
      expect(await users.findById(id)).toMatchObject({ email: old, emailChangedAt: null })
    },
  )

  rule(
    'EML-02',
    {
      tried:
        'links of every kind that were emailed before the address changed; a link to a new address after a password change, a reset, a logout of all sessions, a disabling',
      expected: 'all are dead: nothing in the old mailbox works except the undo link',
    },
    async ({ start, users }) => {
      const service = await start()
      const { id } = await signUp(service, 'alice', { email: old })
      const cookie = await logIn(service)
      const links = [
        await resetLink(service, old),
        await verifyLink(service, old),
        await linkTo(service, cookie, third),
      ]
      await changeTo(service, cookie, fresh)
      for (const link of links) {
        const body = link.startsWith('/reset/') ? choice(otherPassword) : undefined
        expect((await service.send('POST', link, body)).json().code).toBe('ACCOUNTS_INVALID_LINK')
      }
      await service.send('POST', '/forgot/', { email: old })
      await service.settle()
      expect(service.mails.filter(({ kind }) => kind === 'reset-password')).toEqual([])

      const { accounts } = service.app
      const ends: (() => Promise<unknown>)[] = [
        () => accounts.setPassword(id, goodPassword),
        async () => service.send('POST', await resetLink(service, fresh), choice(goodPassword)),
        () => accounts.endUserSessions(id),
        () => accounts.updateUser(id, { isActive: false }),
      ]
      for (const end of ends) {
        const link = await linkTo(service, await logIn(service), third)
        await end()
        expect((await service.send('GET', link)).statusCode).toBe(400)
        expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
        expect(await users.findById(id)).toMatchObject({ email: fresh })
      }
    },
  )

  storage(
    'EML-03',
    {
      tried:
        'one link used twenty times concurrently, links to two addresses at once, two users claiming one address at once, and an address that was taken in the meantime',
      expected: 'one wins each time; the losers get 400 or 409, and no account loses its current address',
    },
    async ({ start, users }) => {
      const service = await start()
      const { id } = await signUp(service, 'alice', { email: old })
      const bob = await signUp(service, 'bob', { email: 'bob@example.org' })
      const statuses = async (links: string[]) => {
        const responses = await Promise.all(links.map((link) => service.send('POST', link)))
        return responses.map(({ statusCode }) => statusCode).sort()
      }
      let cookie = await logIn(service)
      const link = await linkTo(service, cookie, fresh)
      const uses = await statuses(Array(20).fill(link))
      expect([uses[0], new Set(uses.slice(1))]).toEqual([200, new Set([400])])
      expect((await users.findById(id))?.email).toBe(fresh)

      cookie = await logIn(service)
      // CVE-2026-32700: of two concurrent requests, the link of one confirmed the address of the other.
      service.mails.splice(0)
      const asked = await Promise.all(
        [third, 'victim@example.org', third].map((each) => ask(service, cookie, each)),
      )
      expect(asked.map(({ statusCode }) => statusCode)).toEqual([202, 202, 202])
      await service.settle()
      const sent = service.mails.filter(({ kind }) => kind === 'change-email')
      const noted = (await users.findById(id))?.notes.pendingAddress as { email: string }
      // The last one is good; of the others an email may be on its way.
      expect(sent.map(({ to }) => to.address)).toContain(noted.email)
      const good = await Promise.all(
        sent.map(async (mail) => (await service.send('GET', linkTarget(mail))).statusCode === 200),
      )
      const opened = sent.filter((_, at) => good[at]).map(({ to }) => to.address)
      // Two, if an earlier email to the same address was sent after the last request.
      expect(new Set(opened)).toEqual(new Set([noted.email]))
      for (const mail of sent) {
        expect(linkTarget(mail)).toContain(`email=${encodeURIComponent(mail.to.address)}`)
        // The email names the account: GHSA-xhpr-465j-7p9q was an email that didn't.
        expect(mail.text).toContain('alice')
      }
      const two = [await linkTo(service, cookie, third), await linkTo(service, cookie, old)]
      expect(await statuses(two)).toEqual([200, 400])
      const won = (await users.findById(id))?.email ?? ''
      expect([third, old]).toContain(won)

      const shared = 'shared@example.net'
      const both = [
        await linkTo(service, await logIn(service), shared),
        await linkTo(service, await logIn(service, 'bob'), shared),
      ]
      expect(await statuses(both)).toEqual([200, 409])
      const owner = await users.findByEmail(shared)
      const loser = owner?.id === id ? bob : { id, email: won }
      expect((await users.findById(loser.id))?.email).toBe(loser.email)

      const meanwhile = 'meanwhile@example.net'
      const late = await linkTo(service, await logIn(service), meanwhile)
      await signUp(service, 'carol', { email: 'Meanwhile@Example.net' })
      const response = await service.send('POST', late)
      expect(response.json()).toMatchObject({ statusCode: 409, code: 'ACCOUNTS_EMAIL_TAKEN' })
      expect((await users.findByEmail(meanwhile))?.username).toBe('carol')
    },
  )

  rule(
    'EML-04',
    {
      tried:
        'requesting a change to an address that is free, has an account, belongs to a disabled user, is unverified, or is over the email limit',
      expected:
        'the same status, headers, body and hashes, and no response waits for the mailer; the owner of a taken address is notified',
    },
    async ({ start }) => {
      const hasher = countHashes(cheapHasher())
      const box = outbox()
      const mailer = holdMails(box)
      const limits = { verifyMails: { max: 1, window: minute } }
      const service = await start({ passwordHasher: hasher, mailer, throttle: { limits } })
      await signUp(service, 'alice', { email: 'alice@example.org' })
      const taken = await signUp(service, 'bob', { email: 'bob@example.org' })
      const disabled = await signUp(service, 'carol', { email: 'carol@example.org' })
      await signUp(service, 'dave', { email: 'dave@example.org' })
      await service.app.accounts.updateUser(taken.id, { isVerified: true })
      await service.app.accounts.updateUser(disabled.id, { isActive: false })
      const cookie = await logIn(service)
      mailer.hold()
      const responses = []
      for (const name of ['free', 'bob', 'carol', 'dave', 'free']) {
        const before = hasher.calls
        responses.push(await ask(service, cookie, `${name}@example.org`))
        expect([name, hasher.calls - before]).toEqual([name, 0])
      }
      const [first, ...others] = responses
      if (!first) throw new Error('there is no response')
      expect(first.statusCode).toBe(202)
      expectAlike(first, ...others)
      expect(box.mails).toEqual([])
      mailer.release()
      await service.app.close()
      const told = box.mails.filter(({ kind }) => /^(change-email|email-taken)$/.test(kind))
      expect(told.map(({ kind, to }) => [kind, to.address]).sort()).toEqual([
        ['change-email', 'free@example.org'],
        ['email-taken', 'bob@example.org'],
        ['email-taken', 'dave@example.org'],
      ])
      expect(told.find(({ to }) => to.address === 'bob@example.org')?.text).toContain('bob')
    },
  )

  storage(
    'EML-04',
    {
      tried:
        'requesting a change to an address that is free, unproven or proven, then looking at the pending change, and canceling it twice',
      expected: 'the same responses after as many statements',
      on: 'PostgreSQL',
      because: 'the statements of the other drivers are the same',
    },
    async (scene) => {
      let statements = 0
      const { userStore, sessionStore } = await storesWith(scene, undefined, () => {
        statements += 1
      })
      // Nothing is delivered, which asks the database as well.
      if (userStore.outbox) userStore.outbox.claim = async () => []
      userStore.now = async () => new Date()
      const service = await scene.start({ userStore, sessionStore })
      for (const name of ['mallory', 'unproven', 'proven'])
        await service.app.accounts.createUser({
          ...{ username: name, password: goodPassword, email: `${name}@example.org` },
          isVerified: name !== 'unproven',
        })
      const cookie = await logIn(service, 'mallory')
      const change = (method: 'GET' | 'DELETE') =>
        service.send(method, '/change-email/', undefined, as(cookie))
      const seen = []
      for (const name of ['free', 'unproven', 'proven', 'other']) {
        statements = 0
        const email = `${name}@example.org`
        const asked = await ask(service, cookie, email)
        const shown = await change('GET')
        expect(shown.json()).toEqual({ email, expires_at: expect.any(String) })
        const ended = [await change('DELETE'), await change('DELETE'), await change('GET')]
        seen.push({ responses: [asked, ...ended], statements })
      }
      const [first, ...others] = seen
      if (!first) throw new Error('nothing was seen')
      expect(first.responses.map(({ statusCode }) => statusCode)).toEqual([202, 204, 204, 200])
      first.responses.forEach((response, at) => {
        expectAlike(response, ...others.flatMap(({ responses }) => responses[at] ?? []))
      })
      expect(others.map((other) => other.statements)).toEqual(others.map(() => first.statements))
    },
  )

  rule(
    'EML-05',
    {
      tried:
        'someone else’s address, entered by mistake at sign-up and never verified, then corrected; a thief who changes it within the week',
      expected:
        'the stranger gets a notice without a link; the owner gets the link that undoes the thief’s change',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service, 'alice', { email: third })
      await changeTo(service, await logIn(service), old)
      expect((await service.mail('email-changed', third)).text).not.toContain('/undo/')
      await changeTo(service, await logIn(service), fresh)
      expect((await service.send('POST', await undoOf(service, old))).statusCode).toBe(200)
    },
  )

  rule(
    'EML-05',
    {
      tried:
        'a thief with the password and a session who changes the address twice, sets a new password, resets it through the new mailbox and claims the old address with a second account; the owner with the undo link',
      expected:
        'the owner gets the account back, all sessions end, no password works; the thief never gets an undo link',
    },
    async ({ start, users, sessions }) => {
      const service = await start()
      const { id } = await signUp(service, 'alice', { email: old })
      await service.app.accounts.updateUser(id, { isVerified: true })
      await changeTo(service, await logIn(service), third)
      const undo = await undoOf(service, old)
      await service.send('POST', await resetLink(service, third), choice(otherPassword))
      const thief = await logIn(service, 'alice', otherPassword)
      await changeTo(service, thief, 'second@example.com')
      expect((await service.mail('email-changed', third)).text).not.toContain('/undo/')
      await signUp(service, 'squatter', { email: old })
      for (const text of [
        undo.replace(/email=[^&]*/, 'email=second@example.com'),
        undo.split('?')[0] ?? '',
      ]) {
        expect((await service.send('POST', text)).json().code).toBe('ACCOUNTS_INVALID_LINK')
      }
      expect((await service.send('POST', undo, undefined, { headers: browser })).statusCode).toBe(200)
      expect(await users.findById(id)).toMatchObject({ email: old, isVerified: true })
      expect((await users.findByUsername('squatter'))?.email).toBeNull()
      expect(await whoIs(service, thief)).toBeNull()
      expect(await sessions.listByUser(id)).toEqual([])
      for (const password of [goodPassword, otherPassword]) {
        const login = await service.send('POST', '/login/', { username: 'alice', password })
        expect(login.json().code).toBe('ACCOUNTS_INVALID_CREDENTIALS')
      }
      const reset = linkTarget(await service.mail('choose-password', old))
      expect((await service.send('POST', reset, choice('a third password'))).statusCode).toBe(204)
      expect(await whoIs(service, await logIn(service, 'alice', 'a third password'))).toBe('alice')
    },
  )

  rule(
    'EML-06',
    {
      tried:
        'GET, HEAD and prefetch of each link by a mail scanner, including from other sites, and framing of the pages',
      expected:
        'nothing is written; the pages forbid framing, leak no referrer and contain one form that posts to its own page',
    },
    async ({ start, users, sessions }) => {
      const service = await start({ session: { newDeviceMail: true } })
      const { id } = await signUp(service, 'alice', { email: old })
      await service.app.accounts.updateUser(id, { isVerified: true })
      const cookie = await logIn(service)
      await changeTo(service, cookie, fresh)
      const undo = await undoOf(service, old)
      await logIn(service)
      const notMe = linkTarget(await service.mail('new-device'))
      const links = [undo, notMe, await linkTo(service, cookie, third)]
      const calls = [callsOf(users), callsOf(sessions)]
      for (const link of links) {
        for (const method of ['GET', 'HEAD'] as const) {
          for (const accept of [browser.accept, 'application/json']) {
            const headers = { accept, 'sec-fetch-site': 'cross-site', purpose: 'prefetch' }
            const response = await service.app.inject({ method, url: link, headers })
            expect([link, response.statusCode]).toEqual([link, 200])
            expect(response.headers).toMatchObject({
              'referrer-policy': 'strict-origin',
              'x-frame-options': 'DENY',
              'cache-control': 'no-store',
              'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
            })
            if (method === 'HEAD' || accept !== browser.accept) continue
            expect(response.body.match(/<form[^>]*>/g)).toEqual(['<form method="post">'])
            expect(response.body).not.toMatch(/<script|<img|<iframe| on\w+=/)
          }
        }
      }
      expect(calls.flat().filter((name) => /^(create|update|delete|touch)/.test(name))).toEqual([])
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )

  rule(
    'EML-07',
    {
      tried:
        'two addresses in one, and addresses with a display name, line breaks, comments, quotes, a literal or no domain; and one containing markup, in emails and on pages',
      expected:
        '400 and no email, or one plain address that is emailed and displayed unchanged; no email has an unexpected header',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service, 'alice', { email: old })
      const cookie = await logIn(service)
      for (const email of [
        `${fresh}, ${third}`,
        `${fresh};${third}`,
        `${fresh} ${third}`,
        `Alice <${fresh}>`,
        `<${fresh}>`,
        `${fresh}\r\nBcc: ${third}`,
        `${fresh}\n`.repeat(2),
        `${fresh}%0d%0aBcc:${third}`,
        `"a b"@example.net`,
        `alice(${third})@example.net`,
        'alice@[127.0.0.1]',
        'alice@',
        '@example.net',
        'alice',
        `alice@example.net\0`,
        `alice@example..net`,
        `${'a'.repeat(250)}@example.net`,
      ]) {
        const response = await ask(service, cookie, email)
        expect([email, response.statusCode]).toEqual([email, 400])
      }
      await service.settle()
      const toOthers = service.mails.filter(({ to }) => to.address !== old)
      expect(toOthers).toEqual([])
      const odd = "o'neil+<b>&tag@example.net".replace('<b>', '')
      const link = await linkTo(service, cookie, odd)
      const page = await service.send('GET', link, undefined, { headers: browser })
      expect(page.body).toContain('o&#39;neil+&#38;tag@example.net')
      expect(page.body).not.toContain(odd)
      const { subject, text, html } = await service.mail('change-email', odd)
      expect(subject).not.toMatch(/[\r\n]/)
      expect(text).toContain('/email/')
      expect(html).not.toContain("o'neil+&tag")
    },
  )

  storage(
    'EML-08',
    {
      tried:
        'a stranger, or a thief with the password and a session, who receives the email about a change, including its link that releases the address: before the change was confirmed, after it, by GET, twice, twenty times concurrently, for another address, with other links from the email, after it expired',
      expected:
        'the account loses that address, if it has it, and nothing else: sessions, password, the undo link and “it was not me” stay; other addresses are unaffected',
    },
    async ({ start, users, wait }) => {
      const service = await start({ session: { newDeviceMail: true } })
      const { id } = await signUp(service, 'alice', { email: old })
      await service.app.accounts.updateUser(id, { isVerified: true })
      await logIn(service)
      const cookie = await logIn(service)
      const notMe = linkTarget(await service.mail('new-device'))
      const confirm = await linkTo(service, cookie, third)
      const mail = await service.mail('change-email', third)
      expect(mail.text.indexOf('/email/release/')).toBeGreaterThan(mail.text.indexOf(linkTarget(mail)))
      const release = releaseLink(mail)

      // Before confirmation there is nothing to release. The owner's links stay valid, or a thief could end them.
      const before = await users.findById(id)
      expect((await service.send('POST', release)).statusCode).toBe(200)
      expect(await users.findById(id)).toEqual(before)
      expect((await service.send('GET', notMe)).statusCode).toBe(200)
      for (const forged of [
        release.replace(/email=.*/, `email=${encodeURIComponent(old)}`),
        release.split('?')[0] ?? '',
        confirm.replace('/email/', '/email/release/'),
        release.replace('/email/release/', '/email/'),
        release.replace('/email/release/', '/email/undo/'),
        release.replace('/email/release/', '/email/keep/'),
      ]) {
        const response = await service.send('POST', forged)
        expect([forged, response.json().code]).toEqual([forged, 'ACCOUNTS_INVALID_LINK'])
      }
      expect(await users.findById(id)).toEqual(before)

      expect((await service.send('POST', confirm)).statusCode).toBe(200)
      const undo = await undoOf(service, old)
      const page = await service.send('GET', release, undefined, { headers: browser })
      expect(page.body.match(/<form[^>]*>/g)).toEqual(['<form method="post">'])
      expect(await users.findById(id)).toMatchObject({ email: third })
      const uses = await Promise.all(Array.from({ length: 20 }, () => service.send('POST', release)))
      expect(new Set(uses.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
      const released = await users.findById(id)
      expect(released).toMatchObject({ email: null, emailKey: null, isVerified: false, isActive: true })
      expect(released?.passwordHash).toBe(before?.passwordHash)
      expect(await whoIs(service, cookie)).toBe('alice')
      // That mailbox gets one notice, without a link, and no later ones.
      await service.settle()
      const told = service.mails.filter(({ kind, to }) => kind === 'email-changed' && to.address === third)
      expect(told.map(({ text }) => /https?:/.test(text))).toEqual([false])
      // The address is free for a new account, on which the link has no effect.
      const owner = await signUp(service, 'mallory', { email: third })
      expect((await service.send('POST', release)).statusCode).toBe(200)
      expect(await users.findById(owner.id)).toMatchObject({ email: third })
      await logIn(service)
      expect((await service.send('POST', undo)).statusCode).toBe(200)
      expect(await users.findById(id)).toMatchObject({ email: old, isVerified: true })
      expect((await service.send('POST', release)).statusCode).toBe(200)
      expect(await users.findById(id)).toMatchObject({ email: old, isVerified: true })
      await wait(0)
      await wait(7 * day + minute)
      expect((await service.send('POST', release)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    },
  )

  rule(
    'EML-08',
    {
      tried: 'releasing the address of an account that must verify it again before login',
      expected: 'the account is disabled: without an address there would be nothing to verify',
    },
    async ({ start, users }) => {
      const service = await start({ requireEmailConfirmation: true })
      const { id } = await signUp(service, 'alice', { email: old })
      await service.app.accounts.updateUser(id, { isVerified: true })
      const confirm = await linkTo(service, await logIn(service), fresh)
      const release = releaseLink(await service.mail('change-email', fresh))
      expect((await service.send('POST', confirm)).statusCode).toBe(200)
      await service.app.accounts.updateUser(id, { isVerified: false })
      expect((await service.send('POST', release)).statusCode).toBe(200)
      expect(await users.findById(id)).toMatchObject({ email: null, isActive: false })
      const login = { username: 'alice', password: goodPassword }
      expect((await service.send('POST', '/login/', login)).json().code).toBe('ACCOUNTS_DISABLED')
    },
  )

  storage(
    'EML-09',
    {
      tried:
        'ending the undo period early: with credentials from the new mailbox and the session, with the link in the old mailbox by GET, and by POST, twice and twenty times concurrently',
      expected:
        'only the old mailbox can, with a button on a separate page; then the undo link is dead, the address stays, and the next change can again be undone, to the current address',
    },
    async ({ start, users }) => {
      const service = await start()
      const { id } = await signUp(service, 'alice', { email: old })
      await service.app.accounts.updateUser(id, { isVerified: true })
      const cookie = await logIn(service)
      const confirm = await linkTo(service, cookie, fresh)
      const release = releaseLink(await service.mail('change-email', fresh))
      expect((await service.send('POST', confirm)).statusCode).toBe(200)
      const undo = await undoOf(service, old)

      const thiefs = [confirm, release, await resetLink(service, fresh)]
      for (const link of thiefs) {
        const [, path = ''] = /([^/]+\/[^/]+\/)(\?.*)?$/.exec(link) ?? []
        for (const email of [old, fresh]) {
          const url = `/email/keep/${path}?email=${encodeURIComponent(email)}`
          expect((await service.send('POST', url)).json().code).toBe('ACCOUNTS_INVALID_LINK')
        }
      }
      expect((await service.send('GET', undo)).statusCode).toBe(200)

      const undoPage = await service.send('GET', undo, undefined, { headers: browser })
      const [, keep = ''] = /<a href="([^"]+)">/.exec(undoPage.body.split('</form>')[1] ?? '') ?? []
      expect(keep.replaceAll('&#38;', '&')).toBe(undo.replace('/email/undo/', '/email/keep/'))
      const page = await service.send('GET', keep, undefined, { headers: browser })
      expect(page.body.match(/<form[^>]*>/g)).toEqual(['<form method="post">'])
      expect((await service.send('GET', undo)).statusCode).toBe(200)

      const uses = await Promise.all(Array.from({ length: 20 }, () => service.send('POST', keep)))
      const statuses = uses.map(({ statusCode }) => statusCode).sort()
      expect(statuses[0]).toBe(200)
      expect(new Set(statuses.slice(1))).toEqual(new Set([400]))
      for (const link of [undo, keep]) {
        expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
      }
      expect(await users.findById(id)).toMatchObject({ email: fresh, isVerified: true })
      expect(await whoIs(service, cookie)).toBe('alice')

      await changeTo(service, cookie, third)
      expect((await service.send('POST', await undoOf(service, fresh))).statusCode).toBe(200)
      expect(await users.findById(id)).toMatchObject({ email: fresh })
    },
  )

  rule(
    'EML-10',
    {
      tried:
        'a thief who adds an app before the address is changed, and an undo one hour less than a week later',
      expected: 'the thief’s app and codes are gone; the owner’s earlier app stays and is still required',
    },
    async ({ start, users, wait }) => {
      const service = await start({ adapterTimeout: 600_000, features: [secondFactor()] })
      const alice = { username: 'alice', password: goodPassword, email: old, isVerified: true }
      const { id } = await service.app.accounts.createUser(alice)
      const { secret, codes } = await enroll(service)
      await service.settle()
      await wait(30 * day)
      const login = await secondStep(service, await firstStep(service), codes[0] ?? '')
      const theirs = await enroll(service, cookieOf(login))
      await changeTo(service, theirs.cookie, fresh)
      const undo = await undoOf(service, old)
      await service.settle()
      await wait(7 * day - 60 * minute)
      expect((await service.send('POST', undo)).statusCode).toBe(200)
      const link = linkTarget(await service.mail('choose-password', old))
      expect((await service.send('POST', link, choice(otherPassword))).statusCode).toBe(204)
      const left = (await users.findById(id))?.credentials.filter(({ kind }) => kind === 'totp')
      expect(left).toHaveLength(1)
      const pending = await firstStep(service, { password: otherPassword })
      expect((await secondStep(service, pending, codeOf(theirs.secret))).statusCode).toBe(401)
      expect((await secondStep(service, pending, codeOf(secret))).statusCode).toBe(200)
    },
  )
})
