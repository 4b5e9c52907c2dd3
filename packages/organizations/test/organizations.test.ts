import { createMemoryOrganizationStore } from '@fastify-accounts/organizations'
import { logIn, signUp } from '@fastify-accounts/test-support/app'
import { describe, expect, it } from 'vitest'
import { organizationsApp, type Person } from './organizations-app.js'

const fields = {
  type: 'object' as const,
  properties: {
    plan: { type: 'string', maxLength: 20_000 },
    seats: { type: 'integer' },
    note: { type: 'string', readOnly: true },
  },
  required: ['plan'],
}

describe('creating an organization', () => {
  it('makes its creator the owner', async () => {
    const { ask, person, membershipOf } = await organizationsApp()
    const alice = await person('alice')
    const created = await ask(alice, 'POST /organizations/', { name: 'Acme', slug: 'acme' })
    expect(created).toMatchObject({
      status: 201,
      body: { slug: 'acme', name: 'Acme', fields: {}, members: 1, roles: ['owner'], permissions: ['org:*'] },
    })
    const { id } = created.body
    expect(id).toMatch(/^org_[\w-]{22}$/)
    expect(await membershipOf(id, alice.id)).toMatchObject({ roles: ['owner'], invitationId: null })
    for (const name of [id, 'acme'])
      expect((await ask(alice, `GET /organizations/${name}`)).body).toEqual(created.body)
  })

  it('needs a login, and a proven address', async () => {
    const { ask, person } = await organizationsApp()
    const body = { name: 'Acme', slug: 'acme' }
    expect(await ask(null, 'POST /organizations/', body)).toMatchObject({ status: 401 })
    const stranger = await person('stranger', { isProven: false })
    expect(await ask(stranger, 'POST /organizations/', body)).toMatchObject({
      status: 403,
      code: 'ACCOUNTS_NOT_VERIFIED',
    })
  })

  it('asks the rule of the app, which may take its time', async () => {
    const { ask, person } = await organizationsApp({
      authorize: { createOrganization: async ({ username }) => username === 'alice' },
    })
    const [alice, bob] = [await person('alice'), await person('bob')]
    const refused = await ask(bob, 'POST /organizations/', { name: 'Bob', slug: 'bobs' })
    expect(refused).toMatchObject({ status: 403, code: 'ACCOUNTS_FORBIDDEN' })
    expect((await ask(alice, 'POST /organizations/', { name: 'Acme', slug: 'acme' })).status).toBe(201)
  })

  it('takes a slug once, also of two at once', async () => {
    const { ask, person } = await organizationsApp()
    const [alice, bob] = [await person('alice'), await person('bob')]
    const body = { name: 'Acme', slug: 'acme' }
    const both = await Promise.all([alice, bob].map((each) => ask(each, 'POST /organizations/', body)))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(both.find(({ status }) => status === 409)?.reason).toBe('slug_taken')
  })

  it.each([
    ['an upper case letter', 'Acme'],
    ['one character', 'a'],
    ['a dash at its end', 'acme-'],
    ['a dash at its start', '-acme'],
    ['the form of an id', 'org_acme'],
    ['a line break', 'acme\n'],
    ['64 characters', 'a'.repeat(64)],
  ])('rejects a slug with %s', async (_what, slug) => {
    const { ask, person } = await organizationsApp()
    const answer = await ask(await person('alice'), 'POST /organizations/', { name: 'Acme', slug })
    expect(answer).toMatchObject({ status: 400, body: { fields: [{ field: 'slug' }] } })
  })

  it('rejects an empty or overlong name, and what it does not know', async () => {
    const { ask, person } = await organizationsApp()
    const alice = await person('alice')
    for (const body of [
      { name: '', slug: 'acme' },
      { name: '  ', slug: 'acme' },
      { name: 'x'.repeat(201), slug: 'acme' },
      { slug: 'acme' },
    ])
      expect(await ask(alice, 'POST /organizations/', body)).toMatchObject({
        status: 400,
        body: { fields: [{ field: 'name' }] },
      })
    for (const more of [{ plan: 'free' }, { fields: { plan: 'free' } }, { owners: 0 }])
      expect((await ask(alice, 'POST /organizations/', { name: 'Acme', slug: 'acme', ...more })).status).toBe(
        400,
      )
  })

  it.each([
    ['a line break', 'Acme\nInc'],
    ['a line break at its end', 'Acme\n'],
    ['a control character', 'Acme\u001b[2J'],
    ['a line separator', 'Acme\u2028Inc'],
    ['a paragraph separator', 'Acme\u2029Inc'],
    ['an override of the direction', 'Acme\u202egpj.exe'],
    ['an isolate', '\u2066Acme'],
    ['a mark of the direction', 'Acme\u200f'],
    ['nothing but spaces', ' \u00a0\u3000'],
    ['nothing visible', '\u200b\u2060 \u00ad\u3164'],
  ])('rejects a name with %s, also as a change and from the app', async (_what, name) => {
    const { ask, person, found, app } = await organizationsApp()
    const alice = await person('alice')
    await found('acme', alice)
    for (const request of ['POST /organizations/', 'PATCH /organizations/acme']) {
      const body = { name, ...(request.startsWith('POST') && { slug: 'other' }) }
      expect(await ask(alice, request, body)).toMatchObject({
        status: 400,
        body: { fields: [{ field: 'name' }] },
      })
    }
    await expect(app.accounts.organizations.update('acme', { name })).rejects.toMatchObject({
      code: 'ACCOUNTS_INVALID_INPUT',
    })
  })

  it('takes names of every script, without white space around them', async () => {
    const { ask, person } = await organizationsApp()
    const alice = await person('alice')
    for (const name of ['  Müller & Söhne ', '株式会社', 'شركة', 'क्‍ष', '👩‍💻 Coders']) {
      const slug = `of-${Buffer.from(name).toString('hex').slice(0, 20)}`
      const created = await ask(alice, 'POST /organizations/', { name, slug })
      expect(created).toMatchObject({ status: 201, body: { name: name.trim() } })
      const changed = await ask(alice, `PATCH /organizations/${slug}`, { name: ` ${name}!  ` })
      expect(changed).toMatchObject({ status: 200, body: { name: `${name}!`.trim() } })
    }
  })

  it('has the fields of the app, checked and limited in size', async () => {
    const { ask, person } = await organizationsApp({ fields })
    const alice = await person('alice')
    const create = (own?: object) =>
      ask(alice, 'POST /organizations/', { name: 'Acme', slug: 'acme', ...own })
    expect((await create()).status).toBe(400)
    expect((await create({ fields: {} })).status).toBe(400)
    expect((await create({ fields: { plan: 1 } })).status).toBe(400)
    expect((await create({ fields: { plan: 'free', note: 'mine' } })).status).toBe(400)
    expect(await create({ fields: { plan: 'free' } })).toMatchObject({
      status: 201,
      body: { fields: { plan: 'free' } },
    })
  })

  it('stops at as many organizations as somebody may have', async () => {
    const { ask, person, found } = await organizationsApp({ limits: { organizations: 2 } })
    const [alice, bob] = [await person('alice'), await person('bob')]
    await found('one', alice)
    await found('two', bob, { member: [alice] })
    expect(await ask(alice, 'POST /organizations/', { name: 'Three', slug: 'three' })).toMatchObject({
      status: 409,
      reason: 'too_many_organizations',
    })
  })

  it('spends a limit', async () => {
    const { ask, person } = await organizationsApp(
      {},
      { throttle: { limits: { createOrganization: { max: 1, window: 3_600_000 } } } },
    )
    const alice = await person('alice')
    const create = (slug: string) => ask(alice, 'POST /organizations/', { name: slug, slug })
    expect((await create('one')).status).toBe(201)
    expect(await create('two')).toMatchObject({ status: 429, code: 'ACCOUNTS_THROTTLED' })
  })
})

describe('changing an organization', () => {
  it('changes what is given, for those who may', async () => {
    const { ask, person, found } = await organizationsApp({ fields: { ...fields, required: [] } })
    const [alice, bob, carol] = [await person('alice'), await person('bob'), await person('carol')]
    const id = await found('acme', alice, { admin: [bob], member: [carol] })
    const changed = await ask(bob, 'PATCH /organizations/acme', { slug: 'acme-2', fields: { plan: 'pro' } })
    expect(changed).toMatchObject({
      status: 200,
      body: { id, slug: 'acme-2', name: 'ACME', fields: { plan: 'pro' }, roles: ['admin'] },
    })
    expect((await ask(bob, 'GET /organizations/acme')).status).toBe(404)
    expect(await ask(carol, `PATCH /organizations/${id}`, { name: 'Mine' })).toMatchObject({
      status: 403,
      code: 'ACCOUNTS_FORBIDDEN',
      reason: 'missing_permission',
    })
    const merged = await ask(alice, `PATCH /organizations/${id}`, { fields: { seats: 3 } })
    expect(merged.body.fields).toEqual({ plan: 'pro', seats: 3 })
    const removed = await ask(alice, `PATCH /organizations/${id}`, { fields: { plan: null } })
    expect(removed.body.fields).toEqual({ seats: 3 })
    expect((await ask(alice, `PATCH /organizations/${id}`, { fields: { note: 'mine' } })).status).toBe(400)
    expect((await ask(alice, `PATCH /organizations/${id}`, {})).body).toEqual(removed.body)
  })

  it('frees the old slug, and refuses that of another', async () => {
    const { ask, person, found } = await organizationsApp()
    const alice = await person('alice')
    await found('one', alice)
    await found('two', alice)
    expect(await ask(alice, 'PATCH /organizations/two', { slug: 'one' })).toMatchObject({
      status: 409,
      reason: 'slug_taken',
    })
    expect((await ask(alice, 'PATCH /organizations/one', { slug: 'uno' })).status).toBe(200)
    expect((await ask(alice, 'PATCH /organizations/two', { slug: 'one' })).status).toBe(200)
  })

  it('spends a limit of those who may, once however often it is attempted', async () => {
    const { ask, person, found, store } = await organizationsApp(
      {},
      { throttle: { limits: { changeOrganization: { max: 2, window: 60_000 } } } },
    )
    const [alice, bob] = [await person('alice'), await person('bob')]
    await found('acme', alice, { member: [bob] })
    const rename = (who: Person, name: string) => ask(who, 'PATCH /organizations/acme', { name })
    for (let each = 0; each < 4; each += 1)
      expect(await rename(bob, 'Mine')).toMatchObject({ status: 403, code: 'ACCOUNTS_FORBIDDEN' })
    const { write } = store
    let attempts = 0
    store.write = async (...args) => {
      attempts += 1
      return attempts < 4 ? 'changed' : write(...args)
    }
    for (const name of ['One', 'Two', 'Two']) expect(await rename(alice, name)).toMatchObject({ status: 200 })
    expect(await rename(alice, 'Three')).toMatchObject({ status: 429, code: 'ACCOUNTS_THROTTLED' })
  })

  it('does not lose what another writes at the same time', async () => {
    const { ask, person, found } = await organizationsApp({ fields: { ...fields, required: [] } })
    const alice = await person('alice')
    await found('acme', alice)
    const changes = [{ plan: 'pro' }, { seats: 2 }]
    await Promise.all(changes.map((own) => ask(alice, 'PATCH /organizations/acme', { fields: own })))
    expect((await ask(alice, 'GET /organizations/acme')).body.fields).toEqual({ plan: 'pro', seats: 2 })
  })
})

describe('own fields', () => {
  it('have a maximum size in total', async () => {
    const { ask, person, found } = await organizationsApp({
      fields: { type: 'object', properties: { one: { type: 'string' }, two: { type: 'string' } } },
    })
    const alice = await person('alice')
    await found('acme', alice)
    const change = (own: object) => ask(alice, 'PATCH /organizations/acme', { fields: own })
    expect((await change({ one: 'x'.repeat(10_000) })).status).toBe(200)
    expect(await change({ two: 'x'.repeat(10_000) })).toMatchObject({
      status: 400,
      body: { fields: [{ field: '', code: 'too_long' }] },
    })
  })
})

describe('deleting an organization', () => {
  it('is for those who may, and takes its memberships and open invitations with it', async () => {
    const { ask, person, found, store, invitations } = await organizationsApp()
    const [alice, bob] = [await person('alice'), await person('bob')]
    const id = await found('acme', alice, { admin: [bob] })
    const now = Date.now()
    const invite = (key: string, target: string) =>
      invitations.create({
        ...{ id: key, target, inviterId: null, email: `${key}@example.org`, emailKey: `${key}@example.org` },
        ...{ gives: { roles: ['member'] }, createdAt: new Date(now), expiresAt: new Date(now + 60_000) },
        ...{ sends: 1, acceptingUntil: null },
      })
    for (let each = 0; each < 120; each += 1) await invite(`i${each}`, `accounts:organization:${id}`)
    await invite('other', 'accounts:organization:org_other')
    expect(await ask(bob, 'DELETE /organizations/acme')).toMatchObject({ status: 403 })
    expect(await invitations.find('i7')).not.toBeNull()
    expect(await ask(alice, 'DELETE /organizations/acme')).toMatchObject({ status: 204 })
    expect(await store.find({ id })).toBeNull()
    expect(await store.countOfUser(bob.id)).toBe(0)
    const left = await invitations.list({ limit: 200 })
    expect(left.map((each) => each.id)).toEqual(['other'])
  })
})

describe('who learns what', () => {
  const requests = (name: string, userId: string): [string, object?][] => [
    [`GET /organizations/${name}`],
    [`PATCH /organizations/${name}`, { name: 'Mine' }],
    [`DELETE /organizations/${name}`],
    [`GET /organizations/${name}/members/`],
    [`POST /organizations/${name}/members/`, { user_id: userId, roles: ['member'] }],
    [`PATCH /organizations/${name}/members/${userId}`, { roles: ['member'] }],
    [`DELETE /organizations/${name}/members/${userId}`],
    [`POST /organizations/${name}/leave/`],
  ]

  it('is the same for a stranger, after the same calls, whether or not there is an organization', async () => {
    const memory = createMemoryOrganizationStore()
    const calls: string[] = []
    const watched = new Proxy(memory, {
      get(store, name, receiver) {
        const method = Reflect.get(store, name, receiver)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => {
          calls.push(String(name))
          return method.apply(store, args)
        }
      },
    })
    const { ask, person, found, users } = await organizationsApp({ store: watched })
    const [alice, stranger] = [await person('alice'), await person('stranger')]
    const id = await found('acme', alice)
    const { findById } = users
    users.findById = (...args) => {
      calls.push('users.findById')
      return findById(...args)
    }
    const outcome = async (who: Person, [request, body]: [string, object?]) => {
      calls.length = 0
      const { status, body: answer } = await ask(who, request, body)
      return { status, answer, calls: [...calls] }
    }
    const unknown = requests('org_0123456789012345678901', alice.id)
    for (const name of [id, 'acme', 'nobody', 'org_x', 'x'.repeat(90), 'ACME'])
      for (const [at, request] of requests(name, alice.id).entries()) {
        const answer = await outcome(stranger, request)
        expect(answer, request[0]).toMatchObject({ status: 404, answer: { code: 'ACCOUNTS_NOT_FOUND' } })
        expect(answer, request[0]).toEqual(await outcome(stranger, unknown[at] as [string, object?]))
      }
  })

  it('is nothing of what no organization can be named', async () => {
    const { ask, person } = await organizationsApp()
    const alice = await person('alice')
    for (const name of ['a%00b', 'a', '%F0%9F%98%80', 'a%2Fb'])
      expect(await ask(alice, `GET /organizations/${name}`)).toMatchObject({ status: 404 })
  })

  it('is nothing without a login', async () => {
    const { ask, person, found } = await organizationsApp()
    const alice = await person('alice')
    await found('acme', alice)
    for (const [request, body] of requests('acme', alice.id))
      expect(await ask(null, request, body), request).toMatchObject({ status: 401 })
  })

  it('is everything for the staff that roles name, and a list of all', async () => {
    const { ask, person, found } = await organizationsApp()
    const [alice, reader, manager] = [
      await person('alice'),
      await person('reader', { roles: ['reader'] }),
      await person('manager', { roles: ['manager'] }),
    ]
    const id = await found('acme', alice)
    expect(await ask(reader, 'GET /organizations/acme')).toMatchObject({
      status: 200,
      body: { id, roles: [], permissions: [] },
    })
    expect(await ask(manager, 'GET /organizations/acme')).toMatchObject({
      status: 200,
      body: { roles: [], permissions: ['org:*'] },
    })
    expect(await ask(reader, 'PATCH /organizations/acme', { name: 'X' })).toMatchObject({ status: 403 })
    expect(await ask(manager, 'PATCH /organizations/acme', { name: 'X' })).toMatchObject({ status: 200 })
    for (const staff of [reader, manager])
      expect(await ask(staff, 'GET /organizations/')).toMatchObject({
        status: 200,
        body: { results: [{ id, slug: 'acme', name: 'X', members: 1 }], next: null },
      })
    expect(await ask(alice, 'GET /organizations/')).toMatchObject({
      status: 403,
      reason: 'missing_permission',
    })
  })

  it('is nothing for is_staff alone', async () => {
    const world = await organizationsApp()
    const { ask, person, found, users } = world
    const alice = await person('alice')
    await found('acme', alice)
    const user = await signUp(world, 'carol', { email: 'carol@example.org' })
    await users.update(user.id, { isVerified: true, isStaff: true }, user.version)
    const carol = { id: user.id, name: 'carol', cookie: await logIn(world, 'carol') }
    expect((await ask(carol, 'GET /organizations/acme')).status).toBe(404)
  })
})

describe('lists', () => {
  it('of a hundred own organizations come page by page, each once', async () => {
    const { ask, person, store } = await organizationsApp()
    const alice = await person('alice')
    for (let each = 0; each < 230; each += 1) {
      const id = `org_${String(each).padStart(22, '0')}`
      const since = new Date(1_700_000_000_000 + Math.floor(each / 7))
      await store.create(
        { id, slug: `o-${each}`, name: `O ${each}`, fields: {}, createdAt: since, members: 1, owners: 1 },
        [{ organizationId: id, userId: alice.id, roles: ['owner'], since, invitationId: null }],
      )
    }
    const slugs: string[] = []
    let pages = 0
    for (let url: string | null = '/me/organizations/'; url !== null; pages += 1) {
      const { status, body } = await ask(alice, `GET ${url}`)
      expect(status).toBe(200)
      slugs.push(...body.results.map((each: { slug: string }) => each.slug))
      url = body.next?.replace(/^https?:\/\/[^/]+/, '') ?? null
    }
    expect(pages).toBe(3)
    expect(slugs).toEqual(Array.from({ length: 230 }, (_, each) => `o-${each}`))
  })

  it('tell roles and permissions, and reject the cursor of another', async () => {
    const { ask, person, found } = await organizationsApp()
    const [alice, bob] = [await person('alice'), await person('bob')]
    await found('acme', alice, { admin: [bob] })
    expect((await ask(bob, 'GET /me/organizations/')).body).toMatchObject({
      results: [
        {
          slug: 'acme',
          name: 'ACME',
          roles: ['admin'],
          permissions: ['org:edit', 'members:invite', 'members:edit'],
        },
      ],
      next: null,
    })
    expect((await ask(bob, 'GET /me/organizations/?cursor=x')).status).toBe(400)
  })
})

describe('in production', () => {
  it('does not start without a store', async () => {
    const { organizations } = await import('@fastify-accounts/organizations')
    const { NODE_ENV } = process.env
    process.env.NODE_ENV = 'production'
    try {
      const check = () => organizations().check?.({} as never)
      expect(check).toThrow('@fastify-accounts/organizations: store is not set')
      expect(() =>
        organizations({ store: createMemoryOrganizationStore() }).check?.({} as never),
      ).not.toThrow()
    } finally {
      process.env.NODE_ENV = NODE_ENV
    }
  })
})
