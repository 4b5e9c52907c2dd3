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
  type Invitation,
  invitations,
  RuleError,
  type SignUpAttempt,
  type StoredUser,
  userPermissions,
} from 'fastify-accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { cases } from './catalogue.js'
import { forgedLink, partsOf, resetLink, verifyLink } from './links.js'
import { choice, passwordsThatWork } from './passwords.js'
import { expectAlike } from './responses.js'
import type { Scene, Service } from './service.js'
import { callsOf, holdNext } from './store-calls.js'

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
const gift = { roles: ['editor'], fields: { team: 'blue' } }

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

/** Both kinds have the link. */
async function linkOf(service: Service, address = email): Promise<string> {
  const mails = () =>
    service.mails.filter(({ kind, to }) => kind.startsWith('invitation') && to.address === address)
  await expect.poll(() => mails().length).toBeGreaterThan(0)
  return linkPath(mails().at(-1) as Service['mails'][number])
}

const sendAgain = (service: Service, { headers }: Login, id: string) =>
  service.send('POST', `/invitations/${id}/send/`, undefined, { headers })

const withdraw = (service: Service, { headers }: Login, id: string) =>
  service.send('DELETE', `/invitations/${id}`, undefined, { headers })

const accept = (service: Service, link: string, body: object = {}, extra: object = {}): Promise<Response> =>
  service.send('POST', link, { username: 'victor', ...choice(otherPassword), ...body }, extra)

/** Somebody who is logged in to the account of the address. */
const acceptAs = (service: Service, link: string, who: Login): Promise<Response> =>
  service.send('POST', link, {}, { headers: who.headers })

const rowsAt = ({ invitations }: Pick<Scene, 'invitations'>, address = email): Promise<Invitation[]> =>
  invitations.listByEmail(address)

async function rowAt(scene: Pick<Scene, 'invitations'>, address = email): Promise<Invitation> {
  const [row, ...others] = await rowsAt(scene, address)
  if (row === undefined || others.length > 0) throw new Error(`${others.length} others`)
  return row
}

const victorOf = async ({ users }: Pick<Scene, 'users'>): Promise<StoredUser> => {
  const user = await users.findByEmail(email)
  if (user === null) throw new Error('the user is not there')
  return user
}

async function removeVictor(scene: Scene): Promise<void> {
  await scene.users.delete((await victorOf(scene)).id)
  for (const { id } of await rowsAt(scene)) await scene.invitations.delete(id)
}

/** An account of a stranger at the address, which nobody has proven. */
async function stranger(service: Service, more: object = {}): Promise<void> {
  await signUp(service, 'mallory', { email, ...more })
  await service.settle()
}

/** What must hold while an invitation waits: it gives nothing, and can be accepted. */
async function expectWaiting(scene: Scene, service: Service, link: string): Promise<void> {
  const user = await scene.users.findByEmail(email)
  if (user !== null)
    expect(user).toMatchObject({
      roles: [],
      notes: expect.not.objectContaining({ accepted: expect.anything() }),
    })
  expect(user?.fields.team).toBeUndefined()
  expect(await rowAt(scene)).toMatchObject({ acceptingUntil: null })
  expect((await service.send('GET', link)).statusCode).toBe(200)
}

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
      const before = await rowAt(scene)
      const entry = (await service.send('GET', '/invitations/', undefined, host)).json().results[0]
      expect(entry).toMatchObject({ id: before.id, email, roles: ['editor'], inviter_id: host.id })

      await post(service, host, { email: 'second@example.org' })
      const others = await linkOf(service, 'second@example.org')
      const reset = await resetLink(service, 'eve@example.org')
      const signedUp = { username: 'mallory', password: goodPassword, confirm_password: goodPassword, email }
      expect((await service.send('POST', '/signup/', signedUp)).statusCode).toBe(202)
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
        forgedLink(link, { uid64: partsOf(own).uid64 }),
      ]
      for (const url of attacks) {
        for (const who of [{}, { headers: eve.headers }]) {
          const shown = await service.send('GET', url, undefined, who)
          expect([url, ...refusalOf(shown)]).toEqual([url, ...dead])
          expect(refusalOf(await accept(service, url, {}, who))).toEqual(dead)
        }
      }
      // The invitation's token opens nothing else, and its id names no account.
      for (const other of [own, verify])
        for (const parts of [partsOf(link), { token: partsOf(link).token }])
          expect((await accept(service, forgedLink(other, parts))).statusCode).toBe(400)
      for (const url of [
        `/invitations/${before.id}`,
        `/invitations/${before.id}/send/`,
        `/user/${before.id}`,
      ])
        for (const method of ['POST', 'DELETE', 'PATCH', 'PUT'] as const)
          expect([401, 403, 404, 405]).toContain((await service.send(method, url, undefined, eve)).statusCode)

      for (const username of [email, 'mallory'])
        for (const password of ['', goodPassword])
          expect((await service.send('POST', '/login/', { username, password })).statusCode).not.toBe(200)
      await service.send('POST', '/change-email/', { email }, { headers: eve.headers })
      await service.settle()
      expect(await scene.users.findByUsername('eve')).toMatchObject({ email: 'eve@example.org', roles: [] })
      expect(await victorOf(scene)).toMatchObject({ username: 'mallory', isVerified: false, roles: [] })
      expect(await rowAt(scene)).toEqual(before)
      expect((await accept(service, link)).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({ username: 'victor', isVerified: true, roles: ['editor'] })
      expect(await passwordsThatWork(service, [goodPassword, otherPassword], email)).toEqual([otherPassword])
    },
  )

  rule(
    'INV-02',
    {
      tried:
        'an invitation of the address of a stranger’s unproven account, whose address is then changed by staff, also back, or by the stranger to their own, which they prove',
      expected:
        'the account at the new address gets nothing from it; it waits for the owner of its own address, who then has an account without the stranger',
    },
    async (scene) => {
      const service = await startOn(scene, { requireEmailConfirmation: false })
      const host = await userWith(service, 'hanna', ['inviter'])
      const chief = await userWith(service, 'chief', [], { isStaff: true })
      await stranger(service)
      const given = { roles: ['editor'], fields: { city: 'Ulm' } }
      const first = await invited(service, host, given)
      const { id } = await victorOf(scene)
      const moved = 'moved@example.com'
      const moveTo = async (address: string) => {
        const { statusCode, body } = await service.send('PATCH', `/user/${id}`, { email: address }, chief)
        expect(statusCode, body).toBe(200)
      }
      await moveTo(moved)
      await service.send('POST', await resetLink(service, moved), choice(goodPassword))
      expect(await scene.users.findById(id)).toMatchObject({ isVerified: true, roles: [], fields: {} })
      await moveTo(email)
      await expectWaiting(scene, service, first)
      expect((await accept(service, first)).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({
        isVerified: true,
        roles: ['editor'],
        fields: { city: 'Ulm' },
      })
      expect(await passwordsThatWork(service, [goodPassword, otherPassword], email)).toEqual([otherPassword])
      await removeVictor(scene)

      await signUp(service, 'eve', { email })
      const eve = as(await logIn(service, 'eve'))
      const second = await invited(service, host, given)
      const own = 'eve@example.com'
      expect((await service.send('POST', '/change-email/', { email: own }, eve)).statusCode).toBe(202)
      const target = linkTarget(await service.mail('change-email', own))
      expect((await service.send('POST', target, {}, eve)).statusCode).toBe(200)
      const isUntouched = { email: own, isVerified: true, roles: [], fields: {} }
      expect(await scene.users.findByUsername('eve')).toMatchObject(isUntouched)
      expect((await accept(service, second)).statusCode).toBe(200)
      await service.send('POST', await resetLink(service, own), choice(otherPassword))
      expect(await scene.users.findByUsername('eve')).toMatchObject(isUntouched)
      expect(await victorOf(scene)).toMatchObject({
        username: 'victor',
        roles: ['editor'],
        fields: { city: 'Ulm' },
      })
    },
  )

  rule(
    'INV-03',
    {
      tried:
        'a link opened many times by scanners of mail, with HEAD and GET, and by those it was forwarded to, in an app where nobody can sign up; used again afterwards, as JSON and as a form, with more than a password in the body',
      expected:
        'opening changes nothing; it works once, logs nobody in, and a second click is a 400 that leaves the password; 400 for anything else in the body, after which the link still works',
    },
    async (scene) => {
      const service = await startOn(scene, { authorize: { createUser: () => false } })
      const host = await userWith(service, 'hanna', ['inviter'])
      const link = await invited(service, host, { roles: ['editor'] })
      const before = await rowAt(scene)
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
      expect(await rowAt(scene)).toEqual(before)
      expect(await scene.users.findByEmail(email)).toBeNull()
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
      expect(await rowsAt(scene)).toEqual([])
      expect(await passwordsThatWork(service, [otherPassword, 'another good passphrase'], 'victor')).toEqual([
        otherPassword,
      ])
    },
  )

  storage(
    'INV-04',
    {
      tried:
        'two inviters at one address: the second may give no roles, and gives another value for a field that the first gave; each sends again and withdraws; then twenty invitations at once by the first',
      expected:
        'an invitation each, with an id, a link and an end of its own: nobody sees, replaces, renews or withdraws another’s; of one inviter only the last link works; accepting one gives each once, and overwrites nothing',
    },
    async (scene) => {
      const service = await startOn(scene)
      const host = await userWith(service, 'hanna', ['inviter'])
      const greeter = await userWith(service, 'greta', ['greeter'])
      const first = await invited(service, host, { roles: ['editor'], fields: { city: 'Ulm' } })
      const own = await rowAt(scene)
      const second = await invited(service, greeter, { fields: { city: 'Bonn', team: 'blue' } })
      const rowOf = async (inviter: string) =>
        (await rowsAt(scene)).find(({ inviterId }) => inviterId === inviter)
      const other = await rowOf(greeter.id)
      expect(await rowOf(host.id)).toEqual(own)
      expect(other?.id).not.toBe(own.id)
      expect(partsOf(second).uid64).not.toBe(partsOf(first).uid64)
      for (const link of [first, second]) expect((await service.send('GET', link)).statusCode).toBe(200)
      for (const [who, row] of [
        [greeter, own],
        [host, other],
      ] as const) {
        const id = row?.id ?? ''
        const listed = (await service.send('GET', '/invitations/', undefined, who)).json().results
        expect(listed.map((each: Invitation) => each.id)).not.toContain(id)
        for (const act of [sendAgain, withdraw]) expect((await act(service, who, id)).statusCode).toBe(404)
      }
      service.mails.splice(0)
      expect((await sendAgain(service, greeter, other?.id ?? '')).statusCode).toBe(204)
      const third = await linkOf(service)
      expect(refusalOf(await accept(service, second))).toEqual(dead)
      expect(await rowOf(host.id)).toEqual(own)
      expect((await service.send('GET', first)).statusCode).toBe(200)

      const all = await Promise.all(Array.from({ length: 20 }, () => post(service, host, gift)))
      // Some may meet too many others.
      for (const { statusCode } of all) expect([202, 409]).toContain(statusCode)
      await service.settle()
      expect(refusalOf(await accept(service, first))).toEqual(dead)
      const last = await invited(service, host, { ...gift, fields: { city: 'Ulm', team: 'red' } })
      expect(await rowsAt(scene)).toHaveLength(2)
      expect(await rowOf(host.id)).toMatchObject({ id: own.id, createdAt: own.createdAt })
      expect((await accept(service, third)).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({
        ...{ roles: ['editor'], fields: { city: 'Bonn', team: 'blue' }, credentials: [] },
      })
      expect(await rowsAt(scene)).toEqual([])
      for (const link of [third, last]) expect(refusalOf(await accept(service, link))).toEqual(dead)
      for (const act of [sendAgain, withdraw]) expect((await act(service, host, own.id)).statusCode).toBe(404)
    },
  )

  storage(
    'INV-05',
    {
      tried: 'twenty acceptances of one link at once in two processes, each with its own name and password',
      expected:
        'one wins, with one name and one password; the others get 400, 401 or 409 while it is stored, or 503 if they get no hash in time',
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
      for (const { statusCode } of responses) expect([200, 400, 401, 409, 503]).toContain(statusCode)
      expect(await victorOf(scene)).toMatchObject({ username: winners[0]?.username, roles: ['editor'] })
      expect(await rowsAt(scene)).toEqual([])
      const passwords = tries.map(({ password }) => password)
      expect(await passwordsThatWork(services[0], passwords, email)).toEqual([winners[0]?.password])
    },
  )

  rule(
    'INV-06',
    {
      tried:
        'account enumeration by inviting a free address, one with a sound account, one that nobody has proven, a disabled one and one of staff, listing, inviting again, sending again and withdrawing; then signing up, logging in and asking for emails with it; without a permission to see users',
      expected:
        'the same responses, headers, hashes, calls of the stores, rows and emails; no account changes, nor does the list of users; the owner of a sound account is told',
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
      const accounts = () => scene.users.list({ limit: 50 })
      const listUsers = () => service.send('GET', '/user/?limit=50', undefined, { headers: host.headers })
      const [before, listed] = [await accounts(), await listUsers()]
      service.mails.splice(0)
      // An email of its own is a call as well.
      const { users, invitations, sessions } = scene
      const calls = [users, invitations, sessions, ...(users.outbox ? [users.outbox] : [])].map(callsOf)
      const addressOf = (state: string) => `${state}@example.org`
      const idOf = async (state: string) => (await rowsAt(scene, addressOf(state)))[0]?.id ?? ''
      const outcome = async (state: string, act: (state: string) => Promise<Response>) => {
        await service.settle()
        for (const each of calls) each.splice(0)
        const { hashes, verifications } = service.hasher
        const mails = service.mails.length
        const response = await act(state)
        await service.settle()
        // Also those of the delivery, which may begin before the response is here, and looks for emails at any time.
        const names = calls.map((each) => each.filter((name) => name !== 'claim').sort())
        const work = [service.hasher.hashes - hashes, service.hasher.verifications - verifications]
        return {
          response,
          names,
          work,
          mails: service.mails.length - mails,
          rows: (await rowsAt(scene, addressOf(state))).length,
        }
      }
      const passwords = { password: goodPassword, confirm_password: goodPassword }
      const ofInviter: ((state: string) => Promise<Response>)[] = [
        (state) => post(service, host, { email: addressOf(state) }),
        () => listUsers(),
        () => service.send('GET', '/invitations/', undefined, { headers: host.headers }),
        (state) => post(service, host, { email: addressOf(state), fields: { city: 'Bonn' } }),
        async (state) => sendAgain(service, host, await idOf(state)),
        async (state) => withdraw(service, host, await idOf(state)),
        async (state) => sendAgain(service, host, await idOf(state)),
        (state) => post(service, host, { email: addressOf(state) }),
      ]
      const ofStrangers: typeof ofInviter = [
        (state) =>
          service.send('POST', '/signup/', { username: `n-${state}`, email: addressOf(state), ...passwords }),
        (state) => service.send('POST', '/login/', { username: addressOf(state), password: otherPassword }),
        (state) => service.send('POST', '/forgot/', { email: addressOf(state) }),
        (state) => service.send('POST', '/user/v/', { email: addressOf(state) }),
      ]
      for (const [at, act] of [...ofInviter, ...ofStrangers].entries()) {
        const outcomes: Awaited<ReturnType<typeof outcome>>[] = []
        for (const state of states) outcomes.push(await outcome(state, act))
        const [first, ...others] = outcomes
        for (const other of others) {
          if (first === undefined) throw new Error('nothing was asked')
          expectAlike(first.response, other.response)
          const { response: _, ...seen } = other
          const { response: __, ...expected } = first
          // A sign-up with a taken address and the emails have cases of their own.
          if (at < ofInviter.length) expect([at, seen]).toEqual([at, expected])
          else expect([at, seen.work]).toEqual([at, expected.work])
        }
        if (at === ofInviter.length - 1) {
          expect(await accounts()).toEqual(before)
          expect((await listUsers()).body).toBe(listed.body)
        }
      }
      const told = (state: string) =>
        service.mails.find(({ kind, to }) => kind.startsWith('invitation') && to.address === addressOf(state))
          ?.kind
      expect(states.map(told)).toEqual([
        ...['invitation', 'invitation-known', 'invitation', 'invitation-known', 'invitation-known'],
      ])
      expect((await service.send('GET', '/me/', undefined, { headers })).statusCode).toBe(200)
      expect(await passwordsThatWork(service, [goodPassword], 'sound')).toEqual([goodPassword])
    },
  )

  rule(
    'INV-07',
    {
      tried:
        'somebody signs up with the victim’s address, with a password, a session and a passkey, before the victim is invited to it; the victim keeps what the stranger entered or not, and the stranger has used the account or not',
      expected:
        'until the victim accepts, they have neither the roles nor the fields; then all they had is dead, and the victim has what it gave; name and fields of an account that was used are shown and stay unless the victim drops them, those of an unused one go',
    },
    async (scene) => {
      for (const { isUsed, profile, stays } of [
        { isUsed: true, profile: 'keep', stays: true },
        { isUsed: true, profile: 'drop', stays: false },
        { isUsed: false, profile: 'keep', stays: false },
      ] as const) {
        const service = await startOn(scene, { requireEmailConfirmation: !isUsed })
        const host = await userWith(service, `hanna-${isUsed}-${profile}`, ['inviter'])
        const mallory = visitor(service)
        const signUpAs = await mallory.signUp('mallory', { email, city: 'Troy' })
        expect(signUpAs.response.statusCode).toBeLessThan(300)
        await service.app.accounts.setPassword((await victorOf(scene)).id, goodPassword)
        const { passkey } = signUpAs
        if (isUsed) await mallory.logIn('mallory')
        const link = await invited(service, host, {
          roles: ['editor'],
          fields: { city: 'Ulm', team: 'blue' },
        })
        if (isUsed) {
          const seen = (await mallory.send('GET', '/me/')).json()
          expect(seen).toMatchObject({ roles: [], city: 'Troy' })
          // Nor do they find out, or get to the link.
          for (const url of ['/me/', '/me/export/', '/api-root/'])
            expect((await mallory.send('GET', url)).body).not.toContain('blue')
          await mallory.logIn('mallory')
          expect((await mallory.send('GET', '/posts')).statusCode).toBe(403)
        }
        const shown = await service.send('GET', link, undefined, { headers: browser })
        expect(shown.body.includes('Troy') && shown.body.includes('mallory')).toBe(isUsed)

        const done = await accept(service, link, { profile })
        expect(done.statusCode, done.body).toBe(200)
        expect((await mallory.send('GET', '/me/')).statusCode).toBe(401)
        expect((await visitor(service).use(passkey)).statusCode).toBe(401)
        for (const username of ['mallory', 'victor', email])
          expect(await passwordsThatWork(service, [goodPassword], username)).toEqual([])
        const after = await victorOf(scene)
        expect(after).toMatchObject({ username: 'victor', roles: ['editor'], identityKeys: [] })
        expect(after.fields).toEqual({ city: stays ? 'Troy' : 'Ulm', team: 'blue' })
        expect(after.credentials.filter(({ kind }) => kind !== 'removed')).toEqual([])
        const victor = as(await logIn(service, 'victor', otherPassword))
        expect((await service.send('GET', '/posts', undefined, victor)).statusCode).toBe(200)
        await removeVictor(scene)
        await service.settle()
      }
    },
  )

  rule(
    'INV-08',
    {
      tried:
        'the same, and the address is then confirmed by a click that shows nothing of who made the account, or by staff, or the app gives the stranger a password',
      expected:
        'the stranger gets nothing of the invitation, which waits; the owner of the mailbox removes the stranger by its link, or where the address counts as proven by a reset, and has what it gives',
    },
    async (scene) => {
      for (const [how, isProven] of [
        ['click', false],
        ['staff', true],
        ['app', false],
      ] as const) {
        const service = await startOn(scene, { requireEmailConfirmation: false })
        const host = await userWith(service, `hanna-${how}`, ['inviter'])
        await stranger(service)
        const link = await invited(service, host, gift)
        const { id } = await victorOf(scene)
        if (how === 'click')
          expect((await service.send('POST', await verifyLink(service, email), {})).statusCode).toBe(200)
        if (how === 'staff') await service.app.accounts.updateUser(id, { isVerified: true })
        if (how === 'app') await service.app.accounts.setPassword(id, goodPassword)
        const mallory = as(await logIn(service, 'mallory'))
        expect((await service.send('GET', '/posts', undefined, mallory)).statusCode).toBe(403)
        await expectWaiting(scene, service, link)
        if (isProven) {
          expect(refusalOf(await accept(service, link))).toEqual([401, 'ACCOUNTS_LOGIN_REQUIRED'])
          await service.send('POST', await resetLink(service, email), choice(otherPassword))
          await expectWaiting(scene, service, link)
          const victor = as(await logIn(service, email, otherPassword))
          expect((await acceptAs(service, link, victor)).statusCode).toBe(200)
        } else expect((await accept(service, link)).statusCode).toBe(200)
        expect((await service.send('GET', '/me/', undefined, mallory)).statusCode).toBe(401)
        expect(await victorOf(scene)).toMatchObject(gift)
        expect(await passwordsThatWork(service, [goodPassword, otherPassword], email)).toEqual([
          otherPassword,
        ])
        await removeVictor(scene)
        await service.settle()
      }
    },
  )

  storage(
    'INV-09',
    {
      tried:
        'withdrawing an invitation; before, after and while it is accepted, in two processes, in every order; withdrawing one of an address where a stranger has an account',
      expected:
        'either it was accepted, and withdrawing is refused, or the link is dead and gave nothing; no account is deleted',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service, other] = services
      const host = await userWith(service, 'hanna', ['inviter'])
      const ends = async (link: string, accepted: Response, withdrawn: Response) => {
        if (accepted.statusCode === 200) {
          expect([404, 409]).toContain(withdrawn.statusCode)
          expect(await victorOf(scene)).toMatchObject({ isVerified: true, isActive: true, roles: ['editor'] })
          expect(await passwordsThatWork(service, [otherPassword], 'victor')).toEqual([otherPassword])
        } else {
          expect(withdrawn.statusCode).toBe(204)
          expect([400, 409]).toContain(accepted.statusCode)
          expect(await scene.users.findByEmail(email)).toBeNull()
        }
        expect(await rowsAt(scene)).toEqual([])
        expect(refusalOf(await accept(service, link))).toEqual(dead)
        const user = await scene.users.findByEmail(email)
        if (user !== null) await scene.users.delete(user.id)
      }
      for (let round = 0; round < times({ quick: 6, full: 25 }); round += 1) {
        const link = await invited(service, host, gift)
        const { id } = await rowAt(scene)
        const acts = [() => accept(service, link), () => withdraw(other, host, id)] as const
        const isFirst = round % 2 === 0
        const [one, two] = await Promise.all(isFirst ? [acts[0](), acts[1]()] : [acts[1](), acts[0]()])
        await ends(link, isFirst ? one : two, isFirst ? two : one)
      }
      // One is held just before a write, the other comes in between.
      for (const [held, at] of [
        ['accept', 'update'],
        ['accept', 'create'],
        ['withdraw', 'delete'],
      ] as const) {
        const link = await invited(service, host, gift)
        const { id } = await rowAt(scene)
        const hold = at === 'create' ? holdNext(scene.users, at) : holdNext(scene.invitations, at)
        const acts = { accept: () => accept(service, link), withdraw: () => withdraw(other, host, id) }
        const one = acts[held]()
        await hold.reached
        const two = await acts[held === 'accept' ? 'withdraw' : 'accept']()
        hold.release()
        const late = await one
        // Once it is being accepted, only that goes on.
        expect([at, two.statusCode]).toEqual([at, at === 'create' ? 409 : two.statusCode])
        expect([at, [late, two].filter(({ statusCode }) => statusCode < 300)]).toHaveProperty('1.length', 1)
        await (held === 'accept' ? ends(link, late, two) : ends(link, two, late))
      }
      await stranger(service)
      const link = await invited(service, host, gift)
      const before = await victorOf(scene)
      expect((await withdraw(service, host, (await rowAt(scene)).id)).statusCode).toBe(204)
      expect(refusalOf(await accept(service, link))).toEqual(dead)
      expect(await victorOf(scene)).toEqual(before)
    },
  )

  storage(
    'INV-10',
    {
      tried:
        'a link just before and after its lifetime, after the invitation was sent again, and at a disabled account of a stranger; a second invitation after it has expired; a reset by the owner of a stranger’s account then',
      expected:
        'dead, but for the first; an expired invitation gives nothing, is in no list and lets nobody in',
    },
    async (scene) => {
      const service = await startOn(scene, { features: [invitations({ lifetime: 2 * day })] })
      const chief = { ...{ email: 'chief@example.org' }, isStaff: true }
      const inviter = async (): Promise<Login> => as(await logIn(service, 'chief'))
      await userWith(service, 'chief', [], chief)
      const given = { roles: ['editor'], fields: { city: 'Ulm' } }
      await scene.wait(0)
      const first = await invited(service, await inviter(), given)
      const { id } = await rowAt(scene)
      await scene.wait(2 * day - hour)
      expect((await service.send('GET', first)).statusCode).toBe(200)
      service.mails.splice(0)
      expect((await sendAgain(service, await inviter(), id)).statusCode).toBe(204)
      const second = await linkOf(service)
      expect(refusalOf(await accept(service, first))).toEqual(dead)
      await scene.wait(2 * hour)
      expect((await service.send('GET', second)).statusCode).toBe(200)
      const { id: account } = await service.app.accounts.createUser({
        username: 'mallory',
        email,
        password: goodPassword,
      })
      await service.app.accounts.updateUser(account, { isActive: false })
      expect((await accept(service, second)).statusCode).toBe(400)
      expect(await victorOf(scene)).toMatchObject({ isVerified: false, isActive: false, roles: [] })
      await scene.users.delete(account)
      await scene.wait(2 * day)
      for (const url of [first, second]) expect(refusalOf(await accept(service, url))).toEqual(dead)
      const late = await inviter()
      const listed = await service.send('GET', '/invitations/', undefined, late)
      expect(listed.json().results).toEqual([])
      for (const act of [sendAgain, withdraw]) expect((await act(service, late, id)).statusCode).toBe(404)
      const third = await invited(service, late, { fields: { team: 'blue' } })
      expect((await accept(service, third)).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({ roles: [], fields: { team: 'blue' } })
      await removeVictor(scene)

      await stranger(service)
      await invited(service, late, given)
      await scene.wait(2 * day + hour)
      await service.send('POST', await resetLink(service, email), choice(otherPassword))
      expect(await victorOf(scene)).toMatchObject({ isVerified: true, roles: [], fields: {} })
    },
  )

  rule(
    'INV-11',
    {
      tried:
        'proving the invited address in another way: by a login with a provider, and where a stranger has an account at it by a login code, a reset link and a verification link with a new password; and by a provider that names another address, or doesn’t say that it has verified it',
      expected:
        'what the invitation gave is given, once, and its link is dead after that; who doesn’t prove the address gets nothing',
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
      const there = () => providerVisitor({ app: service.app, issuer })
      const anew = async () => `${await verifyLink(service, email)}new-password/`
      const ways: Record<string, () => Promise<Response>> = {
        provider: () => there().logInWith(claims),
        code: async () => giveCode(service, await newCode(service, email)),
        reset: async () => service.send('POST', await resetLink(service, email), choice(otherPassword)),
        anew: async () => service.send('POST', await anew(), choice(otherPassword)),
      }
      for (const [name, prove] of Object.entries(ways)) {
        if (name !== 'provider') await stranger(service)
        const link = await invited(service, host, gift)
        if (name === 'provider') {
          for (const wrong of [
            { ...claims, sub: 'm-1', email_verified: false },
            { ...claims, sub: 'm-2', email: 'm2@example.org' },
          ])
            await there().logInWith(wrong)
          await expectWaiting(scene, service, link)
        }
        const { statusCode, body } = await prove()
        expect([name, statusCode < 400, body]).toEqual([name, true, body])
        const proven = await victorOf(scene)
        expect([name, proven]).toEqual([name, expect.objectContaining({ isVerified: true, ...gift })])
        expect(await rowsAt(scene)).toEqual([])
        expect(refusalOf(await accept(service, link))).toEqual(dead)
        await removeVictor(scene)
        await service.settle()
      }
    },
  )

  rule(
    'INV-12',
    {
      tried:
        'giving roles that the inviter lacks, by inviting, sending again and withdrawing, also after they lost them; sending and withdrawing what the app’s own code gave; a role that the app no longer has',
      expected: '403 or 404, without an email or a write; a role that is gone permits nothing',
    },
    async (scene) => {
      const service = await startOn(scene)
      const greeter = await userWith(service, 'greta', ['greeter'])
      const host = await userWith(service, 'hanna', ['inviter'])
      const nobody = await userWith(service, 'nora', ['editor'])
      const writes = [scene.users, scene.invitations].map(callsOf)
      const written = () => writes.flat().filter((name) => /^(create|update|delete$)/.test(name))
      const start = () => {
        for (const each of writes) each.splice(0)
        service.mails.splice(0)
      }
      start()
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
      expect([written(), service.mails]).toEqual([[], []])

      await service.app.accounts.invite({ email, roles: ['owner'] })
      const { id } = await rowAt(scene)
      const link = await linkOf(service)
      const ines = await userWith(service, 'ines', ['inviter'])
      expect(
        (await post(service, ines, { email: 'ines-gives@example.org', roles: ['editor'] })).statusCode,
      ).toBe(202)
      const shrunk = await rowAt(scene, 'ines-gives@example.org')
      await service.app.accounts.updateUser(ines.id, { roles: ['greeter'] })
      await service.settle()
      start()
      for (const act of [sendAgain, withdraw]) {
        const statuses = []
        for (const who of [nobody, greeter, host]) statuses.push((await act(service, who, id)).statusCode)
        expect(statuses).toEqual([403, 404, 404])
        expect((await act(service, ines, shrunk.id)).statusCode).toBe(403)
      }
      await service.settle()
      expect([written(), service.mails]).toEqual([[], []])
      expect((await service.send('GET', link)).statusCode).toBe(200)
      await scene.invitations.delete(id)

      const { editor: _, ...left } = roles
      const old = await invited(service, host, { roles: ['editor'] })
      const later = await startOn(scene, { roles: left })
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
        'reading the list: anonymously, as a user, with the right to see users only, with that to invite only, and as staff; with cursors of another list or made up',
      expected:
        '401 and 403 without the right to invite; otherwise one’s own invitations, for staff all; what it shows is of the invitation, whatever account the address has',
    },
    async (scene) => {
      const service = await startOn(scene, { roles: { ...roles, reader: ['users:read'] } })
      const host = await userWith(service, 'hanna', ['inviter'])
      const greeter = await userWith(service, 'greta', ['greeter'])
      await userWith(service, 'proven')
      const account = { username: 'mallory', email, password: goodPassword, fields: { city: 'Troy' } }
      await service.app.accounts.createUser(account)
      const addresses = [email, 'free@example.org', 'proven@example.org']
      for (const address of addresses) await post(service, host, { email: address, fields: { team: 'blue' } })
      await post(service, greeter, { email: 'hers@example.org' })
      await service.app.accounts.invite({ email: 'apps@example.org' })
      const list = (query = '', who?: Login) =>
        service.send('GET', `/invitations/${query}`, undefined, who && { headers: who.headers })
      expect((await list()).statusCode).toBe(401)
      for (const [name, given] of [
        ['nora', []],
        ['rita', ['reader']],
        ['ed', ['editor']],
      ] as const) {
        const who = await userWith(service, name, [...given])
        expect(refusalOf(await list('', who))).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
      }
      const entry = (address: string) => ({
        ...{
          id: expect.any(String),
          email: address,
          fields: { team: 'blue' },
          roles: [],
          inviter_id: host.id,
        },
        ...{ invited_at: expect.any(String), expires_at: expect.any(String) },
      })
      const { results } = (await list('', host)).json()
      expect(results).toEqual(expect.arrayContaining(addresses.map(entry)))
      const chief = await userWith(service, 'chief', [], { isStaff: true })
      const addressesFor = async (who: Login) =>
        (await list('', who))
          .json()
          .results.map((each: { email: string }) => each.email)
          .toSorted()
      expect(await addressesFor(host)).toEqual(addresses.toSorted())
      expect(await addressesFor(greeter)).toEqual(['hers@example.org'])
      expect(await addressesFor(chief)).toEqual(
        [...addresses, 'apps@example.org', 'hers@example.org'].toSorted(),
      )
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
        'a flood of invitations to one address with an account and to one without, by one of several inviters, also by sending again, and by the app’s own code; a flood by one inviter to many addresses; withdrawing at random',
      expected:
        'five emails a day of each inviter to the address, then 429, with the last link good; those of other inviters, and what the owner requests, come as ever; 429 for that inviter alone, who has still got their other budgets',
    },
    async (scene) => {
      const service = await startOn(scene, { throttle: {} })
      const [ann, ben] = [
        await userWith(service, 'ann', ['inviter']),
        await userWith(service, 'ben', ['inviter']),
      ]
      await userWith(service, 'known')
      const count = (kind: string, to: string) =>
        service.mails.filter((mail) => mail.kind === kind && mail.to.address === to).length
      for (const [kind, to] of [
        ['invitation', email],
        ['invitation-known', 'known@example.org'],
      ] as const) {
        const flood: number[] = []
        const send = async (act: Promise<Response>) => {
          flood.push((await act).statusCode)
          // Only the latest link is worth an email.
          await service.settle()
        }
        for (let n = 0; n < 4; n += 1) await send(post(service, ann, { email: to, ...gift }))
        const { id } = await rowAt(scene, to)
        for (let n = 0; n < 2; n += 1) await send(sendAgain(service, ann, id))
        await send(post(service, ann, { email: to, roles: [] }))
        expect([kind, flood]).toEqual([kind, [202, 202, 202, 202, 204, 429, 429]])
        expect([kind, count(kind, to)]).toEqual([kind, 5])
        expect((await service.send('GET', await linkOf(service, to))).statusCode).toBe(200)
        expect((await post(service, ben, { email: to })).statusCode).toBe(202)
        for (let n = 0; n < 5; n += 1) {
          await service.app.accounts.invite({ email: to })
          await service.settle()
        }
        await expect(service.app.accounts.invite({ email: to })).rejects.toMatchObject({
          code: 'ACCOUNTS_THROTTLED',
        })
        await service.settle()
        expect([kind, count(kind, to)]).toEqual([kind, 11])
      }
      // Nothing of this is spent of what the owner can request.
      await service.send('POST', '/forgot/', { email })
      await expect.poll(() => count('invitation', email)).toBe(12)
      await resetLink(service, 'known@example.org')
      expect((await accept(service, await linkOf(service))).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject(gift)

      const statuses: number[] = []
      for (let n = 0; n < 60; n += 1)
        statuses.push((await post(service, ann, { email: `flood-${n}@example.org` })).statusCode)
      expect(statuses.filter((status) => status === 202).length).toBeLessThanOrEqual(50)
      expect(statuses.at(-1)).toBe(429)
      expect((await post(service, ben, { email: 'new@example.org' })).statusCode).toBe(202)
      const { id } = await rowAt(scene, 'flood-0@example.org')
      expect((await sendAgain(service, ann, id)).statusCode).toBe(204)
      expect((await withdraw(service, ann, id)).statusCode).toBe(204)
      for (let n = 0; n < 100; n += 1) await withdraw(service, ann, 'at-random')
      const { id: own } = await rowAt(scene, 'flood-1@example.org')
      expect((await withdraw(service, ann, own)).statusCode).toBe(204)
      expect((await service.send('GET', '/me/', undefined, { headers: ann.headers })).statusCode).toBe(200)
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
        'the token is in the email only; the fields are in no email, and they and the address are text on the page',
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
      const own = await service.app.accounts.invite({ email: 'other@example.org' })
      const page = await service.send('GET', link, undefined, { headers: browser })
      expect(page.body).toContain('evil.example')
      expect(page.body).not.toMatch(/href="https:\/\/evil|Click</)
      expect(page.headers['referrer-policy']).toBe('strict-origin')
      expect(page.headers['cache-control']).toMatch(/no-store/)
      await accept(service, link)
      await service.app.accounts.resendInvitation(own.id)
      await service.settle()
      const seen = [told, own, events].map((each) => JSON.stringify(each))
      for (const text of [listed.body, ...seen, scene.log.text()]) expect(text).not.toContain(token)
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
        'inviting while the mailer, the invitation store or the user store is unavailable; accepting while either store is, at any of its calls',
      expected:
        'the invitation is kept, and its email comes later; 503 otherwise, never a yes or an invalid link, after which the link works',
    },
    async (scene) => {
      const service = await startOn(scene)
      const host = await userWith(service, 'hanna', ['inviter'])
      const away = () => Promise.reject(new Error('away'))
      const while_ = async (store: 'users' | 'invitations', method: string, act: () => Promise<Response>) => {
        const stored = scene[store] as unknown as Record<string, unknown>
        const kept = stored[method]
        stored[method] = away
        const response = await act()
        stored[method] = kept
        expect([store, method, ...refusalOf(response)]).toEqual([store, method, 503, 'ACCOUNTS_UNAVAILABLE'])
      }
      for (const [store, method] of [
        ['invitations', 'listByEmail'],
        ['invitations', 'create'],
        ['users', 'findById'],
      ] as const)
        await while_(store, method, () => post(service, host))
      expect(await rowsAt(scene)).toEqual([])
      expect(service.mails.filter(({ kind }) => kind === 'invitation')).toEqual([])
      const link = await invited(service, host, gift)
      for (const [store, method] of [
        ['invitations', 'find'],
        ['users', 'findById'],
        ['users', 'findByEmail'],
      ] as const) {
        await while_(store, method, () => service.send('GET', link))
        await while_(store, method, () => accept(service, link))
      }
      for (const [store, method] of [
        ['invitations', 'listByEmail'],
        ['invitations', 'update'],
        ['users', 'create'],
      ] as const)
        await while_(store, method, () => accept(service, link))
      expect(await scene.users.findByEmail(email)).toBeNull()
      expect((await accept(service, link)).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject(gift)
      await removeVictor(scene)

      const { send } = service.mailer
      service.mailer.send = away
      service.mails.splice(0)
      expect((await post(service, host, gift)).statusCode).toBe(202)
      await service.settle()
      expect(service.mails).toEqual([])
      service.mailer.send = send
      await scene.wait(hour)
      // Wakes the postman.
      await service.send('POST', '/forgot/', { email: 'hanna@example.org' })
      expect((await accept(service, await linkOf(service))).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject(gift)
    },
  )

  rule(
    'INV-17',
    {
      tried:
        'withdrawing an invitation after somebody has requested a login code, a reset code and links for a stranger’s account at the address; using all of them then, and inviting again',
      expected:
        'the owner of the mailbox gets the account without what the invitation gave; the former link stays dead, also once they are invited again',
    },
    async (scene) => {
      for (const how of ['login', 'code', 'link', 'anew'] as const) {
        const service = await startOn(scene, { login: { emailCode: true } })
        const host = await userWith(service, `hanna-${how}`, ['inviter'])
        await stranger(service)
        const link = await invited(service, host, gift)
        const login = await newCode(service, email)
        const reset = await newResetCode(service, email)
        const verify = `${await verifyLink(service, email)}new-password/`
        expect((await withdraw(service, host, (await rowAt(scene)).id)).statusCode).toBe(204)
        const proofs = {
          login: () => giveCode(service, login),
          code: () => resetByCode(service, reset),
          link: () => service.send('POST', linkPath(reset.mail), choice(otherPassword)),
          anew: () => service.send('POST', verify, choice(otherPassword)),
        }
        expect([how, (await proofs[how]()).statusCode]).toEqual([
          how,
          expect.toSatisfy((status) => status < 300),
        ])
        expect(await victorOf(scene)).toMatchObject({ isVerified: true, roles: [], fields: {} })
        expect(await passwordsThatWork(service, [goodPassword], email)).toEqual([])
        const again = await invited(service, host)
        expect(refusalOf(await accept(service, link))).toEqual(dead)
        expect((await service.send('GET', again)).statusCode).toBe(200)
        await removeVictor(scene)
        await service.settle()
      }
    },
  )

  rule(
    'INV-18',
    {
      tried:
        'confirming an invited address without a proof of who owns the account: with a verification link and nothing else, by staff, by the app’s own code, and as a new address by its link in another browser; then withdrawing',
      expected: 'it gives nothing, and waits; it can be withdrawn, which changes no account',
    },
    async (scene) => {
      const confirm = {
        plainly: async (service: Service) => service.send('POST', await verifyLink(service, email), {}),
        staff: async (service: Service) => {
          const chief = await userWith(service, 'chief', [], { isStaff: true })
          return service.send('PATCH', `/user/${(await victorOf(scene)).id}`, { is_verified: true }, chief)
        },
        app: async (service: Service) =>
          void (await service.app.accounts.updateUser((await victorOf(scene)).id, { isVerified: true })),
        elsewhere: async (service: Service) => {
          const eve = await userWith(service, 'eve')
          await service.send('POST', '/change-email/', { email }, { headers: eve.headers })
          return service.send('POST', linkTarget(await service.mail('change-email', email)), {})
        },
      }
      for (const [how, act] of Object.entries(confirm)) {
        const service = await startOn(scene)
        const host = await userWith(service, `hanna-${how}`, ['inviter'])
        if (how !== 'elsewhere') await stranger(service)
        const link = await invited(service, host, gift)
        const response = await act(service)
        expect([how, response?.statusCode ?? 200]).toEqual([how, 200])
        expect(await victorOf(scene)).toMatchObject({ isVerified: true })
        await expectWaiting(scene, service, link)
        const before = await victorOf(scene)
        expect((await withdraw(service, host, (await rowAt(scene)).id)).statusCode).toBe(204)
        expect(await victorOf(scene)).toEqual(before)
        expect(refusalOf(await accept(service, link))).toEqual(dead)
        await removeVictor(scene)
        await service.settle()
      }
    },
  )

  rule(
    'INV-19',
    {
      tried:
        'an expired or withdrawn invitation, or one whose inviter was disabled, of an address without an account: its link, a login code, a reset and a verification email requested then',
      expected: 'no email, and nobody gets in until they are invited again',
    },
    async (scene) => {
      for (const how of ['expired', 'withdrawn', 'disabled'] as const) {
        const service = await startOn(scene, {
          login: { emailCode: true },
          features: [invitations({ lifetime: hour })],
        })
        const host = await userWith(service, `hanna-${how}`, ['inviter'])
        await scene.wait(0)
        const link = await invited(service, host, gift)
        if (how === 'expired') await scene.wait(2 * hour)
        if (how === 'withdrawn') await withdraw(service, host, (await rowAt(scene)).id)
        if (how === 'disabled') await service.app.accounts.updateUser(host.id, { isActive: false })
        service.mails.splice(0)
        for (const url of ['/login/code/', '/forgot/', '/user/v/'])
          expect((await service.send('POST', url, { email })).statusCode).toBe(202)
        await service.settle()
        expect([how, service.mails]).toEqual([how, []])
        for (const method of ['GET', 'POST'] as const) {
          const response = await (method === 'GET' ? service.send('GET', link) : accept(service, link))
          expect([how, ...refusalOf(response)]).toEqual([how, ...dead])
        }
        expect(await scene.users.findByEmail(email)).toBeNull()
        await service.app.accounts.invite({ email })
        expect((await accept(service, await linkOf(service))).statusCode).toBe(200)
        expect(await victorOf(scene)).toMatchObject({ roles: [] })
        await removeVictor(scene)
        await service.settle()
      }
    },
  )

  rule(
    'INV-20',
    {
      tried:
        'an invitation without fields, where the schema has defaults, also for fields that only your code may set, and one with fields, to an account that has others and to none',
      expected:
        'of an account only what is missing is filled; defaults are those of a new account, and what was given comes first',
    },
    async (scene) => {
      const plan = { enum: ['free', 'suspended'], readOnly: true, default: 'free' }
      const [city, team] = [{ type: 'string', default: 'none' }, { type: 'string' }]
      const service = await startOn(scene, {
        users: { variant: 'both', fields: { type: 'object', properties: { plan, city, team } } },
      })
      const host = await userWith(service, 'hanna', ['inviter'])
      const there = { plan: 'suspended', city: 'Bonn' }
      const input = { username: 'known', email, password: goodPassword }
      const { id } = await service.app.accounts.createUser({ ...input, fields: there })
      await invited(service, host)
      const given = { city: 'Ulm', team: 'blue' }
      const link = await invited(service, host, { fields: given })
      expect((await accept(service, link)).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject({ id, fields: { ...there, team: 'blue' } })

      for (const [username, own] of [
        ['plain', {}],
        ['given', given],
      ] as const) {
        const address = `${username}@example.org`
        await post(service, host, { email: address, fields: own })
        const fresh = await linkOf(service, address)
        expect((await accept(service, fresh, { username })).statusCode).toBe(200)
        const stored = { plan: 'free', city: 'none', ...own }
        expect((await scene.users.findByEmail(address))?.fields).toEqual(stored)
      }
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
      await scene.wait(0)
      await invited(service, host, { roles: ['editor'] })
      const end = async () => {
        const { results } = (await service.send('GET', '/invitations/', undefined, host)).json()
        return results[0].expires_at
      }
      const before = await end()
      await scene.wait(hour)
      const link = await invited(service, as(await logIn(service, 'greta')))
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
      expect((await withdraw(service, host, (await rowAt(scene)).id)).statusCode).toBe(204)
      expect(await tryToLogIn()).toEqual(before)
    },
  )

  rule(
    'INV-23',
    {
      tried:
        'accepting where the address has a proven account: logged in to none, to another one, to the one of the address that has been disabled or whose session has ended, and with a new password in place of a login',
      expected:
        '401 or 403 as anybody gets who has the link, and the account and its password stay as they were; its owner gets it once, with no other password',
    },
    async (scene) => {
      const service = await startOn(scene)
      const host = await userWith(service, 'hanna', ['inviter'])
      const eve = await userWith(service, 'eve')
      const victor = await userWith(service, 'victor', [], { fields: { team: 'red', city: 'Bonn' } })
      const link = await invited(service, host, { roles: ['editor'], fields: { city: 'Ulm' } })
      const ended = as(await logIn(service, 'victor'))
      await service.send('POST', '/logout/', undefined, ended)
      await service.settle()
      const before = await victorOf(scene)
      for (const [who, refusal] of [
        [{ headers: {} as { cookie: string } }, [401, 'ACCOUNTS_LOGIN_REQUIRED']],
        [ended, [401, 'ACCOUNTS_LOGIN_REQUIRED']],
        [eve, [403, 'ACCOUNTS_FORBIDDEN']],
      ] as const) {
        expect(refusalOf(await acceptAs(service, link, who))).toEqual(refusal)
        expect(refusalOf(await accept(service, link, {}, { headers: who.headers }))).toEqual(refusal)
        const shown = (await service.send('GET', link, undefined, { headers: who.headers })).json()
        expect(shown).toMatchObject({ valid: true, login_required: true, invited_by: 'hanna' })
      }
      expect((await acceptAs(service, link, eve)).json().reason).toBe('other_account')
      await service.app.accounts.updateUser(victor.id, { isActive: false })
      expect((await acceptAs(service, link, victor)).statusCode).toBe(400)
      await service.app.accounts.updateUser(victor.id, { isActive: true })
      const { version: _, sessionEpoch: __, resetEpoch: ___, ...kept } = before
      expect(await victorOf(scene)).toMatchObject(kept)
      expect(await scene.users.findByUsername('eve')).toMatchObject({ roles: [], fields: {} })

      const again = as(await logIn(service, 'victor'))
      const responses = await Promise.all(Array.from({ length: 5 }, () => acceptAs(service, link, again)))
      for (const { statusCode } of responses) expect([200, 400, 409]).toContain(statusCode)
      expect(responses.some(({ statusCode }) => statusCode === 200)).toBe(true)
      expect(await victorOf(scene)).toMatchObject({
        ...{ roles: ['editor'], fields: { team: 'red', city: 'Bonn' }, passwordHash: before.passwordHash },
      })
      expect(await rowsAt(scene)).toEqual([])
      await service.app.accounts.updateUser(victor.id, { roles: [] })
      expect(refusalOf(await acceptAs(service, link, again))).toEqual(dead)
      expect(await victorOf(scene)).toMatchObject({ roles: [] })
    },
  )

  rule(
    'INV-24',
    {
      tried:
        'an inviter who loses the right to invite or to give a role, or is disabled, deleted or secured: before the link is opened, between page and button, and while the app’s rule is asked about who accepts; and before the address of a stranger’s account is proven in another way',
      expected:
        '400, or the proof without the invitation: it gives nothing and makes no account; what the app’s own code gave stays good',
    },
    async (scene) => {
      const losses = {
        right: (service: Service, id: string) => service.app.accounts.updateUser(id, { roles: ['editor'] }),
        role: (service: Service, id: string) => service.app.accounts.updateUser(id, { roles: ['greeter'] }),
        disabled: (service: Service, id: string) => service.app.accounts.updateUser(id, { isActive: false }),
        deleted: (service: Service, id: string) => service.app.accounts.deleteUser(id),
        secured: (service: Service, id: string) => service.app.accounts.secureUser(id),
      }
      let whileAsked: (() => Promise<unknown>) | undefined
      const signUp = async () => {
        await whileAsked?.()
        return {}
      }
      const service = await startOn(scene, { before: { signUp } })
      const moments = ['before', 'between', 'asked', 'other proof'] as const
      for (const [how, lose] of Object.entries(losses)) {
        for (const moment of moments) {
          const at = [how, moment]
          const host = await userWith(service, `hanna-${how}-${moments.indexOf(moment)}`, ['inviter'])
          if (moment === 'other proof') await stranger(service)
          const link = await invited(service, host, gift)
          const end = () => lose(service, host.id)
          if (moment === 'between') expect((await service.send('GET', link)).statusCode).toBe(200)
          if (moment === 'asked') whileAsked = end
          else await end()
          if (moment === 'before') expect(refusalOf(await service.send('GET', link))).toEqual(dead)
          if (moment === 'other proof') {
            const reset = await resetLink(service, email)
            expect((await service.send('POST', reset, choice(otherPassword))).statusCode).toBe(204)
            expect([at, await victorOf(scene)]).toMatchObject([
              at,
              { isVerified: true, roles: [], fields: {} },
            ])
            await removeVictor(scene)
          } else {
            expect([at, refusalOf(await accept(service, link))]).toEqual([at, dead])
            expect([at, await scene.users.findByEmail(email)]).toEqual([at, null])
          }
          whileAsked = undefined
          for (const { id } of await rowsAt(scene)) await scene.invitations.delete(id)
          await service.settle()
        }
      }
      service.mails.splice(0)
      await service.app.accounts.invite({ email, ...gift })
      expect((await accept(service, await linkOf(service))).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject(gift)
    },
  )

  rule(
    'INV-25',
    {
      tried:
        'several invitations at the first proof of an address, of which the app’s rule refuses one; the same with the link of another and with the link of the refused one',
      expected:
        'it is asked about each apart, with what that one gives; the others apply, the refused one stays open, and the proof goes on; its own link is refused, and makes no account',
    },
    async (scene) => {
      const asked: SignUpAttempt[] = []
      const signUp = async (attempt: SignUpAttempt) => {
        asked.push(attempt)
        if (attempt.method === 'invitation' && attempt.roles.includes('editor'))
          throw new RuleError('NO_EDITORS', { message: 'We have enough editors.' })
        return {}
      }
      for (const how of ['reset', 'link', 'refused link'] as const) {
        const service = await startOn(scene, { before: { signUp } })
        const host = await userWith(service, `hanna-${how.length}`, ['inviter'])
        const greeter = await userWith(service, `greta-${how.length}`, ['greeter'])
        if (how === 'reset') await stranger(service)
        const refused = await invited(service, host, { roles: ['editor'], fields: { city: 'Ulm' } })
        const link = await invited(service, greeter, { fields: { team: 'blue' } })
        const reset = how === 'reset' ? await resetLink(service, email) : ''
        asked.splice(0)
        if (how === 'refused link') {
          const response = await accept(service, refused)
          expect([response.statusCode, response.json().code]).toEqual([403, 'NO_EDITORS'])
          expect(await scene.users.findByEmail(email)).toBeNull()
          expect(await rowsAt(scene)).toHaveLength(2)
        } else {
          const done = await (how === 'reset'
            ? service.send('POST', reset, choice(otherPassword))
            : accept(service, link))
          expect([how, done.statusCode]).toEqual([how, how === 'reset' ? 204 : 200])
          const about = asked.filter(({ method }) => method === 'invitation')
          expect(about.map(({ roles, fields }) => ({ roles: [...roles], fields }))).toEqual(
            expect.arrayContaining([
              { roles: ['editor'], fields: { city: 'Ulm' } },
              { roles: [], fields: { team: 'blue' } },
            ]),
          )
          expect(await victorOf(scene)).toMatchObject({
            isVerified: true,
            roles: [],
            fields: { team: 'blue' },
          })
          expect(await rowAt(scene)).toMatchObject({ inviterId: host.id, acceptingUntil: null })
          expect(refusalOf(await accept(service, link))).toEqual(dead)
          await removeVictor(scene)
        }
        for (const { id } of await rowsAt(scene)) await scene.invitations.delete(id)
        await service.settle()
      }
    },
  )

  rule(
    'INV-26',
    {
      tried:
        '“forgot” and login codes by strangers for an invited address without an account, with the cookies that they get and with codes',
      expected:
        'the newest invitation is sent once more, with the same end, a link of it that leaves the earlier one valid, and no code; nobody gets in, no row and no account is written, and the inviter’s budget is as it was',
    },
    async (scene) => {
      const service = await startOn(scene, { login: { emailCode: true }, throttle: {} })
      const host = await userWith(service, 'hanna', ['inviter'])
      const greeter = await userWith(service, 'greta', ['greeter'])
      await scene.wait(0)
      const older = await invited(service, greeter)
      await scene.wait(1000)
      const link = await invited(service, host, gift)
      expect(older).not.toBe(link)
      const before = await rowsAt(scene)
      const accounts = await scene.users.list({ limit: 50 })
      const calls = callsOf(scene.invitations)
      for (const url of ['/forgot/', '/login/code/', '/forgot/', '/login/code/']) {
        await scene.wait(hour / 4)
        service.mails.splice(0)
        const asked = await service.send('POST', url, { email })
        const nobodys = await service.send('POST', url, { email: 'nobody@example.org' })
        expectAlike(asked, nobodys)
        const mail = await service.mail('invitation', email)
        expect(partsOf(linkPath(mail)).uid64).toBe(partsOf(link).uid64)
        for (const each of [link, linkPath(mail)])
          expect((await service.send('GET', each)).statusCode).toBe(200)
        expect(mail.text).not.toMatch(/\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/)
        await service.settle()
        expect(service.mails).toHaveLength(1)
        const cookie = asked.cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
        const code = { cookie, code: 'AAAA-AAAA' }
        expect((await giveCode(service, code)).statusCode).toBe(401)
        expect((await resetByCode(service, code)).statusCode).toBe(401)
      }
      expect(calls.filter((name) => /^(create|update|delete)$/.test(name))).toEqual([])
      expect(await rowsAt(scene)).toEqual(before)
      expect(await scene.users.list({ limit: 50 })).toEqual(accounts)
      const { id } = before.find(({ inviterId }) => inviterId === host.id) as Invitation
      const statuses = []
      const recently = { id: host.id, ...as(await logIn(service, 'hanna')) }
      for (let n = 0; n < 5; n += 1) statuses.push((await sendAgain(service, recently, id)).statusCode)
      expect(statuses).toEqual([204, 204, 204, 204, 429])
      // What staff send again is at their own cost.
      const chief = await userWith(service, 'chief', [], { isStaff: true })
      expect((await sendAgain(service, chief, id)).statusCode).toBe(204)
    },
  )

  storage(
    'INV-27',
    {
      tried:
        'an acceptance whose write is slow, during which somebody else with the link is refused, and the invitation is withdrawn, also by somebody who saw it open; and one that is so late that the response was 503, and the invitation is withdrawn after that',
      expected:
        'while it may take effect, withdrawing is refused, whatever becomes of other attempts; once it was withdrawn, it takes no effect',
    },
    async (scene) => {
      const service = await startOn(scene, { adapterTimeout: 2000 })
      const host = await userWith(service, 'hanna', ['inviter'])
      const link = await invited(service, host, gift)
      const { id } = await rowAt(scene)
      const withdrawal = holdNext(scene.invitations, 'delete')
      const earlier = withdraw(service, host, id)
      await withdrawal.reached
      const slow = holdNext(scene.users, 'create')
      const first = accept(service, link)
      await slow.reached
      withdrawal.release()
      expect(refusalOf(await earlier)).toEqual([409, 'ACCOUNTS_CONFLICT'])
      expect((await accept(service, link, { username: 'hanna' })).statusCode).toBeGreaterThanOrEqual(400)
      expect(refusalOf(await withdraw(service, host, id))).toEqual([409, 'ACCOUNTS_CONFLICT'])
      slow.release()
      expect((await first).statusCode).toBe(200)
      expect(await victorOf(scene)).toMatchObject(gift)
      expect(await rowsAt(scene)).toEqual([])
      await removeVictor(scene)

      const again = await invited(service, host, gift)
      const { id: other } = await rowAt(scene)
      const late = holdNext(scene.users, 'create')
      expect(refusalOf(await accept(service, again))).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
      expect((await withdraw(service, host, other)).statusCode).toBe(409)
      await scene.wait(10_000)
      expect((await withdraw(service, host, other)).statusCode).toBe(204)
      late.release()
      await service.settle()
      expect(await scene.users.findByEmail(email)).toBeNull()
      expect(await rowsAt(scene)).toEqual([])
    },
  )

  storage(
    'INV-28',
    {
      tried:
        'an acceptance after which the invitation can’t be deleted; what it gave is then taken away, and the link used again, also in other processes and once its time is over',
      expected: 'it gives once: never again',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const [service] = services
      const host = await userWith(service, 'hanna', ['inviter'])
      const victor = await userWith(service, 'victor')
      await post(service, host, { email: 'other@example.org' })
      const other = await rowAt(scene, 'other@example.org')
      const link = await invited(service, host, gift)
      const kept = scene.invitations.delete
      scene.invitations.delete = () => Promise.reject(new Error('away'))
      expect((await acceptAs(service, link, victor)).statusCode).toBe(200)
      expect((await withdraw(service, host, other.id)).statusCode).toBe(503)
      scene.invitations.delete = kept
      expect(await victorOf(scene)).toMatchObject(gift)
      await service.app.accounts.updateUser(victor.id, { roles: [] })
      for (const each of services) await acceptAs(each, link, victor)
      expect(await victorOf(scene)).toMatchObject({ roles: [] })
      await scene.wait(hour)
      const again = as(await logIn(service, 'victor'))
      for (const each of services) expect(refusalOf(await acceptAs(each, link, again))).toEqual(dead)
      expect(await victorOf(scene)).toMatchObject({ roles: [] })
    },
  )

  rule(
    'INV-29',
    {
      tried:
        'an account that a stranger moved to somebody’s address, whose owner opened the link and then accepted an invitation with it; the stranger undoes the change with the link to the old address',
      expected: 'what the invitation gave goes with the address, and stays noted as accepted',
    },
    async (scene) => {
      for (const isPlain of [true, false]) {
        const service = await startOn(scene, { requireEmailConfirmation: false })
        const old = `mallory-${isPlain}@example.org`
        await signUp(service, `mallory-${isPlain}`, { email: old })
        const cookie = await logIn(service, `mallory-${isPlain}`)
        const proof = await verifyLink(service, old)
        if (isPlain) expect((await service.send('POST', proof)).statusCode).toBe(200)
        else
          expect(
            (await service.send('POST', `${proof}password/`, { password: goodPassword })).statusCode,
          ).toBe(200)
        expect((await service.send('POST', '/change-email/', { email }, as(cookie))).statusCode).toBe(202)
        const moved = linkTarget(await service.mail('change-email', email))
        expect((await service.send('POST', moved, {})).statusCode).toBe(200)
        const undo = linkTarget(await service.mail('email-changed', old))
        service.mails.splice(0)
        const { id } = await service.app.accounts.invite({ email, ...gift })
        const link = await linkOf(service)
        if (isPlain) expect((await accept(service, link)).statusCode).toBe(200)
        else {
          const reset = await resetLink(service, email)
          expect((await service.send('POST', reset, choice(otherPassword))).statusCode).toBe(204)
          const victor = as(await logIn(service, `mallory-${isPlain}`, otherPassword))
          expect((await acceptAs(service, link, victor)).statusCode).toBe(200)
        }
        expect(await victorOf(scene)).toMatchObject(gift)
        expect((await service.send('POST', undo, {})).statusCode).toBe(200)
        const mallory = await scene.users.findByEmail(old)
        expect(mallory).toMatchObject({
          roles: [],
          fields: {},
          notes: { accepted: { [id]: { roles: gift.roles } } },
        })
        await service.settle()
      }
    },
  )

  rule(
    'INV-30',
    {
      tried:
        'invitations by an inviter about whom `authorize.invite` throws, and with a gift about which `before.signUp` throws, before somebody resets',
      expected: 'the proof goes on, and they stay open; their own links are 503',
    },
    async (scene) => {
      let isBroken = false
      const waits = async (): Promise<void> => {
        if (isBroken) throw new TypeError('broken')
      }
      const rules = {
        authorize: {
          authorize: {
            invite: async ({ username }: { username: string | null }) => {
              if (username?.startsWith('broken')) await waits()
              return true
            },
          },
        },
        signUp: {
          before: {
            signUp: async ({ fields }: SignUpAttempt) => {
              if (fields.city === 'broken') await waits()
              return {}
            },
          },
        },
      }
      for (const [name, rule] of Object.entries(rules)) {
        const service = await startOn(scene, rule)
        const broken = await userWith(service, `broken-${name}`, ['greeter'])
        const link = await invited(service, broken, { fields: { city: 'broken' } })
        isBroken = true
        expect(refusalOf(await accept(service, link))).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
        await stranger(service)
        const reset = await resetLink(service, email)
        expect((await service.send('POST', reset, choice(otherPassword))).statusCode).toBe(204)
        expect(await victorOf(scene)).toMatchObject({ isVerified: true, fields: {} })
        expect(await rowAt(scene)).toMatchObject({ acceptingUntil: null })
        isBroken = false
        await removeVictor(scene)
        await service.settle()
      }
    },
  )

  storage(
    'INV-31',
    {
      tried: 'inviting, and sending again, with a stolen session while its account is secured',
      expected: 'refused, and no invitation is left',
    },
    async (scene) => {
      const service = await startOn(scene)
      for (const method of ['create', 'update'] as const) {
        const host = await userWith(service, `hanna-${method}`, ['inviter'])
        if (method === 'update') await invited(service, host, gift)
        const held = holdNext(scene.invitations, method)
        const inviting = post(service, host, gift)
        await held.reached
        await service.app.accounts.secureUser(host.id)
        held.release()
        expect((await inviting).statusCode).toBeGreaterThanOrEqual(400)
        expect(await rowsAt(scene)).toEqual([])
      }
    },
  )
})
