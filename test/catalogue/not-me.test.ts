import {
  as,
  cookieOf,
  goodPassword,
  linkTarget,
  logIn,
  otherPassword,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { codeOf, enroll, firstStep, secondStep } from '@fastify-accounts/test-support/second-factor'
import { secondFactor } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { forgedLink, partsOf, resetLink } from './links.js'
import { change, choice, passwordsThatWork } from './passwords.js'
import type { Service } from './service.js'

const email = 'alice@example.org'
const options = { session: { newDeviceMail: true } }

/** A user with a verified address, who has logged in before. */
async function known(service: Service, username: string): Promise<string> {
  const { id } = await signUp(service, username, { email: `${username}@example.org` })
  await service.app.accounts.updateUser(id, { isVerified: true })
  await logIn(service, username)
  return id
}
/** Logs in from a new device, and reads the link in the notice about it. */
async function newLink(service: Service, username = 'alice'): Promise<{ cookie: string; link: string }> {
  const address = `${username}@example.org`
  const mails = () => service.mails.filter(({ kind, to }) => kind === 'new-device' && to.address === address)
  const before = mails().length
  const cookie = await logIn(service, username)
  await expect.poll(() => mails().length).toBe(before + 1)
  const mail = mails().at(-1)
  if (!mail) throw new Error('no email arrived')
  return { cookie, link: linkTarget(mail) }
}

cases('It was not me', ({ rule, storage }) => {
  storage(
    'NME-01',
    {
      tried:
        'a link reused, used twenty times concurrently, under another user’s id, as a link for another purpose, and links for other purposes in its place',
      expected: 'one of the twenty wins; everything else is 400, and nobody else is logged out',
    },
    async ({ start }) => {
      const service = await start(options)
      await known(service, 'alice')
      await known(service, 'bob')
      const { cookie, link } = await newLink(service)
      const bob = await newLink(service, 'bob')
      const { uid64, token } = partsOf(link)
      const forged = [
        forgedLink(link, { uid64: partsOf(bob.link).uid64 }),
        forgedLink(link, { token: partsOf(bob.link).token }),
        forgedLink(link, { token: `${token.slice(0, -2)}AA` }),
        forgedLink(link, { token: '' }),
        forgedLink(link, partsOf(await resetLink(service, email))),
        `/reset/${uid64}/${token}/`,
        `/user/v/${uid64}/${token}/`,
        `/email/${uid64}/${token}/?email=${email}`,
        `/email/undo/${uid64}/${token}/?email=${email}`,
      ]
      for (const url of forged) {
        const body = url.startsWith('/reset/') ? choice(otherPassword) : undefined
        const { statusCode } = await service.send('POST', url, body)
        expect([url, [400, 404].includes(statusCode)]).toEqual([url, true])
      }
      for (const each of [cookie, bob.cookie]) expect(await whoIs(service, each)).not.toBeNull()
      const responses = await Promise.all(Array.from({ length: 20 }, () => service.send('POST', link)))
      expect(responses.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
      expect(await whoIs(service, cookie)).toBeNull()
      expect(await whoIs(service, bob.cookie)).toBe('bob')
      expect(await passwordsThatWork(service, [goodPassword])).toEqual([])
    },
  )

  rule(
    'NME-02',
    {
      tried:
        'the links of two logins, one used; a link from before a reset, from before a change of address, and from a week ago',
      expected:
        'one link ends all logins and also invalidates the other links; a user who has verified the mailbox again, or has left it, cannot be locked out by them',
    },
    async ({ start, users, wait }) => {
      const service = await start(options)
      const id = await known(service, 'alice')
      await wait(0)
      const use = async (link: string) => (await service.send('POST', link)).statusCode
      const logins = [await newLink(service), await newLink(service)] as const
      expect(await use(logins[0].link)).toBe(200)
      for (const { cookie } of logins) expect(await whoIs(service, cookie)).toBeNull()
      const chosen = await service.mail('choose-password', email)
      expect(chosen.text).toContain('No earlier password works anymore')
      expect(service.mails.map(({ kind }) => kind)).not.toContain('reset-password')
      expect((await service.send('POST', linkTarget(chosen), choice(goodPassword))).statusCode).toBe(204)
      // This login causes a notice as well; wait for it, so it isn't mistaken for the next one.
      const { cookie: mine } = await newLink(service)
      expect(await use(logins[1].link)).toBe(400)

      const beforeReset = (await newLink(service)).link
      const again = await resetLink(service, email)
      expect((await service.send('POST', again, choice(goodPassword))).statusCode).toBe(204)
      expect(await use(beforeReset)).toBe(400)
      expect(await whoIs(service, mine)).toBeNull()

      const late = await newLink(service)
      await wait(7 * 24 * 3_600_000 + 60_000)
      expect(await use(late.link)).toBe(400)

      const outlasting = await newLink(service)
      expect((await change(service, outlasting.cookie, otherPassword)).statusCode).toBe(204)
      const user = await users.findById(id)
      const moved = { email: 'mallory@example.com', emailKey: 'mallory@example.com' }
      await users.update(id, moved, user?.version ?? 0)
      expect(await use(outlasting.link)).toBe(400)
      expect(await passwordsThatWork(service, [goodPassword, otherPassword])).toEqual([otherPassword])
      const now = await users.findById(id)
      await users.update(id, { email, emailKey: email }, now?.version ?? 0)
      expect(await use(outlasting.link)).toBe(200)
    },
  )

  rule(
    'NME-03',
    {
      tried: 'the link of a user who was disabled, demoted or deleted since, or whose name was reassigned',
      expected: '400: it enables nobody, and affects only the account it was made for',
    },
    async ({ start, users }) => {
      const service = await start(options)
      const id = await known(service, 'alice')
      const { link } = await newLink(service)
      await service.app.accounts.updateUser(id, { isActive: false })
      for (const method of ['GET', 'POST'] as const) {
        expect((await service.send(method, link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
      }
      expect(await users.findById(id)).toMatchObject({ isActive: false })
      await service.app.accounts.deleteUser(id)
      await known(service, 'alice')
      const cookie = await logIn(service)
      expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
      expect(await whoIs(service, cookie)).toBe('alice')
    },
  )

  rule(
    'NME-04',
    {
      tried:
        'a thief who adds an app, new recovery codes and a remembered device, and logs in again the next day: the owner reports only the second login',
      expected:
        'everything the thief added is gone, and the earlier app is still required, from the owner and from anyone who reads the mailbox',
    },
    async ({ start, users, wait }) => {
      const service = await start({ ...options, adapterTimeout: 600_000, features: [secondFactor()] })
      const id = await known(service, 'alice')
      const { secret, codes } = await enroll(service)
      const reports = () => service.mails.filter(({ kind }) => kind === 'new-device')
      const reported = (count: number) => expect.poll(() => reports().length).toBe(count)
      await reported(1)
      await service.settle()
      await wait(30 * 24 * 3_600_000)
      const body = { code: codes[0] ?? '', remember_device: true }
      const first = await service.send('POST', '/login/second-factor/', body, as(await firstStep(service)))
      await reported(2)
      const theirs = await enroll(service, cookieOf(first))
      const renewed = await service.send(
        'POST',
        '/second-factor/recovery-codes/',
        undefined,
        as(theirs.cookie),
      )
      const [stolen = ''] = renewed.json().recovery_codes as string[]
      await service.settle()
      await wait(24 * 3_600_000)
      const remember = { code: codeOf(theirs.secret), remember_device: true }
      const again = await service.send(
        'POST',
        '/login/second-factor/',
        remember,
        as(await firstStep(service)),
      )
      expect([renewed.statusCode, again.statusCode]).toEqual([200, 200])
      const device = again.cookies.find(({ name }) => name.endsWith('-remembered'))
      await reported(3)
      const mail = reports().at(-1)
      expect(
        (await service.send('POST', linkTarget(mail ?? (await service.mail('new-device'))))).statusCode,
      ).toBe(200)
      expect(await whoIs(service, cookieOf(again))).toBeNull()
      expect((await users.findById(id))?.credentials.map(({ kind }) => kind)).toEqual(['totp'])

      const link = linkTarget(await service.mail('choose-password'))
      expect((await service.send('POST', link, choice(otherPassword))).statusCode).toBe(204)
      const remembered = as(`${device?.name}=${device?.value}`)
      const login = { username: 'alice', password: otherPassword }
      const response = await service.send('POST', '/login/', login, remembered)
      expect(response.json()).toMatchObject({
        code: 'ACCOUNTS_SECOND_FACTOR_REQUIRED',
        factors: ['totp'],
      })
      const pending = await firstStep(service, { password: otherPassword })
      for (const code of [codeOf(theirs.secret), stolen, codes[1] ?? ''])
        expect((await secondStep(service, pending, code)).statusCode).toBe(401)
      expect((await secondStep(service, pending, codeOf(secret))).statusCode).toBe(200)
    },
  )
})
