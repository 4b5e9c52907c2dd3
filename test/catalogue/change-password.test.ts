import { createRequire } from 'node:module'
import {
  cookieOf,
  goodPassword,
  logIn,
  otherPassword,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import type { PasswordCheck } from 'fastify-accounts'
import { expect, vi } from 'vitest'
import { cases } from './catalogue.js'
import { resetLink, verifyLink } from './links.js'
import { change, choice, passwordsThatWork } from './passwords.js'
import { holdNext, holdNextUpdate } from './store-calls.js'

const minute = 60_000
const email = 'alice@example.org'
const bothPasswords = [goodPassword, otherPassword]

/** The rejected fields of a response, with their codes. */
function faultsOf(response: { json(): { fields?: { field: string; code: string }[] } }) {
  return Object.fromEntries((response.json().fields ?? []).map(({ field, code }) => [field, code]))
}

cases('Change of password', ({ rule, storage }) => {
  storage(
    'CHG-01',
    {
      tried:
        'the current password is wrong, missing, another user’s, or guessed in parallel from two sessions',
      expected:
        '400, five attempts a minute and no hashing beyond that; then 429, even with the correct password. The password doesn’t change',
    },
    async ({ start, users, wait }) => {
      const service = await start({ throttle: {} })
      const user = await signUp(service)
      await signUp(service, 'bob', choiceAtSignUp('the password of bob'))
      const cookies = [await logIn(service), await logIn(service)] as const
      const before = await users.findById(user.id)
      for (const changes of [{ old_password: undefined }, { old_password: '' }, { old_password: null }]) {
        const response = await change(service, cookies[0], otherPassword, changes)
        expect([response.statusCode, Object.keys(faultsOf(response))]).toEqual([400, ['old_password']])
      }
      for (const body of [{}, { old_password: goodPassword, ...choice(otherPassword) }]) {
        const response = await service.send('POST', '/change-password/', body)
        expect(response.json()).toMatchObject({ statusCode: 401, code: 'ACCOUNTS_LOGIN_REQUIRED' })
      }

      const guess = (at: number, old_password: string) =>
        change(service, cookies[at % 2] ?? '', otherPassword, { old_password })
      for (const [at, wrong] of ['wrong password', 'the password of bob'].entries()) {
        const response = await guess(at, wrong)
        expect([response.statusCode, faultsOf(response)]).toEqual([400, { old_password: 'incorrect' }])
      }
      const { verifications } = service.hasher
      const guesses = await Promise.all(
        Array.from({ length: 20 }, (_, at) => guess(at, `guess number ${at}`)),
      )
      const statuses = guesses.map(({ statusCode }) => statusCode).toSorted()
      expect(statuses).toEqual([...Array(3).fill(400), ...Array(17).fill(429)])
      expect(service.hasher.verifications - verifications).toBe(3)
      const right = await guess(0, goodPassword)
      expect([right.statusCode, right.json().code]).toEqual([429, 'ACCOUNTS_THROTTLED'])
      expect(Number(right.headers['retry-after'])).toBeGreaterThan(0)
      expect(await users.findById(user.id)).toEqual(before)
      for (const cookie of cookies) expect(await whoIs(service, cookie)).toBe('alice')
      await wait(minute + 1000)
      expect((await guess(0, goodPassword)).statusCode).toBe(204)
    },
  )

  rule(
    'CHG-02',
    {
      tried: 'two more sessions, and a cookie captured before the change',
      expected: '401 for all of them; the caller continues with a new cookie; the old password is dead',
    },
    async ({ start, sessionRows }) => {
      const service = await start()
      await signUp(service)
      const others = [await logIn(service), await logIn(service)]
      const captured = await logIn(service)
      const response = await change(service, captured, otherPassword)
      expect([response.statusCode, response.body]).toEqual([204, ''])
      const renewed = cookieOf(response)
      for (const each of [...others, captured]) {
        expect(await whoIs(service, each)).toBeNull()
        expect((await change(service, each, goodPassword)).statusCode).toBe(401)
      }
      expect(await whoIs(service, renewed)).toBe('alice')
      expect(await sessionRows()).toBe(1)
      expect(await passwordsThatWork(service, bothPasswords)).toEqual([otherPassword])
    },
  )

  rule(
    'CHG-03',
    {
      tried: 'reset links issued before the change, and a verification link',
      expected:
        'the reset links are dead; the verification link still verifies the mailbox, and nothing more',
    },
    async ({ start, users }) => {
      const service = await start()
      const { id } = await signUp(service, 'alice', { email })
      const links = [await resetLink(service, email), await resetLink(service, email)]
      const verify = await verifyLink(service, email)
      expect((await change(service, await logIn(service), otherPassword)).statusCode).toBe(204)
      for (const link of links) {
        expect((await service.send('GET', link)).statusCode).toBe(400)
        expect((await service.send('POST', link, choice('a third password'))).statusCode).toBe(400)
      }
      expect(await passwordsThatWork(service, [...bothPasswords, 'a third password'])).toEqual([
        otherPassword,
      ])
      expect((await service.send('POST', verify)).statusCode).toBe(200)
      expect(await users.findById(id)).toMatchObject({ isVerified: true })
    },
  )

  rule(
    'CHG-04',
    {
      tried:
        'new passwords at both length limits, made of emoji, that shrink in normalization, of a single kind of character, or equal to the name, the address or the site',
      expected:
        'length is counted in code points of the normalized text; nothing is truncated; no composition rules apply; 400 gives the reason',
    },
    async ({ start }) => {
      const service = await start({
        baseUrl: 'https://accounts.a-site-of-some-kind.example',
        password: { minLength: 15 },
      })
      const username = 'alice.of.wonderland'
      const address = 'alice-in-wonderland@example.org'
      await signUp(service, username, { email: address })
      let current = goodPassword
      const choose = async (password: string, faults: Record<string, string>) => {
        const cookie = (await service.send('POST', '/login/', { username, password: current })).cookies[0]
        const headers = { cookie: `${cookie?.name}=${encodeURIComponent(cookie?.value ?? '')}` }
        const body = { old_password: current, ...choice(password) }
        const response = await service.send('POST', '/change-password/', body, { headers })
        if (response.statusCode === 204) current = password
        const { confirm_password: _same, ...found } = response.statusCode === 204 ? {} : faultsOf(response)
        expect([password.slice(0, 30), found]).toEqual([password.slice(0, 30), faults])
      }
      const cases: [string, string | null][] = [
        ['fourteen chars', 'too_short'],
        ['fifteen letters', null],
        ['🐢'.repeat(14), 'too_short'],
        ['🐢🦊🐙🦄🐝🐳🦉🐌🐢🦊🐙🦄🐝🐳🦉', null],
        ['e\u0301'.repeat(14), 'too_short'],
        ['e\u0301'.repeat(15), null],
        ['aaaaaaaaaaaaaaaaa', null],
        ['               ', null],
        ['lower case words alone', null],
        ['n'.repeat(64), null],
        [`${'n'.repeat(255)}m`, null],
        ['n'.repeat(257), 'too_long'],
        ['🐢'.repeat(256), null],
        ['🐢'.repeat(257), 'too_long'],
        // Normalization makes it shorter, but the length as sent counts as well.
        ['e\u0301'.repeat(129), 'too_long'],
        ['x'.repeat(1025), 'too_long'],
        [username, 'too_common'],
        [username.toUpperCase(), 'too_common'],
        [address, 'too_common'],
        ['alice-in-wonderland', 'too_common'],
        ['a-site-of-some-kind', 'too_common'],
        ['A-Site-Of-Some-Kind.example', 'too_common'],
        ['accounts.a-site-of-some-kind.example', 'too_common'],
        ['not a-site-of-some-kind', null],
      ]
      for (const [password, fault] of cases) await choose(password, fault ? { new_password: fault } : {})
      // Passwords are neither truncated nor trimmed.
      await choose(`${'n'.repeat(255)}m`, {})
      const near = [`${'n'.repeat(255)}k`, 'n'.repeat(255), ` ${current}`.slice(0, 256)]
      expect(await passwordsThatWork(service, [...near, current], username)).toEqual([current])
    },
  )

  rule(
    'CHG-04',
    {
      tried: 'each of the 3000 most common passwords, unchanged and in capitals',
      expected: '400 with the reason, before anything is hashed',
      on: 'memory',
      because: 'the list is checked before any store is called',
    },
    async ({ start }) => {
      const service = await start()
      await signUp(service)
      const cookie = await logIn(service)
      const requireFrom = createRequire(new URL('../../packages/accounts/package.json', import.meta.url))
      const { dictionary } = requireFrom('@zxcvbn-ts/language-common')
      const commonest: string[] = dictionary['passwords-common'].slice(0, 3000).map(String)
      expect(commonest).toContain('password123')
      const { verifications } = service.hasher
      for (const common of commonest) {
        for (const password of [common, common.toUpperCase()]) {
          const { new_password } = faultsOf(await change(service, cookie, password))
          const expected = [...password].length < 8 ? 'too_short' : 'too_common'
          if (new_password !== expected) expect([password, new_password]).toEqual([password, expected])
        }
      }
      expect(service.hasher.verifications).toBe(verifications)
    },
  )

  storage(
    'CHG-05',
    {
      tried: 'two changes with the same current password, concurrent and one during the other',
      expected:
        '204 for one of them, whose password is kept; 409 for the other, or 401 if its session was already dead',
    },
    async ({ start, users, sessions, sessionRows }) => {
      const service = await start()
      await signUp(service)
      const passwords = ['the first new password', 'the second new password'] as const
      const cookies = [await logIn(service), await logIn(service)] as const
      const responses = await Promise.all([
        change(service, cookies[0], passwords[0]),
        change(service, cookies[1], passwords[1]),
      ])
      const statuses = responses.map(({ statusCode }) => statusCode).toSorted()
      // 401 if the other change had already ended its session.
      expect([
        [204, 409],
        [204, 401],
      ]).toContainEqual(statuses)
      const winner = passwords[responses.findIndex(({ statusCode }) => statusCode === 204)] ?? ''
      expect(await passwordsThatWork(service, [goodPassword, ...passwords])).toEqual([winner])

      await service.app.accounts.setPassword((await users.findByUsername('alice'))?.id ?? '', goodPassword)
      const [slow, fast] = [await logIn(service), await logIn(service)]
      const held = holdNextUpdate(users, sessions)
      const late = change(service, slow, passwords[0])
      await held.reached
      expect((await change(service, fast, passwords[1])).statusCode).toBe(204)
      held.release()
      expect((await late).json()).toMatchObject({ statusCode: 409, code: 'ACCOUNTS_CONFLICT' })
      const rows = await sessionRows()
      expect(await passwordsThatWork(service, [goodPassword, ...passwords])).toEqual([passwords[1]])
      expect(rows).toBe(1)
    },
  )

  storage(
    'CHG-05',
    {
      tried: 'a change and a reset, each while the other is in progress',
      expected: 'the first one wins: the late reset gets 400, the late change 409',
    },
    async ({ start, users, sessions }) => {
      const service = await start()
      await signUp(service, 'alice', { email })
      const race = async (first: () => Promise<{ statusCode: number }>, late: typeof first) => {
        const held = holdNextUpdate(users, sessions)
        const slow = late()
        await held.reached
        const fast = await first()
        held.release()
        return [fast.statusCode, (await slow).statusCode]
      }
      let cookie = await logIn(service)
      let link = await resetLink(service, email)
      const byReset = () => service.send('POST', link, choice('the password of the reset'))
      const byChange = () => change(service, cookie, 'the password of the change')
      const all = [goodPassword, 'the password of the reset', 'the password of the change']

      expect(await race(byReset, byChange)).toEqual([204, 409])
      expect(await passwordsThatWork(service, all)).toEqual(['the password of the reset'])

      await service.app.accounts.setPassword((await users.findByUsername('alice'))?.id ?? '', goodPassword)
      cookie = await logIn(service)
      link = await resetLink(service, email)
      expect(await race(byChange, byReset)).toEqual([204, 400])
      expect(await passwordsThatWork(service, all)).toEqual(['the password of the change'])
    },
  )

  storage(
    'CHG-05',
    {
      tried: 'a change and a login that rehashes the old password, each while the other is in progress',
      expected: 'the new password is kept, the old one never returns, and no session outlives the change',
    },
    async ({ start, users, sessions, sessionRows }) => {
      const service = await start()
      const { id } = await signUp(service)
      service.hasher.needsRehash = () => true
      const login = () => service.send('POST', '/login/', { username: 'alice', password: goodPassword })

      // A second instance, because one instance queues its hashes.
      const there = await start()
      for (const hold of [() => holdNext(service.hasher, 'hash'), () => holdNextUpdate(users, sessions)]) {
        await there.app.accounts.setPassword(id, goodPassword)
        const cookie = await logIn(there)
        const { reached, release } = hold()
        const late = login()
        await reached
        expect((await change(there, cookie, otherPassword)).statusCode).toBe(204)
        release()
        expect([(await late).statusCode, (await late).cookies]).toEqual([401, []])
        expect(await sessionRows()).toBe(1)
        expect(await passwordsThatWork(there, bothPasswords)).toEqual([otherPassword])
      }

      await service.app.accounts.setPassword(id, goodPassword)
      let cookie = await logIn(service)
      const held = holdNextUpdate(users, sessions)
      const lateChange = change(service, cookie, otherPassword)
      await held.reached
      const early = await login()
      expect(early.statusCode).toBe(200)
      held.release()
      expect((await lateChange).statusCode).toBe(204)
      expect(await whoIs(service, cookieOf(early))).toBeNull()
      expect(await passwordsThatWork(service, bothPasswords)).toEqual([otherPassword])

      await service.app.accounts.setPassword(id, goodPassword)
      cookie = await logIn(service)
      const [changed, entry] = await Promise.all([change(service, cookie, otherPassword), login()])
      expect(changed.statusCode).toBe(204)
      if (entry.statusCode === 200) expect(await whoIs(service, cookieOf(entry))).toBeNull()
      else expect(entry.statusCode).toBe(401)
      expect(await passwordsThatWork(service, bothPasswords)).toEqual([otherPassword])
    },
  )

  rule(
    'CHG-06',
    {
      tried: 'another user’s id, name or address in the body, the query or a header',
      expected: '400 in the body, ignored elsewhere: only the session’s own user changes',
    },
    async ({ start, users }) => {
      const service = await start()
      await signUp(service)
      const bob = await signUp(service, 'bob', { email: 'bob@example.org' })
      const before = await users.findById(bob.id)
      const cookie = await logIn(service)
      const fields = { id: bob.id, pk: bob.id, user_id: bob.id, userId: bob.id, username: 'bob' }
      const others = { email: 'bob@example.org', user: { id: bob.id }, is_staff: true, token: 'x' }
      for (const [field, value] of Object.entries({ ...fields, ...others })) {
        const response = await change(service, cookie, otherPassword, { [field]: value })
        expect([response.statusCode, faultsOf(response)]).toEqual([400, { [field]: 'unknown' }])
      }
      expect(await passwordsThatWork(service, bothPasswords)).toEqual([goodPassword])
      const response = await service.send(
        'POST',
        `/change-password/?id=${bob.id}&username=bob`,
        { old_password: goodPassword, ...choice(otherPassword) },
        { headers: { cookie, 'x-user-id': bob.id, 'x-username': 'bob' } },
      )
      expect(response.statusCode).toBe(204)
      expect(await users.findById(bob.id)).toEqual(before)
      expect(await passwordsThatWork(service, bothPasswords)).toEqual([otherPassword])
      expect(await passwordsThatWork(service, bothPasswords, 'bob')).toEqual([goodPassword])
    },
  )

  rule(
    'CHG-07',
    {
      tried:
        'a session that this instance has just seen alive is ended by another instance on the same stores',
      expected: '401 at once, whatever ended it: no result is cached',
    },
    async ({ start }) => {
      const here = await start()
      const there = await start()
      const { id } = await signUp(here)
      const ends: ((cookie: string) => Promise<unknown>)[] = [
        (cookie) => there.app.inject({ method: 'POST', url: '/logout/', headers: { cookie } }),
        () => there.app.accounts.endUserSessions(id),
        () => there.app.accounts.setPassword(id, goodPassword),
        () => there.app.accounts.updateUser(id, { isActive: false }),
      ]
      for (const end of ends) {
        const cookie = await logIn(here)
        expect(await whoIs(here, cookie)).toBe('alice')
        await end(cookie)
        const response = await change(here, cookie, otherPassword)
        expect([response.statusCode, response.json().code]).toEqual([401, 'ACCOUNTS_LOGIN_REQUIRED'])
        expect(await whoIs(here, cookie)).toBeNull()
      }
      await there.app.accounts.updateUser(id, { isActive: true })
      expect(await passwordsThatWork(here, bothPasswords)).toEqual([goodPassword])
    },
  )

  rule(
    'CHG-08',
    {
      tried: 'the notice of a change, and a mailer that fails to send it',
      expected: 'it goes to the stored address and contains no secret; if sending fails, the change is kept',
    },
    async ({ start, users }) => {
      const service = await start()
      const user = await signUp(service, 'alice', { email })
      const link = await resetLink(service, email)
      const cookie = await logIn(service)
      expect((await change(service, cookie, otherPassword)).statusCode).toBe(204)
      await service.app.close()
      const notices = service.mails.filter(({ kind }) => kind === 'password-changed')
      expect(notices.map(({ to }) => to)).toEqual([{ name: 'alice', address: email }])
      const secrets = [...bothPasswords, link, cookie, user.passwordHash]
      for (const { subject, text, html } of notices) {
        for (const each of secrets) expect(subject + text + html).not.toContain(each)
        expect(text.match(/https?:\/\/\S+/g)).toEqual([expect.stringContaining('/not-me/')])
      }

      vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'performance'] })
      let attempts = 0
      const send = async () => {
        attempts += 1
        throw new Error('connect ECONNREFUSED')
      }
      const mute = await start({ mailer: { send }, adapterTimeout: 10 * minute })
      const failures: unknown[] = []
      mute.app.accounts.events.on('mail-failed', ({ kind, userId }) => failures.push([kind, userId]))
      await mute.app.accounts.setPassword(user.id, goodPassword)
      expect((await change(mute, await logIn(mute), otherPassword)).statusCode).toBe(204)
      await expect.poll(() => attempts).toBe(1)
      await vi.advanceTimersByTimeAsync(minute)
      await expect.poll(() => failures).toEqual([['password-changed', user.id]])
      expect(await passwordsThatWork(mute, bothPasswords)).toEqual([otherPassword])
      expect(await users.findById(user.id)).toMatchObject({ sessionEpoch: 3 })
    },
  )

  rule(
    'CHG-09',
    {
      tried:
        'a password that password.check rejects, at sign-up (also with a known address), change, reset and by the host; the check down, failing open or not; at login',
      expected:
        'rejected everywhere, with one response whether or not the address is known; nothing is stored, and the link stays valid; login never calls the check; 503, or accepted if it fails open',
    },
    async ({ start, users }) => {
      const refused = 'a password that leaked'
      let calls = 0
      let isDown = false
      const check: PasswordCheck = (password, owner) => {
        calls += 1
        if (isDown) throw new Error('down')
        if (password.includes(`${owner.username}s`)) return { message: 'Not your name.' }
        return password === refused ? 'breached' : null
      }
      const service = await start({ password: { check }, requireEmailConfirmation: true })
      const fault = { statusCode: 400, fields: [{ field: 'new_password', code: 'breached' }] }
      const user = await service.app.accounts.createUser({
        username: 'alice',
        email,
        password: goodPassword,
        isVerified: true,
      })
      const before = await users.findById(user.id)
      const bodies = [email, 'nobody@example.org'].map((address, at) => ({
        username: `new-${at}`,
        email: address,
        ...choiceAtSignUp(refused),
      }))
      const responses = await Promise.all(bodies.map((body) => service.send('POST', '/signup/', body)))
      for (const { statusCode, json } of responses)
        expect([statusCode, json().fields[0].code]).toEqual([400, 'breached'])
      expect(responses[0]?.body).toBe(responses[1]?.body)
      calls = 0
      const cookie = await logIn(service)
      expect(calls).toBe(0)
      expect((await change(service, cookie, refused)).json()).toMatchObject(fault)
      const link = await resetLink(service, email)
      expect((await service.send('POST', link, choice(refused))).json()).toMatchObject(fault)
      const german = { headers: { 'accept-language': 'de' } }
      expect(
        (await service.send('POST', link, choice('what alices friends know'), german)).json().fields,
      ).toEqual([{ field: 'new_password', code: 'invalid', message: 'Not your name.' }])
      for (const call of [
        () => service.app.accounts.setPassword(user.id, refused),
        () => service.app.accounts.createUser({ username: 'bob', password: refused }),
      ])
        await expect(call()).rejects.toMatchObject({ fields: [{ field: 'password', code: 'breached' }] })
      expect((await users.findById(user.id))?.passwordHash).toBe(before?.passwordHash)
      expect(await users.findByUsername('new-1')).toBe(null)
      isDown = true
      expect((await service.send('POST', link, choice(otherPassword))).statusCode).toBe(503)
      const open = await start({ password: { check: Object.assign(check, { failsOpen: true }) } })
      expect((await open.send('POST', link, choice(otherPassword))).statusCode).toBe(204)
      expect(await passwordsThatWork(open, bothPasswords)).toEqual([otherPassword])
    },
  )
})

const choiceAtSignUp = (password: string) => ({ password, confirm_password: password })
