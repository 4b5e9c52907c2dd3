import { passkeys } from '@fastify-accounts/passkeys'
import {
  browser,
  formTarget,
  goodPassword,
  linkPath,
  linkTarget,
  logIn,
  otherPassword,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { sample } from '@fastify-accounts/test-support/depth'
import { codeIn } from '@fastify-accounts/test-support/email-code'
import { get, type SoftPasskey } from '@fastify-accounts/test-support/passkeys/authenticator'
import { type Visitor, visitor } from '@fastify-accounts/test-support/passkeys/service'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import { type AccountsOptions, type StoredUser, secondFactor, type UserStore } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { resetLink, verifyLink } from './links.js'
import { choice } from './passwords.js'
import type { Scene, Service } from './service.js'

const day = 86_400_000
const email = 'victor@example.org'
const page = {
  ...browser,
  'content-type': 'application/x-www-form-urlencoded',
  'sec-fetch-site': 'same-origin',
}
const form = (fields: Record<string, string>) => `${new URLSearchParams(fields)}`

type Names = 'required' | 'optional' | 'none'
const ways = (['required', 'optional', 'none'] as const).flatMap((names) =>
  [true, false].map((requireEmailConfirmation) => ({ names, requireEmailConfirmation })),
)

function startIn({ start }: Scene, names: Names, options: Partial<AccountsOptions> = {}): Promise<Service> {
  return start({
    users: { variant: 'both', names },
    features: [secondFactor(), passkeys()],
    ...options,
  })
}

/** Runs an attempt in each way to set up accounts; at quick depth in one. */
async function inEachWay(
  id: string,
  scene: Scene,
  run: (service: Service, names: Names, requireEmailConfirmation: boolean) => Promise<void>,
  options: Partial<AccountsOptions> = {},
): Promise<void> {
  for (const { names, requireEmailConfirmation } of sample(id, ways)) {
    const service = await startIn(scene, names, { requireEmailConfirmation, ...options })
    await run(service, names, requireEmailConfirmation)
    const user = await scene.users.findByEmail(email)
    await scene.users.delete(user?.id ?? '')
    // The next one uses the outbox of these stores as well.
    service.mails.splice(0)
  }
}

/** Somebody signs up with the victim's address and a passkey, or a password. */
const nameIn = (names: Names) => (names === 'none' ? {} : { username: 'mallory' })

async function strangerWithPasskey(service: Service, names: Names): Promise<[Visitor, SoftPasskey]> {
  const stranger = visitor(service)
  const { username } = nameIn(names)
  const { passkey, response } = await stranger.signUp(username as string, { email })
  expect(response.statusCode, response.body).toBeLessThan(300)
  // Where confirmation is required, a link is on its way.
  await service.settle()
  return [stranger, passkey]
}

async function strangerWithPassword(service: Service, names: Names): Promise<Visitor> {
  const stranger = visitor(service)
  const body = { ...nameIn(names), email, password: goodPassword, confirm_password: goodPassword }
  const response = await stranger.send('POST', '/signup/', body)
  expect(response.statusCode, response.body).toBeLessThan(300)
  await service.settle()
  return stranger
}

const press = (service: Service, link: string, body?: object) => service.send('POST', link, body)

async function reset(service: Service): Promise<void> {
  const response = await service.send('POST', await resetLink(service, email), choice(otherPassword))
  expect(response.statusCode, response.body).toBe(204)
}

/** What the victim gets by logging in with the password of the reset. */
const victimsLogin = (service: Service) =>
  service.send('POST', '/login/', { username: email, password: otherPassword })

async function edit(users: UserStore, changes: (id: string) => Parameters<UserStore['update']>[1]) {
  const user = await users.findByEmail(email)
  if (user === null) throw new Error('the user is not there')
  expect(await users.update(user.id, changes(user.id), user.version)).not.toBeNull()
}

/** Not the note of what was removed. */
const heldBy = (user: StoredUser | null) => user?.credentials.filter(({ kind }) => kind !== 'removed')

cases('First proof of an address', ({ rule, storage }) => {
  rule(
    'FPR-01',
    {
      tried:
        'somebody signs up with the victim’s address and a passkey, and waits ten days; the victim’s app confirms the address without asking who made the account, and the victim resets the password later',
      expected: 'the passkey no longer logs in, whatever names accounts have, with and without confirmation',
    },
    async (scene) => {
      await inEachWay('FPR-01', scene, async (service, names) => {
        const [stranger, passkey] = await strangerWithPasskey(service, names)
        await scene.wait(10 * day)
        const link = await verifyLink(service, email)
        expect((await press(service, link)).json()).toMatchObject({ valid: true, verified: true })
        // The contract of clients that don't ask: everything still works.
        expect((await visitor(service).use(passkey)).statusCode).toBe(200)
        await reset(service)
        expect(refusalOf(await visitor(service).use(passkey))).toEqual([401, 'ACCOUNTS_INVALID_CREDENTIALS'])
        expect((await stranger.send('GET', '/me/')).statusCode).toBe(401)
        expect((await victimsLogin(service)).statusCode).toBe(200)
      })
    },
  )

  rule(
    'FPR-02',
    {
      tried:
        'the same, renaming and using the passkey in the meantime; the victim secures the account by the link in an email, or undoes a change of the address',
      expected: 'the passkey is gone, however old it is',
    },
    async (scene) => {
      for (const how of ['not-me', 'undo'] as const) {
        const service = await startIn(scene, 'required', { session: { newDeviceMail: true } })
        const [, passkey] = await strangerWithPasskey(service, 'required')
        await scene.wait(10 * day)
        await press(service, await verifyLink(service, email))
        const stranger = visitor(service)
        expect((await stranger.use(passkey)).statusCode).toBe(200)
        const [listed] = (await stranger.send('GET', '/passkeys/')).json().results
        expect(Object.keys(listed).sort()).toEqual(
          ['created_at', 'credential_id', 'id', 'last_used_at', 'name', 'synced', 'use'].sort(),
        )
        expect((await stranger.send('PATCH', `/passkeys/${listed.id}`, { name: 'x' })).statusCode).toBe(200)
        let link: string
        if (how === 'not-me') {
          expect((await visitor(service).use(passkey)).statusCode).toBe(200)
          link = linkPath(await service.mail('new-device', email))
        } else {
          await stranger.send('POST', '/change-email/', { email: 'mallory@example.org' })
          const moved = await stranger.send(
            'POST',
            linkTarget(await service.mail('change-email', 'mallory@example.org')),
          )
          expect(moved.statusCode, moved.body).toBe(200)
          link = linkTarget(await service.mail('email-changed', email))
        }
        expect((await press(service, link)).statusCode).toBe(200)
        expect((await visitor(service).use(passkey)).statusCode).toBe(401)
        expect(await stranger.who()).toBeNull()
        const user = await scene.users.findByEmail(email)
        expect([heldBy(user), user?.identityKeys]).toEqual([[], []])
        await scene.users.delete(user?.id ?? '')
        service.mails.splice(0)
      }
    },
  )

  rule(
    'FPR-03',
    {
      tried:
        'identities linked while the address is unverified, including imported ones; the address is then verified by a link, by staff, by the app’s own code, or by confirming another address',
      expected: 'a reset removes them; what is added after staff verified the address stays',
    },
    async (scene) => {
      const { users } = scene
      for (const how of ['link', 'staff', 'host', 'change'] as const) {
        const service = await startIn(scene, 'required')
        const { id } = await signUp(service, 'mallory', how === 'change' ? {} : { email })
        const cookie = await logIn(service, 'mallory')
        const linked = { kind: 'oidc', id: 'issuer|1', createdAt: '2020-01-01T00:00:00.000Z' }
        const change = async (changes: Parameters<UserStore['update']>[1]) =>
          users.update(id, changes, (await users.findById(id))?.version ?? 0)
        await change({ credentials: [linked], identityKeys: ['oidc:issuer|1', 'oidc:imported|2'] })
        if (how === 'link') await press(service, await verifyLink(service, email))
        if (how === 'host') await service.app.accounts.updateUser(id, { isVerified: true })
        if (how === 'staff') {
          await service.app.accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true })
          const boss = await logIn(service, 'boss')
          const body = { is_verified: true }
          expect(
            (await service.send('PATCH', `/user/${id}`, body, { headers: { cookie: boss } })).statusCode,
          ).toBe(200)
        }
        if (how === 'change') {
          await service.send('POST', '/change-email/', { email }, { headers: { cookie } })
          // On another device, where nobody is logged in.
          expect(
            (await press(service, linkTarget(await service.mail('change-email', email)))).statusCode,
          ).toBe(200)
        }
        expect(await users.findById(id)).toMatchObject({ isVerified: true, identityKeys: { length: 2 } })
        const later = { kind: 'oidc', id: 'issuer|3', createdAt: new Date(Date.now() + 1000).toISOString() }
        const before = await users.findById(id)
        await change({
          credentials: [...(before?.credentials ?? []), later],
          identityKeys: [...(before?.identityKeys ?? []), 'oidc:issuer|3'],
        })
        await reset(service)
        const after = await users.findById(id)
        const isVouchedFor = how === 'staff' || how === 'host'
        expect(after?.identityKeys).toEqual(isVouchedFor ? ['oidc:issuer|3'] : [])
        expect(heldBy(after)).toEqual(isVouchedFor ? [later] : [])
        // Once: a later reset removes nothing.
        await change({ credentials: [linked], identityKeys: ['oidc:issuer|1'] })
        await reset(service)
        expect(await users.findById(id)).toMatchObject({ identityKeys: ['oidc:issuer|1'] })
        await users.delete(id)
        for (const { id: other } of [await users.findByUsername('boss')].filter((each) => each !== null))
          await users.delete(other)
        service.mails.splice(0)
      }
    },
  )

  rule(
    'FPR-04',
    {
      tried:
        'after the victim’s app has confirmed the address, the stranger turns on an authenticator app, in a session from before or after a login, and has the device remembered; then the victim resets the password',
      expected: 'the victim logs in without a second factor; the stranger’s session and password are dead',
    },
    async (scene) => {
      await inEachWay('FPR-04', scene, async (service, names, requireEmailConfirmation) => {
        const stranger = await strangerWithPassword(service, names)
        const enter = () => stranger.send('POST', '/login/', { username: email, password: goodPassword })
        if (!requireEmailConfirmation) expect((await enter()).statusCode).toBe(200)
        await press(service, await verifyLink(service, email))
        if (requireEmailConfirmation) expect((await enter()).statusCode).toBe(200)
        const cookie = [...stranger.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const { secret } = await enroll(service, cookie)
        await enter()
        const second = { code: codeOf(secret), remember_device: true }
        expect((await stranger.send('POST', '/login/second-factor/', second)).statusCode).toBe(200)
        expect((await victimsLogin(service)).statusCode).toBe(401)
        await reset(service)
        const login = await victimsLogin(service)
        expect([login.statusCode, login.body]).toEqual([200, expect.stringContaining(email)])
        expect((await stranger.send('GET', '/me/')).statusCode).toBe(401)
        expect((await enter()).statusCode).toBe(401)
        expect(heldBy(await scene.users.findByEmail(email))).toEqual([])
      })
    },
  )

  rule(
    'FPR-05',
    {
      tried:
        'somebody who reads the owner’s email resets the password of an account with an authenticator app: one confirmed by the person who made it, and one confirmed by a client that didn’t ask, whose app is older than the links in the emails about it',
      expected: 'the second factor stays, and is asked for',
    },
    async (scene) => {
      for (const isMaker of [true, false]) {
        const service = await startIn(scene, 'required')
        const owner = await strangerWithPassword(service, 'required')
        const link = await verifyLink(service, email)
        await (isMaker
          ? press(service, `${link}password/`, { password: goodPassword })
          : press(service, link))
        await owner.send('POST', '/login/', { username: email, password: goodPassword })
        const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        await enroll(service, cookie)
        if (!isMaker) await scene.wait(10 * day)
        await reset(service)
        expect(refusalOf(await victimsLogin(service))).toEqual([401, 'ACCOUNTS_SECOND_FACTOR_REQUIRED'])
        await scene.users.delete((await scene.users.findByEmail(email))?.id ?? '')
        service.mails.splice(0)
      }
    },
  )

  rule(
    'FPR-06',
    {
      tried: 'the link opened as a page on a phone by the person who signed up on a computer',
      expected:
        'the page names the address, the account and the date, and asks for the password; with the right one, the password, passkey and session stay, and a later reset keeps the passkey',
    },
    async (scene) => {
      await inEachWay('FPR-06', scene, async (service, names, requireEmailConfirmation) => {
        const owner = await strangerWithPassword(service, names)
        if (!requireEmailConfirmation)
          await owner.send('POST', '/login/', { username: email, password: goodPassword })
        const added = requireEmailConfirmation ? null : await owner.add()
        const link = await verifyLink(service, email)
        const shown = await service.send('GET', link, undefined, { headers: page })
        const [, main = ''] = shown.body.replace(/<script.*<\/script>/s, '').split('<main>')
        const text = main.replaceAll(/<[^>]+>/g, '')
        const created = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format()
        for (const each of [email, created, ...(names === 'none' ? [] : ['mallory'])])
          expect(text).toContain(each)
        expect(text).not.toContain('{')
        expect(shown.body).toContain('name="password"')
        // Its only script uses a passkey.
        expect(shown.body.includes('<script')).toBe(added !== null)
        // The button of a page that was left open is no way around it.
        const empty = await service.app.inject({ method: 'POST', url: link, headers: page })
        expect(empty.statusCode).toBe(400)
        const payload = form({ password: goodPassword })
        const url = formTarget(shown.body, link, 'password')
        const done = await service.app.inject({ method: 'POST', url, headers: page, payload })
        expect([done.statusCode, done.body]).toEqual([200, expect.stringContaining('is confirmed')])
        expect(
          (await service.send('POST', '/login/', { username: email, password: goodPassword })).statusCode,
        ).toBe(200)
        if (added === null) return
        expect((await owner.send('GET', '/me/')).statusCode).toBe(200)
        await reset(service)
        expect((await visitor(service).use(added.passkey)).statusCode).toBe(200)
      })
    },
  )

  rule(
    'FPR-07',
    {
      tried: 'passwords guessed on the page, also for an account that has none',
      expected:
        '400 `incorrect` and the form again, after the same work; they spend the account’s budget of attempts, and the link stays valid',
    },
    async (scene) => {
      const service = await startIn(scene, 'required', { throttle: {} })
      await strangerWithPassword(service, 'required')
      const link = await verifyLink(service, email)
      const guess = (at: string, address: string) =>
        service.app.inject({
          method: 'POST',
          url: `${at}password/`,
          headers: page,
          payload: form({ password: otherPassword }),
          remoteAddress: address,
        })
      const before = service.hasher.verifications
      const wrong = await guess(link, '10.0.0.1')
      expect([wrong.statusCode, wrong.body]).toEqual([
        400,
        expect.stringContaining('This password is wrong.'),
      ])
      expect(wrong.body).toContain('name="password"')
      expect(service.hasher.verifications).toBe(before + 1)
      const asJson = await press(service, `${link}password/`, { password: otherPassword })
      expect(asJson.json().fields).toMatchObject([{ field: 'password', code: 'incorrect' }])
      for (let at = 0; at < 3; at += 1) await guess(link, `10.0.1.${at}`)
      expect((await guess(link, '10.0.2.1')).statusCode).toBe(429)
      const login = await service.send('POST', '/login/', { username: email, password: goodPassword })
      expect(login.statusCode).toBe(429)
      expect((await scene.users.findByEmail(email))?.isVerified).toBe(false)
      expect((await service.send('GET', link)).statusCode).toBe(200)

      const other = visitor(service)
      await other.signUp('mia', { email: 'mia@example.org' })
      const passkeyLink = await verifyLink(service, 'mia@example.org')
      const then = service.hasher.verifications
      expect((await guess(passkeyLink, '10.0.3.1')).statusCode).toBe(400)
      expect(service.hasher.verifications).toBe(then + 1)
    },
  )

  rule(
    'FPR-08',
    {
      tried: 'the victim says that they didn’t create the account, and chooses a new password',
      expected:
        'the page says before what will be removed, by type and number; then the stranger’s password, passkey, session and links are dead, and the owner is told',
    },
    async (scene) => {
      await inEachWay('FPR-08', scene, async (service, names, requireEmailConfirmation) => {
        const stranger = await strangerWithPassword(service, names)
        if (!requireEmailConfirmation)
          await stranger.send('POST', '/login/', { username: email, password: goodPassword })
        const added = requireEmailConfirmation ? null : await stranger.add({ name: 'Click here' })
        const link = await verifyLink(service, email)
        const shown = await service.send('GET', link, undefined, { headers: page })
        expect(shown.body.includes('<li>1 passkey</li>')).toBe(added !== null)
        expect(shown.body).not.toContain('Click here')
        const url = formTarget(shown.body, link, 'new_password')
        const use = (payload: string) => service.app.inject({ method: 'POST', url, headers: page, payload })
        const weak = await use(form({ new_password: 'short', confirm_password: 'short' }))
        expect([weak.statusCode, weak.body]).toEqual([400, expect.stringContaining('<details open>')])
        expect(formTarget(weak.body, url, 'new_password')).toBe(url)
        expect((await use(form(choice(otherPassword)))).statusCode).toBe(200)
        expect((await stranger.send('GET', '/me/')).statusCode).toBe(401)
        if (added) expect((await visitor(service).use(added.passkey)).statusCode).toBe(401)
        const old = await service.send('POST', '/login/', { username: email, password: goodPassword })
        expect(old.statusCode).toBe(401)
        expect((await victimsLogin(service)).statusCode).toBe(200)
        expect((await use(form(choice(goodPassword)))).statusCode).toBe(400)
        const user = await scene.users.findByEmail(email)
        expect([user?.isVerified, heldBy(user)]).toEqual([true, []])
        await service.mail('password-changed', email)
      })
    },
  )

  rule(
    'FPR-09',
    {
      tried:
        'the cookie of a sign-up: forged, of another account or realm, expired, from before the address was taken away; of a sign-up with a taken address; of an account that staff created',
      expected:
        'the page asks for the password; the cookie of a taken address has the same name, length and attributes, and staff get none',
    },
    async (scene) => {
      const service = await startIn(scene, 'required', { requireEmailConfirmation: true })
      const owner = await strangerWithPassword(service, 'required')
      const link = await verifyLink(service, email)
      const asks = async (cookies: string) => {
        const { body } = await service.send('GET', link, undefined, { headers: { ...page, cookie: cookies } })
        return body.includes('name="password"')
      }
      const [[name, value] = ['', '']] = owner.cookies
      expect(await asks(`${name}=${value}`)).toBe(false)
      const other = value.startsWith('B') ? 'C' : 'B'
      // The account is named in the middle; what follows only says what the browser entered last.
      const at = 80
      const renamed = `${value.slice(0, at)}${value[at] === 'B' ? 'C' : 'B'}${value.slice(at + 1)}`
      for (const forged of ['', 'x', other + value.slice(1), renamed, value.slice(0, -3)])
        expect([forged, await asks(`${name}=${forged}`)]).toEqual([forged, true])

      const taken = await service.send('POST', '/signup/', {
        ...{ username: 'victor', email, password: goodPassword, confirm_password: goodPassword },
      })
      const free = await service.send('POST', '/signup/', {
        ...{
          username: 'ida',
          email: 'ida@example.org',
          password: goodPassword,
          confirm_password: goodPassword,
        },
      })
      const shape = (response: typeof taken) =>
        String(response.headers['set-cookie']).replace(/=[\w-]+/, ({ length }) => `${length}`)
      expect(shape(taken)).toBe(shape(free))
      expect(shape(taken)).toMatch(/^session-signup.*Max-Age=86400; Path=\/; HttpOnly; SameSite=Lax$/)
      for (const response of [taken, free])
        expect(await asks(String(response.headers['set-cookie']).split(';')[0] ?? '')).toBe(true)

      await service.app.accounts.createUser({
        ...{ username: 'boss', password: goodPassword, isStaff: true },
        ...{ email: 'boss@example.org', isVerified: true },
      })
      const boss = await logIn(service, 'boss')
      const made = await service.send(
        'POST',
        '/user/',
        {
          username: 'cora',
          email: 'cora@example.org',
          password: goodPassword,
          confirm_password: goodPassword,
        },
        { headers: { cookie: boss } },
      )
      expect([made.statusCode, made.cookies]).toEqual([202, []])

      await scene.wait(day + 1000)
      const late = await verifyLink(service, email)
      const { body } = await service.send('GET', late, undefined, {
        headers: { ...page, cookie: `${name}=${value}` },
      })
      expect(body).toContain('name="password"')
      await edit(scene.users, () => ({ verifyEpoch: 1 }))
      expect((await service.send('GET', late)).statusCode).toBe(400)
    },
  )

  rule(
    'FPR-10',
    {
      tried:
        'the page opened in the browser that signed up, in one that was refused with the right name and password because the address is unverified, and in one that is logged in to the account',
      expected:
        'one button confirms, and everything stays; a wrong password, the right one with the address, or a login elsewhere doesn’t count',
    },
    async (scene) => {
      for (const how of ['sign-up', 'refused', 'logged-in', 'wrong', 'by-address', 'other'] as const) {
        const service = await startIn(scene, 'required', {
          requireEmailConfirmation: how !== 'logged-in' && how !== 'other',
        })
        const maker = await strangerWithPassword(service, 'required')
        const here = how === 'sign-up' ? maker : visitor(service)
        const username = how === 'by-address' ? email : 'mallory'
        const body = { username, password: how === 'wrong' ? otherPassword : goodPassword }
        if (how !== 'sign-up' && how !== 'other') await here.send('POST', '/login/', body)
        if (how === 'other') {
          await signUp(service, 'ben')
          await here.logIn('ben')
        }
        const link = await verifyLink(service, email)
        const shown = await here.send('GET', link, undefined, page)
        const isMaker = how === 'sign-up' || how === 'refused' || how === 'logged-in'
        expect([how, shown.body.includes('name="password"')]).toEqual([how, !isMaker])
        const done = await here.send('POST', link, undefined, page)
        expect([how, done.statusCode]).toEqual([how, isMaker ? 200 : 400])
        const user = await scene.users.findByEmail(email)
        expect(user).toMatchObject({ isVerified: isMaker, credentials: [] })
        for (const name of ['mallory', 'ben']) {
          const each = await scene.users.findByUsername(name)
          if (each) await scene.users.delete(each.id)
        }
        service.mails.splice(0)
      }
    },
  )

  rule(
    'FPR-11',
    {
      tried:
        'an account with only a passkey, confirmed elsewhere with that passkey; with another account’s, with a challenge from another browser, and twice with one response',
      expected: 'only its own passkey confirms, once; it stays, also after a reset',
    },
    async (scene) => {
      const service = await startIn(scene, 'required', { requireEmailConfirmation: true })
      const [, passkey] = await strangerWithPasskey(service, 'required')
      const { passkey: foreign } = await visitor(service).signUp('mia', { email: 'mia@example.org' })
      const link = await verifyLink(service, email)
      const phone = visitor(service)
      const shown = await phone.send('GET', link, undefined, page)
      expect(shown.body).toContain('data-options="/login/passkey/options/"')
      expect(shown.body).not.toContain('name="password"')
      expect(String(shown.headers['content-security-policy'])).toMatch(
        /script-src 'sha256-[^']+'; connect-src 'self'/,
      )
      const options = async (from: Visitor) => (await from.send('POST', '/login/passkey/options/')).json()
      const refused = (response: Awaited<ReturnType<typeof press>>) =>
        expect(response.json().fields).toMatchObject([{ field: 'response', code: 'incorrect' }])
      refused(await phone.send('POST', `${link}passkey/`, { response: get(foreign, await options(phone)) }))
      refused(
        await phone.send('POST', `${link}passkey/`, {
          response: get(passkey, await options(visitor(service))),
        }),
      )
      const response = get(passkey, await options(phone))
      const both = await phone.send('POST', `${link}passkey/`, { response, password: goodPassword })
      expect(both.statusCode).toBe(400)
      expect((await phone.send('POST', `${link}passkey/`, { response })).json()).toMatchObject({
        verified: true,
      })
      refused(await phone.send('POST', `${link}passkey/`, { response }))
      await reset(service)
      expect((await visitor(service).use(passkey)).statusCode).toBe(200)
    },
  )

  storage(
    'FPR-12',
    {
      tried:
        'a new password chosen with the link of a verified address; several proofs in one body; a new password and a plain confirmation at the same moment, twenty times',
      expected:
        '409, and 400; of the two, the new password is the account’s and nothing of the stranger’s is left, or it is refused',
    },
    async (scene) => {
      const service = await startIn(scene, 'required')
      for (let round = 0; round < 20; round += 1) {
        const stranger = await strangerWithPassword(service, 'required')
        await stranger.send('POST', '/login/', { username: email, password: goodPassword })
        const link = await verifyLink(service, email)
        const both = { password: goodPassword, ...choice(otherPassword) }
        if (round === 0) expect((await press(service, `${link}new-password/`, both)).statusCode).toBe(400)
        const anew = () => press(service, `${link}new-password/`, choice(otherPassword))
        const plain = () => press(service, link)
        const [first, second] = await Promise.all(round % 2 ? [anew(), plain()] : [plain(), anew()])
        const [chosen, clicked] = round % 2 ? [first, second] : [second, first]
        expect([200, 400, 409]).toContain(chosen?.statusCode)
        expect([200, 400]).toContain(clicked?.statusCode)
        const isNew = chosen?.statusCode === 200
        const login = (password: string) => service.send('POST', '/login/', { username: email, password })
        expect((await login(otherPassword)).statusCode).toBe(isNew ? 200 : 401)
        expect((await login(goodPassword)).statusCode).toBe(isNew ? 401 : 200)
        const [cookie] = [...stranger.cookies].filter(([name]) => name === 'session')
        expect(await whoIs(service, cookie?.join('=') ?? '')).toBe(isNew ? null : 'mallory')
        if (!isNew) expect(refusalOf(await anew())).toEqual([409, 'ACCOUNTS_CONFLICT'])
        await scene.users.delete((await scene.users.findByEmail(email))?.id ?? '')
        service.mails.splice(0)
      }
    },
  )

  rule(
    'FPR-13',
    {
      tried:
        'the victim, logged in by an emailed code or by the host’s word alone, opens the link of a stranger’s account, before or after a client has confirmed it without asking; then resets the password',
      expected: 'neither shows who made the account: the stranger’s passkey no longer logs in',
    },
    async (scene) => {
      const service = await scene.start(
        {
          users: { variant: 'both' },
          login: { emailCode: true },
          features: [secondFactor(), passkeys()],
        },
        {
          before: (app) =>
            app.post<{ Params: { id: string } }>('/host/:id', async (request, reply) => {
              await app.accounts.logIn(request, reply, request.params.id)
              return {}
            }),
        },
      )
      for (const how of ['code', 'host'] as const) {
        const [, passkey] = await strangerWithPasskey(service, 'required')
        const link = await verifyLink(service, email)
        const victim = visitor(service)
        if (how === 'code') {
          expect((await press(service, link)).statusCode).toBe(200)
          await victim.send('POST', '/login/code/', { email })
          const code = codeIn(await service.mail('login-code', email))
          expect((await victim.send('POST', '/login/code/confirm/', { code })).statusCode).toBe(200)
        } else {
          const { id } = (await scene.users.findByEmail(email)) as StoredUser
          expect((await victim.send('POST', `/host/${id}`)).statusCode).toBe(200)
          const asked = await victim.send('GET', link, undefined, browser)
          expect(asked.body).toContain('new_password')
        }
        // The code has made the account the victim's, and ended the link.
        expect((await victim.send('POST', link)).statusCode).toBe(how === 'code' ? 400 : 200)
        await reset(service)
        expect(refusalOf(await visitor(service).use(passkey))).toEqual([401, 'ACCOUNTS_INVALID_CREDENTIALS'])
        const user = await scene.users.findByEmail(email)
        await scene.users.delete(user?.id ?? '')
        service.mails.splice(0)
      }
    },
  )

  rule(
    'FPR-14',
    {
      tried:
        'somebody turns on an authenticator app with an address of their own, gives that address up, and has the victim’s app confirm the victim’s; then the victim resets the password',
      expected: 'the app is gone: the victim logs in without it',
    },
    async (scene) => {
      const service = await startIn(scene, 'required')
      await signUp(service, 'mallory')
      const stranger = visitor(service)
      await stranger.logIn('mallory')
      const targets = async (address: string) => {
        await stranger.send('POST', '/change-email/', { email: address })
        const { text } = await service.mail('change-email', address)
        return [...text.matchAll(/https?:\/\/\S+/g)].map(([url]) => {
          const { pathname, search } = new URL(url)
          return pathname + search
        })
      }
      const own = await targets('mallory@example.net')
      const confirm = own.find((url) => !url.includes('release')) ?? ''
      expect((await stranger.send('POST', confirm)).statusCode).toBe(200)
      const header = [...stranger.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const { cookie } = await enroll(service, header)
      stranger.take(cookie)
      expect((await stranger.send('POST', own.find((url) => url.includes('release')) ?? '')).statusCode).toBe(
        200,
      )
      const [theirs = ''] = await targets(email)
      expect((await press(service, theirs)).statusCode).toBe(200)
      await reset(service)
      expect((await victimsLogin(service)).statusCode).toBe(200)
    },
  )
})
