import {
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
} from '@fastify-accounts/test-support/app'
import type { GroundName } from '@fastify-accounts/test-support/grounds'
import { mailKinds, type OwnKind } from '@fastify-accounts/test-support/mails'
import { newPendingMail } from '@fastify-accounts/testing'
import {
  type EmailContent,
  type EmailFacts,
  InvalidArgumentError,
  type Mail,
  type Outbox,
  type UserStore,
} from 'fastify-accounts'
import { expect } from 'vitest'
import { wakeDelay } from '../../packages/accounts/src/outbox/poll-times.js'
import { cases } from './catalogue.js'
import type { Service } from './service.js'

const minute = 60_000
const hour = 60 * minute
const email = 'alice@example.org'
const withOutbox: GroundName[] = ['SQLite', 'PostgreSQL', 'PostgreSQL + Redis', 'MariaDB']
const because =
  'Emails queued in memory cannot be left over from other processes, and a postman test freezes its clock.'

/** Of ten emails per kind posted to a verified address, how many arrive; held-back notices are combined into one. */
const toProven: Record<OwnKind, number> = {
  'reset-password': 5,
  'choose-password': 10,
  // The address is already verified.
  'verify-email': 0,
  'account-exists': 5,
  'account-changed': 10,
  'account-deleted': 10,
  'password-changed': 5 + 1,
  'password-added': 5 + 1,
  'factor-reset': 5 + 1,
  // Sent to an address that isn't the user's yet.
  'change-email': 5,
  // The address must be verified again before each.
  'email-changed': 10,
  'email-taken': 5,
  'new-device': 5 + 1,
}

function outboxOf({ outbox }: UserStore): Outbox {
  if (outbox === undefined) throw new Error('the store has no outbox')
  return outbox
}

/** Wakes the postman, and waits until this many emails are left. */
async function deliver(service: Service, box: Outbox, left = 0): Promise<void> {
  await service.send('POST', '/forgot/', { email: 'nobody@example.org' })
  await expect.poll(async () => (await box.count()).waiting).toBe(left)
  await service.settle()
}

const isHeldBack = ({ text, html }: Mail): boolean =>
  [text, html].every((part) => part.includes('held the later emails back'))

/** Changes the password back and forth. */
async function changeOften(
  service: Service,
  times: number,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  let cookie = await logIn(service)
  for (let n = 0; n < times; n += 1) {
    const [old, next] = n % 2 === 0 ? [goodPassword, otherPassword] : [otherPassword, goodPassword]
    const body = { old_password: old, new_password: next, confirm_password: next }
    const response = await service.send('POST', '/change-password/', body, { headers: { cookie } })
    expect(response.statusCode).toBe(204)
    cookie = cookieOf(response)
    // An email that stays claimed for half a minute counts as abandoned by a dead process.
    await service.settle()
    await wait(13_000)
  }
}

cases('Emails', ({ rule, storage }) => {
  rule(
    'MLS-01',
    {
      tried:
        'an account at a stranger’s address: its password is changed repeatedly, every email requested repeatedly',
      expected:
        'an unverified address gets five an hour that anybody can request and five that the account causes, across all kinds of email',
    },
    async ({ start, wait }) => {
      const service = await start({ throttle: {} })
      await signUp(service, 'alice', { email })
      await wait(0)
      await changeOften(service, 12, wait)
      for (let n = 0; n < 8; n += 1) {
        await service.send('POST', '/forgot/', { email })
        await service.send('POST', '/user/v/', { email })
      }
      await service.app.close()
      const kinds = service.mails.map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind === 'password-changed')).toHaveLength(5)
      expect(kinds).toHaveLength(5 + 5)
    },
  )

  rule(
    'MLS-01',
    {
      tried: 'ten emails of each kind to an unverified address, whatever triggered them',
      expected: 'five of them, whatever the kind',
      on: withOutbox,
      because,
    },
    async ({ start, users, wait }) => {
      const service = await start({ throttle: {} })
      const box = outboxOf(users)
      await wait(0)
      for (const kind of mailKinds) {
        const to = `${kind}@example.org`
        const { id: userId } = await service.app.accounts.createUser({
          username: kind,
          password: goodPassword,
          email: kind === 'change-email' ? 'old@example.org' : to,
        })
        await box.add(Array.from({ length: 10 }, () => newPendingMail({ kind, userId, to, isProven: false })))
      }
      await deliver(service, box)
      const got = mailKinds.map((kind) => [kind, service.mails.filter((mail) => mail.kind === kind).length])
      // The one that createUser posts to verify an address is included.
      expect(got).toEqual(mailKinds.map((kind) => [kind, 5]))
      await service.app.close()
    },
  )

  rule(
    'MLS-02',
    {
      tried: 'ten emails of each kind to a verified address, then an hour and a minute later',
      expected:
        'a notice is never dropped: five go out at once, one more replaces the rest and says how many; other kinds have their own budgets',
      on: withOutbox,
      because,
    },
    async ({ start, users, wait }) => {
      const service = await start({ throttle: {} })
      const box = outboxOf(users)
      await wait(0)
      for (const kind of mailKinds) {
        const to = `${kind}@example.org`
        const { id: userId } = await service.app.accounts.createUser({
          username: kind,
          password: goodPassword,
          email: kind === 'change-email' ? 'old@example.org' : to,
          isVerified: true,
        })
        await box.add(Array.from({ length: 10 }, () => newPendingMail({ kind, userId, to, isProven: false })))
      }
      await deliver(service, box, 4)
      expect(service.mails.filter(isHeldBack)).toEqual([])
      await wait(hour + 2 * minute)
      await deliver(service, box)
      const got = mailKinds.map((kind) => [kind, service.mails.filter((mail) => mail.kind === kind).length])
      expect(got).toEqual(mailKinds.map((kind) => [kind, toProven[kind]]))
      expect(
        service.mails
          .filter(isHeldBack)
          .map(({ kind }) => kind)
          .sort(),
      ).toEqual(['factor-reset', 'new-device', 'password-added', 'password-changed'])
      for (const { text, html } of service.mails.filter(isHeldBack))
        for (const part of [text, html]) expect(part).toContain('this happened 5 times')
    },
  )

  rule(
    'MLS-02',
    {
      tried: 'a thief who changes the password a dozen times within minutes to use up the owner’s notices',
      expected:
        'the owner gets the first five at once, one for all the others when the hour is over, and the next change at once again',
      on: withOutbox,
      because,
    },
    async ({ start, users, wait }) => {
      const service = await start({ throttle: {} })
      const user = { username: 'alice', password: goodPassword, email, isVerified: true }
      await service.app.accounts.createUser(user)
      await wait(0)
      await changeOften(service, 12, wait)
      await deliver(service, outboxOf(users), 1)
      expect(service.mails.map((mail) => [mail.kind, isHeldBack(mail)])).toEqual(
        Array(5).fill(['password-changed', false]),
      )
      await wait(hour + 2 * minute)
      await deliver(service, outboxOf(users))
      expect(service.mails.slice(5).map(isHeldBack)).toEqual([true])
      expect(service.mails[5]?.text).toContain('this happened 7 times')
      await changeOften(service, 1, wait)
      await deliver(service, outboxOf(users))
      expect(service.mails.slice(6).map(isHeldBack)).toEqual([false])
    },
  )

  rule(
    'MLS-03',
    {
      tried: 'requests right after POST /forgot/, for an address with an account and for one without',
      expected:
        'neither has caused any work yet: the email is looked up, written and sent after a random delay',
    },
    async ({ start, users }) => {
      const { min, max } = wakeDelay
      const service = await start({ throttle: {} })
      try {
        await signUp(service, 'alice', { email })
        await service.settle()
        Object.assign(wakeDelay, { min: hour, max: 2 * hour })
        const asked: string[] = []
        const { findByEmail, outbox } = users
        users.findByEmail = (key) => {
          asked.push('findByEmail')
          return findByEmail.call(users, key)
        }
        const claim = outbox?.claim
        if (outbox && claim) {
          outbox.claim = (at) => {
            asked.push('claim')
            return claim.call(outbox, at)
          }
        }
        for (const address of [email, 'nobody@example.org']) {
          expect((await service.send('POST', '/forgot/', { email: address })).statusCode).toBe(202)
          await service.settle()
          // Only the route's own lookup.
          expect([address, asked.splice(0)]).toEqual([address, ['findByEmail']])
        }
        expect(service.mails).toEqual([])
        await service.app.close()
        expect(service.mails.map(({ kind }) => kind)).toEqual(['reset-password'])
      } finally {
        Object.assign(wakeDelay, { min, max })
      }
    },
  )

  const link = 'log-in-at.bank-secure.evil.example'

  rule(
    'MLS-04',
    {
      tried:
        'a username that mail clients show as a link, to have it emailed to a stranger’s address: by a sign-up, its links requested again, and a change of address',
      expected: 'the emails are sent without the name, in `To`, subject, text and HTML',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service, link, { email })
      for (const path of ['/signup/v/', '/user/v/', '/forgot/']) await service.send('POST', path, { email })
      const headers = { cookie: await logIn(service, link) }
      await service.send('POST', '/change-email/', { email: 'bob@example.org' }, { headers })
      await service.mail('change-email', 'bob@example.org')
      const confirming = await start({ requireEmailConfirmation: true })
      await signUp(confirming, `2.${link}`, { email: 'carol@example.org' })
      await confirming.mail('verify-email', 'carol@example.org')
      await service.settle()
      const mails = [...service.mails, ...confirming.mails]
      expect(new Set(mails.map(({ kind }) => kind))).toEqual(
        new Set(['verify-email', 'reset-password', 'change-email']),
      )
      for (const mail of mails) expect(JSON.stringify(mail)).not.toContain('evil')
    },
  )

  rule(
    'MLS-05',
    {
      tried: 'a thief who renames an account to a link, for the emails to its proven address',
      expected: 'the name is shown, but no mail client turns it into a link',
    },
    async ({ start }) => {
      const service = await start()
      const user = { username: 'alice', password: goodPassword, email, isVerified: true }
      await service.app.accounts.createUser(user)
      const headers = { cookie: await logIn(service) }
      expect((await service.send('PATCH', '/me/', { username: link }, { headers })).statusCode).toBe(200)
      const passwords = { new_password: otherPassword, confirm_password: otherPassword }
      await service.send(
        'POST',
        '/change-password/',
        { old_password: goodPassword, ...passwords },
        { headers },
      )
      const { to, text, html } = await service.mail('password-changed')
      for (const part of [to.name, text, html]) {
        expect(part).toContain('log-in-at․bank-secure․evil․example')
        expect(part).not.toContain('evil.example')
      }
    },
  )

  rule(
    'MLS-06',
    {
      tried:
        'accounts that request to change to somebody’s address, before and after that person signs up, and ask for the email of a taken address',
      expected:
        'ten an hour reach the free address, five the taken one; the person gets the links of their account, in any browser',
    },
    async ({ start }) => {
      const service = await start({ throttle: {}, requireEmailConfirmation: true })
      const mallory = async (n: number) => {
        const username = `mallory${n}`
        const own = { username, email: `${username}@evil.example`, isVerified: true }
        await service.app.accounts.createUser({ ...own, password: goodPassword })
        const headers = { cookie: await logIn(service, username) }
        for (let asked = 0; asked < 5; asked += 1) {
          const response = await service.send('POST', '/change-email/', { email }, { headers })
          expect(response.statusCode).toBe(202)
          // Of a request that is replaced before, nothing would be sent.
          await service.settle()
        }
      }
      for (let n = 0; n < 4; n += 1) await mallory(n)
      expect(service.mails.map(({ kind }) => kind)).toEqual(Array(10).fill('change-email'))
      const alice = await signUpIn(service, 'alice')
      await service.mail('verify-email', email)
      for (let n = 4; n < 8; n += 1) await mallory(n)
      expect(kindsOf(service, 'email-taken')).toBe(5)
      await expectLinks(service, alice)
      await expectLinks(service, {})
    },
  )

  rule(
    'MLS-06',
    {
      tried:
        'strangers who request everything there is for the address of an account, from many client addresses, until nothing more is sent',
      expected:
        'the browser that signed up still gets its links, and a browser that has logged in its links and login codes',
    },
    async ({ start }) => {
      const service = await start({ throttle: {}, login: { emailCode: true } })
      const alice = await signUpIn(service, 'alice')
      const strangers = async () => {
        for (let n = 0; n < 8; n += 1) {
          const from = { remoteAddress: `10.0.0.${n}` }
          for (const path of ['/forgot/', '/user/v/', '/login/code/'])
            expect((await service.send('POST', path, { email }, from)).statusCode).toBe(202)
          await service.settle()
        }
      }
      await strangers()
      // The codes are counted apart: they don’t use up the links, which let in anyone who reads the mailbox.
      expect(kindsOf(service, 'login-code')).toBe(5)
      expect(service.mails).toHaveLength(5 + 5)
      await expectLinks(service, alice)

      await service.app.accounts.updateUser((await service.users.findByEmail(email))?.id ?? '', {
        isVerified: true,
      })
      await strangers()
      const known = devicesIn(
        await service.send('POST', '/login/', { username: 'alice', password: goodPassword }),
      )
      for (const [path, kind] of [
        ['/forgot/', 'reset-password'],
        ['/login/code/', 'login-code'],
      ] as const) {
        service.mails.length = 0
        await service.send('POST', path, { email })
        await service.settle()
        expect([path, service.mails]).toEqual([path, []])
        await service.send('POST', path, { email }, { headers: known })
        await service.mail(kind, email)
      }
    },
  )

  rule(
    'MLS-06',
    {
      tried:
        'someone who takes a stranger’s address with one account after another, requests all emails for it in the browser that signed up, and deletes the account',
      expected: 'ten an hour reach the address, however many accounts there were',
    },
    async ({ start }) => {
      const service = await start({ throttle: {} })
      for (let n = 0; n < 4; n += 1) {
        const username = `mallory${n}`
        const browser = await signUpIn(service, username)
        for (let asked = 0; asked < 5; asked += 1)
          await service.send('POST', '/user/v/', { email }, { headers: browser })
        await service.settle()
        const cookie = await logIn(service, username)
        const gone = await service.send('DELETE', '/me/', undefined, { headers: { cookie } })
        expect(gone.statusCode).toBe(204)
      }
      expect(service.mails.map(({ kind }) => kind)).toEqual(Array(10).fill('verify-email'))
    },
  )

  rule(
    'MLS-07',
    {
      tried: 'a thief who logs in and changes the password; staff who change the account',
      expected:
        'each notice says when, and the device and network of the thief, but never an address, nor anything of the staff’s',
    },
    async ({ start }) => {
      const service = await start(
        { session: { newDeviceMail: true } },
        { server: { trustProxy: () => true } },
      )
      const user = { password: goodPassword, isVerified: true }
      const { id } = await service.app.accounts.createUser({ ...user, username: 'alice', email })
      await service.app.accounts.createUser({ ...user, username: 'boss', isVerified: false, isStaff: true })
      await logIn(service)
      const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
      const headers = { 'user-agent': firefox, 'x-forwarded-for': '2001:db8:1:2::5' }
      const body = { username: 'alice', password: goodPassword }
      const cookie = cookieOf(await service.send('POST', '/login/', body, { headers }))
      const pair = {
        old_password: goodPassword,
        new_password: otherPassword,
        confirm_password: otherPassword,
      }
      await service.send('POST', '/change-password/', pair, { headers: { ...headers, cookie } })
      const boss = await logIn(service, 'boss')
      const change = { is_verified: false }
      await service.send('PATCH', `/user/${id}`, change, { headers: { ...headers, cookie: boss } })
      for (const kind of ['new-device', 'password-changed', 'account-changed'] as const) {
        const { text, html } = await service.mail(kind, email)
        for (const part of [text, html]) {
          expect(part).toMatch(/When: \w+ \d+, \d{4} at \d+:\d\d [AP]M UTC/)
          expect(part.includes('Firefox, Linux')).toBe(kind !== 'account-changed')
          expect(part.includes('network 2001:db8:1:…')).toBe(kind !== 'account-changed')
          expect(part).not.toMatch(/db8:1:2|\/48/)
        }
      }
    },
  )

  rule(
    'MLS-08',
    {
      tried:
        'own fields with a text of somebody’s, links in it and line breaks, to have the app’s templates email them: by a sign-up with a stranger’s address or a taken one, its links requested again, a change of address, and after the stranger has followed the link',
      expected:
        'a template gets no field at an unproven address, at a taken one only those of its owner, and otherwise one line without links',
    },
    async ({ start, users }) => {
      const bait = 'Your account is locked.\r\nGo to https://evil.example/now or eve@evil.example'
      const name = { type: 'string' }
      const seen: { kind: string; to: string; userId: string; fields: unknown }[] = []
      const kinds = [
        ...['verify-email', 'reset-password', 'account-exists', 'change-email', 'email-changed'],
        ...['password-changed', 'account-deleted'],
      ]
      const note = (kind: string) => [
        kind,
        (facts: EmailFacts, shipped: (facts: EmailFacts) => EmailContent) => {
          const { userId, fields, address: to } = facts
          seen.push({ kind, to, userId, fields })
          return shipped(facts)
        },
      ]
      const service = await start({
        requireEmailConfirmation: true,
        users: {
          variant: 'both',
          fields: { type: 'object', properties: { name, list: { type: 'array' }, locale: name } },
        },
        emails: Object.fromEntries(kinds.map(note)),
      })
      const told = async (kind: OwnKind, to: string) => {
        const mail = await service.mail(kind, to)
        const facts = seen.findLast((each) => each.kind === kind && each.to === to)
        expect(mail.userId).toBe(facts?.userId)
        return facts?.fields
      }
      const baited = { password: goodPassword, confirm_password: goodPassword, name: bait, list: [bait] }
      await service.send('POST', '/signup/', { ...baited, username: 'eve', email })
      expect(await told('verify-email', email)).toEqual({})
      await service.send('POST', '/forgot/', { email })
      expect(await told('reset-password', email)).toEqual({})

      const link = linkPath(await service.mail('verify-email', email))
      expect((await service.send('POST', link)).statusCode).toBe(200)
      const cookie = await logIn(service, 'eve')
      const pair = {
        old_password: goodPassword,
        new_password: otherPassword,
        confirm_password: otherPassword,
      }
      await service.send('POST', '/change-password/', pair, { headers: { cookie } })
      const harmless = 'Your account is locked. Go to https：//evil․example/now or eve＠evil․example'
      expect(await told('password-changed', email)).toEqual({ name: harmless, list: [harmless] })

      await service.app.accounts.createUser({
        ...{ username: 'bob', password: goodPassword, email: 'bob@example.org', isVerified: true },
        fields: { name: 'Bob', locale: 'en' },
      })
      await service.send('POST', '/signup/', { ...baited, username: 'mallory', email: 'bob@example.org' })
      expect(await told('account-exists', 'bob@example.org')).toEqual({ name: 'Bob', locale: 'en' })

      const bob = await logIn(service, 'bob')
      await service.send(
        'POST',
        '/change-email/',
        { email: 'other@example.org' },
        { headers: { cookie: bob } },
      )
      expect(await told('change-email', 'other@example.org')).toEqual({})
      const { id } = (await users.findByEmail('bob@example.org')) ?? {}
      await service.send('DELETE', '/me/', undefined, { headers: { cookie: bob } })
      expect(await told('account-deleted', 'bob@example.org')).toEqual({ locale: 'en' })
      expect(seen.at(-1)?.userId).toBe(id)
    },
  )

  storage(
    'MLS-09',
    {
      tried:
        'emails of the app’s own: to an account at a stranger’s address, over and over, and five hundred at once to others while somebody resets a password',
      expected:
        'five an hour reach the address, and the links for it have their own budget; the reset link is among the first to be sent',
      on: withOutbox,
      because: 'The outbox in memory has a test of its own, with fewer emails.',
    },
    async ({ start }) => {
      const news = (_: EmailFacts, { n }: { n: number }) => ({ subject: `${n}`, text: `${n}`, html: `${n}` })
      const service = await start({ throttle: {}, ownEmails: { news } })
      const { accounts } = service.app
      const made = (username: string, isVerified: boolean) =>
        accounts.createUser({
          username,
          password: goodPassword,
          email: `${username}@example.org`,
          isVerified,
        })
      const [stranger, member] = [await made('stranger', false), await made('member', true)]
      for (let n = 0; n < 8; n += 1) await accounts.mail('news', stranger.id, { n })
      await expect.poll(async () => (await accounts.check()).outbox.waiting).toBe(0)
      expect(service.mails.map(({ to }) => to.address)).toEqual(Array(5).fill('stranger@example.org'))
      await service.send('POST', '/forgot/', { email: 'stranger@example.org' })
      await service.mail('reset-password', 'stranger@example.org')

      service.mails.length = 0
      await Promise.all(Array.from({ length: 500 }, (_, n) => accounts.mail('news', member.id, { n })))
      const before = service.mails.length
      await service.send('POST', '/forgot/', { email: 'member@example.org' })
      await service.mail('reset-password', 'member@example.org')
      expect(service.mails.length - before).toBeLessThan(400)
      await expect.poll(() => service.mails.length).toBe(501)
      expect(new Set(service.mails.map(({ subject }) => subject)).size).toBe(501)
    },
  )

  rule(
    'MLS-10',
    {
      tried:
        'a stranger who signs up first with an address, and requests links for it all the time from many addresses of one provider; then its owner signs up, or has forgotten the password, elsewhere; then strangers in fifty networks, also after emails over the limit were refused',
      expected:
        'the owner gets an email in each hour, and its link works; the address gets five links an hour from anybody, and five more from as many networks at the most; what reached nobody makes room among those five, and no other',
    },
    async ({ start, wait }) => {
      const service = await start({
        throttle: {},
        users: { variant: 'both' },
        login: { emailCode: true },
        requireEmailConfirmation: true,
      })
      await wait(0)
      const to = 'olga@example.org'
      const got = async (): Promise<Mail[]> => {
        // Another email is delivered after those before.
        await service.settle()
        await wait(3000)
        await service.settle()
        return service.mails.filter(({ kind, to: { address } }) => address === to && kind !== 'login-code')
      }
      let names = 0
      const ask = async (url: string, remoteAddress: string, body: object = { email: to }) => {
        const response = await service.send('POST', url, body, { remoteAddress })
        expect(response.statusCode).toBe(202)
      }
      const signUpAt = (remoteAddress: string, username = `squat${++names}`) =>
        ask('/signup/', remoteAddress, {
          ...{ username, email: to, password: goodPassword, confirm_password: goodPassword },
        })
      const storm = async () => {
        for (let n = 1; n <= 12; n += 1) {
          await signUpAt(`2001:db8:${n.toString(16)}::1`)
          for (const url of ['/signup/v/', '/user/v/', '/forgot/'])
            await ask(url, `2001:db8:${n.toString(16)}::1`)
        }
        await got()
      }
      await storm()
      const before = (await got()).length
      await signUpAt('203.0.113.5', 'olga')
      await expect.poll(async () => (await got()).length).toBe(before + 1)
      const link = linkPath((await got()).at(-1) as Mail)
      expect((await service.send('GET', link)).json()).toMatchObject({ valid: true })
      // A second one from there has to wait.
      await ask('/signup/v/', '203.0.199.5')
      expect(await got()).toHaveLength(before + 1)

      await wait(hour)
      await storm()
      const later = (await got()).length
      await ask('/forgot/', '203.0.113.5')
      await expect.poll(async () => (await got()).length).toBe(later + 1)
      for (let n = 1; n <= 50; n += 1) await ask('/signup/v/', `198.${n}.100.1`)
      expect((await got()).length).toBeLessThanOrEqual(before + 1 + 5 + 5 + 5)
      await wait(hour)
      const last = (await got()).length
      for (let n = 1; n <= 50; n += 1) await ask('/signup/v/', `198.${n}.100.1`)
      await expect.poll(async () => (await got()).length).toBe(last + 5 + 5)

      await wait(hour)
      await storm()
      const reached = (await got()).length
      let abandoned = 0
      service.app.accounts.events.on('mail-failed', () => {
        abandoned += 1
      })
      const { send } = service.mailer
      service.mailer.send = async () => {
        throw new InvalidArgumentError('no such mailbox')
      }
      for (let n = 1; n <= 5; n += 1) await ask('/signup/v/', `198.${n}.100.1`)
      const failed = async () => {
        // A refusal counts once it is repeated.
        await wait(minute)
        await service.send('POST', '/forgot/', { email: 'nobody@example.org' })
        await service.settle()
        return abandoned
      }
      await expect.poll(failed).toBe(5)
      service.mailer.send = send
      for (let n = 1; n <= 5; n += 1) await ask('/signup/v/', `2001:db8:${n}::1`)
      expect(await got()).toHaveLength(reached)
      for (let n = 1; n <= 50; n += 1) await ask('/signup/v/', `198.${n}.100.1`)
      await expect.poll(async () => (await got()).length).toBe(reached + 5)
    },
  )
})

const kindsOf = ({ mails }: Service, wanted: string): number =>
  mails.filter(({ kind, to }) => kind === wanted && to.address === email).length

/** The cookies in a response that mark the browser, without its session. */
function devicesIn({ cookies }: Awaited<ReturnType<Service['send']>>): { cookie: string } {
  const marks = cookies.filter(({ name }) => /-(device|signup)$/.test(name))
  return { cookie: marks.map(({ name, value }) => `${name}=${value}`).join('; ') }
}

/** Signs up with the address; returns what marks the browser. */
async function signUpIn(service: Service, username: string): Promise<{ cookie: string }> {
  const passwords = { password: goodPassword, confirm_password: goodPassword }
  const response = await service.send('POST', '/user/', { username, email, ...passwords })
  expect([201, 202]).toContain(response.statusCode)
  const marks = devicesIn(response)
  expect(marks.cookie).toContain('signup=')
  return marks
}

/** Requests a verification link and a reset link, and expects both to arrive. */
async function expectLinks(service: Service, headers: { cookie?: string }): Promise<void> {
  for (const [path, kind] of [
    ['/user/v/', 'verify-email'],
    ['/forgot/', 'reset-password'],
  ] as const) {
    service.mails.length = 0
    expect((await service.send('POST', path, { email }, { headers })).statusCode).toBe(202)
    await service.mail(kind, email)
  }
}
