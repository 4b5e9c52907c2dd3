import { passkeys } from '@fastify-accounts/passkeys'
import { cookieOf, goodPassword, linkTarget, otherPassword } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { codeIn } from '@fastify-accounts/test-support/email-code'
import type { SoftPasskey } from '@fastify-accounts/test-support/passkeys/authenticator'
import { at, confirm, password } from '@fastify-accounts/test-support/passkeys/second-step'
import { type Visitor, visitor } from '@fastify-accounts/test-support/passkeys/service'
import { codeOf, enroll } from '@fastify-accounts/test-support/second-factor'
import { secondFactor } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'

import { choice } from './passwords.js'
import type { Scene, Service } from './service.js'

const day = 86_400_000
const email = 'alice@example.org'
const unconfirmed = [403, 'ACCOUNTS_CONFIRMATION_REQUIRED']

const startOn = (
  { start }: Scene,
  features = [secondFactor(), passkeys()],
  host: Parameters<Scene['start']>[1] = {},
): Promise<Service> => start({ users: { variant: 'both' }, adapterTimeout: 600_000, features }, host)

/** Alice, with a verified address unless another is given, and a passkey that her browser used last. */
async function withPasskey(service: Service, address: { email?: string; isVerified?: boolean } = {}) {
  const { id } = await service.app.accounts.createUser({ ...password, email, isVerified: true, ...address })
  const owner = visitor(service)
  await owner.logIn()
  const { passkey } = await owner.add()
  await owner.use(passkey)
  return { id, owner, passkey }
}

/** A browser in which somebody entered the password. */
async function thiefOf(service: Service): Promise<Visitor> {
  const thief = visitor(service)
  await thief.logIn()
  return thief
}

/** Every change of how to log in, or of the address, with a request that would otherwise succeed. */
async function changesOf(
  owner: Visitor,
): Promise<readonly (readonly ['POST' | 'PATCH' | 'DELETE', string, object?])[]> {
  const [{ id }] = (await owner.send('GET', '/passkeys/')).json().results
  return [
    ['POST', '/passkeys/options/'],
    ['POST', '/passkeys/', { response: {} }],
    ['DELETE', `/passkeys/${id}`],
    ['POST', '/second-factor/totp/'],
    ['POST', '/second-factor/totp/confirm/', { code: '000000', token: 'x' }],
    ['DELETE', '/second-factor/totp/'],
    ['DELETE', '/second-factor/totp/x'],
    ['POST', '/second-factor/recovery-codes/'],
    ['PATCH', '/second-factor/', { passkeys: true }],
    ['POST', '/change-email/', { email: 'thief@example.com' }],
    ['DELETE', '/password/'],
  ]
}

/** Which of those changes a browser may not make. */
async function refusedTo(who: Visitor, owner: Visitor): Promise<unknown[]> {
  const responses = []
  for (const [method, path, body] of await changesOf(owner))
    responses.push(refusalOf(await who.send(method, path, body)))
  return responses
}

/** Confirms with an emailed code. */
async function confirmByCode(service: Service, who: Visitor): Promise<number> {
  const asked = await who.send('POST', '/confirm/code/')
  if (asked.statusCode !== 202) return asked.statusCode
  const code = codeIn(await service.mail('confirmation-code', email))
  return (await who.send('POST', '/confirm/', { email_code: code })).statusCode
}

/** The owner, who has lost the passkey, removes it and adds another. */
async function replace(who: Visitor): Promise<SoftPasskey> {
  const [{ id }] = (await who.send('GET', '/passkeys/')).json().results
  expect((await who.send('DELETE', `/passkeys/${id}`)).statusCode).toBe(204)
  const { passkey, response } = await who.add()
  expect(response.statusCode).toBe(201)
  return passkey
}

cases('Passkeys', ({ rule, storage }) => {
  rule(
    'PKY-19',
    {
      tried:
        'a thief with the password of an account with a login passkey who changes passkeys, apps, recovery codes, the address and the password’s existence: after login, after confirming with the password, with an app’s code, in the host’s own login, and in a session that used the passkey before',
      expected:
        '403 at every step, with what confirms instead; nothing has changed and nobody is emailed; the owner may do all of it with the passkey',
    },
    async (scene) => {
      const service = await startOn(scene, undefined, {
        before: (app) =>
          app.post<{ Params: { id: string; how: string } }>('/host/:id/:how', async (request, reply) => {
            const { id, how } = request.params
            await app.accounts.logIn(request, reply, id, { methods: how.split('-') })
            return {}
          }),
      })
      const { id, owner, passkey } = await withPasskey(service)
      await service.mail('passkey-added', email)
      const mails = service.mails.length
      const before = await scene.users.findById(id)
      const all = (await changesOf(owner)).map(() => unconfirmed)
      const thief = await thiefOf(service)
      const options = await thief.send('POST', '/passkeys/options/')
      expect(options.json().factors).toEqual(['passkey', 'email-code'])
      expect(await refusedTo(thief, owner)).toEqual(all)
      expect((await thief.send('POST', '/confirm/', { password: goodPassword })).statusCode).toBe(204)
      expect(await refusedTo(thief, owner)).toEqual(all)
      for (const how of ['host', 'mfa', 'pwd-otp-mfa', 'fed-mfa']) {
        const guest = visitor(service)
        expect((await guest.send('POST', `/host/${id}/${how}`)).statusCode).toBe(200)
        expect([how, await refusedTo(guest, owner)]).toEqual([how, all])
      }
      const after = await scene.users.findById(id)
      for (const field of ['identityKeys', 'factors', 'emailKey', 'passwordHash'] as const)
        expect(after?.[field]).toEqual(before?.[field])
      expect(after?.credentials.map((each) => each.id)).toEqual([passkey.id])
      expect(service.mails.slice(mails).map(({ kind }) => kind)).toEqual([])

      // The owner's own app doesn't count either, and neither does the password after the passkey.
      const header = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const { secret, cookie } = await enroll(service, header)
      owner.take(cookie)
      expect(await refusedTo(owner, owner)).toEqual(all)
      expect((await owner.send('POST', '/confirm/', { code: codeOf(secret) })).statusCode).toBe(204)
      expect(await refusedTo(owner, owner)).toEqual(all)
      expect((await confirm(owner, passkey)).statusCode).toBe(204)
      expect((await owner.add()).response.statusCode).toBe(201)
      expect((await owner.send('DELETE', '/second-factor/totp/')).statusCode).toBe(204)
      expect((await owner.send('POST', '/change-email/', { email: 'a@example.com' })).statusCode).toBe(202)
      await scene.wait(16 * 60_000)
      expect(await refusedTo(owner, owner)).toEqual(all)
    },
  )

  storage(
    'PKY-20',
    {
      tried:
        'an owner who has lost the passkey: with a code to an address from before, alone and with a second factor on; the same code twenty times concurrently in two processes',
      expected:
        'the owner is in control again; with a factor on, only after that factor; one of the twenty wins',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service] = services
      await withPasskey(service)
      const back = await thiefOf(service)
      expect((await back.send('POST', '/confirm/code/')).statusCode).toBe(202)
      const code = codeIn(await service.mail('confirmation-code', email))
      const many = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          at(services[n % 2 === 0 ? 0 : 1], back).send('POST', '/confirm/', { email_code: code }),
        ),
      )
      const won = many.filter(({ statusCode }) => statusCode === 204)
      expect(won).toHaveLength(1)
      for (const response of won) back.take(cookieOf(response))
      const passkey = await replace(back)
      await back.use(passkey)
      const header = [...back.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const { codes } = await enroll(service, header)

      const again = visitor(service)
      expect((await again.send('POST', '/login/', password)).statusCode).toBe(401)
      const [recovery, second] = codes
      expect((await again.send('POST', '/login/second-factor/', { code: recovery })).statusCode).toBe(200)
      await scene.wait(16 * 60_000)
      service.mails.length = 0
      expect(await confirmByCode(service, again)).toBe(403)
      expect((await again.send('POST', '/confirm/', { code: second })).statusCode).toBe(204)
      service.mails.length = 0
      expect(await confirmByCode(service, again)).toBe(204)
      await replace(again)
    },
  )

  rule(
    'PKY-21',
    {
      tried:
        'a code to an address that replaced another one a day ago, and a week ago; an account without an address, or with an unverified one; a thief who asks for a code',
      expected:
        '403 until the change can’t be undone anymore; without an address 403, until staff have removed the passkey; a code only goes to the mailbox',
    },
    async (scene) => {
      for (const features of [[secondFactor(), passkeys()], [passkeys()]]) {
        const service = await startOn(scene, features)
        const thief = visitor(service)
        const name = features.length === 1 ? 'bob' : 'alice'
        const known = { username: name, password: goodPassword }
        const { id } = await service.app.accounts.createUser({
          ...known,
          email: `${name}@example.net`,
          isVerified: true,
        })
        await thief.logIn(name)
        const own = features.length === 1 ? 'bob@example.org' : email
        expect((await thief.send('POST', '/change-email/', { email: own })).statusCode).toBe(202)
        expect(
          (await thief.send('POST', linkTarget(await service.mail('change-email', own)))).statusCode,
        ).toBe(200)
        const owner = visitor(service)
        await owner.logIn(name)
        await owner.add()
        await scene.wait(day)
        await thief.logIn(name)
        expect(refusalOf(await thief.send('POST', '/confirm/code/'))).toEqual(unconfirmed)
        const refused = await thief.send('POST', '/passkeys/options/')
        expect([refusalOf(refused), refused.json().factors]).toEqual([unconfirmed, ['passkey']])
        await scene.wait(7 * day)
        await thief.logIn(name)
        expect((await thief.send('POST', '/confirm/code/')).statusCode).toBe(202)

        const user = await scene.users.findById(id)
        await scene.users.update(id, { email: null, emailKey: null, isVerified: false }, user?.version ?? 0)
        const nowhere = await thief.send('POST', '/confirm/code/')
        expect(refusalOf(nowhere)).toEqual([403, 'ACCOUNTS_NOT_VERIFIED'])
        expect(refusalOf(await thief.send('POST', '/passkeys/options/'))).toEqual(unconfirmed)

        await service.app.accounts.createUser({ ...known, username: `${name}-boss`, isStaff: true })
        const boss = visitor(service)
        await boss.logIn(`${name}-boss`)
        expect((await boss.send('POST', `/user/${id}/second-factor/reset/`)).statusCode).toBe(204)
        expect((await scene.users.findById(id))?.identityKeys).toEqual([])
        await owner.logIn(name)
        const { passkey, response } = await owner.add()
        expect(response.statusCode).toBe(201)
        expect((await visitor(service).use(passkey)).statusCode).toBe(200)
      }
    },
  )

  storage(
    'PKY-22',
    {
      tried:
        'a thief with the password, in two processes, twenty times concurrently with the owner’s own changes; a first password by a login that is no passkey; a passkey on an account that has none',
      expected:
        'none of the thief’s requests succeeds, and all of the owner’s do; the first password takes the passkey; the first passkey takes any recent login',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service] = services
      const { owner, passkey } = await withPasskey(service)
      const thief = await thiefOf(service)
      const steal = (n: number) =>
        at(services[n % 2 === 0 ? 0 : 1], thief).send(
          'POST',
          n % 3 === 0 ? '/second-factor/totp/' : '/passkeys/options/',
        )
      const [added, ...stolen] = await Promise.all([
        owner.add(),
        ...Array.from({ length: 20 }, (_, n) => steal(n)),
      ])
      expect(added.response.statusCode).toBe(201)
      expect(stolen.map(refusalOf)).toEqual(stolen.map(() => unconfirmed))
      expect((await owner.send('DELETE', '/password/')).statusCode).toBe(204)
      await scene.wait(16 * 60_000)
      const body = choice(otherPassword)
      expect(refusalOf(await owner.send('POST', '/change-password/', body))).toEqual(unconfirmed)
      expect((await confirm(owner, passkey)).statusCode).toBe(204)
      expect((await owner.send('POST', '/change-password/', body)).statusCode).toBe(204)

      await service.app.accounts.createUser({ ...password, username: 'carol' })
      const carol = visitor(service)
      await carol.logIn('carol')
      expect((await carol.add()).response.statusCode).toBe(201)
    },
  )

  rule(
    'PKY-23',
    {
      tried: 'a link that changes the address, requested with the password before the account had a passkey',
      expected: '400: the address stays',
    },
    async (scene) => {
      const service = await startOn(scene)
      const alice = {
        username: 'alice',
        password: goodPassword,
        email: 'alice@example.org',
        isVerified: true,
      }
      const { id } = await service.app.accounts.createUser(alice)
      const thief = visitor(service)
      await thief.logIn()
      expect((await thief.send('POST', '/change-email/', { email: 'thief@example.com' })).statusCode).toBe(
        202,
      )
      const link = linkTarget(await service.mail('change-email', 'thief@example.com'))
      const owner = visitor(service)
      await owner.logIn()
      expect((await owner.add()).response.statusCode).toBe(201)
      expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
      expect((await scene.users.findById(id))?.email).toBe(alice.email)
    },
  )

  rule(
    'PKY-29',
    {
      tried:
        'a copy of a recent session’s cookie, used right after the owner gave the passkey, or, with a second factor on, a code to the address; in a session that an emailed code began as well',
      expected: 'the owner may add a passkey, the copy 403',
    },
    async (scene) => {
      const service = await startOn(scene, undefined, {
        before: (app) =>
          app.post<{ Params: { id: string } }>('/host/:id', async (request, reply) => {
            await app.accounts.logIn(request, reply, request.params.id, { methods: ['email'] })
            return {}
          }),
      })
      const copyOf = ({ cookies }: Visitor): Visitor => {
        const thief = visitor(service)
        for (const [name, value] of cookies) thief.cookies.set(name, value)
        return thief
      }
      const add = async (who: Visitor) => (await who.send('POST', '/passkeys/options/')).statusCode
      const { id, owner, passkey } = await withPasskey(service, { isVerified: false })
      const guest = visitor(service)
      await guest.send('POST', `/host/${id}`)
      for (const session of [await thiefOf(service), guest]) {
        const thief = copyOf(session)
        expect((await confirm(session, passkey)).statusCode).toBe(204)
        expect([await add(session), await add(thief)]).toEqual([200, 403])
      }

      await service.app.accounts.updateUser(id, { isVerified: true })
      await owner.use(passkey)
      const header = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const { secret } = await enroll(service, header)
      const session = visitor(service)
      expect((await session.send('POST', '/login/', password)).statusCode).toBe(401)
      const second = await session.send('POST', '/login/second-factor/', { code: codeOf(secret) })
      expect(second.statusCode).toBe(200)
      const thief = copyOf(session)
      expect(await confirmByCode(service, session)).toBe(204)
      expect([await add(session), await add(thief)]).toEqual([200, 403])
    },
  )
})
