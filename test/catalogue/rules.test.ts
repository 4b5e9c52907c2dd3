import {
  as,
  cookieOf,
  goodPassword,
  linkPath,
  linkTarget,
  logIn,
  otherPassword,
  signUp,
} from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { codeOf, enroll, firstStep, secondStep } from '@fastify-accounts/test-support/second-factor'
import { RuleError, type SignUpAttempt, secondFactor } from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import { expectAlike } from './responses.js'
import type { Service } from './service.js'
import { callsOf } from './store-calls.js'

const boss = 'boss@example.org'
const filledIn = (username: string, extra: object = {}) => ({
  username,
  password: goodPassword,
  confirm_password: goodPassword,
  ...extra,
})
const closed = () => new RuleError('SHOP_CLOSED', { message: 'We open on Monday.' })
const choice = { new_password: otherPassword, confirm_password: otherPassword }
const fields = {
  type: 'object',
  properties: { plan: { enum: ['free', 'pro'], readOnly: true } },
} as const

/** The roles of the person at an address of the company. */
const byDomain = ({ domain }: SignUpAttempt) => ({ roles: domain === 'example.org' ? ['editor'] : [] })
const userAt = (service: Service, name: string) => service.users.findByUsername(name)

/** The link of a new account, requested without a browser that is known. */
async function verifyLink(service: Service, email: string): Promise<string> {
  await service.send('POST', '/user/v/', { email })
  return linkPath(await service.mail('verify-email', email))
}

cases('Rules of the app', ({ rule }) => {
  rule(
    'RUL-01',
    {
      tried: 'sign-ups with a free and a taken address, with a rule that refuses, and one that grants roles',
      expected:
        'the rule is called alike before anything is looked up; a refusal is the same and calls no store; an accepted one is the same after the same work',
    },
    async ({ start, users }) => {
      const asked: SignUpAttempt[] = []
      let refuses = true
      const service = await start({
        requireEmailConfirmation: true,
        before: {
          signUp(given) {
            asked.push(given)
            if (refuses) throw closed()
            return { roles: ['editor'] }
          },
        },
      })
      const email = 'alice@example.org'
      await service.app.accounts.createUser({
        username: 'alice',
        password: goodPassword,
        email,
        isVerified: true,
      })
      const calls = callsOf(users)
      const outcome = async (name: string, address: string) => {
        const { hashes } = service.hasher
        const response = await service.send('POST', '/signup/', filledIn(name, { email: address }))
        return { response, hashes: service.hasher.hashes - hashes, calls: calls.splice(0) }
      }
      const [free, taken] = [await outcome('eve', 'eve@example.org'), await outcome('bob', email)]
      expect([refusalOf(free.response), free.calls, taken.calls]).toEqual([[403, 'SHOP_CLOSED'], [], []])
      expectAlike(free.response, taken.response)
      refuses = false
      const [first, second] = [await outcome('eve', 'eve@example.org'), await outcome('bob', email)]
      const writes = (names: readonly string[]) => names.filter((name) => !name.startsWith('find')).length
      expect(first.response.statusCode).toBe(202)
      expectAlike(first.response, second.response)
      expect([second.hashes, writes(second.calls)]).toEqual([first.hashes, writes(first.calls)])
      expect(asked.map(({ email: given, handsOver }) => [given, handsOver])).toEqual(
        ['eve@example.org', email, 'eve@example.org', email].map((given) => [given, false]),
      )
    },
  )

  rule(
    'RUL-02',
    {
      tried:
        'signing up as boss@example.org, for whom a rule has roles; the boss confirms the address by a click elsewhere',
      expected:
        'no roles, whichever way the stranger logs in; the boss gets them with a reset, without the stranger',
    },
    async ({ start }) => {
      const service = await start({ before: { signUp: byDomain } })
      await signUp(service, 'mallory', { email: boss })
      await logIn(service, 'mallory')
      expect((await userAt(service, 'mallory'))?.roles).toEqual([])
      await service.send('POST', await verifyLink(service, boss), {})
      const cookie = await logIn(service, 'mallory')
      expect(await userAt(service, 'mallory')).toMatchObject({ isVerified: true, roles: [] })
      await service.send('POST', '/forgot/', { email: boss })
      await service.send('POST', linkPath(await service.mail('reset-password', boss)), choice)
      expect(await userAt(service, 'mallory')).toMatchObject({ roles: ['editor'] })
      const old = await service.send('POST', '/login/', { username: 'mallory', password: goodPassword })
      expect([old.statusCode, (await service.send('GET', '/me/', undefined, as(cookie))).statusCode]).toEqual(
        [401, 401],
      )
    },
  )

  rule(
    'RUL-03',
    {
      tried:
        'roles promised to one address, then the address is changed, and changed back, or to one of the person who signed up',
      expected: 'the promise ends with the first change; proving the address gives nothing',
    },
    async ({ start }) => {
      const service = await start({ before: { signUp: byDomain } })
      const { id } = await signUp(service, 'ada', { email: boss })
      await service.app.accounts.createUser({ username: 'captain', password: goodPassword, isStaff: true })
      const staff = as(await logIn(service, 'captain'))
      for (const email of ['ada@example.com', boss])
        expect((await service.send('PATCH', `/user/${id}`, { email }, staff)).statusCode).toBe(200)
      service.mails.length = 0
      await service.send('POST', `${await verifyLink(service, boss)}password/`, { password: goodPassword })
      expect(await userAt(service, 'ada')).toMatchObject({ isVerified: true, roles: [] })

      const own = 'mallory@example.com'
      await signUp(service, 'mallory', { email: 'other-boss@example.org' })
      const mallory = as(await logIn(service, 'mallory'))
      expect((await service.send('POST', '/change-email/', { email: own }, mallory)).statusCode).toBe(202)
      const link = linkTarget(await service.mail('change-email', own))
      expect((await service.send('POST', link, {}, mallory)).statusCode).toBe(200)
      expect(await userAt(service, 'mallory')).toMatchObject({ email: own, isVerified: true, roles: [] })
    },
  )

  rule(
    'RUL-04',
    {
      tried: 'roles and read-only fields in every request that creates or changes a user, also by staff',
      expected: '400; only the rule sets them',
    },
    async ({ start }) => {
      const service = await start({
        users: { fields },
        before: { signUp: () => ({ fields: { plan: 'free' } }) },
      })
      for (const path of ['/user/', '/signup/'])
        for (const extra of [{ roles: ['editor'] }, { plan: 'pro' }]) {
          const response = await service.send('POST', path, filledIn('ada', extra))
          expect([response.statusCode, response.json().fields[0].code]).toEqual([400, 'unknown'])
        }
      const { id } = await signUp(service, 'ada')
      await service.app.accounts.createUser({ username: 'captain', password: goodPassword, isStaff: true })
      for (const [name, path] of [
        ['ada', '/me/'],
        ['captain', `/user/${id}`],
      ] as const) {
        const extra = as(await logIn(service, name))
        expect((await service.send('PATCH', path, { plan: 'pro' }, extra)).statusCode).toBe(400)
      }
      expect(await userAt(service, 'ada')).toMatchObject({ fields: { plan: 'free' }, roles: [] })
    },
  )

  rule(
    'RUL-05',
    {
      tried: 'a captcha token and an invitation code at a sign-up, with a rule that fails and quotes both',
      expected: 'neither is in a log, an audit event, a response, an email or the user’s record',
    },
    async ({ start, log }) => {
      const [captcha, invitation] = ['captcha-token-8fz2', 'invitation-77x']
      for (const value of [captcha, invitation]) log.secrets.add('token', value)
      const said: unknown[] = []
      let fails = true
      const service = await start({
        signUp: {
          fields: {
            type: 'object',
            properties: { captcha: { type: 'string' }, invitation: { type: 'string' } },
          },
        },
        before: {
          signUp({ transient }) {
            if (fails) throw new Error(`no such pair: ${transient.captcha} ${transient.invitation}`)
          },
        },
        requireEmailConfirmation: true,
      })
      service.app.accounts.events.on('audit', (event) => said.push(event))
      const send = () =>
        service.send('POST', '/signup/', filledIn('ada', { email: boss, captcha, invitation }))
      const failed = await send()
      expect(failed.statusCode).toBe(503)
      fails = false
      expect((await send()).statusCode).toBe(202)
      said.push(failed.body, await service.mail('verify-email', boss), await userAt(service, 'ada'))
      await service.settle()
      for (const value of [captcha, invitation]) expect(JSON.stringify(said)).not.toContain(value)
    },
  )

  rule(
    'RUL-06',
    {
      tried: 'logins that a rule refuses: with the right password, and with the second factor',
      expected:
        'no session, no cookie, no last login; the rule isn’t asked about wrong passwords, nor while a login waits for its second factor',
    },
    async ({ start }) => {
      let refuses = false
      const asked: string[] = []
      const service = await start({
        features: [secondFactor()],
        before: {
          logIn({ user, methods }) {
            asked.push(`${user.username} ${methods.includes('mfa')}`)
            if (refuses) throw closed()
          },
        },
      })
      const email = 'alice@example.org'
      await service.app.accounts.createUser({
        username: 'alice',
        password: goodPassword,
        email,
        isVerified: true,
      })
      const { secret } = await enroll(service)
      const { lastLoginAt } = (await userAt(service, 'alice')) ?? {}
      asked.length = 0
      refuses = true
      await service.send('POST', '/login/', { username: 'alice', password: otherPassword })
      const waiting = await firstStep(service)
      expect(asked).toEqual([])
      const response = await secondStep(service, waiting, codeOf(secret))
      expect([refusalOf(response), asked]).toEqual([[403, 'SHOP_CLOSED'], ['alice true']])
      expect(() => cookieOf(response)).toThrow()
      expect((await userAt(service, 'alice'))?.lastLoginAt).toEqual(lastLoginAt)
    },
  )

  rule(
    'RUL-07',
    {
      tried: 'moving to an address that a rule refuses, by its owner and by staff',
      expected:
        'refused before anybody is emailed, whether or not the address has an account; nothing changes',
    },
    async ({ start }) => {
      const service = await start({
        before: {
          changeEmail({ domain }) {
            if (domain !== 'example.org') throw closed()
          },
        },
      })
      const { id } = await signUp(service, 'alice', { email: 'alice@example.org' })
      await service.app.accounts.createUser({
        ...{ username: 'captain', password: goodPassword, isStaff: true, email: 'captain@example.com' },
      })
      service.mails.length = 0
      const own = as(await logIn(service, 'alice'))
      const change = (email: string) => service.send('POST', '/change-email/', { email }, own)
      const [taken, free] = [await change('captain@example.com'), await change('nobody@example.com')]
      expectAlike(taken, free)
      const staff = as(await logIn(service, 'captain'))
      const byStaff = await service.send('PATCH', `/user/${id}`, { email: 'nobody@example.com' }, staff)
      expect([refusalOf(taken), refusalOf(byStaff)]).toEqual([
        [403, 'SHOP_CLOSED'],
        [403, 'SHOP_CLOSED'],
      ])
      await service.settle()
      expect([service.mails, (await userAt(service, 'alice'))?.email]).toEqual([[], 'alice@example.org'])
    },
  )
})
