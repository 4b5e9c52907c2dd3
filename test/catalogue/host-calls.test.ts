import {
  goodPassword,
  linkTarget,
  logIn,
  otherPassword,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { isFull } from '@fastify-accounts/test-support/depth'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { read } from '@fastify-accounts/test-support/source'
import { deliveredBy } from '@fastify-accounts/test-support/tokens'
import type { FastifyReply } from 'fastify'
import type { AccountsError } from 'fastify-accounts'
import { secondFactor, tokens } from 'fastify-accounts'
import { expect, vi } from 'vitest'
import { cases } from './catalogue.js'
import { forgedLink, resetLink } from './links.js'
import { choice } from './passwords.js'
import type { Scene, Service } from './service.js'

const email = 'alice@example.org'
const call = { actor: 'support: grace', reason: 'ticket 4711' }

/** The path of a link that the app's own code has made, which no log may have. */
async function madeLink({ log }: Scene, { app }: Service, id: string): Promise<string> {
  const link = await app.accounts.createPasswordLink(id, call)
  const { pathname } = new URL(link?.url ?? '')
  log.secrets.addLinks(link?.url ?? '')
  return pathname
}

const use = ({ send }: Service, path: string, password = otherPassword) =>
  send('POST', path, choice(password))
const codeOf = async (response: ReturnType<Service['send']>) => {
  const { statusCode, body } = await response
  return statusCode === 204 ? 204 : (JSON.parse(body).code as string)
}

cases('Host calls', ({ rule, storage }) => {
  rule(
    'HST-01',
    {
      tried: 'a link for a support desk on an account whose address was mistyped, used by whoever has it',
      expected: 'it sets the password; the address stays unproven, and with confirmation on nobody gets in',
    },
    async (scene) => {
      const service = await scene.start({ requireEmailConfirmation: true })
      const { id } = await signUp(service, 'alice', { email: 'typo@example.org' })
      expect(await codeOf(use(service, await madeLink(scene, service, id)))).toBe(204)
      expect(await scene.users.findById(id)).toMatchObject({ isVerified: false, verifyEpoch: 0 })
      const login = service.send('POST', '/login/', { username: 'alice', password: otherPassword })
      expect((await login).json().code).toBe('ACCOUNTS_NOT_VERIFIED')
    },
  )

  rule(
    'HST-02',
    {
      tried:
        'the same on an account with what its maker left, before and after the owner of the mailbox proved the address',
      expected: 'it hands nothing over: the next emailed reset still removes what the maker left',
    },
    async (scene) => {
      const service = await scene.start()
      const made = await signUp(service, 'alice', { email })
      const credential = { kind: 'passkey', id: 'planted', use: 'login', createdAt: '2020-01-01T00:00:00Z' }
      const planted = { credentials: [credential], identityKeys: ['passkey:planted'] }
      await scene.users.update(made.id, planted, made.version)
      const heard: unknown[] = []
      service.app.accounts.events.on('audit', ({ action }) => heard.push(action))
      expect(await codeOf(use(service, await madeLink(scene, service, made.id)))).toBe(204)
      await service.app.accounts.updateUser(made.id, { isVerified: true })
      expect(await codeOf(use(service, await madeLink(scene, service, made.id), goodPassword))).toBe(204)
      expect(await scene.users.findById(made.id)).toMatchObject({ identityKeys: ['passkey:planted'] })
      await service.settle()
      expect(heard).not.toContain('handed-over')
      expect(await codeOf(use(service, await resetLink(service, email)))).toBe(204)
      expect(await scene.users.findById(made.id)).toMatchObject({ identityKeys: [], isVerified: true })
    },
  )

  storage(
    'HST-03',
    {
      tried:
        'the same link twice, twenty times at once, after its hour, for another user, with another token, as an emailed link',
      expected: 'it works once and for its user, and is no emailed link',
    },
    async (scene) => {
      const service = await scene.start()
      const { id } = await signUp(service, 'alice', { email })
      const bob = await signUp(service, 'bob', { email: 'bob@example.org' })
      const path = await madeLink(scene, service, id)
      const uid64 = Buffer.from(bob.id).toString('base64url')
      const mailed = await resetLink(service, email)
      const token = mailed.split('/')[3] ?? ''
      for (const forged of [forgedLink(path, { uid64 }), forgedLink(path, { token: `${token}x` })])
        expect(await codeOf(use(service, forged))).toBe('ACCOUNTS_INVALID_LINK')
      expect(token).not.toBe(path.split('/')[3])
      const uses = await Promise.all(
        Array.from({ length: isFull ? 20 : 5 }, (_, n) =>
          codeOf(use(service, path, `${otherPassword} ${n}`)),
        ),
      )
      expect(uses.filter((code) => code === 204)).toHaveLength(1)
      expect(await codeOf(use(service, path))).toBe('ACCOUNTS_INVALID_LINK')
      expect(await codeOf(use(service, mailed))).toBe('ACCOUNTS_INVALID_LINK')
      const late = await madeLink(scene, service, id)
      await scene.wait(60 * 60_000 + 2000)
      expect(await codeOf(use(service, late))).toBe('ACCOUNTS_INVALID_LINK')
    },
  )

  rule(
    'HST-04',
    {
      tried:
        'a link for a support desk after whatever ends an emailed one: a new password, another address, a deactivation, a lockdown, a deletion; and while the owner changes the password',
      expected: 'invalid, and of the two changes at once exactly one counts',
    },
    async (scene) => {
      const service = await scene.start()
      const { accounts } = service.app
      const ends: ((id: string) => Promise<unknown>)[] = [
        (id) => accounts.setPassword(id, otherPassword),
        (id) => accounts.updateUser(id, { email: 'other@example.org' }),
        async (id) => {
          await accounts.updateUser(id, { isActive: false })
          await accounts.updateUser(id, { isActive: true })
        },
        (id) => accounts.secureUser(id),
        (id) => accounts.deleteUser(id),
      ]
      for (const [n, end] of ends.entries()) {
        const { id } = await signUp(service, `user-${n}`, { email: `user-${n}@example.org` })
        const path = await madeLink(scene, service, id)
        await end(id)
        expect([n, await codeOf(use(service, path))]).toEqual([n, 'ACCOUNTS_INVALID_LINK'])
      }
      const { id } = await signUp(service, 'alice', { email })
      const cookie = await logIn(service)
      const path = await madeLink(scene, service, id)
      const own = { old_password: goodPassword, ...choice('a password of the owner') }
      const [byLink, byOwner] = await Promise.all([
        codeOf(use(service, path)),
        codeOf(service.send('POST', '/change-password/', own, { headers: { cookie } })),
      ])
      const works = async (password: string) =>
        (await service.send('POST', '/login/', { username: 'alice', password })).statusCode === 200
      const working = [await works(otherPassword), await works('a password of the owner')]
      expect(working.filter(Boolean)).toHaveLength(1)
      if (byLink !== 204) expect([byLink, working]).toEqual(['ACCOUNTS_INVALID_LINK', [false, true]])
      if (byOwner !== 204) expect(working).toEqual([true, false])
    },
  )

  rule(
    'HST-05',
    {
      tried:
        'somebody who talks the support desk into a link for the account of another, whose owner still reads the mailbox',
      expected:
        'a second factor is still asked for, the owner is told with a link that secures the account, and links emailed before still work',
    },
    async (scene) => {
      const service = await scene.start({ session: { newDeviceMail: true } })
      const { id } = await signUp(service, 'alice', { email })
      await service.app.accounts.updateUser(id, { isVerified: true })
      // The first login of an account isn't reported.
      for (let n = 0; n < 2; n += 1) await logIn(service)
      const before = linkTarget(await service.mail('new-device', email))
      expect(await codeOf(use(service, await madeLink(scene, service, id)))).toBe(204)
      const thief = await logIn(service, 'alice', otherPassword)
      const notice = linkTarget(await service.mail('password-changed', email))
      expect(notice).toMatch(/^\/not-me\//)
      expect((await service.send('GET', before)).statusCode).toBe(200)
      expect((await service.send('POST', before)).statusCode).toBe(200)
      expect(await whoIs(service, thief)).toBeNull()
    },
  )

  storage(
    'HST-06',
    {
      tried:
        'names, addresses, fields and flags that the routes would refuse, through updateUser and createUser; and a taken name, twenty times at once',
      expected: 'refused as over HTTP, and nothing is written; one of the twenty gets the name',
    },
    async (scene) => {
      const service = await scene.start()
      const { accounts } = service.app
      const users = []
      for (let n = 0; n < (isFull ? 20 : 5); n += 1) users.push(await signUp(service, `user-${n}`))
      const [first] = users
      const before = await scene.users.findById(first?.id ?? '')
      for (const update of [
        { username: 'root\u0000' },
        { username: 'eve@example.org' },
        { email: 'a@b@c' },
        { isStaff: 'true' },
        { isStaff: true, id: 'x' },
        { passwordHash: '!' },
        { sessionEpoch: 0 },
        { fields: { is_staff: true } },
        { fields: { __proto__: null, constructor: 1 } },
      ])
        await expect(accounts.updateUser(first?.id ?? '', update as never)).rejects.toMatchObject({
          code: 'ACCOUNTS_INVALID_INPUT',
        })
      expect(await scene.users.findById(first?.id ?? '')).toEqual(before)
      const renamed = await Promise.allSettled(
        users.map(({ id }) => accounts.updateUser(id, { username: 'wanted' })),
      )
      expect(renamed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    },
  )

  rule(
    'HST-07',
    {
      tried:
        'an id of another kind of account, of nobody, and text that is no id, in every call that takes one',
      expected: 'null or false: people only, except where service accounts are named; nothing is written',
    },
    async (scene) => {
      const service = await scene.start({ requireEmailConfirmation: true })
      const { accounts } = service.app
      await signUp(service, 'alice', { email }).catch(() => {})
      await service.send('POST', '/user/', { username: 'second', email, ...pair })
      const unclaimed = await scene.users.findByUsername('second')
      expect(unclaimed).toMatchObject({ kind: 'unclaimed' })
      for (const id of [unclaimed?.id ?? '', 'nobody', '', 'a\0b', '\ud800', '../x']) {
        const results = await Promise.all([
          accounts.findUser({ id }),
          accounts.updateUser(id, { isActive: false }),
          accounts.createPasswordLink(id),
          accounts.listSessions(id),
          accounts.resetUserFactors(id),
          accounts.secureUser(id),
          accounts.setPassword(id, otherPassword),
          accounts.endSession(id, 'x'),
          accounts.endUserSessions(id),
          accounts.deleteUser(id),
        ])
        const nothing = [null, null, null, null, null, null, false, false, false, false]
        expect([id, results]).toEqual([id, nothing])
      }
      expect(await scene.users.findByUsername('second')).toEqual(unclaimed)
      expect((await accounts.listUsers()).users.map(({ username }) => username)).toEqual(['alice'])
    },
  )

  rule(
    'HST-08',
    {
      tried: 'actors and reasons with line breaks, control characters and text of log lines',
      expected: 'one event with the text as it is, one line in the log, and none of it in an email',
    },
    async (scene) => {
      const service = await scene.start({ auditLog: true })
      const { id } = await signUp(service, 'alice', { email })
      await service.app.accounts.updateUser(id, { isVerified: true })
      const forged = { actor: 'grace\n{"level":60}', reason: 'on the phone\r\n\u001b[2J "x"' }
      await service.settle()
      const events: unknown[] = []
      service.app.accounts.events.on('audit', ({ action, host }) => events.push([action, host]))
      await service.app.accounts.updateUser(id, { username: 'alicia' }, forged)
      await service.app.accounts.deleteUser(id, forged)
      await service.mail('account-deleted', email)
      await service.settle()
      expect(events).toEqual([
        ['update-user', forged],
        ['delete-user', forged],
      ])
      for (const { text, html } of service.mails) expect(text + html).not.toMatch(/grace|on the phone/)
      expect(scene.log.text()).not.toMatch(/^\{"level":60\}/m)
    },
  )

  const departures: Readonly<Record<string, (reply: FastifyReply) => unknown>> = {
    'begun by a stream': (reply) => {
      reply.hijack()
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
      setImmediate(() => reply.raw.end())
    },
    'begun on the raw response': (reply) => {
      reply.raw.flushHeaders()
      setImmediate(() => reply.raw.end())
    },
    sent: (reply) => reply.send('sent'),
    hijacked: (reply) => {
      reply.hijack()
      setImmediate(() => reply.raw.end())
    },
  }
  rule(
    'HST-09',
    {
      tried: `\`logIn\` on a response that was ${Object.keys(departures).join(', ')}, before the call or while a rule of the app is asked, and without a response`,
      expected:
        'it rejects with an error that says so; no new session is left, the one before stays, and a late call writes nothing at all',
    },
    async (scene) => {
      let during: () => unknown = () => {}
      const outcomes: string[] = []
      const service = await scene.start(
        { features: [tokens()], before: { logIn: () => during() as undefined } },
        {
          before: (app) => {
            app.post<{ Body: { how: string; when: string } }>('/late', async (request, reply) => {
              const { how, when } = request.body
              const leave = () => departures[how]?.(reply)
              const given = how === 'none' ? (undefined as unknown as typeof reply) : reply
              if (when === 'before') leave()
              during = when === 'meanwhile' ? leave : () => {}
              const { id } = (await app.accounts.findUser({ username: 'alice' })) ?? { id: '' }
              const entered = app.accounts.logIn(request, given, id)
              outcomes.push(
                await entered.then(
                  ({ username }) => username ?? '',
                  (error) => error.message,
                ),
              )
              return given ?? reply.send('done')
            })
          },
        },
      )
      const { id } = await signUp(service, 'alice', { email })
      const before = await scene.users.findById(id)
      /** The call may go on after its response. */
      async function late(how: string, when: string, headers: Record<string, string>) {
        const count = outcomes.length
        const response = await service.send('POST', '/late', { how, when }, { headers })
        await vi.waitFor(() => expect(outcomes).toHaveLength(count + 1), 60_000)
        during = () => {}
        return response
      }
      const tryAll = async (when: string) => {
        outcomes.length = 0
        for (const how of when === 'before' ? [...Object.keys(departures), 'none'] : Object.keys(departures))
          for (const headers of [{}, { 'accounts-delivery': 'tokens' }]) {
            const { cookies, body } = await late(how, when, headers)
            expect([how, cookies, body.includes('fat_')]).toEqual([how, [], false])
          }
        expect(
          outcomes.filter(
            (outcome) => !/^fastify-accounts: logIn (came too late|needs a reply)/.test(outcome),
          ),
        ).toEqual([])
        await vi.waitFor(async () => expect(await scene.sessions.listByUser(id)).toEqual([]), 60_000)
      }
      await tryAll('before')
      expect(await scene.users.findById(id)).toEqual(before)
      await tryAll('meanwhile')
      expect(outcomes).toHaveLength(8)

      const login = { username: 'alice', password: goodPassword }
      const delivery = { headers: { 'accounts-delivery': 'tokens' } }
      const delivered = deliveredBy(await service.send('POST', '/login/', login, delivery))
      const brought = { cookie: await logIn(service, 'alice') }
      const bearer = { authorization: `Bearer ${delivered?.access_token}` }
      for (const headers of [brought, bearer]) {
        for (const how of Object.keys(departures)) {
          await late(how, 'meanwhile', headers)
          const { statusCode } = await service.send('GET', '/me/', undefined, { headers })
          expect([how, statusCode]).toEqual([how, 200])
        }
      }
      await vi.waitFor(async () => expect(await scene.sessions.listByUser(id)).toHaveLength(2), 60_000)
    },
  )

  rule(
    'HST-10',
    {
      tried:
        'the response of a route of the app that calls `logIn`, kept by a cache: with a cookie, with tokens, and with a login that waits',
      expected: '`Cache-Control: no-store`',
    },
    async ({ start }) => {
      const service = await start(
        { features: [tokens(), secondFactor()] },
        {
          before: (app) => {
            app.addHook('onRequest', async (_request, reply) => {
              reply.header('cache-control', 'public, max-age=3600')
            })
            app.post<{ Body: { id: string } }>('/partner', async (request, reply) => {
              const { tokens: given } = await app.accounts.logIn(request, reply, request.body.id)
              return { tokens: given }
            })
          },
        },
      )
      const { id } = await signUp(service)
      const enter = (headers: Record<string, string> = {}) =>
        service.send('POST', '/partner', { id }, { headers })
      const delivery = { 'accounts-delivery': 'tokens' }
      const cacheable = async (headers?: Record<string, string>) => {
        const { statusCode, headers: sent } = await enter(headers)
        return [statusCode, sent['cache-control']]
      }
      expect(await cacheable()).toEqual([200, 'no-store'])
      expect(await cacheable(delivery)).toEqual([200, 'no-store'])
      await enroll(service)
      expect(await cacheable(delivery)).toEqual([401, 'no-store'])
    },
  )

  rule(
    'HST-11',
    {
      tried:
        'every call with an id that is a number, missing, a list or an object, as from a query that nobody checked',
      expected: 'ACCOUNTS_INVALID_INPUT, whose cause names the call; an empty id is nobody’s',
      on: 'memory',
      because: 'no store is involved',
    },
    async ({ start }) => {
      const { accounts } = (await start()).app
      const files = [
        'start/accounts',
        ...['api-keys/names', 'identity-host', 'invitations/names', 'second-factor/names'].map(
          (file) => `features/${file}`,
        ),
      ]
      const declared = files.map((file) => read(`packages/accounts/src/${file}.ts`)).join('')
      const ids = [...declared.matchAll(/^ {2,4}(\w+)(?:<[^\n]*>)?\(([^)]*)/gm)].flatMap(
        ([, call = '', list = '']) =>
          list.split(/,\s*/).flatMap((each, at) => {
            const [, name] = /^\s*(\w*[iI]d): string/.exec(each) ?? []
            return name === undefined ? [] : [{ call, at, name }]
          }),
      )
      expect(ids.length).toBeGreaterThan(20)
      for (const { call, at, name } of ids) {
        const ask = (id: unknown): Promise<unknown> => {
          const given = Array.from({ length: at + 1 }, (_, n) => (n === at ? id : 'x'))
          return Reflect.get(accounts, call)(...given)
        }
        for (const id of [5, undefined, null, ['x'], { x: 1 }]) {
          const error = await ask(id).then(
            () => null,
            (caught: AccountsError) => caught,
          )
          expect([call, name, error?.code]).toEqual([call, name, 'ACCOUNTS_INVALID_INPUT'])
          expect(error?.fields).toMatchObject([{ field: name, code: 'invalid' }])
          expect(`${error?.cause}`).toContain(`${call} expects ${name} to be a string, got `)
        }
      }
      const nobodys = [accounts.deleteUser(''), accounts.secureUser(''), accounts.listSessions('')]
      expect(await Promise.all(nobodys)).toEqual([false, null, null])
    },
  )
})

const pair = { password: goodPassword, confirm_password: goodPassword }
