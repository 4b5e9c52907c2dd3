import { passkeys } from '@fastify-accounts/passkeys'
import { linkPath, linkTarget } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { create, get, otherKey, type Twist } from '@fastify-accounts/test-support/passkeys/authenticator'
import {
  at,
  bare,
  complete,
  confirm,
  password,
  prove,
  secondStep,
  turn,
  waiting,
} from '@fastify-accounts/test-support/passkeys/second-step'
import { origin, type Visitor, visitor } from '@fastify-accounts/test-support/passkeys/service'
import { codeOf } from '@fastify-accounts/test-support/second-factor'
import { secondFactor } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { imported } from './imports.js'

import { choice } from './passwords.js'
import type { Scene, Service } from './service.js'

const wrong = [401, 'ACCOUNTS_INVALID_CREDENTIALS']
const day = 86_400_000
const features = [passkeys(), secondFactor()]

/** Stands for another process: shares nothing but the stores. */
const startOn = ({ start }: Scene): Promise<Service> => start({ users: { variant: 'both' }, features })

/** Alice, with a verified address and a passkey. */
async function withPasskey(service: Service, twist: Twist = {}) {
  const alice = { ...password, email: 'alice@example.org', isVerified: true }
  const { id } = await service.app.accounts.createUser(alice)
  const owner = visitor(service)
  await owner.logIn()
  const { passkey, response } = await owner.add(twist)
  if (response.statusCode !== 201) throw new Error(response.body)
  return { id, owner, passkey }
}

/** The same, with passkeys turned on as a second factor. */
async function withFactor(service: Service, twist: Twist = {}) {
  const known = await withPasskey(service, twist)
  const response = await prove(known.owner, known.passkey, true)
  if (response.statusCode !== 200) throw new Error(response.body)
  return { ...known, codes: response.json().recovery_codes as string[] }
}

cases('Passkeys', ({ rule, storage }) => {
  storage(
    'PKY-11',
    {
      tried:
        'one second-step response sent twenty times concurrently to two processes, and again from the copied browser',
      expected: 'one login; everything else is 401',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const { passkey } = await withFactor(services[0])
      const { browser, options } = await waiting(services[0])
      const response = get(passkey, options)
      const copies = Array.from({ length: 20 }, (_, n) => at(services[n % 2 === 0 ? 0 : 1], browser))
      const responses = await Promise.all(copies.map((copy) => complete(copy, response)))
      expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(19).fill(401)])
      expect((await complete(at(services[1], browser), response)).statusCode).toBe(401)
    },
  )

  rule(
    'PKY-12',
    {
      tried:
        'second steps with the response of another pending login, browser, ceremony, time, account and key, from another site, without presence, and with a counter that goes backwards',
      expected: 'one and the same 401, and no row is written',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { owner, passkey } = await withFactor(service, { counter: 9 })
      await service.app.accounts.createUser({ ...password, username: 'mallory' })
      const mallory = visitor(service)
      await mallory.logIn('mallory')
      const theirs = await mallory.add()
      const rows = await scene.sessionRows()
      const twists: Twist[] = [
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { type: 'webauthn.create' },
        { key: otherKey() },
        { flags: { present: false } },
        { flags: { backedUp: true } },
        { crossOrigin: true },
        { userHandle: theirs.passkey.handle },
        { counter: 9 },
        { counter: 0 },
      ]
      for (const twist of twists)
        expect(refusalOf(await secondStep(service, passkey, twist)), JSON.stringify(twist)).toEqual(wrong)
      expect(refusalOf(await secondStep(service, theirs.passkey))).toEqual(wrong)
      const { browser, options } = await waiting(service)
      const response = async (to: { challenge: string }) =>
        refusalOf(await complete(browser, get(passkey, to)))
      expect(await response((await waiting(service)).options)).toEqual(wrong)
      expect(await response((await owner.send('POST', '/confirm/passkey/options/')).json())).toEqual(wrong)
      const alone = await browser.send('POST', '/login/passkey/options/', { use: 'login' })
      expect(await response(alone.json())).toEqual(wrong)
      await scene.wait(5 * 60_000)
      expect(await response(options)).toEqual(wrong)
      expect(await scene.sessionRows()).toBe(rows)
      expect((await secondStep(service, passkey)).statusCode).toBe(200)
    },
  )

  rule(
    'PKY-13',
    {
      tried:
        'a security key without a PIN on its own: as a login, as one that claims user verification, and to confirm while passkeys are off',
      expected: '401, 401 and 400; after the password it completes a login',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { owner, passkey } = await withPasskey(service)
      const { passkey: key } = await owner.add(bare)
      expect(refusalOf(await visitor(service).use(key))).toEqual(wrong)
      expect(refusalOf(await visitor(service).use(key, { flags: { verified: true } }))).toEqual(wrong)
      expect((await confirm(owner, key)).statusCode).toBe(400)
      expect((await confirm(owner, passkey, { flags: { verified: false } })).statusCode).toBe(400)
      expect((await prove(owner, passkey, true)).statusCode).toBe(200)
      expect((await secondStep(service, key, { userHandle: null })).statusCode).toBe(200)
      expect(refusalOf(await visitor(service).use(key))).toEqual(wrong)
    },
  )

  storage(
    'PKY-14',
    {
      tried:
        'passkeys turned on twice concurrently in two processes, and during the removal of the only passkey; two passkeys removed concurrently while they are on',
      expected: 'the codes shown are the ones that work, and no account requires a passkey it doesn’t have',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const { id, owner, passkey } = await withPasskey(services[0])
      await confirm(owner, passkey)
      const both = await Promise.all(services.map((service) => turn(at(service, owner), true)))
      const codes = both.flatMap((response) =>
        response.statusCode === 200 ? (response.json().recovery_codes as string[]) : [],
      )
      expect(codes).toHaveLength(10)
      const { browser } = await waiting(services[1])
      const done = await browser.send('POST', '/login/second-factor/', { code: codes[3] })
      expect(done.statusCode).toBe(200)
      expect((await confirm(browser, passkey)).statusCode).toBe(204)
      await browser.add()
      const kept = async () => {
        const user = await scene.users.findById(id)
        return [user?.factors, user?.credentials.map(({ kind }) => kind)]
      }
      const removeAll = async () => {
        const { results } = (await browser.send('GET', '/passkeys/')).json()
        return (results as { id: string }[]).map(
          ({ id }, n) =>
            () =>
              at(services[n === 0 ? 0 : 1], browser).send('DELETE', `/passkeys/${id}`),
        )
      }
      await Promise.all((await removeAll()).map((remove) => remove()))
      expect(await kept()).toEqual([[], []])
      await browser.add()
      const [remove] = await removeAll()
      await Promise.all([remove?.(), turn(at(services[1], browser), true)])
      const [factors, kinds] = await kept()
      // Whichever came first: the factor is on only if there is a passkey for it.
      expect(kinds?.includes('passkey')).toBe(factors?.includes('passkey'))
    },
  )

  rule(
    'PKY-15',
    {
      tried:
        'passkeys turned on and off in an old login, with only the password, in a session from before; a pending login while they are turned off',
      expected: '403, 403 and 401; the pending login is over',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { owner, passkey } = await withPasskey(service)
      const before = visitor(service)
      await before.logIn()
      await scene.wait(3_600_000)
      expect((await turn(owner, true)).statusCode).toBe(403)
      expect((await confirm(owner, passkey)).statusCode).toBe(204)
      expect((await turn(owner, true)).statusCode).toBe(200)
      expect((await turn(before, false)).statusCode).toBe(401)
      await scene.wait(3_600_000)
      const alone = await owner.send('POST', '/confirm/', { password: password.password })
      expect([alone.statusCode, (await turn(owner, false)).statusCode]).toEqual([403, 403])
      const { browser, options } = await waiting(service)
      expect((await confirm(owner, passkey)).statusCode).toBe(204)
      expect((await turn(owner, false)).statusCode).toBe(200)
      expect(refusalOf(await complete(browser, get(passkey, options)))).toEqual([
        401,
        'ACCOUNTS_LOGIN_EXPIRED',
      ])
    },
  )

  rule(
    'PKY-16',
    {
      tried: 'a reset, a lockdown by email, and disabling, for an account with passkeys on',
      expected: 'the password alone still doesn’t log in',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id, passkey } = await withFactor(service)
      await scene.wait(30 * day)
      const intruder = visitor(service)
      await intruder.use(passkey)
      await intruder.add({ name: 'Theirs' })
      const mailed = () => service.mails.find(({ text }) => text.includes('Theirs'))
      await expect.poll(mailed).toBeDefined()
      const mail = mailed()
      if (!mail) throw new Error('no email arrived')
      expect((await service.send('POST', linkPath(mail))).statusCode).toBe(200)
      const way = linkPath(await service.mail('choose-password'))
      expect((await service.send('POST', way, choice(password.password))).statusCode).toBe(204)
      await waiting(service)
      await service.send('POST', '/forgot/', { email: 'alice@example.org' })
      const reset = linkPath(await service.mail('reset-password'))
      expect((await service.send('POST', reset, choice(password.password))).statusCode).toBe(204)
      await service.app.accounts.updateUser(id, { isActive: false })
      await service.app.accounts.updateUser(id, { isActive: true })
      await waiting(service)
      expect((await secondStep(service, passkey)).statusCode).toBe(200)
    },
  )

  rule(
    'PKY-17',
    {
      tried:
        'a thief with only the password who sets up an app and turns passkeys on over the owner’s passkey: after login, after confirming with the password, in a session in which the owner used the passkey before; with a setup begun before there was one; with the passkey, in two processes concurrently; staff who remove the owner’s factors',
      expected:
        '403 until the passkey is the last thing proved, and no factor is on; then one app is; staff also remove the passkeys, but not the last login method',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service] = services
      const alice = { ...password, email: 'alice@example.org', isVerified: true }
      const { id } = await service.app.accounts.createUser(alice)
      const thief = visitor(service)
      await thief.logIn()
      const begun = (await thief.send('POST', '/second-factor/totp/')).json()
      const owner = visitor(service)
      await owner.logIn()
      const { passkey } = await owner.add()
      const kept = async () => {
        const { factors, credentials } = (await scene.users.findById(id)) ?? {}
        return [factors, credentials?.map(({ kind }) => kind)]
      }
      const enroll = async (who: Visitor) => {
        const given = { code: codeOf(begun.secret), token: begun.token }
        return [
          await who.send('POST', '/second-factor/totp/'),
          await who.send('POST', '/second-factor/totp/confirm/', given),
          await turn(who, true),
        ].map(refusalOf)
      }
      const refused = Array(3).fill([403, 'ACCOUNTS_CONFIRMATION_REQUIRED'])
      const byPassword = (who: Visitor) => who.send('POST', '/confirm/', { password: password.password })
      expect(await enroll(thief)).toEqual(refused)
      expect((await byPassword(thief)).statusCode).toBe(204)
      expect(await enroll(thief)).toEqual(refused)
      expect((await confirm(owner, passkey)).statusCode).toBe(204)
      await scene.wait(day)
      expect((await byPassword(owner)).statusCode).toBe(204)
      expect(await enroll(owner)).toEqual(refused)
      expect(await kept()).toEqual([[], ['passkey']])

      expect((await confirm(owner, passkey)).statusCode).toBe(204)
      const { secret, token } = (await owner.send('POST', '/second-factor/totp/')).json()
      const given = { code: codeOf(secret), token }
      const both = await Promise.all(
        services.map((each) => at(each, owner).send('POST', '/second-factor/totp/confirm/', given)),
      )
      expect(both.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      expect(await kept()).toEqual([['totp'], ['passkey', 'totp', ...Array(10).fill('recovery-code')]])

      await service.app.accounts.createUser({ ...password, username: 'manager', isStaff: true })
      const manager = visitor(service)
      await manager.logIn('manager')
      const reset = () => manager.send('POST', `/user/${id}/second-factor/reset/`)
      expect((await reset()).statusCode).toBe(204)
      expect(await kept()).toEqual([[], []])
      expect((await scene.users.findById(id))?.identityKeys).toEqual([])
      expect(refusalOf(await visitor(service).use(passkey))).toEqual(wrong)
      const back = visitor(service)
      await back.logIn()
      const { passkey: next } = await back.add()
      expect((await back.use(next)).statusCode).toBe(200)
      expect((await back.send('DELETE', '/password/')).statusCode).toBe(204)
      expect((await reset()).statusCode).toBe(204)
      expect((await visitor(service).use(next)).statusCode).toBe(200)
    },
  )

  rule(
    'PKY-18',
    {
      tried:
        'a passkey that was a second factor in another system, imported, and imported again after its owner removed it; an intruder who adds a passkey and moves the address, and the undo; a passkey that an account here already has, and one without a verified address',
      expected:
        'the password alone doesn’t log in, before or after the undo; the intruder’s passkey goes, the imported one stays and is required; a passkey removed here stays removed; no user arrives without the factor they had',
    },
    async (scene) => {
      const service = await startOn(scene)
      const made = async () => {
        const options = await visitor(service).send('POST', '/signup/passkey/options/', { username: 'new' })
        return create(options.json(), origin)
      }
      const { passkey, response } = await made()
      const alice = {
        ...{ username: 'alice', email: 'alice@example.org', isVerified: true },
        createdAt: '2024-01-02T03:04:05.678Z',
        passwordHash: await service.hasher.hash(password.password),
        passkeys: { name: 'Old key', credential: response },
      }
      expect(await imported(scene, features, [alice])).toEqual([])
      const { id = '' } = (await scene.users.findByEmail(alice.email)) ?? {}
      const kept = async () => {
        const { factors, credentials, identityKeys = [] } = (await scene.users.findById(id)) ?? {}
        const names = credentials?.filter(({ kind }) => kind !== 'removed').map(({ name }) => name)
        return [factors, names, identityKeys.length]
      }
      expect(await kept()).toEqual([['passkey'], ['Old key'], 1])
      // After the password, a touch is enough.
      const { browser, options } = await waiting(service)
      expect((await complete(browser, get(passkey, options))).statusCode).toBe(200)

      await browser.add({ name: 'Theirs' })
      expect(
        (await browser.send('POST', '/change-email/', { email: 'mallory@example.org' })).statusCode,
      ).toBe(202)
      const moved = await browser.send('POST', linkTarget(await service.mail('change-email')))
      expect(moved.statusCode).toBe(200)
      expect(await kept()).toEqual([['passkey'], ['Old key', 'Theirs'], 2])
      const undone = await service.send('POST', linkTarget(await service.mail('email-changed')))
      expect([undone.statusCode, await browser.who()]).toEqual([200, null])
      expect(await kept()).toEqual([['passkey'], ['Old key'], 1])
      const way = linkPath(await service.mail('choose-password'))
      expect((await service.send('POST', way, choice(password.password))).statusCode).toBe(204)
      const back = await waiting(service)
      expect((await complete(back.browser, get(passkey, back.options))).statusCode).toBe(200)

      const [{ id: listed }] = (await back.browser.send('GET', '/passkeys/')).json().results
      expect((await back.browser.send('DELETE', `/passkeys/${listed}`)).statusCode).toBe(204)
      expect(await imported(scene, features, [alice])).toEqual([])
      expect(await kept()).toEqual([[], [], 0])

      const mine = await back.browser.add()
      const held = (await scene.users.findById(id))?.credentials.find((each) => each.id === mine.passkey.id)
      const bob = { ...alice, username: 'bob', email: 'bob@example.org' }
      const reasons = await imported(scene, features, [
        { ...bob, passkeys: { id: mine.passkey.id, publicKey: held?.publicKey, counter: 0 } },
        { ...bob, isVerified: false },
      ])
      expect(reasons).toHaveLength(2)
      expect(await scene.users.findByEmail(bob.email)).toBeNull()
    },
  )

  rule(
    'PKY-28',
    {
      tried:
        'after the right password, twenty passkeys that can’t be right: from another site, for another domain, user or login; then passkeys of another key',
      expected:
        '401; the first neither use up the owner’s attempts nor alarm them, the others do: after five even the right one is 429',
    },
    async (scene) => {
      const service = await scene.start({ users: { variant: 'both' }, features, throttle: {} })
      const { id, passkey } = await withFactor(service)
      const unfit: Twist[] = [
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { userHandle: 'AAAA' },
        { challenge: 'AAAA' },
      ]
      const alarms = async () => {
        await service.settle()
        return service.mails.filter(({ kind }) => kind === 'factor-guessed').length
      }
      const login = async (twist?: Twist) => {
        const sent = await secondStep(service, passkey, twist)
        // The password step has a limit of its own.
        await scene.wait(60_000)
        return sent
      }
      for (let n = 0; n < 5; n += 1)
        for (const twist of unfit) expect(refusalOf(await login(twist))).toEqual(wrong)
      expect(await alarms()).toBe(0)
      expect((await scene.users.findById(id))?.credentials[0]?.misses ?? 0).toBe(0)
      expect((await login()).statusCode).toBe(200)
      for (let n = 0; n < 5; n += 1)
        expect(refusalOf(await secondStep(service, passkey, { key: otherKey() }))).toEqual(wrong)
      expect(await alarms()).toBe(1)
      expect(refusalOf(await secondStep(service, passkey))).toEqual([429, 'ACCOUNTS_THROTTLED'])
    },
  )
})
