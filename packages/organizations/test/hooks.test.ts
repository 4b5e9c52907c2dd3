import { once } from 'node:events'
import websocket from '@fastify/websocket'
import { createMemoryOrganizationStore, organizations } from '@fastify-accounts/organizations'
import { withKey } from '@fastify-accounts/test-support/api-keys'
import {
  as,
  baseUrl,
  cheapHasher,
  cookieOf,
  goodPassword,
  outbox,
  secret,
} from '@fastify-accounts/test-support/app'
import { holdBody } from '@fastify-accounts/test-support/held-body'
import type { FastifyInstance } from 'fastify'
import accounts, { type AccountsError, invitations } from 'fastify-accounts'
import { describe, expect, it, vi } from 'vitest'
import { memberApp } from './member-app.js'

const read = 'projects:read'
const write = 'projects:write'

/** Routes about an organization: for each member, and for those who read and write. */
function projectsOf(app: FastifyInstance): void {
  const { requireMember, membershipOf } = app.accounts.organizations
  app.get('/o/:organization', { onRequest: requireMember() }, (request) => membershipOf(request))
  app.get('/o/:organization/projects', { onRequest: requireMember(read) }, (request) => {
    const membership = membershipOf(request)
    return { roles: membership.roles, can: [read, write, 'org:edit'].filter((each) => membership.can(each)) }
  })
  app.post('/o/:organization/projects', { onRequest: requireMember(write) }, async () => ({}))
}

describe('requireMember', () => {
  it('lets in members by the id or the slug in the path, as far as their roles go', async () => {
    const { person, found, send } = await memberApp(projectsOf)
    const [ada, rex, gus] = [await person('ada'), await person('rex'), await person('gus')]
    const id = await found('acme', { [ada.id]: ['owner'], [rex.id]: ['reader'], [gus.id]: ['guest', 'gone'] })
    for (const name of [id, 'acme']) {
      const shown = await send('GET', `/o/${name}`, undefined, as(rex.cookie))
      expect(shown.json()).toEqual({
        organization: { id, slug: 'acme', name: 'acme', fields: {} },
        roles: ['reader'],
      })
    }
    const projects = async (method: 'GET' | 'POST', { cookie }: { cookie: string }) =>
      send(method, '/o/acme/projects', undefined, as(cookie))
    expect((await projects('GET', ada)).json()).toEqual({ roles: ['owner'], can: [read, write, 'org:edit'] })
    expect((await projects('GET', rex)).json()).toEqual({ roles: ['reader'], can: [read] })
    expect((await projects('POST', ada)).statusCode).toBe(200)
    for (const response of [await projects('POST', rex), await projects('GET', gus)]) {
      expect([response.statusCode, response.json().code]).toEqual([403, 'ACCOUNTS_FORBIDDEN'])
    }
  })

  it('tells others nothing: neither who is a member, nor whether there is such an organization', async () => {
    const { app, person, found, send } = await memberApp(projectsOf)
    const [ada, bob] = [await person('ada'), await person('bob')]
    const id = await found('acme', { [ada.id]: ['owner'] })
    await app.accounts.updateUser(bob.id, { isStaff: true })
    const names = [
      id,
      'acme',
      'nothing',
      'org_nothing',
      'a',
      'ACME',
      '%00',
      `org_${'x'.repeat(90)}`,
      '__proto__',
    ]
    const responses = await Promise.all(
      names.map(async (name) => (await send('GET', `/o/${name}/projects`, undefined, as(bob.cookie))).json()),
    )
    for (const response of responses) expect(response).toEqual(responses[0])
    expect(responses[0]).toMatchObject({ statusCode: 404, code: 'ACCOUNTS_NOT_FOUND' })
    expect((await send('GET', '/o/acme/projects')).json()).toMatchObject({ code: 'ACCOUNTS_LOGIN_REQUIRED' })
  })

  it('reads membership with each request', async () => {
    const { person, found, change, send } = await memberApp(projectsOf)
    const rex = await person('rex')
    const id = await found('acme', { [rex.id]: ['reader'] })
    const status = async () => (await send('GET', '/o/acme/projects', undefined, as(rex.cookie))).statusCode
    expect(await status()).toBe(200)
    await change(id, rex.id, ['guest'])
    expect(await status()).toBe(403)
    await change(id, rex.id, null)
    expect(await status()).toBe(404)
    await change(id, rex.id, ['reader'])
    expect(await status()).toBe(200)
  })

  it('is a 503 if the store can’t say, and shows no membership then', async () => {
    const seen: unknown[] = []
    const { store, person, found, send } = await memberApp((app) => {
      const { requireMember, membershipOf } = app.accounts.organizations
      app.get('/o/:organization', { onRequest: requireMember() }, async (request, reply) => {
        store.findFor = () => Promise.reject(new Error('the database is down'))
        await requireMember()(request, reply).catch((error: AccountsError) => seen.push(error.code))
        membershipOf(request)
      })
    })
    const rex = await person('rex')
    await found('acme', { [rex.id]: ['reader'] })
    expect((await send('GET', '/o/acme', undefined, as(rex.cookie))).statusCode).toBe(404)
    expect(seen).toEqual(['ACCOUNTS_UNAVAILABLE'])
    expect((await send('GET', '/o/acme', undefined, as(rex.cookie))).statusCode).toBe(503)
  })

  it('shows no membership to somebody who has logged in since', async () => {
    const { person, found, send } = await memberApp((host) => {
      const { organizations: own, logIn } = host.accounts
      host.get('/o/:organization/:user', { onRequest: own.requireMember() }, async (request, reply) => {
        const { user } = request.params as { user: string }
        const { roles } = own.membershipOf(request)
        await logIn(request, reply, user)
        return { before: roles, after: own.membershipOf(request).roles }
      })
    })
    const [ada, rex, bob] = [await person('ada'), await person('rex'), await person('bob')]
    await found('acme', { [ada.id]: ['reader'], [rex.id]: ['reader'] })
    const enter = async (cookie: string, id: string) =>
      (await send('GET', `/o/acme/${id}`, undefined, as(cookie))).json()
    expect(await enter(ada.cookie, ada.id)).toEqual({ before: ['reader'], after: ['reader'] })
    expect(await enter(rex.cookie, bob.id)).toMatchObject({ statusCode: 404, code: 'ACCOUNTS_NOT_FOUND' })
  })

  it('stops the start for a permission that no role gives, and for a route that names no organization', async () => {
    const { app } = await memberApp()
    const { requireMember } = app.accounts.organizations
    expect(() => requireMember('projects:raed')).toThrow(
      /org:edit, org:delete, members:invite, members:edit, projects:read, projects:write; got projects:raed/,
    )
    expect(() =>
      app.get('/projects', { onRequest: [app.accounts.requireUser, requireMember()] }, () => {}),
    ).toThrow(/the parameter organization in the path \/projects, or the option of/)
    expect(() => app.get('/:organizations', { preHandler: requireMember() }, () => {})).toThrow(
      /the option of/,
    )
    app.register(async (scope) => scope.get('/projects', { onRequest: requireMember() }, () => ({})), {
      prefix: '/o/:organization',
    })
    await app.ready()
  })

  it('takes the organization from a header or the host name instead', async () => {
    const of = ({ headers, hostname }: { headers: { 'x-org'?: unknown }; hostname: string }) =>
      typeof headers['x-org'] === 'string'
        ? headers['x-org']
        : (/^(.+)\.example\.org$/.exec(hostname)?.[1] ?? null)
    const { person, found, send } = await memberApp(
      (app) => {
        const { requireMember, membershipOf } = app.accounts.organizations
        app.get(
          '/projects',
          { onRequest: requireMember(read) },
          (request) => membershipOf(request).organization.slug,
        )
      },
      { of },
    )
    const rex = await person('rex')
    await found('acme', { [rex.id]: ['reader'] })
    await found('other', {})
    const get = (headers: Record<string, string>) =>
      send('GET', '/projects', undefined, { headers: { ...as(rex.cookie).headers, ...headers } })
    expect((await get({ 'x-org': 'acme' })).body).toBe('acme')
    expect((await get({ host: 'acme.example.org' })).body).toBe('acme')
    for (const headers of [{ 'x-org': 'other' }, { host: 'other.example.org' }, { host: 'example.org' }])
      expect((await get(headers)).statusCode).toBe(404)
  })
})

describe('a member who is removed', () => {
  it('gets nothing for a body that was held back until then', async () => {
    let admitted = 0
    const { app, person, found, change } = await memberApp((host) => {
      const { requireMember } = host.accounts.organizations
      const count = async () => {
        admitted += 1
      }
      host.post('/o/:organization', { onRequest: [requireMember(write), count] }, async () => ({}))
    })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const port = Number(new URL(url).port)
    const rex = await person('rex')
    const id = await found('acme', { [rex.id]: ['editor'] })
    const held = async (roles: readonly string[] | null) => {
      await change(id, rex.id, ['editor'])
      const before = admitted
      const finish = holdBody({ port, method: 'POST', url: '/o/acme', cookie: rex.cookie, body: {} })
      await expect.poll(() => admitted).toBe(before + 1)
      await change(id, rex.id, roles)
      return finish()
    }
    expect(await held(['editor'])).toBe(200)
    expect(await held(null)).toBe(404)
    expect(await held(['reader'])).toBe(403)
  })

  it('gets no further message of a WebSocket', async () => {
    const { app, person, found, change } = await memberApp(async (host) => {
      await host.register(websocket)
      const { requireMember, membershipOf } = host.accounts.organizations
      const requireReader = requireMember(read)
      host.register(async (scope) => {
        scope.get(
          '/o/:organization/live',
          { websocket: true, onRequest: requireReader },
          (socket, request) => {
            socket.on('message', () => {
              requireReader(request).then(
                () => socket.send(membershipOf(request).roles.join()),
                (error: AccountsError) => socket.close(1008, error.code),
              )
            })
          },
        )
      })
    })
    await app.ready()
    const rex = await person('rex')
    const id = await found('acme', { [rex.id]: ['reader'] })
    const socket = await app.injectWS('/o/acme/live', as(rex.cookie))
    const said = async () => {
      socket.send('hello')
      return String((await once(socket, 'message'))[0])
    }
    expect(await said()).toBe('reader')
    await change(id, rex.id, ['editor'])
    expect(await said()).toBe('editor')
    await change(id, rex.id, null)
    socket.send('hello')
    const [code, reason] = await once(socket, 'close')
    expect([code, String(reason)]).toEqual([1008, 'ACCOUNTS_NOT_FOUND'])
  })
})

describe('API keys', () => {
  const keyed = () =>
    memberApp((app) => {
      const { requireScope, keyOf, organizations: own } = app.accounts
      const hooks = [requireScope('projects'), own.requireMember(read)]
      app.get('/o/:organization', { onRequest: hooks }, (request) => keyOf(request) ?? {})
      app.get('/people/:organization', { onRequest: own.requireMember() }, async () => ({}))
      app.get('/late/:organization', { onRequest: hooks }, async (request, reply) => {
        const { key } = request.query as { key: string }
        const { id } = app.accounts.userOf(request)
        await app.accounts.removeApiKey(id, key)
        await own.requireMember(read)(request, reply)
      })
    })

  it('of a service account act wherever it is a member, with scope and permission', async () => {
    const { app, found, send } = await keyed()
    const { id } = await app.accounts.createService({ username: 'ci' })
    const acme = await found('acme', { [id]: ['reader'] })
    await found('quiet', { [id]: ['guest'] })
    await found('other', {})
    const made = await app.accounts.createApiKey(id, { name: 'CI', scopes: ['projects'] })
    const statuses = async ({ key }: { key: string }) =>
      Promise.all(
        ['acme', 'quiet', 'other'].map(
          async (name) => (await send('GET', `/o/${name}`, undefined, withKey(key))).statusCode,
        ),
      )
    expect(await statuses(made)).toEqual([200, 403, 404])
    const input = { name: 'quiet', scopes: ['projects'], resource: acme }
    expect(await statuses(await app.accounts.createApiKey(id, input))).toEqual([200, 404, 404])
    expect((await send('GET', '/people/acme', undefined, withKey(made.key))).statusCode).toBe(401)
  })

  it('of a person act only in the organization that they name', async () => {
    const { app, person, found, send } = await keyed()
    const rex = await person('rex')
    const acme = await found('acme', { [rex.id]: ['reader'] })
    await found('other', { [rex.id]: ['reader'] })
    const own = { name: 'CI', scopes: ['projects'] }
    const create = async (resource?: string) => {
      const made = await send('POST', '/api-keys/', { ...own, resource }, as(rex.cookie))
      expect(made.json()).toMatchObject({ resource: resource ?? null })
      return made.json<{ id: string; key: string }>()
    }
    const status = async (name: string, { key }: { key: string }) =>
      (await send('GET', `/o/${name}`, undefined, withKey(key))).statusCode
    const [free, slug, bound] = [await create(), await create('acme'), await create(acme)]
    expect(await status('acme', free)).toBe(404)
    expect(await status('acme', slug)).toBe(404)
    expect([await status('acme', bound), await status(acme, bound), await status('other', bound)]).toEqual([
      200, 200, 404,
    ])
    const shown = await send('GET', '/o/acme', undefined, withKey(bound.key))
    expect(shown.json()).toEqual({ id: bound.id, ...own, resource: acme })
    expect((await app.accounts.listApiKeys(rex.id))?.map(({ resource }) => resource)).toEqual([
      null,
      'acme',
      acme,
    ])
    const listed = await send('GET', '/api-keys/', undefined, as(rex.cookie))
    expect(listed.json().results.map(({ resource }: { resource: unknown }) => resource)).toEqual([
      null,
      'acme',
      acme,
    ])
  })

  it('are looked up again when the hook is called later', async () => {
    const { app, found, send } = await keyed()
    const { id } = await app.accounts.createService({ username: 'ci' })
    await found('acme', { [id]: ['reader'] })
    const made = await app.accounts.createApiKey(id, { name: 'CI', scopes: ['projects'] })
    const late = (key: string) => send('GET', `/late/acme?key=${key}`, undefined, withKey(made.key))
    expect((await late('other')).statusCode).toBe(200)
    expect((await late(made.id)).json()).toMatchObject({ statusCode: 401, code: 'ACCOUNTS_LOGIN_REQUIRED' })
  })
})

describe('two mounts', () => {
  it('have organizations, members and roles of their own', async () => {
    const store = createMemoryOrganizationStore()
    const { app, person, found, send } = await memberApp(async (host) => {
      await host.register(accounts, {
        ...{ secret, baseUrl, mailer: outbox(), throttle: false, prefix: '/partners', users: true },
        ...{ passwordHasher: cheapHasher(), session: { cookieName: 'partner-session' } },
        decorateAs: { instance: 'partners', request: 'partner' },
        features: [
          invitations(),
          organizations({ roles: { owner: ['org:*'], dealer: ['orders:read'] }, store }),
        ],
      })
      const [own, others] = [host.accounts.organizations, partnersOf(host).organizations]
      const both = [own.requireMember(read), others.requireMember('orders:read')]
      host.get('/o/:organization', { onRequest: both.slice(0, 1) }, async () => ({}))
      host.get('/both/:organization', { onRequest: both }, (request) =>
        [own, others].map(({ membershipOf }) => membershipOf(request).roles),
      )
      host.get('/mixed/:organization', { onRequest: both.slice(0, 1) }, (request) =>
        others.membershipOf(request),
      )
      expect(() => others.requireMember(read)).toThrow(/orders:read; got projects:read/)
    })
    const rex = await person('rex')
    const id = await found('acme', { [rex.id]: ['reader'] })
    const pat = { username: 'pat', password: goodPassword }
    const { id: userId } = await partnersOf(app).createUser(pat)
    const since = new Date()
    await store.create(
      { id, slug: 'acme', name: 'acme', fields: {}, createdAt: since, members: 1, owners: 0 },
      [{ organizationId: id, userId, roles: ['dealer'], since, invitationId: null }],
    )
    const other = cookieOf(await send('POST', '/partners/login/', pat))
    const get = async (path: string, cookie: string) => send('GET', path, undefined, as(cookie))
    expect((await get('/both/acme', `${rex.cookie}; ${other}`)).json()).toEqual([['reader'], ['dealer']])
    const statuses = await Promise.all(
      (
        [
          ['/o/acme', other],
          ['/both/acme', rex.cookie],
          ['/mixed/acme', `${rex.cookie}; ${other}`],
        ] as const
      ).map(async ([path, cookie]) => (await get(path, cookie)).statusCode),
    )
    expect(statuses).toEqual([401, 401, 404])
  })
})

const partnersOf = (app: FastifyInstance) =>
  (app as unknown as { partners: FastifyInstance['accounts'] }).partners

it('costs one read of the organization store a request, and one more for a body that comes later', async () => {
  let admitted = 0
  const { app, store, person, found, send } = await memberApp((host) => {
    const count = async () => {
      admitted += 1
    }
    const { requireMember } = host.accounts.organizations
    host.get('/o/:organization', { onRequest: requireMember(read) }, async () => ({}))
    host.post('/o/:organization', { onRequest: [requireMember(read), count] }, async () => ({}))
  })
  const { port } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
  const rex = await person('rex')
  await found('acme', { [rex.id]: ['reader'] })
  const findFor = vi.spyOn(store, 'findFor')
  await send('GET', '/o/acme', undefined, as(rex.cookie))
  expect(findFor).toHaveBeenCalledTimes(1)
  const finish = holdBody({
    port: Number(port),
    method: 'POST',
    url: '/o/acme',
    cookie: rex.cookie,
    body: {},
  })
  await expect.poll(() => admitted).toBe(1)
  await finish()
  expect(findFor).toHaveBeenCalledTimes(3)
})
