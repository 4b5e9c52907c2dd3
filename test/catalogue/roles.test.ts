import { isDeepStrictEqual } from 'node:util'
import { passkeys } from '@fastify-accounts/passkeys'
import { createKey, withKey } from '@fastify-accounts/test-support/api-keys'
import { as, goodPassword, logIn, signUp } from '@fastify-accounts/test-support/app'
import { times } from '@fastify-accounts/test-support/depth'
import { create } from '@fastify-accounts/test-support/passkeys/authenticator'
import { origin } from '@fastify-accounts/test-support/passkeys/service'
import type { FastifyInstance } from 'fastify'
import {
  type AccountsHook,
  type AccountsOptions,
  type Authorize,
  apiKeys,
  defaultAuthorize,
  invitations,
  secondFactor,
  userPermissions,
} from 'fastify-accounts'
import { expect } from 'vitest'
import { cases } from './catalogue.js'
import type { Scene, Service } from './service.js'
import { callsOf } from './store-calls.js'
import { appAt, appOf, withTokens } from './token-clients.js'

const roles = {
  support: ['users:read', 'users:edit', 'users:disable', 'users:delete'],
  granter: ['users:read', 'users:disable', 'users:delete', 'users:grant', 'posts:write'],
  editor: ['posts:write'],
  auditor: ['audit:read'],
  owner: [...userPermissions, 'posts:write', 'audit:read'],
} as const
type Role = keyof typeof roles

/** A service with these roles, and a route of the app that takes `posts:write`. */
const startOn = ({ start }: Pick<Scene, 'start'>, options: Partial<AccountsOptions> = {}): Promise<Service> =>
  start({ roles, ...options }, { before: postsOf })

function postsOf(app: FastifyInstance): void {
  // The decorator comes later.
  const mayWrite: AccountsHook = (request, reply) =>
    app.accounts.requirePermission('posts:write')(request, reply)
  app.get('/posts', { onRequest: mayWrite }, async () => 'all')
}

async function userWith(service: Service, username: string, given: Role[], more: object = {}) {
  const input = { username, password: goodPassword, email: `${username}@example.org`, ...more }
  const { id } = await service.app.accounts.createUser({ ...input, roles: given })
  return { id, cookie: await logIn(service, username) }
}

const patch = ({ send }: Service, id: string, body: object, cookie: string) =>
  send('PATCH', `/user/${id}`, body, as(cookie))

cases('Roles', ({ rule, storage }) => {
  rule(
    'ROL-01',
    {
      tried:
        'giving oneself roles: at PATCH /me/, at one’s own id, by extra fields, as a holder of each role and as staff',
      expected:
        '400 or 403, or 200 for what is so already; the roles stay, and nobody takes their own right to grant',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { users } = scene
      for (const [username, given, more] of [
        ['plain', [], {}],
        ['sue', ['support'], {}],
        ['gus', ['granter'], {}],
        ['olga', ['owner'], {}],
        ['chief', [], { isStaff: true }],
      ] as const) {
        const { id, cookie } = await userWith(service, username, [...given], more)
        const before = await users.findById(id)
        const shown = (await service.send('GET', '/me/', undefined, as(cookie))).json()
        for (const body of [{ roles: ['owner'] }, { roles: [] }, { is_staff: true }, { isStaff: true }]) {
          const me = await service.send('PATCH', '/me/', body, as(cookie))
          const code = 'isStaff' in body ? 'unknown' : 'read_only'
          const isSo = isDeepStrictEqual({ ...shown, ...body }, shown)
          expect(me.json()).toMatchObject(isSo ? shown : { statusCode: 400, fields: [{ code }] })
          const own = await patch(service, id, body, cookie)
          expect([400, 403]).toContain(own.statusCode)
        }
        expect(await users.findById(id)).toEqual(before)
      }
    },
  )

  rule(
    'ROL-02',
    {
      tried: 'signing up with roles, in both variants, as JSON and as a form, with and without confirmation',
      expected: 'rejected, and nobody is created; no field of another name reaches them',
    },
    async (scene) => {
      for (const requireEmailConfirmation of [false, true]) {
        const service = await startOn(scene, { requireEmailConfirmation })
        const account = { username: 'eve', password: goodPassword, confirm_password: goodPassword }
        const body = { ...account, email: 'eve@example.org' }
        for (const extra of [
          { roles: ['owner'] },
          { roles: [] },
          { role: 'owner' },
          { 'roles[]': 'owner' },
        ]) {
          for (const url of ['/signup/', '/user/'])
            expect([400, 403]).toContain((await service.send('POST', url, { ...body, ...extra })).statusCode)
        }
        for (const url of ['/signup/', '/user/']) {
          const payload = String(new URLSearchParams({ ...body, roles: 'owner' }))
          const headers = { 'content-type': 'application/x-www-form-urlencoded' }
          const response = await service.app.inject({ method: 'POST', url, payload, headers })
          expect([400, 403]).toContain(response.statusCode)
        }
        expect(await scene.users.findByUsername('eve')).toBeNull()
      }
    },
  )

  rule(
    'ROL-03',
    {
      tried:
        'granting, to an accomplice and to a new user, roles and staff rights that the granter lacks, alone and among others',
      expected: '403 as a whole, and the accomplice stays as they were',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { cookie } = await userWith(service, 'gus', ['granter'])
      const bob = await userWith(service, 'bob', ['editor'])
      const before = await scene.users.findById(bob.id)
      for (const body of [
        { roles: ['owner'] },
        { roles: ['editor', 'auditor'] },
        { roles: ['support'] },
        { is_staff: true },
        { roles: ['editor'], is_staff: true },
        { roles: ['auditor'], is_active: true },
      ])
        expect((await patch(service, bob.id, body, cookie)).json().code).toBe('ACCOUNTS_FORBIDDEN')
      expect(await scene.users.findById(bob.id)).toEqual(before)
      const made = {
        username: 'eve',
        password: goodPassword,
        confirm_password: goodPassword,
        roles: ['auditor'],
      }
      expect((await service.send('POST', '/user/', made, as(cookie))).statusCode).toBe(403)
      expect(await scene.users.findByUsername('eve')).toBeNull()
    },
  )

  rule(
    'ROL-04',
    {
      tried:
        'editing, disabling, logging out, resetting, demoting and deleting someone with more rights, or privileged, as a holder of those permissions',
      expected: '403, without a write',
    },
    async (scene) => {
      const service = await startOn(scene, { features: [secondFactor()] })
      const sue = await userWith(service, 'sue', ['support'])
      const gus = await userWith(service, 'gus', ['granter'])
      const chief = await userWith(service, 'chief', [], { isStaff: true })
      const audrey = await userWith(service, 'audrey', ['auditor'])
      const olga = await userWith(service, 'olga', ['owner'])
      const twin = await userWith(service, 'twin', ['support'])
      const writes = callsOf(scene.users)
      for (const { id } of [chief, audrey, olga, gus]) {
        for (const body of [{ email: 'eve@example.org' }, { username: 'eve' }, { is_active: false }, {}])
          expect((await patch(service, id, body, sue.cookie)).statusCode).toBe(403)
        for (const url of [`/user/${id}/end-sessions/`, `/user/${id}/second-factor/reset/`])
          expect((await service.send('POST', url, undefined, as(sue.cookie))).statusCode).toBe(403)
        expect((await service.send('DELETE', `/user/${id}`, undefined, as(sue.cookie))).statusCode).toBe(403)
      }
      // An address is worth an account: not even someone with the same rights gets it.
      expect((await patch(service, twin.id, { email: 'eve@example.org' }, sue.cookie)).statusCode).toBe(403)
      for (const { id } of [chief, olga, audrey])
        expect((await patch(service, id, { roles: [] }, gus.cookie)).statusCode).toBe(403)
      expect(writes.filter((name) => /^(create|update|delete)/.test(name))).toEqual([])
    },
  )

  storage(
    'ROL-05',
    {
      tried:
        'two who may grant and take each other’s roles, disable or delete each other at the same moment; and the only one deleting their account',
      expected: 'at least one who may grant remains',
    },
    async (scene) => {
      const service = await startOn(scene)
      const only = await userWith(service, 'only', ['granter'])
      for (const url of ['/me/', `/user/${only.id}`]) {
        const refused = await service.send('DELETE', url, undefined, as(only.cookie))
        expect(refused.json().code).toBe('ACCOUNTS_CONFLICT')
      }
      await service.app.accounts.deleteUser(only.id)
      const acts: ((id: string, cookie: string) => Promise<{ statusCode: number }>)[] = [
        (id, cookie) => patch(service, id, { roles: ['editor'] }, cookie),
        (id, cookie) => patch(service, id, { is_active: false }, cookie),
        (id, cookie) => service.send('DELETE', `/user/${id}`, undefined, as(cookie)),
      ]
      for (const act of acts) {
        for (let round = 0; round < times({ quick: 3, full: 10 }); round += 1) {
          const one = await userWith(service, 'one', ['granter'])
          const other = await userWith(service, 'other', ['granter'])
          const responses = await Promise.all([act(other.id, one.cookie), act(one.id, other.cookie)])
          for (const { statusCode } of responses) expect([200, 204, 401, 403, 404, 409]).toContain(statusCode)
          const rows = await Promise.all([one, other].map(({ id }) => scene.users.findById(id)))
          const left = rows.filter((user) => user?.isActive && user.roles.includes('granter'))
          expect(left.length).toBeGreaterThan(0)
          for (const { id } of [one, other]) await service.app.accounts.deleteUser(id)
        }
      }
    },
  )

  storage(
    'ROL-06',
    {
      tried:
        'a role that was taken away, with a cookie and a token, at two servers, at the app’s and our routes',
      expected: 'gone with the next request at both; given again, it is back',
    },
    async (scene) => {
      const one = await startOn(scene, withTokens)
      const two = await startOn(scene, withTokens)
      const olga = await userWith(one, 'olga', ['owner'])
      const app = await appOf(one, 'olga')
      const bob = await signUp(one, 'bob')
      const chief = await userWith(one, 'chief', [], { isStaff: true })
      const statuses = async () => {
        const at = [one, two]
        const clients = at.map((service) => appAt(service, app))
        const all = [
          ...at.map((service) => service.send('GET', '/posts', undefined, as(olga.cookie))),
          ...at.map((service) =>
            service.send('POST', `/user/${bob.id}/end-sessions/`, undefined, as(olga.cookie)),
          ),
          ...clients.map((client) => client.send('GET', '/posts')),
          ...clients.map((client) => client.send('GET', '/user/?view=own')),
        ]
        return (await Promise.all(all)).map(({ statusCode }) => statusCode)
      }
      const allowed = [200, 200, 204, 204, 200, 200, 200, 200]
      expect(await statuses()).toEqual(allowed)
      expect((await patch(two, olga.id, { roles: [] }, chief.cookie)).statusCode).toBe(200)
      expect(await statuses()).toEqual(Array.from({ length: 8 }, () => 403))
      expect((await patch(one, olga.id, { roles: ['owner'] }, chief.cookie)).statusCode).toBe(200)
      expect(await statuses()).toEqual(allowed)
    },
  )

  rule(
    'ROL-07',
    {
      tried: 'an API key of someone with every permission, at routes that take one and at ours',
      expected: '401: what takes a permission takes no key',
    },
    async (scene) => {
      const service = await startOn(scene, { features: [apiKeys({ scopes: ['posts:write'] })] })
      const { cookie } = await userWith(service, 'olga', ['owner'])
      const bob = await signUp(service, 'bob')
      const { key } = await createKey({ ...service, cookie }, { scopes: ['posts:write'] })
      scene.log.secrets.add('token', key)
      for (const [method, path, body] of [
        ['GET', '/posts'],
        ['GET', '/user/?view=own'],
        ['PATCH', `/user/${bob.id}`, { roles: ['owner'] }],
        ['POST', `/user/${bob.id}/end-sessions/`],
      ] as const)
        expect((await service.send(method, path, body, withKey(key))).statusCode).toBe(401)
      expect(await scene.users.findById(bob.id)).toMatchObject({ roles: [] })
    },
  )

  rule(
    'ROL-08',
    {
      tried:
        'roles that the app no longer has, and names of objects’ properties as roles, in records and in requests',
      expected:
        'they permit nothing, protect nobody and survive other changes; in requests 400, unless the user has them already, who keeps them',
    },
    async (scene) => {
      const service = await startOn(scene)
      const chief = await userWith(service, 'chief', [], { isStaff: true })
      const { id, cookie } = await userWith(service, 'eve', [])
      const odd = ['constructor', '__proto__', 'toString', 'root', 'users:grant', 'posts:write', '']
      const found = await scene.users.findById(id)
      await scene.users.update(id, { roles: odd }, found?.version ?? 0)
      expect((await service.send('GET', '/posts', undefined, as(cookie))).statusCode).toBe(403)
      expect((await patch(service, chief.id, { roles: [] }, cookie)).statusCode).toBe(403)
      expect((await service.send('GET', '/user/?view=own', undefined, as(cookie))).statusCode).toBe(403)
      const other = await userWith(service, 'ann', [])
      for (const role of odd) {
        expect((await patch(service, other.id, { roles: [role] }, chief.cookie)).statusCode).toBe(400)
        expect((await patch(service, id, { roles: [role] }, chief.cookie)).statusCode).toBe(200)
        expect(await scene.users.findById(id)).toMatchObject({ roles: odd })
      }
      expect((await patch(service, id, { roles: ['editor'] }, chief.cookie)).statusCode).toBe(200)
      expect(await scene.users.findById(id)).toMatchObject({ roles: [...odd, 'editor'] })
      expect((await patch(service, id, { username: 'eva' }, chief.cookie)).statusCode).toBe(200)
      expect(await scene.users.findById(id)).toMatchObject({ roles: [...odd, 'editor'] })
    },
  )

  rule(
    'ROL-09',
    {
      tried:
        'everything that someone may do to others, held up by a rule of the app while they lose their roles, are disabled, secured or renamed',
      expected: '403 or 409, and nothing is changed, created or deleted',
    },
    async (scene) => {
      let isHeld = false
      let waiting = 0
      let open = (): void => {}
      let opened: Promise<void> = Promise.resolve()
      /** The default rules, which decide first and then keep a request of somebody called fred waiting. */
      const authorize = new Proxy<Authorize>(defaultAuthorize(roles), {
        get(rules, name: keyof Authorize) {
          const rule = rules[name] as (...given: unknown[]) => unknown
          return async (...given: unknown[]) => {
            const may = await rule(...given)
            const [actor] = given as [{ username?: string } | null]
            if (!isHeld || !actor?.username?.startsWith('fred')) return may
            waiting += 1
            await opened
            return may
          }
        },
      })
      const service = await startOn(scene, {
        authorize,
        users: { variant: 'both' },
        features: [secondFactor(), invitations(), apiKeys({ scopes: ['posts:write'] }), passkeys()],
      })
      const { accounts } = service.app
      const { users, invitations: rows } = scene
      const ends: Record<string, [status: number, end: (id: string) => Promise<unknown>]> = {
        stripped: [403, (id) => accounts.updateUser(id, { roles: [] })],
        disabled: [403, (id) => accounts.updateUser(id, { isActive: false })],
        secured: [403, (id) => accounts.secureUser(id)],
        renamed: [409, (id) => accounts.updateUser(id, { username: `fred-of-${id.slice(-8)}` })],
      }
      for (const [how, [status, end]] of Object.entries(ends)) {
        const fred = await userWith(service, `fred-${how}`, ['owner'])
        const { id } = await accounts.createUser({ username: `bob-${how}`, password: goodPassword })
        // Something to remove.
        const factor = { factors: ['totp'], credentials: [{ kind: 'totp' }] }
        await users.update(id, factor, (await users.findById(id))?.version ?? 0)
        const { id: robot } = await accounts.createService({ username: `robot-${how}` })
        const { id: key } = await accounts.createApiKey(robot, { name: 'CI', scopes: ['posts:write'] })
        const guest = `invited-${how}@example.org`
        await service.send('POST', '/invitations/', { email: guest }, as(fred.cookie))
        const [invited] = await rows.listByEmail(guest)
        const before = await Promise.all([id, robot].map(users.findById))
        const name = `new-${how}`
        const options = await service.send(
          'POST',
          '/signup/passkey/options/',
          { username: name },
          as(fred.cookie),
        )
        const [browser] = options.cookies
        const { response } = create(options.json(), origin)
        const attempts = [
          ['PATCH', `/user/${id}`, { roles: ['editor'] }],
          ['PATCH', `/user/${id}`, { is_active: false }],
          ['PATCH', `/user/${id}`, { username: name }],
          ['PATCH', `/user/${id}`, { email: `${name}@example.org`, is_verified: true }],
          ['DELETE', `/user/${id}`],
          ['POST', `/user/${id}/end-sessions/`],
          ['POST', `/user/${id}/second-factor/reset/`],
          [
            'POST',
            '/user/',
            { username: name, password: goodPassword, confirm_password: goodPassword, roles: ['editor'] },
          ],
          ['POST', '/signup/passkey/', { username: name, response }],
          ['POST', '/invitations/', { email: `${name}@example.org`, roles: ['editor'] }],
          ['POST', `/invitations/${invited?.id}/send/`],
          ['DELETE', `/invitations/${invited?.id}`],
          ['POST', '/service/', { username: name }],
          ['DELETE', `/service/${robot}`],
          ['POST', `/service/${robot}/api-keys/`, { name: 'CI', scopes: ['posts:write'] }],
          ['DELETE', `/service/${robot}/api-keys/${key}`],
        ] as const
        opened = new Promise((resolve) => {
          open = resolve
        })
        // An email of an invitation asks about its inviter.
        await service.settle()
        waiting = 0
        isHeld = true
        const responses = attempts.map(([method, url, body]) =>
          service.send(method, url, body, as(`${fred.cookie}; ${browser?.name}=${browser?.value}`)),
        )
        await expect.poll(() => waiting).toBe(attempts.length)
        isHeld = false
        await end(fred.id)
        open()
        const statuses = (await Promise.all(responses)).map(({ statusCode }) => statusCode)
        // Securing withdraws what fred invited.
        const isGone = (url: string) =>
          how === 'secured' && url.startsWith('/invitations/') && url.includes(invited?.id ?? '')
        expect([how, statuses]).toEqual([how, attempts.map(([, url]) => (isGone(url) ? 404 : status))])
        expect(await Promise.all([id, robot].map(users.findById))).toEqual(before)
        expect(await rows.listByEmail(guest)).toEqual(how === 'secured' ? [] : [invited])
        expect(await rows.listByEmail(`${name}@example.org`)).toEqual([])
        expect(await users.findByUsername(name)).toBeNull()
        expect(await users.findByEmail(`${name}@example.org`)).toBeNull()
      }
    },
  )

  rule(
    'ROL-10',
    {
      tried:
        'deleting one’s own account, and somebody else’s, while they get the right to grant and take it from the last other who has it, held up by a rule and in races',
      expected: '409, or the other one keeps it: one who may grant is left',
    },
    async (scene) => {
      let waiting = 0
      let open = (): void => {}
      let opened: Promise<void> = Promise.resolve()
      let isHeld = true
      const rules = defaultAuthorize(roles)
      const deleteUser: Authorize['deleteUser'] = async (actor, target) => {
        const may = await rules.deleteUser(actor, target)
        waiting += 1
        if (isHeld) await opened
        return may
      }
      const service = await startOn(scene, { authorize: { deleteUser } })
      const { accounts } = service.app
      const chief = async (name: string) => userWith(service, name, ['granter'])
      let round = 0
      const remaining = async (...ids: string[]) => {
        const left = await Promise.all(ids.map((id) => accounts.findUser({ id })))
        return left.filter((user) => accounts.can(user, 'users:grant')).length
      }
      for (const by of ['themselves', 'another']) {
        round += 1
        const anna = await chief(`anna${round}`)
        const bert = await userWith(service, `bert${round}`, [])
        const sue = await userWith(service, `sue${round}`, ['support'])
        opened = new Promise((resolve) => {
          open = resolve
        })
        waiting = 0
        const from = by === 'themselves' ? bert : sue
        const going = service.send('DELETE', `/user/${bert.id}`, undefined, as(from.cookie))
        await expect.poll(() => waiting).toBe(1)
        expect((await patch(service, bert.id, { roles: ['granter'] }, anna.cookie)).statusCode).toBe(200)
        expect((await patch(service, anna.id, { roles: [] }, bert.cookie)).statusCode).toBe(200)
        open()
        expect([by, (await going).statusCode]).toEqual([by, 409])
        expect(await remaining(anna.id, bert.id)).toBe(1)
      }
      isHeld = false
      for (let race = 0; race < times({ quick: 2, full: 8 }); race += 1) {
        round += 1
        const anna = await chief(`anna${round}`)
        const bert = await userWith(service, `bert${round}`, [])
        const again = await logIn(service, `bert${round}`)
        await Promise.all([
          service.send('DELETE', '/me/', undefined, as(bert.cookie)),
          patch(service, bert.id, { roles: ['granter'] }, anna.cookie).then(() =>
            patch(service, anna.id, { roles: [] }, again),
          ),
        ])
        expect(await remaining(anna.id, bert.id)).toBeGreaterThan(0)
      }
    },
  )
})
