import { type OrganizationsOptions, organizations } from '@fastify-accounts/organizations'
import { providers } from '@fastify-accounts/providers'
import { scopes, withKey } from '@fastify-accounts/test-support/api-keys'
import {
  as,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  secret,
  signUp,
} from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { times } from '@fastify-accounts/test-support/depth'
import { holdBody } from '@fastify-accounts/test-support/held-body'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { visitor } from '@fastify-accounts/test-support/providers/service'
import type { FastifyInstance, LightMyRequestResponse as Response } from 'fastify'
import accounts, {
  type AccountsHook,
  type AccountsOptions,
  apiKeys,
  createMemoryThrottleStore,
  invitations,
  type ThrottleStore,
} from 'fastify-accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { cases } from './catalogue.js'
import { resetLink } from './links.js'
import { choice } from './passwords.js'
import { expectAlike } from './responses.js'
import type { Scene, Service } from './service.js'
import { callsOf, holdNext } from './store-calls.js'

const hour = 3_600_000

const inside = {
  owner: ['org:*'],
  admin: ['org:edit', 'members:invite', 'members:edit', 'projects:read', 'projects:write'],
  inviter: ['members:invite', 'projects:read'],
  member: ['projects:read'],
} as const

const fields = {
  type: 'object',
  properties: {
    plan: { enum: ['free', 'pro'], readOnly: true },
    city: { type: 'string', maxLength: 60 },
  },
} as const

/** Of the mount. */
const roles = {
  support: ['orgs:read'],
  chief: ['orgs:read', 'orgs:manage'],
  deleter: ['users:read', 'users:edit', 'users:disable', 'users:delete'],
}

const notFound = [404, 'ACCOUNTS_NOT_FOUND']
const forbidden = [403, 'ACCOUNTS_FORBIDDEN']

let issuer: TestIssuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

function startOn(
  { start, organizations: store }: Pick<Scene, 'start' | 'organizations'>,
  own: OrganizationsOptions = {},
  { features = [], ...options }: Parameters<Scene['start']>[0] = {},
): Promise<Service> {
  return start(
    {
      ...{ roles, users: { variant: 'both' } },
      features: [invitations(), organizations({ roles: inside, fields, store, ...own }), ...features],
      ...options,
    },
    { before: projectsOf },
  )
}

/** Routes of the app inside organizations. */
function projectsOf(app: FastifyInstance): void {
  const member =
    (permission?: 'projects:read' | 'projects:write'): AccountsHook =>
    (request, reply) =>
      // The decorator comes later.
      app.accounts.organizations.requireMember(permission as never)(request, reply)
  app.get('/o/:organization', { onRequest: member() }, async () => 'all')
  app.get('/o/:organization/projects', { onRequest: member('projects:read') }, async () => 'all')
  app.post('/o/:organization/projects', { onRequest: member('projects:write') }, async () => 'made')
  const scoped: AccountsHook = (request, reply) => app.accounts.requireScope('orders:read')(request, reply)
  app.get('/o/:organization/orders', { onRequest: [scoped, member('projects:read')] }, async () => 'all')
}

interface Person {
  id: string
  username: string
  email: string
  headers: { cookie: string }
}

const emailOf = (username: string): string => `${username}@example.org`

async function person(service: Service, username: string, more: object = {}): Promise<Person> {
  const email = emailOf(username)
  const own = { username, email, password: goodPassword, isVerified: true, ...more }
  const { id } = await service.app.accounts.createUser(own)
  return { id, username, email, ...as(await logIn(service, username)) }
}

const host = ({ app }: Pick<Service, 'app'>) => app.accounts.organizations

/** An organization whose first member owns it. */
async function organization(
  service: Service,
  slug: string,
  owner: Person,
  others: readonly (readonly [Person, ...string[]])[] = [],
): Promise<string> {
  const { id } = await host(service).create({ name: slug.toUpperCase(), slug, ownerId: owner.id })
  for (const [{ id: userId }, ...given] of others) await host(service).addMember(id, userId, given)
  return id
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

const ask = ({ send }: Service, who: Person, method: Method, url: string, body?: object): Promise<Response> =>
  send(method, url, body, { headers: who.headers })

/** What somebody may ask about an organization, by its name; `user` and `invitation` are ids there. */
const requests = ({
  user = 'x',
  invitation = 'x',
  email = 'new@example.org',
} = {}): [Method, string, object?][] => [
  ['GET', ''],
  ['PATCH', '', { name: 'Other' }],
  ['DELETE', ''],
  ['GET', '/members/'],
  ['POST', '/members/', { user_id: user, roles: ['member'] }],
  ['PATCH', `/members/${user}`, { roles: ['member'] }],
  ['DELETE', `/members/${user}`],
  ['POST', '/leave/'],
  ['GET', '/invitations/'],
  ['POST', '/invitations/', { email, roles: ['member'] }],
  ['POST', `/invitations/${invitation}/send/`],
  ['DELETE', `/invitations/${invitation}`],
]

/** An invitation by somebody inside; `null`: by the app's own code. */
async function invite(
  scene: Scene,
  service: Service,
  by: Person | null,
  id: string,
  email: string,
  given: string[] = ['member'],
): Promise<{ id: string; link: string }> {
  await service.settle()
  service.mails.splice(0)
  if (by === null) await host(service).invite(id, { email, roles: given as never })
  else {
    const response = await ask(service, by, 'POST', `/organizations/${id}/invitations/`, {
      email,
      roles: given,
    })
    expect(response.statusCode, response.body).toBe(202)
  }
  const mails = () => service.mails.filter(({ to }) => to.address === email)
  await expect.poll(() => mails().length).toBeGreaterThan(0)
  const rows = await scene.invitations.listByEmail(email.toLowerCase())
  const row = rows.find(({ inviterId, target }) => inviterId === (by?.id ?? null) && target.endsWith(id))
  return { id: row?.id ?? '', link: linkPath(mails().at(-1) as Service['mails'][number]) }
}

const accept = (service: Service, who: Person, invitation: { id: string }): Promise<Response> =>
  ask(service, who, 'POST', `/me/invitations/${invitation.id}/accept/`)

async function rolesIn({ organizations: store }: Scene, id: string, who: { id: string }) {
  return (await store.findFor({ id }, who.id))?.membership?.roles ?? null
}

/** Whatever was tried, the counters are those of the rows, and there is an owner. */
async function expectSound({ organizations: store, users }: Scene, id: string): Promise<void> {
  const found = await store.find({ id })
  const members = await store.listMembers(id, { limit: 20_000 })
  const owners = members.filter((each) => each.roles.includes('owner'))
  expect([found?.members, found?.owners]).toEqual([members.length, owners.length])
  const known = await Promise.all(owners.map(({ userId }) => users.findById(userId)))
  expect(known.filter((user) => user !== null)).not.toEqual([])
}

cases('Organizations', ({ rule, storage }) => {
  rule(
    'ORG-01',
    {
      tried:
        'every operation on an organization, by its id, its slug and another spelling, and on one that there isn’t, by a stranger, a former member, somebody invited, staff without `orgs:*`, and a member of another; and the app’s own routes',
      expected: 'the same 404 for each, which names nothing; 401 without a login, for both alike',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const member = await person(service, 'mia')
      const former = await person(service, 'fred')
      const id = await organization(service, 'acme', owner, [
        [member, 'member'],
        [former, 'admin'],
      ])
      await host(service).removeMember(id, former.id)
      const invited = await person(service, 'ines')
      const invitation = await invite(scene, service, owner, id, invited.email)
      const other = await person(service, 'otto')
      await organization(service, 'other', other)
      const strangers = [
        await person(service, 'eve'),
        former,
        invited,
        other,
        await person(service, 'steve', { isStaff: true }),
        await person(service, 'sam', { roles: ['deleter'] }),
      ]
      const known = { user: member.id, invitation: invitation.id, email: member.email }
      const names = [id, 'acme', 'ACME', `${id}x`, `org_${'x'.repeat(22)}`, '%00']
      for (const who of strangers) {
        for (const [at, [method, path, body]] of requests(known).entries()) {
          const responses: Response[] = []
          for (const name of names)
            responses.push(await ask(service, who, method, `/organizations/${name}${path}`, body))
          const [, unknownPath, unknownBody] = requests()[at] ?? []
          responses.push(await ask(service, who, method, `/organizations/acme${unknownPath}`, unknownBody))
          expect([who.username, method, path, ...refusalOf(responses[0] as Response)]).toEqual([
            ...[who.username, method, path],
            ...notFound,
          ])
          expectAlike(responses[0] as Response, ...responses.slice(1))
          expect(responses[0]?.body).not.toMatch(/acme|org_|mia/i)
        }
        const own = []
        for (const name of names) own.push(await ask(service, who, 'GET', `/o/${name}/projects`))
        expect(refusalOf(own[0] as Response)).toEqual(notFound)
        expectAlike(own[0] as Response, ...own.slice(1))
        const mine = await ask(service, who, 'GET', '/me/organizations/')
        expect(mine.json().results.map(({ slug }: { slug: string }) => slug)).toEqual(
          who === other ? ['other'] : [],
        )
        expect(refusalOf(await ask(service, who, 'GET', '/organizations/'))).toEqual(forbidden)
      }
      for (const [method, path, body] of requests(known)) {
        const anonymous = await Promise.all(
          names.slice(0, 6).map((name) => service.send(method, `/organizations/${name}${path}`, body)),
        )
        expect(anonymous[0]?.statusCode).toBe(401)
        expectAlike(anonymous[0] as Response, ...anonymous.slice(1))
      }
      expect(await rolesIn(scene, id, member)).toEqual(['member'])
      await expectSound(scene, id)
    },
  )

  storage(
    'ORG-02',
    {
      tried:
        'telling by what the stores are asked whether an organization, a member, an account or an invitation is there: with names that exist and that don’t, by strangers and by members',
      expected: 'the same calls of all stores in the same order',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const admin = await person(service, 'adam')
      const id = await organization(service, 'acme', owner, [[admin, 'admin']])
      const elsewhere = await person(service, 'emil')
      await organization(service, 'other', elsewhere)
      const eve = await person(service, 'eve')
      await person(service, 'dora')
      await signUp(service, 'una', { email: emailOf('una') })
      await service.app.accounts.updateUser((await person(service, 'dana')).id, { isActive: false })
      await service.settle()
      const calls = [scene.organizations, scene.users, scene.invitations].map(callsOf)
      const watched = async (act: () => Promise<Response>): Promise<unknown[]> => {
        for (const each of calls) each.splice(0)
        const { statusCode } = await act()
        await service.settle()
        // What emails are delivered from is asked in its own time.
        return [statusCode, ...calls.map((each) => each.filter((name) => !/^(now|claim|oldest)/.test(name)))]
      }
      for (const [method, path, body] of requests()) {
        const seen = []
        for (const name of [id, `org_${'x'.repeat(22)}`, 'acme', 'nothing'])
          seen.push(await watched(() => ask(service, eve, method, `/organizations/${name}${path}`, body)))
        for (const each of seen.slice(1)) expect([method, path, each]).toEqual([method, path, seen[0]])
      }
      // Whom a member invites: nobody, an account, one that nobody has proven, one elsewhere, a disabled one.
      const invites = []
      for (const username of ['nobody', 'dora', 'una', 'emil', 'dana']) {
        const body = { email: emailOf(username), roles: ['member'] }
        invites.push(
          await watched(() => ask(service, admin, 'POST', `/organizations/${id}/invitations/`, body)),
        )
      }
      for (const each of invites.slice(1)) expect(each).toEqual(invites[0])
      expect(invites[0]?.[0]).toBe(202)
      // Ids of accounts that are no members, and of nobody.
      const changes = []
      for (const userId of [eve.id, elsewhere.id, 'nobody'])
        changes.push(
          await watched(() =>
            ask(service, admin, 'PATCH', `/organizations/${id}/members/${userId}`, { roles: ['member'] }),
          ),
        )
      for (const each of changes) expect(each).toEqual(changes[0])
    },
  )

  rule(
    'ORG-03',
    {
      tried:
        'what the time of a 404 says about an organization: a hundred requests each to one that exists, by a stranger, and to one that doesn’t, in turns',
      expected: 'the medians differ by less than a millisecond or a third',
      on: 'memory',
      because: 'elsewhere a busy database decides; ORG-02 counts what it is asked',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const id = await organization(service, 'acme', owner)
      const eve = await person(service, 'eve')
      const times: [number[], number[]] = [[], []]
      for (let turn = 0; turn < 220; turn += 1) {
        for (const [at, name] of [id, `org_${'x'.repeat(22)}`].entries()) {
          const begun = performance.now()
          await ask(service, eve, 'GET', `/organizations/${name}`)
          // The first ones warm up.
          if (turn >= 20) times[at]?.push(performance.now() - begun)
        }
      }
      const [one, other] = times.map((each) => each.toSorted((a, b) => a - b)[each.length >> 1] ?? 0)
      expect(Math.abs((one ?? 0) - (other ?? 0))).toBeLessThan(Math.max(1, (other ?? 0) / 3))
    },
  )

  rule(
    'ORG-04',
    {
      tried:
        'giving, taking and inviting to more than one has: as admin, inviter and member, at oneself, owners and equals; roles that don’t exist, `org:*`, `__proto__`, none, the same twice',
      expected: '403 `missing_permission`, or 400 on `roles`; nothing changes; those below can be changed',
    },
    async (scene) => {
      const service = await startOn(scene)
      const people = await Promise.all(
        ['olga', 'adam', 'anna', 'ina', 'mia', 'max'].map((name) => person(service, name)),
      )
      const [owner, admin, equal, inviter, member, below] = people as [
        Person,
        Person,
        Person,
        Person,
        Person,
        Person,
      ]
      const id = await organization(service, 'acme', owner, [
        [admin, 'admin'],
        [equal, 'admin'],
        [inviter, 'inviter'],
        [member, 'member'],
        [below, 'member', 'inviter'],
      ])
      const before = await Promise.all(people.map((each) => rolesIn(scene, id, each)))
      const at = `/organizations/${id}`
      const missing = (response: Response) =>
        expect([response.statusCode, response.json().reason]).toEqual([403, 'missing_permission'])
      for (const by of [admin, inviter, member]) {
        for (const to of [by, owner, equal, member]) {
          missing(await ask(service, by, 'PATCH', `${at}/members/${to.id}`, { roles: ['owner'] }))
          missing(await ask(service, by, 'PATCH', `${at}/members/${to.id}`, { roles: ['admin', 'owner'] }))
        }
        missing(await ask(service, by, 'PATCH', `${at}/members/${owner.id}`, { roles: ['member'] }))
        missing(await ask(service, by, 'DELETE', `${at}/members/${owner.id}`))
        missing(await ask(service, by, 'DELETE', at))
        missing(
          await ask(service, by, 'POST', `${at}/invitations/`, { email: 'x@example.org', roles: ['owner'] }),
        )
        missing(await ask(service, by, 'POST', `${at}/members/`, { user_id: by.id, roles: ['member'] }))
      }
      for (const by of [inviter, member]) {
        missing(await ask(service, by, 'PATCH', at, { name: 'Other' }))
        missing(await ask(service, by, 'PATCH', `${at}/members/${below.id}`, { roles: ['member'] }))
        missing(await ask(service, by, 'DELETE', `${at}/members/${below.id}`))
        missing(
          await ask(service, by, 'POST', `${at}/invitations/`, { email: 'x@example.org', roles: ['admin'] }),
        )
      }
      missing(
        await ask(service, member, 'POST', `${at}/invitations/`, {
          email: 'x@example.org',
          roles: ['member'],
        }),
      )
      missing(await ask(service, owner, 'POST', `${at}/members/`, { user_id: member.id, roles: ['member'] }))
      for (const given of [
        ['boss'],
        ['org:*'],
        ['__proto__'],
        ['constructor'],
        ['member', 'boss'],
        [],
        ['member', 'member'],
        'member',
        null,
        [null],
        [['member']],
      ]) {
        for (const [method, url, body] of [
          ['PATCH', `${at}/members/${member.id}`, { roles: given }],
          ['POST', `${at}/invitations/`, { email: 'x@example.org', roles: given }],
        ] as const) {
          const response = await ask(service, owner, method, url, body)
          expect([response.statusCode, given, response.json().code]).toEqual([
            400,
            given,
            'ACCOUNTS_INVALID_INPUT',
          ])
        }
        const calls = [
          () => host(service).addMember(id, member.id, given as never),
          () => host(service).changeMemberRoles(id, member.id, given as never),
          () => host(service).invite(id, { email: 'x@example.org', roles: given as never }),
        ]
        for (const call of calls) await expect(call(), JSON.stringify(given)).rejects.toThrow()
      }
      expect(await scene.invitations.listByEmail('x@example.org')).toEqual([])
      expect(await Promise.all(people.map((each) => rolesIn(scene, id, each)))).toEqual(before)
      const lower = await ask(service, admin, 'PATCH', `${at}/members/${below.id}`, { roles: ['admin'] })
      expect(lower.statusCode, lower.body).toBe(200)
      await expectSound(scene, id)
    },
  )

  storage(
    'ORG-05',
    {
      tried:
        'the last owner leaves, gives up the role, is removed, deletes the account, is deleted by staff and by the app’s own code, with other members there; and is disabled',
      expected:
        '409 `last_owner`, and everything is as before; disabling ends the login, not the membership; staff with `orgs:manage` name another, and then the first can go',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const admin = await person(service, 'adam')
      const chief = await person(service, 'cleo', { roles: ['chief', 'deleter'] })
      const id = await organization(service, 'acme', owner, [[admin, 'admin']])
      const at = `/organizations/${id}`
      const lastOwner = (response: Response) =>
        expect([response.statusCode, response.json().code, response.json().reason]).toEqual([
          409,
          'ACCOUNTS_CONFLICT',
          'last_owner',
        ])
      lastOwner(await ask(service, owner, 'POST', `${at}/leave/`))
      for (const by of [owner, chief]) {
        lastOwner(await ask(service, by, 'PATCH', `${at}/members/${owner.id}`, { roles: ['admin'] }))
        lastOwner(await ask(service, by, 'DELETE', `${at}/members/${owner.id}`))
      }
      lastOwner(await ask(service, owner, 'DELETE', '/me/'))
      lastOwner(await ask(service, chief, 'DELETE', `/user/${owner.id}`))
      for (const call of [
        () => service.app.accounts.deleteUser(owner.id),
        () => host(service).removeMember(id, owner.id),
        () => host(service).changeMemberRoles(id, owner.id, ['member']),
      ])
        await expect(call()).rejects.toMatchObject({ code: 'ACCOUNTS_CONFLICT', reason: 'last_owner' })
      expect(await rolesIn(scene, id, owner)).toEqual(['owner'])
      expect((await ask(service, owner, 'GET', `${at}`)).statusCode).toBe(200)
      await expectSound(scene, id)

      expect((await ask(service, chief, 'PATCH', `/user/${owner.id}`, { is_active: false })).statusCode).toBe(
        200,
      )
      expect((await ask(service, owner, 'GET', `${at}`)).statusCode).toBe(401)
      expect(await rolesIn(scene, id, owner)).toEqual(['owner'])
      lastOwner(await ask(service, chief, 'DELETE', `/user/${owner.id}`))
      const named = await ask(service, chief, 'PATCH', `${at}/members/${admin.id}`, { roles: ['owner'] })
      expect(named.statusCode, named.body).toBe(200)
      expect((await ask(service, chief, 'DELETE', `/user/${owner.id}`)).statusCode).toBe(204)
      expect(await rolesIn(scene, id, owner)).toBeNull()
      await expectSound(scene, id)
    },
  )

  storage(
    'ORG-06',
    {
      tried:
        'somebody alone in an organization leaves, and deletes the account, with `deleteWithLastMember` and without',
      expected:
        'leaving is 409; with it, the organization goes with the account, and its slug, members and invitations with it; without it, the deletion is 409',
    },
    async (scene) => {
      const keeping = await startOn(scene, { deleteWithLastMember: false })
      const owner = await person(keeping, 'olga')
      const id = await organization(keeping, 'acme', owner)
      const open = await invite(scene, keeping, owner, id, 'new@example.org')
      for (const [method, url] of [
        ['POST', `/organizations/${id}/leave/`],
        ['DELETE', '/me/'],
      ] as const)
        expect((await ask(keeping, owner, method, url)).json().reason).toBe('last_owner')
      await expectSound(scene, id)
      const service = await startOn(scene)
      expect((await ask(service, owner, 'POST', `/organizations/${id}/leave/`)).json().reason).toBe(
        'last_owner',
      )
      expect((await ask(service, owner, 'DELETE', '/me/')).statusCode).toBe(204)
      expect(await scene.organizations.find({ id })).toBeNull()
      expect(await scene.organizations.listMembers(id, { limit: 10 })).toEqual([])
      const eve = await person(service, 'eve')
      expect(refusalOf(await ask(service, eve, 'GET', '/organizations/acme'))).toEqual(notFound)
      const refused = await service.send('POST', open.link, { username: 'new', ...choice(otherPassword) })
      expect(refused.statusCode).toBe(400)
      const again = await ask(service, eve, 'POST', '/organizations/', { name: 'Acme', slug: 'acme' })
      expect(again.statusCode, again.body).toBe(201)
      expect(again.json().id).not.toBe(id)
      expect((await keeping.send('GET', open.link)).statusCode).toBe(400)
    },
  )

  storage(
    'ORG-07',
    {
      tried:
        'a role whose definition is gone from the option: held by members, promised by an open invitation, asked for by a guarded route, given again; and one that now gives less',
      expected:
        'it permits nothing, at once; the invitation gives nothing; it can’t be given, and can be taken away; those who gave it before have no more than their roles say now',
    },
    async (scene) => {
      const before = await startOn(scene, { roles: { ...inside, boss: ['members:edit', 'projects:write'] } })
      const owner = await person(before, 'olga')
      const boss = await person(before, 'bob')
      const admin = await person(before, 'adam')
      const guest = await person(before, 'gus')
      const id = await organization(before, 'acme', owner, [
        [boss, 'boss'],
        [admin, 'admin'],
      ])
      const promised = await invite(scene, before, owner, id, guest.email, ['boss'])
      const projects = `/o/${id}/projects`
      expect((await ask(before, boss, 'POST', projects)).statusCode).toBe(200)

      const service = await startOn(scene, {
        roles: { ...inside, admin: ['projects:read'], writer: ['projects:write'] },
      })
      expect(refusalOf(await ask(service, boss, 'POST', projects))).toEqual(forbidden)
      expect(refusalOf(await ask(service, admin, 'POST', projects))).toEqual(forbidden)
      expect((await ask(service, boss, 'GET', `/o/${id}`)).statusCode).toBe(200)
      const shown = (await ask(service, boss, 'GET', `/organizations/${id}`)).json()
      expect(shown).toMatchObject({ permissions: [] })
      for (const by of [boss, admin])
        expect(
          refusalOf(
            await ask(service, by, 'PATCH', `/organizations/${id}/members/${admin.id}`, {
              roles: ['member'],
            }),
          ),
        ).toEqual(forbidden)
      expect((await accept(service, guest, promised)).statusCode).toBeGreaterThanOrEqual(400)
      expect(await rolesIn(scene, id, guest)).toBeNull()
      const member = `/organizations/${id}/members/${boss.id}`
      expect((await ask(service, owner, 'PATCH', member, { roles: ['boss', 'member'] })).statusCode).toBe(400)
      expect((await ask(service, owner, 'PATCH', member, { roles: ['member'] })).statusCode).toBe(200)
      expect(await rolesIn(scene, id, boss)).toEqual(['member'])
      await expectSound(scene, id)
    },
  )

  storage(
    'ORG-08',
    {
      tried:
        'the slug of a renamed organization is taken by another: links, lists, invitations and changes by the old name, also one that is under way at that moment',
      expected:
        'the name means the new one at once, to its own members alone; the id and invitations stay with the old one; a change under way changes neither of both unless it named what it means',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const thief = await person(service, 'theo')
      const guest = await person(service, 'gus')
      const id = await organization(service, 'acme', owner)
      const open = await invite(scene, service, owner, id, guest.email)
      expect((await ask(service, owner, 'PATCH', `/organizations/acme`, { slug: 'acme-2' })).statusCode).toBe(
        200,
      )
      const taken = await ask(service, thief, 'POST', '/organizations/', { name: 'Evil', slug: 'acme' })
      expect(taken.statusCode).toBe(201)
      for (const [method, path, body] of requests({ user: thief.id }))
        expect([
          path,
          ...refusalOf(await ask(service, owner, method, `/organizations/acme${path}`, body)),
        ]).toEqual([path, ...notFound])
      expect(refusalOf(await ask(service, owner, 'GET', '/o/acme/projects'))).toEqual(notFound)
      expect((await ask(service, owner, 'GET', '/o/acme-2/projects')).statusCode).toBe(200)
      expect((await ask(service, thief, 'GET', '/organizations/acme/invitations/')).json().results).toEqual(
        [],
      )
      expect((await accept(service, guest, open)).json()).toMatchObject({ id, slug: 'acme-2' })
      expect(await rolesIn(scene, taken.json().id, guest)).toBeNull()
      // An id is never a slug.
      for (const slug of [
        id,
        id.toLowerCase(),
        'org_acme',
        'ACME',
        'a',
        `${'a'.repeat(64)}`,
        '-a',
        'a-',
        'ä1',
        'a b',
        '',
      ])
        expect((await ask(service, thief, 'PATCH', '/organizations/acme', { slug })).statusCode).toBe(400)
      expect(
        (await ask(service, thief, 'PATCH', '/organizations/acme', { slug: 'acme-2' })).json().reason,
      ).toBe('slug_taken')

      // Both belong to both; the first change is held, and meanwhile the name moves.
      const second = await organization(service, 'second', owner, [[thief, 'owner']])
      await host(service).addMember(taken.json().id, owner.id, ['owner'])
      const held = holdNext(scene.organizations, 'write')
      const leaving = ask(service, owner, 'POST', '/organizations/second/leave/')
      await held.reached
      await host(service).update(second, { slug: 'third' })
      await host(service).update(taken.json().id, { slug: 'second' })
      held.release()
      expect((await leaving).statusCode).toBe(204)
      expect(await rolesIn(scene, second, owner)).toBeNull()
      expect(await rolesIn(scene, taken.json().id, owner)).toEqual(['owner'])
    },
  )

  rule(
    'ORG-09',
    {
      tried:
        'two mounts with users of their own on one organization store: an organization of the other mount by its id and slug, and an invitation of the other mount to the same address',
      expected: '404 at every operation; the invitation is accepted at its own mount alone',
      on: 'memory',
      because: 'the rule is the same on every store, and the mounts need two of each',
    },
    async (scene) => {
      const feature = () => organizations({ roles: inside, store: scene.organizations })
      const service = await scene.start({ roles, users: true, features: [invitations(), feature()] })
      const { app } = service
      const second = await startSecond(scene, feature())
      const owner = await person(service, 'olga')
      const guest = { username: 'gus', email: emailOf('gus'), password: goodPassword, isVerified: true }
      await person(service, 'gus')
      const id = await organization(service, 'acme', owner)
      const open = await invite(scene, service, owner, id, guest.email)
      await second.app.accounts.createUser(guest)
      const login = await second.app.inject({
        ...{ method: 'POST', url: '/login/', payload: { username: 'gus', password: goodPassword } },
      })
      const headers = { cookie: String(login.headers['set-cookie']).split(';')[0] ?? '' }
      const at = (method: Method, url: string, payload?: object) =>
        second.app.inject({ method, url, headers, ...(payload && { payload }) })
      for (const [method, path, body] of requests({ user: owner.id, invitation: open.id }))
        expect([path, ...refusalOf(await at(method, `/organizations/${id}${path}`, body))]).toEqual([
          path,
          ...notFound,
        ])
      expect((await at('GET', '/me/invitations/')).json().results).toEqual([])
      expect(refusalOf(await at('POST', `/me/invitations/${open.id}/accept/`))).toEqual(notFound)
      expect((await at('POST', open.link, {})).statusCode).toBeGreaterThanOrEqual(400)
      expect(await scene.invitations.find(open.id)).toMatchObject({ acceptingUntil: null })
      await second.app.close()
      expect(app.accounts).toBeDefined()
      const gus = {
        ...(await scene.users.findByUsername('gus')),
        ...as(await logIn(service, 'gus')),
      } as unknown as Person
      expect((await accept(service, gus, open)).statusCode).toBe(200)
    },
  )

  storage(
    'ORG-10',
    {
      tried:
        'API keys: of a person who is a member, without and with an organization named, at it and at another; of a service account, before it is a member, as one, and removed; at routes of this plugin',
      expected:
        'a person’s key acts only in the organization that it names, as long as the person is a member; a program’s where it is a member, as far as its roles go; 404 otherwise, at once; no key at the plugin’s own routes',
    },
    async (scene) => {
      const service = await startOn(scene, {}, { features: [apiKeys({ scopes })] })
      const owner = await person(service, 'olga')
      const member = await person(service, 'mia')
      const id = await organization(service, 'acme', owner, [[member, 'member']])
      const other = await organization(service, 'other', owner, [[member, 'member']])
      const keyFor = async (userId: string, resource?: string): Promise<string> =>
        (
          await service.app.accounts.createApiKey(userId, {
            ...{ name: 'CI', scopes: ['orders:read'], ...(resource && { resource }) },
          } as never)
        ).key
      const orders = async (key: string, organizationId: string) =>
        (await service.send('GET', `/o/${organizationId}/orders`, undefined, withKey(key))).statusCode
      const plain = await keyFor(member.id)
      expect([await orders(plain, id), await orders(plain, 'acme'), await orders(plain, other)]).toEqual([
        404, 404, 404,
      ])
      const named = await keyFor(member.id, id)
      expect([await orders(named, id), await orders(named, 'acme'), await orders(named, other)]).toEqual([
        200, 200, 404,
      ])
      // A slug is no promise.
      expect(await orders(await keyFor(member.id, 'acme'), id)).toBe(404)
      for (const [method, path, body] of requests({ user: member.id }))
        expect(
          (await service.send(method, `/organizations/${id}${path}`, body, withKey(named))).statusCode,
        ).toBe(401)
      for (const path of ['projects', ''])
        expect(
          (await service.send('GET', `/o/${id}/${path}`.replace(/\/$/, ''), undefined, withKey(named)))
            .statusCode,
        ).toBe(401)
      const robot = await service.app.accounts.createService({ username: 'robot' })
      const key = await keyFor(robot.id)
      expect([await orders(key, id), await orders(key, other)]).toEqual([404, 404])
      await host(service).addMember(id, robot.id, ['member'])
      expect([await orders(key, id), await orders(key, other)]).toEqual([200, 404])
      await host(service).removeMember(id, robot.id)
      expect(
        (await ask(service, owner, 'DELETE', `/organizations/${id}/members/${member.id}`)).statusCode,
      ).toBe(204)
      expect([await orders(key, id), await orders(named, id)]).toEqual([404, 404])
    },
  )

  rule(
    'ORG-11',
    {
      tried:
        'staff of the app: with `isStaff`, with `orgs:read`, and with `orgs:manage`, at every operation and at the app’s own routes; and one who has just lost the role',
      expected:
        '`isStaff` alone: nothing; `orgs:read`: sees, changes nothing; `orgs:manage`: everything; none of them gets into the app’s own routes without a membership',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const member = await person(service, 'mia')
      const reader = await person(service, 'rita', { roles: ['support'] })
      const chief = await person(service, 'cleo', { roles: ['chief'] })
      const steve = await person(service, 'steve', { isStaff: true })
      const id = await organization(service, 'acme', owner, [[member, 'member']])
      const at = `/organizations/${id}`
      for (const by of [reader, chief, steve])
        for (const path of [`/o/${id}`, `/o/${id}/projects`])
          expect(refusalOf(await ask(service, by, 'GET', path))).toEqual(notFound)
      for (const [method, path, body] of requests({ user: member.id })) {
        expect(refusalOf(await ask(service, steve, method, `${at}${path}`, body))).toEqual(notFound)
        const response = await ask(service, reader, method, `${at}${path}`, body)
        const mayRead = method === 'GET' && !path.startsWith('/invitations')
        expect([method, path, response.statusCode >= 400]).toEqual([method, path, !mayRead])
      }
      expect(await rolesIn(scene, id, member)).toEqual(['member'])
      expect((await ask(service, reader, 'GET', '/organizations/')).json().results).toMatchObject([{ id }])
      for (const [method, path, body, status] of [
        ['PATCH', `/members/${member.id}`, { roles: ['owner'] }, 200],
        ['DELETE', `/members/${owner.id}`, undefined, 204],
        ['POST', '/members/', { user_id: owner.id, roles: ['owner'] }, 201],
        ['POST', '/invitations/', { email: 'new@example.org', roles: ['owner'] }, 202],
        ['PATCH', '', { name: 'Other' }, 200],
      ] as const) {
        const response = await ask(service, chief, method, `${at}${path}`, body)
        expect([path, response.statusCode, response.body.slice(0, 99)]).toEqual([
          path,
          status,
          expect.anything(),
        ])
      }
      await service.app.accounts.updateUser(chief.id, { roles: [] })
      for (const [method, path, body] of requests({ user: member.id }))
        expect(refusalOf(await ask(service, chief, method, `${at}${path}`, body))).toEqual(notFound)
      await expectSound(scene, id)
    },
  )

  storage(
    'ORG-12',
    {
      tried:
        'an account that a stranger made for somebody’s address: creates, is made a member, accepts an invitation of the address, in the app and by its link; then the owner of the address resets',
      expected:
        'the stranger gets nothing, and sees no invitation; the owner has no membership of the stranger’s doing, and can accept',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const id = await organization(service, 'acme', owner)
      const email = emailOf('victor')
      const { id: strangerId } = await signUp(service, 'mallory', { email })
      const mallory = { id: strangerId, username: 'mallory', email, ...as(await logIn(service, 'mallory')) }
      const open = await invite(scene, service, owner, id, email)
      const created = await ask(service, mallory, 'POST', '/organizations/', { name: 'Mine', slug: 'mine' })
      expect(refusalOf(created)).toEqual([403, 'ACCOUNTS_NOT_VERIFIED'])
      await expect(
        host(service).create({ name: 'Mine', slug: 'mine', ownerId: strangerId }),
      ).rejects.toThrow()
      await expect(host(service).addMember(id, strangerId, ['member'])).rejects.toThrow()
      expect((await ask(service, mallory, 'GET', '/me/invitations/')).json().results).toEqual([])
      for (const path of ['accept', 'decline'])
        expect(refusalOf(await ask(service, mallory, 'POST', `/me/invitations/${open.id}/${path}/`))).toEqual(
          [403, 'ACCOUNTS_NOT_VERIFIED'],
        )
      expect(await scene.organizations.countOfUser(strangerId)).toBe(0)
      expect(
        (await service.send('POST', await resetLink(service, email), choice(otherPassword))).statusCode,
      ).toBe(204)
      const victor = { ...mallory, ...as(await logIn(service, email, otherPassword)) }
      expect((await ask(service, victor, 'GET', '/me/organizations/')).json().results).toEqual([])
      expect((await ask(service, victor, 'GET', '/me/invitations/')).json().results).toMatchObject([
        { id: open.id },
      ])
      expect((await accept(service, victor, open)).json()).toMatchObject({ id, roles: ['member'] })
      await expectSound(scene, id)
    },
  )

  storage(
    'ORG-13',
    {
      tried:
        'an invitation forwarded to somebody with another account, who opens the link logged in, accepts in the app by its id, asks for the address at their own account without proving it, and declines',
      expected: 'refused as an id that doesn’t exist; it stays open, and its own address accepts it, once',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const id = await organization(service, 'acme', owner)
      const guest = await person(service, 'gus')
      const eve = await person(service, 'eve')
      const open = await invite(scene, service, owner, id, guest.email)
      const before = await scene.invitations.find(open.id)
      const unknown = await accept(service, eve, { id: 'x'.repeat(22) })
      expect(refusalOf(unknown)).toEqual(notFound)
      expectAlike(unknown, await accept(service, eve, open))
      expect((await ask(service, eve, 'POST', open.link, {})).statusCode).toBeGreaterThanOrEqual(400)
      await ask(service, eve, 'POST', '/change-email/', { email: guest.email })
      await service.settle()
      expect(refusalOf(await accept(service, eve, open))).toEqual(notFound)
      for (const path of ['decline'])
        expect(refusalOf(await ask(service, eve, 'POST', `/me/invitations/${open.id}/${path}/`))).toEqual(
          notFound,
        )
      expect((await ask(service, eve, 'GET', '/me/invitations/')).json().results).toEqual([])
      for (const [method, path] of [
        ['DELETE', ''],
        ['POST', '/send/'],
      ] as const) {
        expect(
          (await ask(service, eve, method, `/invitations/${open.id}${path}`)).statusCode,
        ).toBeGreaterThanOrEqual(403)
        expect(
          refusalOf(await ask(service, eve, method, `/organizations/${id}/invitations/${open.id}${path}`)),
        ).toEqual(notFound)
      }
      expect(await scene.invitations.find(open.id)).toEqual(before)
      expect(await rolesIn(scene, id, eve)).toBeNull()
      expect((await ask(service, guest, 'POST', open.link, {})).statusCode).toBe(200)
      expect(await rolesIn(scene, id, guest)).toEqual(['member'])
      expect((await ask(service, guest, 'POST', open.link, {})).statusCode).toBeGreaterThanOrEqual(400)
      expect(refusalOf(await accept(service, guest, open))).toEqual(notFound)
      await expectSound(scene, id)
    },
  )

  storage(
    'ORG-14',
    {
      tried:
        'accepting after the inviter was demoted below what they gave, lost the right to invite, left, was removed, disabled and deleted; and an invitation of the app’s own code',
      expected:
        'it gives nothing; that of the app’s own code is good, and so is a new one by somebody who may',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const id = await organization(service, 'acme', owner)
      const ends: Record<string, (by: Person) => Promise<unknown>> = {
        demoted: (by) => host(service).changeMemberRoles(id, by.id, ['inviter']),
        silenced: (by) => host(service).changeMemberRoles(id, by.id, ['member']),
        gone: (by) => ask(service, by, 'POST', `/organizations/${id}/leave/`),
        removed: (by) => host(service).removeMember(id, by.id),
        disabled: (by) => service.app.accounts.updateUser(by.id, { isActive: false }),
        deleted: (by) => service.app.accounts.deleteUser(by.id),
        secured: (by) => service.app.accounts.secureUser(by.id),
      }
      for (const [name, end] of Object.entries(ends)) {
        const by = await person(service, `by-${name}`)
        const guest = await person(service, `to-${name}`)
        await host(service).addMember(id, by.id, ['admin'])
        const open = await invite(scene, service, by, id, guest.email, ['admin'])
        await end(by)
        const refused = await accept(service, guest, open)
        expect([name, refused.statusCode >= 400 && refused.statusCode < 500]).toEqual([name, true])
        const byLink = await ask(service, guest, 'POST', open.link, {})
        expect([name, byLink.statusCode >= 400 && byLink.statusCode < 500]).toEqual([name, true])
        expect([name, await rolesIn(scene, id, guest)]).toEqual([name, null])
        const good = await invite(scene, service, null, id, guest.email, ['member'])
        expect([name, (await accept(service, guest, good)).statusCode]).toEqual([name, 200])
        expect(await rolesIn(scene, id, guest)).toEqual(['member'])
      }
      await expectSound(scene, id)
    },
  )

  storage(
    'ORG-15',
    {
      tried:
        'a removed member with open invitations of several inviters, with one accepted whose row is still stored, and with an acceptance under way while they are removed; and one who left',
      expected: 'nothing brings them back but a new invitation',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const admin = await person(service, 'adam')
      const id = await organization(service, 'acme', owner, [[admin, 'admin']])
      for (const way of ['removed', 'left'] as const) {
        const member = await person(service, `mia-${way}`)
        const end = () =>
          way === 'removed'
            ? ask(service, owner, 'DELETE', `/organizations/${id}/members/${member.id}`)
            : ask(service, member, 'POST', `/organizations/${id}/leave/`)
        await host(service).addMember(id, member.id, ['member'])
        const opens = [
          await invite(scene, service, owner, id, member.email, ['admin']),
          await invite(scene, service, admin, id, member.email, ['inviter']),
          await invite(scene, service, null, id, member.email),
        ]
        expect((await end()).statusCode).toBe(204)
        for (const open of opens) {
          expect(refusalOf(await accept(service, member, open))).toEqual(notFound)
          expect((await ask(service, member, 'POST', open.link, {})).statusCode).toBeGreaterThanOrEqual(400)
        }
        expect(await rolesIn(scene, id, member)).toBeNull()

        // Accepted, but its row is still there.
        const left = await invite(scene, service, owner, id, member.email)
        const { delete: remove } = scene.invitations
        scene.invitations.delete = async () => true
        const given = await accept(service, member, left)
        expect(given.statusCode, given.body).toBe(200)
        scene.invitations.delete = remove
        expect((await end()).statusCode).toBe(204)
        expect((await accept(service, member, left)).statusCode).toBeGreaterThanOrEqual(400)
        expect(await rolesIn(scene, id, member)).toBeNull()

        // Under way: the write of the membership is late.
        await host(service).addMember(id, member.id, ['member'])
        const more = await invite(scene, service, owner, id, member.email, ['admin'])
        const held = holdNext(scene.organizations, 'write')
        const accepting = accept(service, member, more)
        await held.reached
        const ended = await end()
        held.release()
        const accepted = await accepting
        expect(ended.statusCode, ended.body).toBe(204)
        expect(accepted.statusCode, accepted.body).toBeGreaterThanOrEqual(400)
        expect(await rolesIn(scene, id, member)).toBeNull()

        const again = await invite(scene, service, owner, id, member.email)
        expect((await accept(service, member, again)).statusCode).toBe(200)
        expect(await rolesIn(scene, id, member)).toEqual(['member'])
        await expectSound(scene, id)
      }
    },
  )

  rule(
    'ORG-16',
    {
      tried:
        'an invitation to less than a member has, and to roles that add to them; sent again and accepted twice; of two organizations at one address',
      expected:
        'nobody loses a role by accepting; each gives once, and what it says, in its own organization alone',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const guest = await person(service, 'gus')
      const [one, two] = [
        await organization(service, 'one', owner),
        await organization(service, 'two', owner),
      ]
      await host(service).addMember(one, guest.id, ['admin'])
      const less = await invite(scene, service, owner, one, guest.email, ['member'])
      const other = await invite(scene, service, owner, two, guest.email, ['inviter'])
      expect((await accept(service, guest, less)).statusCode).toBe(200)
      expect(await rolesIn(scene, one, guest)).toContain('admin')
      expect(await rolesIn(scene, two, guest)).toBeNull()
      const sent = await ask(service, owner, 'POST', `/organizations/${two}/invitations/${other.id}/send/`)
      expect(sent.statusCode).toBe(204)
      // Named at another organization, it isn't there.
      for (const [method, path] of [
        ['POST', '/send/'],
        ['DELETE', ''],
      ] as const)
        expect(
          refusalOf(
            await ask(service, owner, method, `/organizations/${one}/invitations/${other.id}${path}`),
          ),
        ).toEqual(notFound)
      const answers = await Promise.all([1, 2, 3].map(() => accept(service, guest, other)))
      expect(answers.filter(({ statusCode }) => statusCode === 200)).not.toEqual([])
      expect(await rolesIn(scene, two, guest)).toEqual(['inviter'])
      for (const id of [one, two]) await expectSound(scene, id)
    },
  )

  rule(
    'ORG-17',
    {
      tried:
        'cursors of another list, another organization and another person, forged ones, and huge ones, at every list',
      expected: '400, or a page of one’s own list: never an entry that one may not see',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const chief = await person(service, 'cleo', { roles: ['chief'] })
      const eve = await person(service, 'eve')
      const own = await organization(service, 'own', eve)
      const id = await organization(service, 'acme', owner)
      const since = new Date()
      await fill(scene, id, 150, since)
      for (let n = 0; n < 101; n += 1) await organization(service, `of-owner-${n}`, chief).catch(() => {})
      const cursorOf = (response: Response): string => {
        expect(response.statusCode, response.body).toBe(200)
        return new URL(response.json().next ?? 'http://x/', 'http://x').searchParams.get('cursor') ?? ''
      }
      const cursors = [
        cursorOf(await ask(service, owner, 'GET', `/organizations/${id}/members/`)),
        cursorOf(await ask(service, chief, 'GET', '/organizations/')),
        cursorOf(await ask(service, chief, 'GET', `/organizations/acme/members/`)),
      ]
      for (const each of cursors) expect(each).not.toBe('')
      const lists = [
        `/organizations/${own}/members/`,
        `/organizations/${own}/invitations/`,
        '/me/organizations/',
        '/me/invitations/',
      ]
      for (const list of lists)
        for (const cursor of [...cursors, 'x', '', '../..', 'a'.repeat(5000), '%00', `${cursors[0]}x`]) {
          const response = await ask(service, eve, 'GET', `${list}?cursor=${cursor}`)
          expect([list, cursor.slice(0, 20), [200, 400, 414].includes(response.statusCode)]).toEqual([
            ...[list, cursor.slice(0, 20), true],
          ])
          expect(response.body).not.toMatch(/acme|"u-\d|of-owner/)
        }
      for (const cursor of cursors)
        for (const list of ['/organizations/', `/organizations/${id}/members/`])
          expect(
            (await ask(service, eve, 'GET', `${list}?cursor=${cursor}`)).statusCode,
          ).toBeGreaterThanOrEqual(400)
    },
  )

  storage(
    'ORG-18',
    {
      tried:
        'more members, organizations of a person and open invitations than the limits allow, by creating, adding, accepting and inviting; a page larger than a page; names and fields that are too long, of other types, with markup, and fields that only the app writes',
      expected:
        '409 with the reason, or 400; nothing is stored beyond; a place that becomes free can be taken; lists come in pages',
    },
    async (scene) => {
      const service = await startOn(scene, { limits: { members: 3, organizations: 2, invitations: 2 } })
      const owner = await person(service, 'olga')
      const [mia, max, may] = [
        await person(service, 'mia'),
        await person(service, 'max'),
        await person(service, 'may'),
      ]
      const id = await organization(service, 'acme', owner, [[mia, 'member']])
      const reasonOf = (response: Response) => [response.statusCode, response.json().reason]
      const open = await invite(scene, service, owner, id, max.email)
      const other = await invite(scene, service, owner, id, may.email)
      const third = { email: 'third@example.org', roles: ['member'] }
      const at = `/organizations/${id}`
      expect(reasonOf(await ask(service, owner, 'POST', `${at}/invitations/`, third))).toEqual([
        ...[409, 'too_many_invitations'],
      ])
      expect((await accept(service, max, open)).statusCode).toBe(200)
      expect(reasonOf(await accept(service, may, other))).toEqual([409, 'organization_full'])
      await expect(host(service).addMember(id, may.id, ['member'])).rejects.toMatchObject({
        reason: 'organization_full',
      })
      expect((await ask(service, max, 'POST', `${at}/leave/`)).statusCode).toBe(204)
      expect((await accept(service, may, other)).statusCode).toBe(200)
      await organization(service, 'two', owner)
      const mine = await ask(service, owner, 'POST', '/organizations/', { name: 'Three', slug: 'three' })
      expect(reasonOf(mine)).toEqual([409, 'too_many_organizations'])
      await organization(service, 'mays', may)
      const over = await organization(service, 'over', max)
      const toMay = await invite(scene, service, max, over, may.email)
      expect(reasonOf(await accept(service, may, toMay))).toEqual([409, 'too_many_organizations'])
      expect(await scene.organizations.countOfUser(may.id)).toBe(2)

      const eve = await person(service, 'eve')
      for (const body of [
        { name: '', slug: 'ok' },
        { name: ' ', slug: 'ok' },
        { name: 'x'.repeat(201), slug: 'ok' },
        { name: 'a\u0000b', slug: 'ok' },
        { name: 'a\ud800', slug: 'ok' },
        { name: 7, slug: 'ok' },
        { name: 'Ok', slug: ['ok'] },
        { name: 'Ok' },
        { name: 'Ok', slug: 'ok', id: 'org_mine' },
        { name: 'Ok', slug: 'ok', owners: 0 },
        { name: 'Ok', slug: 'ok', members: 5 },
        { name: 'Ok', slug: 'ok', version: 1 },
        { name: 'Ok', slug: 'ok', roles: ['admin'] },
        { name: 'Ok', slug: 'ok', owner_id: mia.id },
        { name: 'Ok', slug: 'ok', fields: { plan: 'pro' } },
        { name: 'Ok', slug: 'ok', fields: { city: 7 } },
        { name: 'Ok', slug: 'ok', fields: { other: 1 } },
        { name: 'Ok', slug: 'ok', fields: [] },
      ]) {
        const made = await ask(service, eve, 'POST', '/organizations/', body)
        expect([body, made.statusCode]).toEqual([body, 400])
        if (body.name === 'Ok' && Object.keys(body).length < 3) continue
        const changed = await ask(service, owner, 'PATCH', at, { ...body, slug: 'acme' })
        expect([body, changed.statusCode]).toEqual([body, 400])
      }
      expect(await scene.organizations.countOfUser(eve.id)).toBe(0)
      expect(await scene.organizations.find({ id })).toMatchObject({ name: 'ACME', fields: {} })
      await expectSound(scene, id)
    },
  )

  storage(
    'ORG-19',
    {
      tried: 'ten thousand members, and a person in a hundred organizations who deletes the account',
      expected:
        'each request asks a few times whatever the number; a page has a hundred; the account goes, with every membership, and each organization stays sound',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const guest = await person(service, 'gus')
      const id = await organization(service, 'acme', owner)
      const count = times({ quick: 2000, full: 9998 })
      await fill(scene, id, count, new Date())
      const calls = callsOf(scene.organizations)
      const most = async (limit: number, act: () => Promise<Response>): Promise<Response> => {
        calls.splice(0)
        const response = await act()
        expect(response.statusCode, response.body.slice(0, 200)).toBeLessThan(300)
        expect(calls.length, `${calls}`).toBeLessThanOrEqual(limit)
        return response
      }
      const at = `/organizations/${id}`
      expect((await most(2, () => ask(service, owner, 'GET', at))).json().members).toBe(count + 1)
      await most(2, () => ask(service, owner, 'GET', `/o/${id}/projects`))
      let seen = 0
      for (let url: string | null = `${at}/members/`, pages = 0; url !== null && pages < 5; pages += 1) {
        const page: Response = await most(3, () => ask(service, owner, 'GET', url as string))
        expect(page.json().results).toHaveLength(100)
        seen += page.json().results.length
        const { pathname, search } = new URL(page.json().next, 'http://x')
        url = pathname + search
      }
      expect(seen).toBe(500)
      const open = await invite(scene, service, owner, id, guest.email)
      await most(10, () => accept(service, guest, open))
      await most(6, () => ask(service, owner, 'PATCH', `${at}/members/${guest.id}`, { roles: ['admin'] }))
      await most(6, () => ask(service, owner, 'DELETE', `${at}/members/${guest.id}`))
      await expectSound(scene, id)

      const many = []
      for (let n = 0; n < 100; n += 1)
        many.push(await organization(service, `many-${n}`, n % 2 === 0 ? guest : owner).catch(() => ''))
      const own = many.filter((each) => each !== '')
      const other = await person(service, 'otto')
      for (const [n, each] of many.entries()) {
        if (each === '') continue
        if (n % 4 === 0) await host(service).addMember(each, other.id, ['owner'])
        if (n % 2 === 1) await host(service).addMember(each, guest.id, ['member'])
      }
      expect(await scene.organizations.countOfUser(guest.id)).toBe(100)
      expect((await ask(service, guest, 'GET', '/me/organizations/')).json()).toMatchObject({ next: null })
      expect((await ask(service, guest, 'DELETE', '/me/')).statusCode).toBe(204)
      expect(await scene.organizations.countOfUser(guest.id)).toBe(0)
      for (const [n, each] of own.entries()) {
        if (n % 4 === 2) expect(await scene.organizations.find({ id: each })).toBeNull()
        else await expectSound(scene, each)
      }
    },
  )

  storage(
    'ORG-20',
    {
      tried:
        'a request whose body is still open when its sender is removed, demoted, or when the organization ends: at the plugin’s routes and at the app’s own',
      expected: '404, or 403 for the demoted, once the body is there; nothing is changed',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const port = await service.listen()
      const ends = {
        removed: (id: string, who: Person) => host(service).removeMember(id, who.id),
        demoted: (id: string, who: Person) => host(service).changeMemberRoles(id, who.id, ['member']),
        ended: (id: string) => host(service).delete(id),
      }
      for (const [name, end] of Object.entries(ends)) {
        const admin = await person(service, `adam-${name}`)
        const id = await organization(service, `o-${name}`, owner, [[admin, 'admin']])
        const { cookie } = admin.headers
        const held = [
          holdBody({ port, method: 'PATCH', url: `/organizations/${id}`, cookie, body: { name: 'Other' } }),
          holdBody({ port, method: 'POST', url: `/o/${id}/projects`, cookie, body: {} }),
          holdBody({
            ...{ port, method: 'PATCH', url: `/organizations/${id}/members/${admin.id}`, cookie },
            body: { roles: ['inviter'] },
          }),
          holdBody({
            ...{ port, method: 'POST', url: `/organizations/${id}/invitations/`, cookie },
            body: { email: 'new@example.org', roles: ['member'] },
          }),
        ]
        // They are admitted before their bodies.
        await service.settle()
        await service.send('GET', '/me/', undefined, { headers: admin.headers })
        await end(id, admin)
        const refusal = name === 'demoted' ? 403 : 404
        for (const finish of held) expect([name, await finish()]).toEqual([name, refusal])
        expect((await scene.organizations.find({ id }))?.name ?? null).toBe(
          name === 'ended' ? null : `O-${name.toUpperCase()}`,
        )
      }
      expect(await scene.invitations.listByEmail('new@example.org')).toEqual([])
    },
  )

  storage(
    'ORG-21',
    {
      tried:
        'an owner’s account after a reset, a lockdown, a change of the address by staff, and when another replaces it, at once and after the change can’t be undone, as the last owner and beside another',
      expected:
        'memberships stay with the account through a reset and a lockdown; who takes its place gets none; the last owner’s stays, without address and password; others go with their memberships',
    },
    async (scene) => {
      const provider = { name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
      const service = await startOn(
        scene,
        {},
        { features: [providers([{ ...provider, authoritativeFor: true }])] },
      )
      const owner = await person(service, 'olga')
      const member = await person(service, 'mia')
      const id = await organization(service, 'acme', owner, [[member, 'member']])
      expect(
        (await service.send('POST', await resetLink(service, owner.email), choice(otherPassword))).statusCode,
      ).toBe(204)
      expect(await rolesIn(scene, id, owner)).toEqual(['owner'])
      await service.app.accounts.secureUser(owner.id)
      expect(await rolesIn(scene, id, owner)).toEqual(['owner'])
      // Whose former address may come back stays; another goes, unless an organization would lose its last owner.
      for (const name of ['early', 'late'] as const) {
        const alone = await person(service, `alma-${name}`)
        const beside = await person(service, `bea-${name}`)
        const ofAlone = await organization(service, `alone-${name}`, alone, [[member, 'member']])
        const ofBoth = await organization(service, `both-${name}`, beside, [[member, 'owner']])
        for (const each of [alone, beside])
          await service.app.accounts.updateUser(each.id, { email: `moved-${each.email}`, isVerified: false })
        if (name === 'late') await scene.wait(90 * 24 * hour)
        for (const each of [alone, beside]) {
          const browser = visitor({ app: service.app, issuer })
          const email = `moved-${each.email}`
          await browser.logInWith({ sub: each.id, email, email_verified: true })
          const claimed = await browser.send('POST', '/login/claim/', { start_afresh: true })
          expect(claimed.statusCode, claimed.body).toBe(200)
          const created = await scene.users.findByEmail(email)
          expect(created?.id).not.toBe(each.id)
          expect(await scene.organizations.countOfUser(created?.id ?? '')).toBe(0)
        }
        for (const each of [ofAlone, ofBoth]) await expectSound(scene, each)
        expect(await rolesIn(scene, ofAlone, alone)).toEqual(['owner'])
        expect(await scene.users.findById(alone.id)).toMatchObject({ isActive: true, email: null })
        const isGone = (await scene.users.findById(beside.id)) === null
        expect([name, isGone, await rolesIn(scene, ofBoth, beside)]).toEqual([
          ...[name, name === 'late', name === 'late' ? null : ['owner']],
        ])
      }
    },
  )

  rule(
    'ORG-22',
    {
      tried:
        'what is dangerous with a session that was not confirmed for long: deleting, removing, changing roles, adding, inviting, sending again and withdrawing; and from another site',
      expected:
        '403 ACCOUNTS_CONFIRMATION_REQUIRED, and 403 across sites; reading and leaving need no confirmation',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const second = await person(service, 'otto')
      const member = await person(service, 'mia')
      const id = await organization(service, 'acme', owner, [
        [member, 'member'],
        [second, 'owner'],
      ])
      const open = await invite(scene, service, owner, id, 'new@example.org')
      const before = await scene.organizations.find({ id })
      for (const [method, path, body] of requests({ user: member.id, invitation: open.id })) {
        if (method === 'GET') continue
        const { headers } = owner
        const foreign = {
          headers: { ...headers, 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
        }
        const response = await service.send(method, `/organizations/${id}${path}`, body, foreign)
        expect([path, response.statusCode]).toEqual([path, 403])
      }
      await scene.wait(hour)
      for (const [method, path, body] of requests({ user: member.id, invitation: open.id })) {
        if (method === 'GET' || path === '/leave/' || (method === 'PATCH' && path === '')) continue
        const response = await ask(service, owner, method, `/organizations/${id}${path}`, body)
        expect([path, ...refusalOf(response)]).toEqual([path, 403, 'ACCOUNTS_CONFIRMATION_REQUIRED'])
      }
      expect(await scene.organizations.find({ id })).toEqual(before)
      expect((await ask(service, owner, 'POST', `/organizations/${id}/leave/`)).statusCode).toBe(204)
    },
  )

  rule(
    'ORG-23',
    {
      tried:
        'names of organizations and addresses in emails and on pages: markup, links and line breaks in the name; and what an invited person learns before accepting',
      expected: 'text as text; the name and the roles, but no member and no address',
    },
    async (scene) => {
      const service = await startOn(scene)
      const owner = await person(service, 'olga')
      const member = await person(service, 'mia')
      const name = '<b onclick=x>"&Acme</b>'
      const { id } = await host(service).create({ name, slug: 'acme', ownerId: owner.id })
      await host(service).addMember(id, member.id, ['member'])
      const guest = await person(service, 'gus')
      const open = await invite(scene, service, owner, id, guest.email)
      const mail = service.mails.findLast(({ to }) => to.address === guest.email)
      expect(mail?.html).not.toContain('<b onclick')
      expect(mail?.subject).not.toMatch(/[\r\n]/)
      const page = await service.send('GET', open.link, undefined, { headers: { accept: 'text/html' } })
      expect(page.statusCode).toBe(200)
      expect(page.body).not.toContain('<b onclick')
      const json = await service.send('GET', open.link)
      const listed = await ask(service, guest, 'GET', '/me/invitations/')
      for (const { body } of [page, json, listed]) expect(body).not.toMatch(/mia|olga@/)
      expect(listed.json().results).toMatchObject([{ organization: { id, name }, roles: ['member'] }])
      // What was declined tells the inviter no more than that it is no longer open.
      expect((await ask(service, guest, 'POST', `/me/invitations/${open.id}/decline/`)).statusCode).toBe(204)
      expect((await ask(service, owner, 'GET', `/organizations/${id}/invitations/`)).json().results).toEqual(
        [],
      )
      expect(
        refusalOf(await ask(service, owner, 'DELETE', `/organizations/${id}/invitations/${open.id}`)),
      ).toEqual(notFound)
    },
  )

  rule(
    'ORG-24',
    {
      tried:
        'every limit of accounts used up; then an owner takes a role, removes, withdraws and deletes, a member leaves, and somebody invited declines',
      expected: 'all of it succeeds at once',
    },
    async (scene) => {
      const { increment, decrement, clear } = createMemoryThrottleStore()
      let isUsedUp = false
      const store: ThrottleStore = {
        decrement,
        clear,
        increment: async (key, windowMs) =>
          isUsedUp ? { count: 1_000_000, resetMs: windowMs } : increment(key, windowMs),
      }
      const service = await startOn(scene, {}, { throttle: { store } })
      const owner = await person(service, 'olga')
      const [mia, max, adam] = [
        await person(service, 'mia'),
        await person(service, 'max'),
        await person(service, 'adam'),
      ]
      const id = await organization(service, 'acme', owner, [
        [mia, 'member'],
        [max, 'member'],
        [adam, 'admin'],
      ])
      const guest = await person(service, 'gus')
      const [one, two] = [
        await invite(scene, service, owner, id, guest.email),
        await invite(scene, service, owner, id, 'new@example.org'),
      ]
      isUsedUp = true
      const at = `/organizations/${id}`
      const done = [
        await ask(service, owner, 'PATCH', `${at}/members/${adam.id}`, { roles: ['member'] }),
        await ask(service, owner, 'DELETE', `${at}/members/${mia.id}`),
        await ask(service, max, 'POST', `${at}/leave/`),
        await ask(service, guest, 'POST', `/me/invitations/${one.id}/decline/`),
        await ask(service, owner, 'DELETE', `${at}/invitations/${two.id}`),
        await ask(service, owner, 'DELETE', at),
      ]
      expect(done.map(({ statusCode }) => statusCode)).toEqual([200, 204, 204, 204, 204, 204])
    },
  )
})

/** Members straight in the store, as if they had come one by one. */
async function fill({ organizations: store }: Scene, id: string, count: number, since: Date): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const organization = await store.find({ id })
    if (organization === null) throw new Error('the organization is gone')
    const size = Math.min(500, count - from)
    const put = Array.from({ length: size }, (_, n) => ({
      ...{ organizationId: id, userId: `u-${from + n}`, roles: ['member'], since, invitationId: null },
    }))
    const changes = { members: organization.members + size }
    const write = { organizationId: id, expectedVersion: organization.version, changes, put }
    expect(await store.write([write])).toBe('written')
  }
}

/** Another mount, with users of its own, on the same invitations. */
async function startSecond(
  { invitations: invitationStore }: Scene,
  feature: NonNullable<AccountsOptions['features']>[number],
): Promise<{ app: FastifyInstance }> {
  const { default: Fastify } = await import('fastify')
  const app = Fastify()
  await app.register(accounts, {
    ...{ secret, baseUrl: 'http://localhost:3001', users: true, roles, throttle: false, invitationStore },
    decorateAs: { instance: 'partners', request: 'partner' },
    features: [invitations(), feature],
    mailer: { send: async () => {} },
  })
  await app.ready()
  return { app: Object.assign(Object.create(app), { accounts: Reflect.get(app, 'partners') }) }
}
