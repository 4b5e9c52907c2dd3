import { passkeys } from '@fastify-accounts/passkeys'
import { providers } from '@fastify-accounts/providers'
import {
  as,
  browser,
  cookieOf,
  goodPassword,
  linkPath,
  linkTarget,
  logIn,
  otherPassword,
  signUp,
} from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { times } from '@fastify-accounts/test-support/depth'
import { giveCode, newCode, newResetCode, resetByCode } from '@fastify-accounts/test-support/email-code'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { visitor as providerVisitor } from '@fastify-accounts/test-support/providers/service'
import type { FastifyInstance, LightMyRequestResponse as Response } from 'fastify'
import {
  type AccountsHook,
  type AccountsOptions,
  type AuditEvent,
  invitations,
  type StoredUser,
  userPermissions,
} from 'fastify-accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { cases } from './catalogue.js'
import { forgedLink, partsOf, resetLink, verifyLink } from './links.js'
import { choice, passwordsThatWork } from './passwords.js'
import { expectAlike } from './responses.js'
import type { Scene, Service } from './service.js'
import { callsOf, holdNextUpdate } from './store-calls.js'

const day = 86_400_000
const hour = 3_600_000
const email = 'victor@example.org'
const dead = [400, 'ACCOUNTS_INVALID_LINK']
const roles = {
  editor: ['posts:write'],
  inviter: ['users:invite', 'users:grant', 'users:read', 'posts:write'],
  greeter: ['users:invite'],
  owner: [...userPermissions, 'posts:write'],
}
const fields = {
  type: 'object',
  properties: {
    city: { type: 'string', maxLength: 60 },
    team: { type: 'string', maxLength: 60 },
    plan: { enum: ['free', 'pro'], readOnly: true },
  },
} as const

let issuer: TestIssuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

const startOn = (
  { start }: Pick<Scene, 'start'>,
  options: Parameters<Scene['start']>[0] = {},
): Promise<Service> =>
  start(
    {
      ...{ roles, requireEmailConfirmation: true, users: { variant: 'both', fields } },
      features: [invitations(), passkeys()],
      ...options,
    },
    { before: postsOf },
  )

/** A route of the app that takes `posts:write`. */
function postsOf(app: FastifyInstance): void {
  const mayWrite: AccountsHook = (request, reply) =>
    app.accounts.requirePermission('posts:write')(request, reply)
  app.get('/posts', { onRequest: mayWrite }, async () => 'all')
}

type Login = ReturnType<typeof as>

async function userWith(service: Service, username: string, given: string[] = [], more: object = {}) {
  const input = { username, email: `${username}@example.org`, password: goodPassword, isVerified: true }
  const { id } = await service.app.accounts.createUser({ ...input, roles: given, ...more })
  return { id, ...as(await logIn(service, username)) }
}

const post = (service: Service, who: Login, body: object = {}) =>
  service.send('POST', '/invitations/', { email, ...body }, { headers: who.headers })

async function invited(service: Service, who: Login, body: object = {}): Promise<string> {
  service.mails.splice(0)
  const response = await post(service, who, body)
  expect(response.statusCode, response.body).toBe(202)
  return linkOf(service)
}

const linkOf = async (service: Service): Promise<string> => linkPath(await service.mail('invitation', email))

const accept = (service: Service, link: string, body: object = {}, extra: object = {}): Promise<Response> =>
  service.send('POST', link, { username: 'victor', ...choice(otherPassword), ...body }, extra)

const victorOf = async ({ users }: Pick<Scene, 'users'>): Promise<StoredUser> => {
  const user = await users.findByEmail(email)
  if (user === null) throw new Error('the user is not there')
  return user
}

const idOf = async (scene: Pick<Scene, 'users'>): Promise<string> => (await victorOf(scene)).id

cases('Invitations', ({ rule, storage }) => {
  rule(
    'INV-01',
    {
      tried:
        'accepting without the mailbox (GHSA-fmh4-wcc4-5jm3): as a user with another address, and as somebody who has only the id and the entry in the list; with links for something else, for somebody else and made up; by signing up, logging in and changing the address to the invited one',
      expected: '400, or what anybody gets; the invitation waits for its owner, who accepts it',
    },
    async (scene) => {
      const service = await startOn(scene, { login: { emailCode: true } })
      const host = await userWith(service, 'hanna', ['inviter'])
      const eve = await userWith(service, 'eve')
      const link = await invited(service, host, { roles: ['editor'] })
      const before = await victorOf(scene)
      const entry = (await service.send('GET', '/invitations/', undefined, host)).json().results[0]
      expect(entry).toMatchObject({ id: before.id, email, roles: ['editor'] })

      await post(service, host, { email: 'second@example.org' })
      const others = linkPath(await service.mail('invitation', 'second@example.org'))
      const reset = await resetLink(service, 'eve@example.org')
      const own = await resetLink(service, email)
      const verify = await verifyLink(service, email)
      const made = Buffer.from(JSON.stringify([entry.id, entry.invited_at])).toString('base64url')
      const tokens = [others, reset, own, verify].map((each) => partsOf(each).token)
      const forged = [...tokens, entry.id, entry.invited_at, made, 'x', `${partsOf(link).token}x`].map(
        (token) => forgedLink(link, { token }),
      )
      const attacks = [
        ...forged,
        forgedLink(link, { uid64: partsOf(others).uid64 }),
        forgedLink(link, { uid64: partsOf(reset).uid64 }),
      ]
      for (const url of attacks) {
        for (const who of [{}, { headers: eve.headers }]) {
          const shown = await service.send('GET', url, undefined, who)
          expect([url, ...refusalOf(shown)]).toEqual([url, ...dead])
          expect(refusalOf(await accept(service, url, {}, who))).toEqual(dead)
        }
      }
      // The invitation's token opens nothing else.
      for (const other of [own, verify]) {
        const response = await accept(service, forgedLink(other, partsOf(link)), {})
        expect(response.statusCode).toBe(400)
      }
      for (const url of [`/invitations/${before.id}`, `/invitations/${before.id}/send/`])
        for (const method of ['POST', 'DELETE', 'PATCH', 'PUT'] as const)
          expect([401, 403, 404, 405]).toContain((await service.send(method, url, undefined, eve)).statusCode)

      const signedUp = { username: 'mallory', password: goodPassword, confirm_password: goodPassword, email }
      expect((await service.send('POST', '/signup/', signedUp)).statusCode).toBe(202)
      for (const username of [email, 'mallory', before.username ?? ''])
        for (const password of ['', goodPassword])
          expect((await service.send('POST', '/login/', { username, password })).statusCode).not.toBe(200)
      await service.send('POST', '/change-email/', { email }, { headers: eve.headers })
      await service.settle()
      expect(await scene.users.findByUsername('eve')).toMatchObject({ email: 'eve@example.org', roles: [] })
      const after = await victorOf(scene)
      // The emails that anybody may request leave nothing but codes, which work where they were requested.
      const lasting = after.credentials.filter(({ kind }) => kind !== 'reset-code')
      expect({ ...after, credentials: lasting, version: before.version }).toEqual(before)
      expect((await accept(service, link)).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({ id: before.id, isVerified: true, roles: ['editor'] })
    },
  )

  rule(
    'INV-02',
    {
      tried:
        'an invitation to a stranger’s unproven account, whose address is then changed by staff, also back, or by the stranger to their own, which they prove',
      expected: 'the link is dead, and whoever proves the new address, or the old one, gets nothing of it',
    },
    async (scene) => {
      const service = await startOn(scene, { requireEmailConfirmation: false })
      const host = await userWith(service, 'hanna', ['inviter'])
      const chief = await userWith(service, 'chief', [], { isStaff: true })
      await signUp(service, 'mallory', { email })
      const given = { roles: ['editor'], fields: { city: 'Ulm' } }
      const first = await invited(service, host, given)
      const id = await idOf(scene)
      for (const address of ['moved@example.com', email]) {
        const moved = await service.send('PATCH', `/user/${id}`, { email: address }, chief)
        expect(moved.statusCode, moved.body).toBe(200)
        expect(refusalOf(await accept(service, first))).toEqual(dead)
      }
      service.mails.splice(0)
      const reset = await service.send('POST', await resetLink(service, email), choice(otherPassword))
      expect(reset.statusCode).toBe(204)
      expect(await victorOf(scene)).toMatchObject({ isVerified: true, roles: [], fields: {} })
      await scene.users.delete(id)

      await signUp(service, 'eve', { email })
      const eve = as(await logIn(service, 'eve'))
      const second = await invited(service, host, given)
      const own = 'eve@example.com'
      expect((await service.send('POST', '/change-email/', { email: own }, eve)).statusCode).toBe(202)
      const target = linkTarget(await service.mail('change-email', own))
      expect((await service.send('POST', target, {}, eve)).statusCode).toBe(200)
      expect(await scene.users.findByUsername('eve')).toMatchObject({
        ...{ email: own, isVerified: true, roles: [], fields: {} },
      })
      expect(refusalOf(await accept(service, second))).toEqual(dead)
      await service.send('POST', await resetLink(service, own), choice(otherPassword))
      expect(await scene.users.findByUsername('eve')).toMatchObject({ roles: [], fields: {} })
    },
  )

  rule(
    'INV-03',
    {
      tried:
        'a link opened many times by scanners of mail, with HEAD and GET, and by whoever it was forwarded to; used again afterwards, as JSON and as a form, with more than a password in the body',
      expected:
        'opening changes nothing; it works once, logs nobody in, and a second click is a 400 that leaves the password; 400 for anything else in the body, after which the link still works',
    },
    async (scene) => {
      const service = await startOn(scene)
      const host = await userWith(service, 'hanna', ['inviter'])
      const link = await invited(service, host, { roles: ['editor'] })
      const before = await victorOf(scene)
      for (let n = 0; n < 10; n += 1) {
        for (const method of ['GET', 'HEAD'] as const)
          expect((await service.send(method, link, undefined, { headers: browser })).statusCode).toBe(200)
      }
      for (const extra of [
        { roles: ['owner'] },
        { is_staff: true },
        { isVerified: true },
        { email: 'eve@example.org' },
        { fields: { plan: 'pro' } },
        { plan: 'pro' },
        { id: 'x' },
      ])
        expect((await accept(service, link, extra)).json().fields).toMatchObject([{ code: 'unknown' }])
      expect(await victorOf(scene)).toEqual(before)
      const done = await accept(service, link)
      expect(done.statusCode, done.body).toBe(200)
      expect(done.cookies.filter(({ name }) => name === 'session')).toEqual([])
      const after = await victorOf(scene)
      expect(after).toMatchObject({ isVerified: true, isStaff: false, roles: ['editor'], fields: {} })
      const again = { username: 'eve', ...choice('another good passphrase') }
      expect(refusalOf(await accept(service, link, again))).toEqual(dead)
      const payload = `${new URLSearchParams(again)}`
      const page = { ...browser, 'content-type': 'application/x-www-form-urlencoded' }
      const asForm = await service.app.inject({ method: 'POST', url: link, headers: page, payload })
      expect(asForm.statusCode).toBe(400)
      expect((await service.send('GET', link)).statusCode).toBe(400)
      expect(await victorOf(scene)).toEqual(after)
      expect(await passwordsThatWork(service, [otherPassword, 'another good passphrase'], 'victor')).toEqual([
        otherPassword,
      ])
    },
  )

  storage(
    'INV-04',
    {
      tried:
        'two invitations to one address: the second by somebody who may give no roles, and with another value for a field that the first gave; then twenty at once',
      expected: 'one account; only the last link works; nothing that was given is taken or overwritten',
    },
    async (scene) => {
      const service = await startOn(scene)
      const host = await userWith(service, 'hanna', ['inviter'])
      const greeter = await userWith(service, 'greta', ['greeter'])
      const first = await invited(service, host, { roles: ['editor'], fields: { city: 'Ulm' } })
      const id = await idOf(scene)
      const second = await invited(service, greeter, { fields: { city: 'Bonn', team: 'blue' } })
      expect(second).not.toBe(first)
      expect(refusalOf(await accept(service, first))).toEqual(dead)
      const body = { roles: ['editor'] }
      const all = await Promise.all(Array.from({ length: 20 }, () => post(service, host, body)))
      // Some may meet too many others.
      for (const { statusCode } of all) expect([202, 409]).toContain(statusCode)
      expect(refusalOf(await accept(service, second))).toEqual(dead)
      await service.settle()
      const last = await invited(service, greeter)
      expect(await idOf(scene)).toBe(id)
      expect((await accept(service, last)).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({
        ...{ id, roles: ['editor'], fields: { city: 'Ulm', team: 'blue' }, credentials: [] },
      })
      for (const [method, url] of [
        ['POST', `/invitations/${id}/send/`],
        ['DELETE', `/invitations/${id}`],
      ] as const)
        expect((await service.send(method, url, undefined, host)).statusCode).toBe(404)
    },
  )

  storage(
    'INV-05',
    {
      tried: 'twenty acceptances of one link at once in two processes, each with its own name and password',
      expected:
        'one wins, with one name and one password; the others get 400, 409 while it is stored, or 503 if they get no hash in time',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const host = await userWith(services[0], 'hanna', ['inviter'])
      const link = await invited(services[0], host, { roles: ['editor'] })
      const tries = Array.from({ length: 20 }, (_, n) => ({
        username: `victor-${n}`,
        password: `a good passphrase ${n}`,
      }))
      const responses = await Promise.all(
        tries.map(({ username, password }, n) =>
          accept(services[n % 2 === 0 ? 0 : 1], link, { username, ...choice(password) }),
        ),
      )
      const winners = tries.filter((_, n) => responses[n]?.statusCode === 200)
      expect(winners).toHaveLength(1)
      // On a busy machine not all of them get a hash in time.
      for (const { statusCode } of responses) expect([200, 400, 409, 503]).toContain(statusCode)
      expect(await victorOf(scene)).toMatchObject({ username: winners[0]?.username, roles: ['editor'] })
      const passwords = tries.map(({ password }) => password)
      expect(await passwordsThatWork(services[0], passwords, email)).toEqual([winners[0]?.password])
    },
  )

  rule(
    'INV-06',
    {
      tried:
        'account enumeration by inviting a free address, one with a sound account, one that nobody has proven, a disabled one and one of staff, then signing up, logging in, asking for emails and inviting again with it; without a permission to see users',
      expected:
        'the same responses, headers, hashes and writes; the owner of the sound account is told, and their account, password and session stay as they were',
    },
    async (scene) => {
      const service = await startOn(scene, { authorize: { listUsers: () => true } })
      const host = await userWith(service, 'hanna', ['greeter'])
      const { headers } = await userWith(service, 'sound', ['editor'], { fields: { city: 'Ulm' } })
      await userWith(service, 'chief', [], { isStaff: true })
      await service.app.accounts.createUser({
        ...{ username: 'unproven', email: 'unproven@example.org', password: goodPassword },
      })
      const { id } = await userWith(service, 'disabled')
      await service.app.accounts.updateUser(id, { isActive: false })
      const states = ['free', 'sound', 'unproven', 'disabled', 'chief']
      const before = await scene.users.findByUsername('sound')
      service.mails.splice(0)
      // An email of its own is a write as well.
      const calls = callsOf(scene.users)
      const posted = scene.users.outbox && callsOf(scene.users.outbox)
      const writesSoFar = () =>
        calls.filter((name) => !/^(find|list)/.test(name)).length +
        (posted ?? []).filter((name) => name === 'add').length
      const outcome = async (act: () => Promise<Response>) => {
        await service.settle()
        const before = writesSoFar()
        const { hashes, verifications } = service.hasher
        const response = await act()
        const writes = writesSoFar() - before
        await service.settle()
        return [
          response,
          service.hasher.hashes - hashes,
          service.hasher.verifications - verifications,
          writes,
        ] as const
      }
      const passwords = { password: goodPassword, confirm_password: goodPassword }
      const acts: ((address: string, state: string) => Promise<Response>)[] = [
        (address) => post(service, host, { email: address }),
        () => service.send('GET', '/user/?limit=50', undefined, { headers: host.headers }),
        () => service.send('GET', '/invitations/', undefined, { headers: host.headers }),
        (address) => post(service, host, { email: address, fields: { city: 'Bonn' } }),
        (address, state) =>
          service.send('POST', '/signup/', { username: `n-${state}`, email: address, ...passwords }),
        (address) => service.send('POST', '/login/', { username: address, password: otherPassword }),
        (address) => service.send('POST', '/forgot/', { email: address }),
        (address) => service.send('POST', '/user/v/', { email: address }),
      ]
      for (const [at, act] of acts.entries()) {
        const outcomes: Awaited<ReturnType<typeof outcome>>[] = []
        for (const state of states) outcomes.push(await outcome(() => act(`${state}@example.org`, state)))
        const [first, ...others] = outcomes
        for (const other of others) {
          if (first === undefined) throw new Error('nothing was asked')
          expectAlike(first[0], other[0])
          expect([at, ...other.slice(1, 3)]).toEqual([at, ...first.slice(1, 3)])
        }
        // A sign-up with a taken address and the emails have cases of their own.
        if (at < 4 && posted)
          expect([at, outcomes.map((each) => each[3])]).toEqual([at, states.map(() => first?.[3])])
      }
      expect(await service.mail('invitation-known', 'sound@example.org')).toBeTruthy()
      expect(await service.mail('invitation-known', 'chief@example.org')).toBeTruthy()
      expect(await service.mail('invitation', 'unproven@example.org')).toBeTruthy()
      const after = await scene.users.findByUsername('sound')
      expect(after).toEqual(before)
      expect((await service.send('GET', '/me/', undefined, { headers })).statusCode).toBe(200)
      expect(await passwordsThatWork(service, [goodPassword], 'sound')).toEqual([goodPassword])
    },
  )

  rule(
    'INV-07',
    {
      tried:
        'somebody signs up with the victim’s address, with a password, a session and a passkey, before the victim is invited to it',
      expected:
        'until the victim accepts, they have neither the roles nor the fields; then all they had is dead, also their fields’ values where the invitation gives others, and the victim has what it gave',
    },
    async (scene) => {
      const service = await startOn(scene, { requireEmailConfirmation: false })
      const host = await userWith(service, 'hanna', ['inviter'])
      const stranger = visitor(service)
      const passwords = { password: goodPassword, confirm_password: goodPassword }
      const made = { username: 'mallory', email, city: 'Troy', ...passwords }
      expect((await stranger.send('POST', '/signup/', made)).statusCode).toBeLessThan(300)
      await stranger.logIn('mallory')
      const { passkey } = await stranger.add()
      const link = await invited(service, host, { roles: ['editor'], fields: { city: 'Ulm', team: 'blue' } })
      const seen = (await stranger.send('GET', '/me/')).json()
      expect(seen).toMatchObject({ roles: [], city: 'Troy' })
      expect(seen.team).toBeUndefined()
      expect((await stranger.send('GET', '/posts')).statusCode).toBe(403)
      // Nor do they find out, or get to the link.
      for (const url of ['/me/', '/me/export/', '/api-root/'])
        expect((await stranger.send('GET', url)).body).not.toContain('blue')
      await stranger.logIn('mallory')
      expect((await stranger.send('GET', '/posts')).statusCode).toBe(403)

      const done = await accept(service, link)
      expect(done.statusCode, done.body).toBe(200)
      expect((await stranger.send('GET', '/me/')).statusCode).toBe(401)
      expect((await visitor(service).use(passkey)).statusCode).toBe(401)
      for (const username of ['mallory', 'victor', email])
        expect(await passwordsThatWork(service, [goodPassword], username)).toEqual([])
      const after = await victorOf(scene)
      expect(after).toMatchObject({ username: 'victor', roles: ['editor'], identityKeys: [] })
      expect(after.fields).toMatchObject({ city: 'Ulm', team: 'blue' })
      expect(after.credentials.filter(({ kind }) => kind !== 'removed')).toEqual([])
      const victor = as(await logIn(service, 'victor', otherPassword))
      expect((await service.send('GET', '/posts', undefined, victor)).statusCode).toBe(200)
    },
  )

  rule(
    'INV-08',
    {
      tried:
        'the same, and the address is then confirmed by a click that shows nothing of who made the account, or by staff, or the app gives the stranger a password',
      expected:
        'the click is refused, as it takes a password; the stranger gets nothing of the invitation, whose link is dead after the others; a reset by the owner removes the stranger first',
    },
    async (scene) => {
      for (const how of ['click', 'staff', 'app'] as const) {
        const service = await startOn(scene, { requireEmailConfirmation: false })
        const host = await userWith(service, 'hanna', ['inviter'])
        await signUp(service, 'mallory', { email })
        const link = await invited(service, host, { roles: ['editor'], fields: { team: 'blue' } })
        const id = await idOf(scene)
        if (how === 'click')
          expect((await service.send('POST', await verifyLink(service, email), {})).statusCode).toBe(400)
        if (how === 'staff') await service.app.accounts.updateUser(id, { isVerified: true })
        if (how === 'app') await service.app.accounts.setPassword(id, goodPassword)
        const mallory = as(await logIn(service, 'mallory'))
        expect((await service.send('GET', '/posts', undefined, mallory)).statusCode).toBe(403)
        expect(await victorOf(scene)).toMatchObject({ roles: [], fields: {} })
        if (how !== 'click') expect(refusalOf(await accept(service, link))).toEqual(dead)
        await service.send('POST', await resetLink(service, email), choice(otherPassword))
        expect((await service.send('GET', '/me/', undefined, mallory)).statusCode).toBe(401)
        expect(await passwordsThatWork(service, [goodPassword], 'mallory')).toEqual([])
        for (const { id: each } of await scene.users.list({ limit: 50 })) await scene.users.delete(each)
        await service.settle()
      }
    },
  )

  storage(
    'INV-09',
    {
      tried:
        'withdrawing an invitation; before, after and while it is accepted, in two processes, in every order; withdrawing one for an account of somebody’s own',
      expected:
        'the link is dead and the account that was made for it gone; otherwise an account or nothing: never one that was accepted and deleted; one’s own account stays',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service, other] = services
      const host = await userWith(service, 'hanna', ['inviter'])
      const withdraw = (id: string) =>
        other.send('DELETE', `/invitations/${id}`, undefined, { headers: host.headers })
      const ends = async (link: string, id: string, results: [Response, Response]) => {
        const [accepted, withdrawn] = results.map(({ statusCode }) => statusCode)
        const user = await scene.users.findById(id)
        if (accepted === 200) {
          expect([404, 409]).toContain(withdrawn)
          expect(user).toMatchObject({ isVerified: true, isActive: true, email, roles: ['editor'] })
          expect(await passwordsThatWork(service, [otherPassword], 'victor')).toEqual([otherPassword])
        } else {
          expect([withdrawn, user]).toEqual([204, null])
          expect([400, 409]).toContain(accepted)
          expect(await scene.users.findByUsername('victor')).toBeNull()
        }
        expect(refusalOf(await accept(service, link))).toEqual(dead)
        await scene.users.delete(id)
      }
      const given = { roles: ['editor'] }
      for (let round = 0; round < times({ quick: 6, full: 25 }); round += 1) {
        const link = await invited(service, host, given)
        const id = await idOf(scene)
        const both = [() => accept(service, link), () => withdraw(id)] as const
        if (round % 2 === 0) await ends(link, id, await Promise.all([both[0](), both[1]()]))
        else {
          const [second, first] = await Promise.all([both[1](), both[0]()])
          await ends(link, id, [first, second])
        }
      }
      // One is held just before it writes, the other comes in between.
      for (const first of ['accept', 'withdraw'] as const) {
        const link = await invited(service, host, given)
        const id = await idOf(scene)
        const held = holdNextUpdate(scene.users, scene.sessions)
        const one = first === 'accept' ? accept(service, link) : withdraw(id)
        await held.reached
        const two = await (first === 'accept' ? withdraw(id) : accept(service, link))
        held.release()
        const late = await one
        await ends(link, id, first === 'accept' ? [late, two] : [two, late])
        expect(two.statusCode).toBeLessThan(300)
      }
      await service.app.accounts.createUser({ username: 'own', email, password: goodPassword })
      const link = await invited(service, host, given)
      expect((await withdraw(await idOf(scene))).statusCode).toBe(204)
      expect(refusalOf(await accept(service, link))).toEqual(dead)
      expect(await victorOf(scene)).toMatchObject({ username: 'own', isVerified: false, roles: [] })
    },
  )

  storage(
    'INV-10',
    {
      tried:
        'a link just before and after its lifetime, after the invitation was sent again, and of an account that was disabled; a reset, and a second invitation, after it has expired',
      expected:
        'dead, but for the first; an expired invitation gives nothing, and an account that was made for it opens to nobody until they are invited again',
    },
    async (scene) => {
      const service = await startOn(scene, { features: [invitations({ lifetime: 2 * day })] })
      const chief = { ...{ email: 'chief@example.org' }, isStaff: true }
      const inviter = async (): Promise<Login> => as(await logIn(service, 'chief'))
      await userWith(service, 'chief', [], chief)
      const given = { roles: ['editor'], fields: { city: 'Ulm' } }
      await scene.wait(0)
      const first = await invited(service, await inviter(), given)
      const id = await idOf(scene)
      await scene.wait(2 * day - hour)
      expect((await service.send('GET', first)).statusCode).toBe(200)
      const host = await inviter()
      service.mails.splice(0)
      expect((await service.send('POST', `/invitations/${id}/send/`, undefined, host)).statusCode).toBe(204)
      const second = await linkOf(service)
      expect(refusalOf(await accept(service, first))).toEqual(dead)
      await scene.wait(2 * hour)
      expect((await service.send('GET', second)).statusCode).toBe(200)
      await service.app.accounts.updateUser(id, { isActive: false })
      expect(refusalOf(await accept(service, second))).toEqual(dead)
      await service.app.accounts.updateUser(id, { isActive: true })
      await scene.wait(2 * day)
      for (const url of [first, second]) expect(refusalOf(await accept(service, url))).toEqual(dead)
      const late = await inviter()
      const listed = await service.send('GET', '/invitations/', undefined, late)
      expect(listed.json().results).toEqual([])
      const again = await service.send('POST', `/invitations/${id}/send/`, undefined, late)
      expect(again.statusCode).toBe(404)
      const third = await invited(service, late, { fields: { team: 'blue' } })
      expect((await accept(service, third)).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({ id, roles: [], fields: { team: 'blue' } })
      await scene.users.delete(id)

      await invited(service, late, given)
      await scene.wait(2 * day + hour)
      const reset = await resetLink(service, email)
      expect(refusalOf(await service.send('POST', reset, choice(otherPassword)))).toEqual(dead)
      expect(await victorOf(scene)).toMatchObject({ isVerified: false, roles: [], fields: {} })
    },
  )

  rule(
    'INV-11',
    {
      tried:
        'proving the invited address in another way: by a login with a provider, by a login code, a reset link and a verification link with a new password; and by a provider that names another address, or doesn’t say that it has verified it',
      expected:
        'what the invitation gave is kept, once, and its link is dead after that; who doesn’t prove the address gets nothing',
    },
    async (scene) => {
      const client = { clientId: 'app', clientSecret: 'secret' }
      const demo = { name: 'demo', issuer: issuer.url, ...client, authoritativeFor: ['example.org'] }
      const options: Partial<AccountsOptions> = {
        login: { emailCode: true },
        features: [invitations(), providers([demo])],
        adapterTimeout: 60_000,
      }
      const service = await startOn(scene, options)
      const host = await userWith(service, 'hanna', ['inviter'])
      const claims = { sub: 'v-1', email, email_verified: true, preferred_username: 'vic' }
      const ways: Record<string, () => Promise<number>> = {
        provider: async () =>
          (await providerVisitor({ app: service.app, issuer }).logInWith(claims)).statusCode,
        code: async () => (await giveCode(service, await newCode(service, email))).statusCode,
        reset: async () =>
          (await service.send('POST', await resetLink(service, email), choice(otherPassword))).statusCode,
        anew: async () =>
          (
            await service.send(
              'POST',
              `${await verifyLink(service, email)}new-password/`,
              choice(otherPassword),
            )
          ).statusCode,
      }
      for (const [name, prove] of Object.entries(ways)) {
        const link = await invited(service, host, { roles: ['editor'], fields: { city: 'Ulm' } })
        if (name === 'provider') {
          for (const wrong of [
            { ...claims, sub: 'm-1', email_verified: false },
            { ...claims, sub: 'm-2', email: 'm2@example.org' },
          ])
            await providerVisitor({ app: service.app, issuer }).logInWith(wrong)
          expect(await victorOf(scene)).toMatchObject({ isVerified: false, roles: [], identityKeys: [] })
        }
        expect([name, await prove()]).toEqual([name, expect.toSatisfy((status: number) => status < 400)])
        const proven = await victorOf(scene)
        expect([name, proven.isVerified, proven.roles, proven.fields]).toEqual([
          ...[name, true, ['editor']],
          { city: 'Ulm' },
        ])
        expect(proven.credentials.filter(({ kind }) => kind.includes('invitation'))).toEqual([])
        expect(refusalOf(await accept(service, link))).toEqual(dead)
        await scene.users.delete(proven.id)
        await service.settle()
      }
    },
  )

  rule(
    'INV-12',
    {
      tried:
        'giving roles that the inviter lacks, by inviting, sending again and withdrawing; an inviter who is demoted, disabled or deleted before it is accepted; a role that the app no longer has',
      expected:
        '403, without an email or a write; what somebody gave who had the right to stays, until somebody withdraws it; a role that is gone permits nothing',
    },
    async (scene) => {
      const service = await startOn(scene)
      const greeter = await userWith(service, 'greta', ['greeter'])
      const host = await userWith(service, 'hanna', ['inviter'])
      const nobody = await userWith(service, 'nora', ['editor'])
      const writes = callsOf(scene.users)
      const isWrite = (name: string) => /^(create|update|delete)/.test(name)
      writes.splice(0)
      for (const [who, given] of [
        [nobody, []],
        [greeter, ['editor']],
        [host, ['owner']],
        [host, ['editor', 'owner']],
        [host, ['greeter', 'owner']],
      ] as const) {
        const refused = await post(service, who, { roles: given })
        expect(refusalOf(refused)).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
      }
      for (const given of ['root', '__proto__', 'constructor', ''])
        expect((await post(service, host, { roles: [given] })).statusCode).toBe(400)
      expect(writes.filter(isWrite)).toEqual([])
      await service.app.accounts.invite({ email, roles: ['owner'] })
      const id = await idOf(scene)
      const link = await linkOf(service)
      writes.splice(0)
      for (const { headers } of [nobody, greeter, host]) {
        const send = await service.send('POST', `/invitations/${id}/send/`, undefined, { headers })
        const gone = await service.send('DELETE', `/invitations/${id}`, undefined, { headers })
        expect([send.statusCode, gone.statusCode]).toEqual([403, 403])
      }
      expect(writes.filter(isWrite)).toEqual([])
      expect((await service.send('GET', link)).statusCode).toBe(200)
      await scene.users.delete(id)

      for (const end of [
        (inviter: string) => service.app.accounts.updateUser(inviter, { roles: [] }),
        (inviter: string) => service.app.accounts.updateUser(inviter, { isActive: false }),
        (inviter: string) => service.app.accounts.deleteUser(inviter),
      ]) {
        const inviter = await userWith(service, 'ines', ['inviter'])
        const given = await invited(service, inviter, { roles: ['editor'] })
        await end(inviter.id)
        expect([401, 403]).toContain((await post(service, inviter, { roles: ['editor'] })).statusCode)
        expect((await accept(service, given)).statusCode).toBe(200)
        expect(await victorOf(scene)).toMatchObject({ roles: ['editor'] })
        await scene.users.delete(await idOf(scene))
        await service.app.accounts.deleteUser(inviter.id)
      }

      const { editor: _, ...left } = roles
      const later = await startOn(scene, { roles: left })
      const old = await invited(service, host, { roles: ['editor'] })
      expect((await accept(later, old)).statusCode).toBe(200)
      const victor = as(await logIn(later, 'victor', otherPassword))
      expect((await later.send('GET', '/posts', undefined, victor)).statusCode).toBe(403)
      expect((await post(later, victor)).statusCode).toBe(403)
    },
  )

  rule(
    'INV-13',
    {
      tried:
        'reading the list: anonymously, as a user, with the right to invite only, with that to see users only, and with both; with cursors of another list or made up',
      expected:
        '401 and 403 without both; what it shows is of the invitation, not of the account, which may be anybody’s; nothing of those whose address has a proven account',
    },
    async (scene) => {
      const service = await startOn(scene, { roles: { ...roles, reader: ['users:read'] } })
      const host = await userWith(service, 'hanna', ['inviter'])
      await userWith(service, 'proven')
      const account = { username: 'mallory', email, password: goodPassword, fields: { city: 'Troy' } }
      await service.app.accounts.createUser(account)
      await invited(service, host, { fields: { team: 'blue' } })
      for (const address of ['free@example.org', 'proven@example.org'])
        await post(service, host, { email: address, fields: { team: 'blue' } })
      const list = (query = '', who?: Login) =>
        service.send('GET', `/invitations/${query}`, undefined, who && { headers: who.headers })
      expect((await list()).statusCode).toBe(401)
      for (const [name, given] of [
        ['nora', []],
        ['greta', ['greeter']],
        ['rita', ['reader']],
        ['ed', ['editor']],
      ] as const) {
        const who = await userWith(service, name, [...given])
        expect(refusalOf(await list('', who))).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
      }
      const { results } = (await list('', host)).json()
      const entry = (address: string) => ({
        ...{ id: expect.any(String), email: address, fields: { team: 'blue' }, roles: [] },
        ...{ invited_at: expect.any(String), expires_at: expect.any(String) },
      })
      expect(results).toHaveLength(2)
      expect(results).toEqual(expect.arrayContaining([entry(email), entry('free@example.org')]))
      const users = (await service.send('GET', '/user/?limit=1', undefined, host)).json()
      const cursor = new URL(users.next).searchParams.get('cursor') ?? ''
      for (const each of [cursor, 'x', `${cursor}x`, '%00', 'a'.repeat(1024)])
        expect((await list(`?cursor=${each}`, host)).statusCode).toBe(400)
    },
  )

  rule(
    'INV-14',
    {
      tried:
        'a flood of invitations to one address with an account and to one without, by several inviters; a flood by one inviter, also by sending again',
      expected:
        'five emails a day to the address, and the last one’s link works, with what was given since; its reset and verification emails come as ever; 429 for that inviter alone, who has still got their other budgets',
    },
    async (scene) => {
      const service = await startOn(scene, { throttle: {} })
      const inviters: Login[] = []
      for (const name of ['ann', 'ben', 'cem', 'dot'])
        inviters.push(await userWith(service, name, ['inviter']))
      await userWith(service, 'known')
      const count = (kind: string, to: string) =>
        service.mails.filter((mail) => mail.kind === kind && mail.to.address === to).length
      for (const [kind, to] of [
        ['invitation', email],
        ['invitation-known', 'known@example.org'],
      ] as const) {
        for (let n = 0; n < 12; n += 1) {
          const response = await post(service, inviters[n % 4] as Login, {
            ...{ email: to, ...(n === 11 && { roles: ['editor'] }) },
          })
          expect(response.statusCode, response.body).toBe(202)
          await service.settle()
        }
        expect([kind, count(kind, to)]).toEqual([kind, 5])
      }
      for (const to of [email, 'known@example.org']) await resetLink(service, to)
      await verifyLink(service, email)
      const waiting = `/invitations/${await idOf(scene)}/send/`
      const again = await service.send('POST', waiting, undefined, inviters[0])
      expect(refusalOf(again)).toEqual([429, 'ACCOUNTS_THROTTLED'])
      expect(count('invitation', email)).toBe(5)
      expect((await accept(service, await linkOf(service))).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({ isVerified: true, roles: ['editor'] })

      const [ann, ben] = inviters as [Login, Login]
      const statuses: number[] = []
      for (let n = 0; n < 60; n += 1)
        statuses.push((await post(service, ann, { email: `flood-${n}@example.org` })).statusCode)
      expect(statuses.filter((status) => status === 202).length).toBeLessThanOrEqual(50)
      expect(statuses.at(-1)).toBe(429)
      const { id = '' } = (await scene.users.findByEmail('flood-0@example.org')) ?? {}
      const send = (who: Login) =>
        service.send('POST', `/invitations/${id}/send/`, undefined, { headers: who.headers })
      expect((await send(ann)).statusCode).toBe(429)
      expect((await send(ben)).statusCode).toBe(204)
      expect((await post(service, ben, { email: 'new@example.org' })).statusCode).toBe(202)
      expect((await service.send('GET', '/me/', undefined, { headers: ann.headers })).statusCode).toBe(200)
      const gone = await service.send('DELETE', `/invitations/${id}`, undefined, { headers: ann.headers })
      expect(gone.statusCode).toBe(204)
    },
  )

  rule(
    'INV-14',
    {
      tried:
        'a stranger’s unproven account at the address causes emails, and strangers request links for it, until the address gets no more of them',
      expected: 'the invitation comes all the same',
    },
    async (scene) => {
      const service = await startOn(scene, { throttle: {}, requireEmailConfirmation: false })
      const host = await userWith(service, 'hanna', ['inviter'])
      await signUp(service, 'mallory', { email })
      await scene.wait(0)
      let cookie = await logIn(service, 'mallory')
      for (let n = 0; n < 8; n += 1) {
        const [old, next] = n % 2 === 0 ? [goodPassword, otherPassword] : [otherPassword, goodPassword]
        const body = { old_password: old, ...choice(next) }
        const changed = await service.send('POST', '/change-password/', body, { headers: { cookie } })
        expect(changed.statusCode).toBe(204)
        cookie = cookieOf(changed)
        await service.send('POST', '/forgot/', { email })
        await service.settle()
        await scene.wait(13_000)
      }
      expect(service.mails.filter((mail) => mail.to.address === email).length).toBeLessThanOrEqual(10)
      expect((await post(service, host, { roles: ['editor'] })).statusCode).toBe(202)
      await service.settle()
      const link = service.mails.filter(({ kind }) => kind === 'invitation').map(linkPath)
      expect(link).toHaveLength(1)
      expect((await accept(service, link[0] ?? '')).statusCode).toBe(200)
    },
  )

  rule(
    'INV-15',
    {
      tried:
        'links and tokens in logs, lists, audit events and what the app’s own calls return; HTML, links and line breaks in fields and addresses that the inviter gives',
      expected:
        'the token is in the email only; the fields are in no email, and the address is text in it and on the page',
    },
    async (scene) => {
      const service = await startOn(scene)
      const events: AuditEvent[] = []
      service.app.accounts.events.on('audit', (event) => void events.push(event))
      const host = await userWith(service, 'hanna', ['inviter'])
      const evil = { city: '<a href="https://evil.example/x">Click</a>', team: '\r\nBcc: eve@evil.example' }
      const link = await invited(service, host, { fields: evil, roles: ['editor'] })
      const { token } = partsOf(link)
      scene.log.secrets.add('token', token)
      const mail = await service.mail('invitation', email)
      for (const part of [mail.subject, mail.text, mail.html, JSON.stringify(mail.to)])
        expect(part).not.toMatch(/evil\.example|Click<|Bcc/)
      const listed = await service.send('GET', '/invitations/', undefined, { headers: host.headers })
      const told = await service.app.accounts.listInvitations()
      const id = await idOf(scene)
      const { id: secretId } = (await victorOf(scene)).notes.invitation as { id: string }
      expect(secretId.length).toBeGreaterThan(8)
      const page = await service.send('GET', link, undefined, { headers: browser })
      expect(page.body).not.toContain('evil.example')
      expect(page.headers['referrer-policy']).toBe('strict-origin')
      expect(page.headers['cache-control']).toMatch(/no-store/)
      await service.send('POST', `/invitations/${id}/send/`, undefined, { headers: host.headers })
      await accept(service, link)
      for (const text of [listed.body, JSON.stringify(told), JSON.stringify(events), scene.log.text()]) {
        expect(text).not.toContain(token)
        expect(text).not.toContain(secretId)
      }
      expect(events.map(({ action }) => action)).toEqual(
        expect.arrayContaining(['invite', 'resend-invitation', 'accept-invitation']),
      )
      for (const address of [
        'a<b@example.org',
        '"<b>x</b>"@example.org',
        'a@example.org\r\nBcc: eve@example.org',
        'a@example.org, eve@example.org',
        'Eve <eve@example.org>',
        'a@example.org?cc=eve@example.org',
      ])
        expect([address, (await post(service, host, { email: address })).statusCode]).toEqual([address, 400])
      service.mails.splice(0)
      const odd = "o'brien&co@example.org"
      expect((await post(service, host, { email: odd })).statusCode).toBe(202)
      expect((await service.mail('invitation', odd)).html).not.toContain('&co@')
    },
  )

  rule(
    'INV-16',
    {
      tried:
        'inviting while the mailer, and while the user store is unavailable; accepting while the store is',
      expected:
        'the invitation is kept, and its email comes later; 503 otherwise, never a yes or an invalid link, after which the link works',
    },
    async (scene) => {
      const service = await startOn(scene)
      const host = await userWith(service, 'hanna', ['inviter'])
      const { users } = scene
      const { create, update, findById } = users
      const away = () => Promise.reject(new Error('away'))
      users.create = away
      expect(refusalOf(await post(service, host))).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
      users.create = create
      expect(await users.findByEmail(email)).toBeNull()
      expect(service.mails.filter(({ kind }) => kind === 'invitation')).toEqual([])
      const link = await invited(service, host, { roles: ['editor'] })
      const before = await victorOf(scene)
      users.findById = away
      for (const method of ['GET', 'POST'] as const) {
        const response = await (method === 'GET' ? service.send('GET', link) : accept(service, link))
        expect(refusalOf(response)).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
      }
      users.findById = findById
      const together = scene.sessions.withUsers
      const updateBoth = together?.update
      users.update = away
      if (together?.update) together.update = away
      expect(refusalOf(await accept(service, link))).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
      users.update = update
      if (together && updateBoth) together.update = updateBoth
      expect(await victorOf(scene)).toEqual(before)
      expect((await accept(service, link)).statusCode).toBe(200)
      await users.delete(before.id)

      const { send } = service.mailer
      service.mailer.send = away
      service.mails.splice(0)
      expect((await post(service, host, { roles: ['editor'] })).statusCode).toBe(202)
      await service.settle()
      expect(await victorOf(scene)).toMatchObject({ isVerified: false })
      service.mailer.send = send
      await scene.wait(hour)
      // Wakes the postman.
      await service.send('POST', '/forgot/', { email: 'hanna@example.org' })
      expect((await accept(service, await linkOf(service))).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({ isVerified: true, roles: ['editor'] })
    },
  )

  rule(
    'INV-17',
    {
      tried:
        'withdrawing an invitation after somebody has requested a login code, a reset code and links for the address; using all of them then, and inviting again',
      expected: 'nobody gets in with what was requested before; the account is gone',
    },
    async (scene) => {
      const service = await startOn(scene, { login: { emailCode: true } })
      const host = await userWith(service, 'hanna', ['inviter'])
      const link = await invited(service, host, { roles: ['editor'] })
      const id = await idOf(scene)
      const login = await newCode(service, email)
      const reset = await newResetCode(service, email)
      const links = [link, `${await verifyLink(service, email)}new-password/`, linkPath(reset.mail)]
      const withdrawn = await service.send('DELETE', `/invitations/${id}`, undefined, host)
      expect(withdrawn.statusCode).toBe(204)
      expect(await scene.users.findById(id)).toBeNull()
      expect((await giveCode(service, login)).statusCode).toBe(401)
      expect((await resetByCode(service, reset)).statusCode).toBe(401)
      for (const url of links)
        expect((await service.send('POST', url, choice(otherPassword))).statusCode).toBe(400)
      const again = await invited(service, host)
      expect((await accept(service, again)).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({ roles: [] })
    },
  )

  rule(
    'INV-18',
    {
      tried: 'confirming an invited address with a verification link and nothing else, then withdrawing',
      expected:
        '400: it takes a password, so no invitation waits with a confirmed address, and it can be withdrawn',
    },
    async (scene) => {
      const service = await startOn(scene)
      const host = await userWith(service, 'hanna', ['inviter'])
      await invited(service, host, { roles: ['editor'] })
      const id = await idOf(scene)
      const verify = await verifyLink(service, email)
      const plain = await service.send('POST', verify, {})
      expect([plain.statusCode, plain.json().fields]).toMatchObject([400, [{ field: 'new_password' }]])
      const asJson = { headers: { accept: 'application/json' } }
      const read = await service.send('GET', verify, undefined, asJson)
      expect([read.statusCode, read.json()]).toMatchObject([200, { valid: true, verified: false }])
      expect(await victorOf(scene)).toMatchObject({ isVerified: false, roles: [] })
      expect((await service.send('DELETE', `/invitations/${id}`, undefined, host)).statusCode).toBe(204)
      expect(await scene.users.findByEmail(email)).toBeNull()
    },
  )

  rule(
    'INV-19',
    {
      tried:
        'an expired invitation, then a login code, a reset code, a reset link and a verification link with a password',
      expected: 'nobody gets in until they are invited again',
    },
    async (scene) => {
      const service = await startOn(scene, {
        login: { emailCode: true },
        features: [invitations({ lifetime: hour })],
      })
      await userWith(service, 'chief', [], { email: 'chief@example.org', isStaff: true })
      const inviter = async (): Promise<Login> => as(await logIn(service, 'chief'))
      await invited(service, await inviter(), { roles: ['editor'] })
      await scene.wait(2 * hour)
      const code = await newCode(service, email)
      expect((await giveCode(service, code)).statusCode).toBe(401)
      const reset = await newResetCode(service, email)
      expect((await resetByCode(service, reset)).statusCode).toBe(401)
      for (const url of [linkPath(reset.mail), `${await verifyLink(service, email)}new-password/`]) {
        const { statusCode } = await service.send('POST', url, choice(otherPassword))
        expect(statusCode).toBe(400)
      }
      expect(await victorOf(scene)).toMatchObject({ isVerified: false, lastLoginAt: null })
      const again = await invited(service, await inviter())
      expect((await accept(service, again)).statusCode).toBe(200)
    },
  )

  rule(
    'INV-20',
    {
      tried:
        'an invitation without fields, where the schema has defaults, also for fields that only your code may set, to an account that has others; then a second one with a field',
      expected: 'only what was given is given; defaults are those of a new account',
    },
    async (scene) => {
      const plan = { enum: ['free', 'suspended'], readOnly: true, default: 'free' }
      const city = { type: 'string', default: 'none' }
      const service = await startOn(scene, {
        users: { variant: 'both', fields: { type: 'object', properties: { plan, city } } },
      })
      const host = await userWith(service, 'hanna', ['inviter'])
      const input = { username: 'known', email, password: goodPassword }
      const { id } = await service.app.accounts.createUser({
        ...input,
        fields: { plan: 'suspended', city: 'Bonn' },
      })
      await invited(service, host)
      const link = await invited(service, host, { fields: { city: 'Ulm' } })
      expect((await accept(service, link)).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({ id, fields: { plan: 'suspended', city: 'Ulm' } })

      service.mails.splice(0)
      await post(service, host, { email: 'new@example.org' })
      const fresh = linkPath(await service.mail('invitation', 'new@example.org'))
      expect((await accept(service, fresh, { username: 'new' })).statusCode).toBe(200)
      expect((await scene.users.findByEmail('new@example.org'))?.fields).toEqual({
        plan: 'free',
        city: 'none',
      })
    },
  )

  rule(
    'INV-21',
    {
      tried:
        'inviting again by somebody who may not give the roles of the first invitation; looking for invited addresses in the list of users, without `requireEmailConfirmation`',
      expected:
        'the first invitation lasts no longer than it did; the list shows nobody who was only invited',
    },
    async (scene) => {
      const service = await startOn(scene, {
        requireEmailConfirmation: false,
        authorize: { listUsers: () => true },
      })
      const host = await userWith(service, 'hanna', ['inviter'])
      const greeter = await userWith(service, 'greta', ['greeter'])
      await invited(service, host, { roles: ['editor'] })
      const end = async () => {
        const { results } = (await service.send('GET', '/invitations/', undefined, host)).json()
        return results[0].expires_at
      }
      const before = await end()
      const link = await invited(service, greeter)
      expect(await end()).toBe(before)
      const listed = await service.send('GET', '/user/', undefined, greeter)
      expect(listed.json().results.map(({ username }: { username: string }) => username)).toEqual([
        'hanna',
        'greta',
      ])
      expect((await accept(service, link)).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({ roles: ['editor'] })
    },
  )

  rule(
    'INV-22',
    {
      tried:
        'signing up with an address, which is then invited, and the invitation withdrawn; logging in at each point',
      expected: 'the same refusal each time, as for an address that has an account',
    },
    async (scene) => {
      const service = await startOn(scene)
      const host = await userWith(service, 'hanna', ['inviter'])
      const input = { username: 'mallory', email, password: goodPassword, confirm_password: goodPassword }
      expect((await service.send('POST', '/signup/', input)).statusCode).toBe(202)
      const tryToLogIn = async () =>
        refusalOf(await service.send('POST', '/login/', { username: email, password: goodPassword }))
      const before = await tryToLogIn()
      expect(before[0]).toBe(401)
      await invited(service, host)
      expect(await tryToLogIn()).toEqual(before)
      const id = await idOf(scene)
      expect((await service.send('DELETE', `/invitations/${id}`, undefined, host)).statusCode).toBe(204)
      expect(await tryToLogIn()).toEqual(before)
    },
  )
})
