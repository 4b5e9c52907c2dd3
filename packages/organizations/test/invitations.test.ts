import {
  createMemoryOrganizationStore,
  type OrganizationStore,
  organizations,
} from '@fastify-accounts/organizations'
import { passkeys } from '@fastify-accounts/passkeys'
import {
  as,
  browser,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { type AccountEvent, type AccountsOptions, type Invitation, invitations } from 'fastify-accounts'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

const email = 'gus@example.org'
const choice = { username: 'gus', new_password: otherPassword, confirm_password: otherPassword }
const kinds = ['organization-invitation', 'organization-invitation-known'] as const
const roles = { staff: ['orgs:manage'], editor: ['posts:write'] } as const

type Login = { id: string; headers: { cookie: string } }
type World = TestApp & { store: OrganizationStore; events: AccountEvent[]; hanna: Login; acme: string }

/** An organization whose owner is Hanna. */
async function world(
  options: Partial<AccountsOptions> = {},
  own: Parameters<typeof organizations>[0] = {},
): Promise<World> {
  const store = createMemoryOrganizationStore()
  const events: AccountEvent[] = []
  const service = await testApp({
    features: [invitations(), organizations({ store, ...own })],
    roles,
    on: {
      test: Object.fromEntries(types.map((type) => [type, (event: AccountEvent) => void events.push(event)])),
    },
    ...options,
  })
  const hanna = await userWith(service, 'hanna')
  const made = await service.send('POST', '/organizations/', { name: 'Acme', slug: 'acme' }, hanna)
  return { ...service, store, events, hanna, acme: made.json().id }
}

const types = [
  ...(['invitation.created', 'invitation.accepted', 'invitation.withdrawn'] as const),
  ...(['member.added', 'member.roles_changed'] as const),
]

async function userWith(
  { app, ...service }: Pick<TestApp, 'app' | 'send'>,
  username: string,
  more: object = {},
): Promise<Login> {
  const input = { username, email: `${username}@example.org`, password: goodPassword, isVerified: true }
  const { id } = await app.accounts.createUser({ ...input, ...more })
  return { id, ...as(await logIn(service, username)) }
}

const invite = ({ send }: World, who: Login, body: object = {}, organization = 'acme') =>
  send('POST', `/organizations/${organization}/invitations/`, { email, roles: ['member'], ...body }, who)

/** The row that the invitation of an address is. */
async function invited(service: World, who: Login, body: { email?: string; roles?: string[] } = {}) {
  const response = await invite(service, who, body)
  expect(response.statusCode, response.body).toBe(202)
  const rows = await service.invitations.listByEmail(body.email ?? email)
  const row = rows.find((each) => each.inviterId === who.id)
  expect(row).toBeDefined()
  return row as Invitation
}

async function linkOf(service: World, to = email): Promise<string> {
  const mails = () =>
    service.mails.filter((mail) => mail.to.address === to && kinds.some((kind) => kind === mail.kind))
  await expect.poll(() => mails().length).toBeGreaterThan(0)
  const path = linkPath(mails().at(-1) as TestApp['mails'][number])
  service.mails.splice(0)
  return path
}

const own = async ({ app }: World, who: Pick<Login, 'headers'>) =>
  (await app.inject({ url: '/me/invitations/', headers: who.headers })).json().results as {
    id: string
    organization: { id: string; name: string }
  }[]

const accept = ({ send }: World, who: Login, id: string) =>
  send('POST', `/me/invitations/${id}/accept/`, undefined, who)
const decline = ({ send }: World, who: Login, id: string) =>
  send('POST', `/me/invitations/${id}/decline/`, undefined, who)
const withdraw = ({ send }: World, who: Login, id: string) =>
  send('DELETE', `/organizations/acme/invitations/${id}`, undefined, who)
const sendAgain = ({ send }: World, who: Login, id: string) =>
  send('POST', `/organizations/acme/invitations/${id}/send/`, undefined, who)
const listed = async ({ app }: World, who: Login) =>
  (await app.inject({ url: '/organizations/acme/invitations/', headers: who.headers })).json()

const membershipOf = async ({ store, acme }: World, userId: string) =>
  (await store.findFor({ id: acme }, userId))?.membership ?? null

/** Somebody who has joined with these roles, by an invitation of the owner. */
async function memberWith(service: World, username: string, given: string[]): Promise<Login> {
  const login = await userWith(service, username)
  const row = await invited(service, service.hanna, { email: `${username}@example.org`, roles: given })
  const accepted = await accept(service, login, row.id)
  expect(accepted.statusCode, accepted.body).toBe(200)
  await service.settle()
  service.mails.splice(0)
  return login
}

const refusal = (response: { statusCode: number; json(): { code: string; reason?: string } }) => [
  response.statusCode,
  response.json().reason ?? response.json().code,
]

describe('the email of an invitation to an organization', () => {
  it('has the name on one line, also one that the app has stored itself', async () => {
    const service = await world()
    const { version = 0 } = (await service.store.find({ id: service.acme })) ?? {}
    const changes = { name: 'Acme\n\nPay today\u2028Now' }
    await service.store.write([{ organizationId: service.acme, expectedVersion: version, changes }])
    await invited(service, service.hanna)
    const mail = await service.mail('organization-invitation', email)
    expect(mail.text).toContain('Acme Pay today Now')
  })
})

describe('the link of an invitation to an organization', () => {
  it('shows what it is to, and makes somebody without an account a member', async () => {
    const service = await world()
    await invited(service, service.hanna, { roles: ['admin'] })
    const mail = await service.mail('organization-invitation', email)
    expect(mail.text).toContain('Acme')
    const path = await linkOf(service)
    expect((await service.send('GET', path)).json()).toEqual({
      ...{ valid: true, email, username_required: true, login_required: false, invited_by: 'hanna' },
      gives: { fields: {}, roles: [] },
      to: { kind: 'organization', name: 'Acme', roles: ['admin'] },
    })
    const accepted = await service.send('POST', path, choice)
    expect(accepted.statusCode, accepted.body).toBe(200)
    const gus = await service.users.findByEmail(email)
    // The account itself gets nothing, and notes nothing.
    expect(gus).toMatchObject({ isVerified: true, roles: [], fields: {} })
    expect(gus?.notes).not.toHaveProperty('accepted')
    expect(await membershipOf(service, gus?.id ?? '')).toMatchObject({ roles: ['admin'] })
    expect(await service.invitations.listByEmail(email)).toEqual([])
    expect((await service.send('GET', path)).statusCode).toBe(400)
  })

  it.each([
    ['en', 'hanna</bdi></strong> invited you to <strong><bdi>&#60;b&#62;A&#60;/b&#62;</bdi></strong> at'],
    ['de', 'hanna</bdi></strong> hat Sie zu <strong><bdi>&#60;b&#62;A&#60;/b&#62;</bdi></strong> bei'],
    [
      'fr',
      'hanna</bdi></strong> vous a invité à rejoindre <strong><bdi>&#60;b&#62;A&#60;/b&#62;</bdi></strong> sur',
    ],
  ])(
    'shows a page in %s that says who invites to which organization, with which roles',
    async (tag, sentence) => {
      const service = await world({ languages: { offered: ['en', 'de', 'fr'] } })
      await service.send('PATCH', '/organizations/acme', { name: '<b>A</b>' }, service.hanna)
      await invited(service, service.hanna, { roles: ['admin', 'member'] })
      const headers = { ...browser, 'accept-language': tag }
      const page = await service.app.inject({ url: await linkOf(service), headers })
      expect(page.body).toContain(sentence)
      expect(page.body).toContain('admin, member')
    },
  )

  it('gives nothing to an account that a stranger made for the address, but makes its owner a member', async () => {
    const service = await world()
    const body = { username: 'mallory', email, password: goodPassword, confirm_password: goodPassword }
    await service.send('POST', '/user/', body)
    const mallory = as(await logIn(service, 'mallory'))
    await invited(service, service.hanna)
    expect(await own(service, mallory)).toEqual([])
    const path = await linkOf(service)
    expect((await service.send('GET', path)).json()).toMatchObject({ login_required: false })
    expect((await service.send('POST', path, choice)).statusCode).toBe(200)
    const gus = await service.users.findByEmail(email)
    expect(gus?.notes).not.toHaveProperty('accepted')
    expect(await membershipOf(service, gus?.id ?? '')).toMatchObject({ roles: ['member'] })
    expect((await service.app.inject({ url: '/me/', headers: mallory.headers })).statusCode).toBe(401)
  })

  it('makes the owner of a proven account a member, logged in to it alone', async () => {
    const service = await world()
    const gus = await userWith(service, 'gus')
    const other = await userWith(service, 'other')
    await invited(service, service.hanna)
    expect((await service.mail('organization-invitation-known', email)).text).toContain('Log in')
    const path = await linkOf(service)
    expect(refusal(await service.send('POST', path, choice))).toEqual([401, 'ACCOUNTS_LOGIN_REQUIRED'])
    expect(refusal(await service.send('POST', path, {}, other))).toEqual([403, 'other_account'])
    expect(await membershipOf(service, gus.id)).toBeNull()
    expect((await service.send('POST', path, {}, gus)).statusCode).toBe(200)
    expect(await membershipOf(service, gus.id)).toMatchObject({ roles: ['member'] })
    expect((await service.users.findById(gus.id))?.notes).not.toHaveProperty('accepted')
  })

  it('asks the rule of the app with nothing given', async () => {
    const asked: unknown[] = []
    const signUp = (attempt: object) => {
      asked.push(attempt)
      return { roles: ['editor'] }
    }
    const service = await world({ before: { signUp } })
    await invited(service, service.hanna, { roles: ['admin'] })
    asked.splice(0)
    await service.send('POST', await linkOf(service), choice)
    expect(asked).toMatchObject([{ method: 'invitation', roles: [], fields: {} }])
    expect(await service.users.findByEmail(email)).toMatchObject({ roles: ['editor'] })
  })

  it('creates no account where the sign-up is closed, unless its inviter may invite to an account', async () => {
    const closed = await world({
      authorize: { createUser: () => false },
      roles: { ...roles, recruiter: ['users:invite'] },
      requireEmailConfirmation: true,
      features: [invitations(), organizations(), passkeys()],
    })
    await invited(closed, closed.hanna)
    const path = await linkOf(closed)
    expect(refusal(await closed.send('POST', path, choice))).toEqual([403, 'sign_up_closed'])
    const withPasskey = await closed.send('POST', `${path}passkey/options/`, { username: 'gus' })
    expect(refusal(withPasskey)).toEqual([403, 'sign_up_closed'])
    expect(await closed.users.findByEmail(email)).toBeNull()
    // A proven account accepts, and one that is not becomes its owner's: neither is created.
    await userWith(closed, 'proven')
    const row = await invited(closed, closed.hanna, { email: 'proven@example.org' })
    const proven = as(await logIn(closed, 'proven')) as Login
    expect((await accept(closed, proven, row.id)).statusCode).toBe(200)
    await closed.app.accounts.createUser({
      username: 'early',
      email: 'early@example.org',
      password: goodPassword,
    })
    await invited(closed, closed.hanna, { email: 'early@example.org' })
    const taken = await closed.send('POST', await linkOf(closed, 'early@example.org'), {
      ...choice,
      username: 'early',
    })
    expect(taken.statusCode, taken.body).toBe(200)
    // Who may invite to an account brings somebody in, as does the app's own code.
    await closed.app.accounts.updateUser(closed.hanna.id, { roles: ['recruiter'] })
    expect((await closed.send('POST', path, choice)).statusCode).toBe(200)
    await closed.app.accounts.organizations.invite('acme', { email: 'ben@example.org', roles: ['member'] })
    const bens = await linkOf(closed, 'ben@example.org')
    expect((await closed.send('POST', bens, { ...choice, username: 'ben' })).statusCode).toBe(200)
  })

  it('leaves the account and the invitation if joining fails after the sign-up', async () => {
    const service = await world({}, { limits: { members: 1 } })
    await invited(service, service.hanna)
    const path = await linkOf(service)
    expect(refusal(await service.send('POST', path, choice))).toEqual([409, 'organization_full'])
    const gus = as(await logIn(service, 'gus', otherPassword))
    expect(await own(service, gus)).toMatchObject([{ organization: { id: service.acme, name: 'Acme' } }])
  })

  it('is sent again where somebody without an account has forgotten their password', async () => {
    const service = await world()
    await invited(service, service.hanna)
    const first = await linkOf(service)
    await service.send('POST', '/forgot/', { email })
    expect((await service.mail('organization-invitation', email)).text).toContain('Acme')
    const again = await linkOf(service)
    expect((await service.send('POST', again, choice)).statusCode).toBe(200)
    expect((await service.send('GET', first)).statusCode).toBe(400)
  })

  it('is not applied by a proof of the address: it waits', async () => {
    const service = await world({ requireEmailConfirmation: true })
    await invited(service, service.hanna)
    service.mails.splice(0)
    const body = { username: 'gus', email, password: goodPassword, confirm_password: goodPassword }
    await service.send('POST', '/user/', body)
    const verify = linkPath(await service.mail('verify-email', email))
    await service.send('POST', `${verify}password/`, { password: goodPassword })
    const gus = await service.users.findByEmail(email)
    expect(gus).toMatchObject({ isVerified: true })
    expect(gus?.notes).not.toHaveProperty('accepted')
    expect(await membershipOf(service, gus?.id ?? '')).toBeNull()
    expect(await own(service, as(await logIn(service, 'gus')))).toHaveLength(1)
  })
})

describe('inviting', () => {
  it('does the same for every address', async () => {
    const service = await world()
    await memberWith(service, 'mia', ['member'])
    await userWith(service, 'proven')
    await userWith(service, 'unproven', { isVerified: false })
    const { calls, clear } = callsOf([service.users, service.invitations, service.store])
    const outcomes = []
    for (const name of ['nobody', 'proven', 'unproven', 'mia']) {
      clear()
      const response = await invite(service, service.hanna, { email: `${name}@example.org` })
      // Without what delivers the email, after the response.
      outcomes.push({ status: response.statusCode, body: response.body, calls: [...calls] })
      await service.settle()
      expect(service.mails.splice(0)).toHaveLength(1)
    }
    expect(new Set(outcomes.map((each) => JSON.stringify(each))).size).toBe(1)
    expect(outcomes[0]?.status).toBe(202)
  })

  it('takes a permission, and no more than one has', async () => {
    const service = await world()
    const member = await memberWith(service, 'mia', ['member'])
    const admin = await memberWith(service, 'ada', ['admin'])
    const stranger = await userWith(service, 'stranger')
    expect(refusal(await invite(service, member))).toEqual([403, 'missing_permission'])
    expect(refusal(await invite(service, stranger))).toEqual([404, 'ACCOUNTS_NOT_FOUND'])
    expect(refusal(await invite(service, admin, { roles: ['owner'] }))).toEqual([403, 'missing_permission'])
    expect((await invite(service, admin, { roles: ['strange'] })).statusCode).toBe(400)
    expect((await invite(service, admin, { roles: [] })).statusCode).toBe(400)
    expect((await invite(service, admin, { email: 'nobody' })).statusCode).toBe(400)
    expect((await invite(service, admin, { roles: ['admin'] })).statusCode).toBe(202)
    const staff = await userWith(service, 'sue', { roles: ['staff'] })
    expect((await invite(service, staff, { roles: ['owner'] })).statusCode).toBe(202)
  })

  it('replaces what the same inviter has invited the address to, and nothing of others', async () => {
    const service = await world()
    const admin = await memberWith(service, 'ada', ['admin'])
    await invited(service, service.hanna)
    const first = await linkOf(service)
    await invited(service, admin)
    const second = await linkOf(service)
    await invited(service, service.hanna, { roles: ['admin'] })
    const third = await linkOf(service)
    expect((await service.send('GET', first)).statusCode).toBe(400)
    expect((await service.send('GET', second)).json()).toMatchObject({ to: { roles: ['member'] } })
    expect((await service.send('GET', third)).json()).toMatchObject({ to: { roles: ['admin'] } })
    expect(await service.invitations.listByEmail(email)).toHaveLength(2)
  })

  it('is bounded for an organization, for an inviter at an address, and for an address', async () => {
    const service = await world({}, { limits: { invitations: 2 } })
    for (const name of ['one', 'two']) await invited(service, service.hanna, { email: `${name}@example.org` })
    expect(refusal(await invite(service, service.hanna))).toEqual([409, 'too_many_invitations'])
    // One that is there can be replaced.
    await invited(service, service.hanna, { email: 'two@example.org', roles: ['admin'] })
    for (let n = 0; n < 4; n += 1) {
      await service.send('POST', '/organizations/', { name: 'More', slug: `more-${n}` }, service.hanna)
      const response = await invite(service, service.hanna, {}, `more-${n}`)
      expect(response.statusCode, `${n}`).toBe(n < 3 ? 202 : 409)
    }
    const other = await userWith(service, 'other')
    await service.send('POST', '/organizations/', { name: 'Other', slug: 'other' }, other)
    expect((await invite(service, other, {}, 'other')).statusCode).toBe(202)
  })

  it('sends one of somebody else again at the expense of who sends it', async () => {
    const service = await world({ throttle: {} })
    const admin = await memberWith(service, 'ada', ['admin'])
    const row = await invited(service, service.hanna)
    await linkOf(service)
    for (let n = 0; n < 5; n += 1) {
      expect((await sendAgain(service, admin, row.id)).statusCode, `${n}`).toBe(204)
      expect(await linkOf(service)).toMatch(/invitation/)
    }
    expect((await sendAgain(service, admin, row.id)).statusCode).toBe(429)
    // The inviter has spent one of their five.
    for (let n = 0; n < 4; n += 1)
      expect((await sendAgain(service, service.hanna, row.id)).statusCode, `${n}`).toBe(204)
    expect((await sendAgain(service, service.hanna, row.id)).statusCode).toBe(429)
  })

  it('counts no expired ones for an organization', async () => {
    const service = await world({}, { limits: { invitations: 2 } })
    const rows = []
    for (const name of ['one', 'two'])
      rows.push(await invited(service, service.hanna, { email: `${name}@example.org` }))
    for (const { id, version } of rows)
      await service.invitations.update(id, { expiresAt: new Date(Date.now() - 1) }, version)
    for (const name of ['three', 'four'])
      await invited(service, service.hanna, { email: `${name}@example.org` })
    expect(refusal(await invite(service, service.hanna))).toEqual([409, 'too_many_invitations'])
  })

  it('spends its own limits, and what anybody has emailed the address', async () => {
    const throttle = { limits: { inviteMember: { max: 3, window: 3_600_000 } } }
    const service = await world({ throttle })
    expect((await invite(service, service.hanna, { roles: ['admin'] })).statusCode).toBe(202)
    for (let n = 0; n < 2; n += 1) expect((await invite(service, service.hanna)).statusCode).toBe(202)
    expect((await invite(service, service.hanna, { email: 'new@example.org' })).statusCode).toBe(429)
    const [row] = await service.invitations.listByEmail(email)
    for (let n = 0; n < 2; n += 1)
      expect((await sendAgain(service, service.hanna, row?.id ?? '')).statusCode).toBe(204)
    expect((await sendAgain(service, service.hanna, row?.id ?? '')).statusCode).toBe(429)
    // Another inviter has their own.
    const staff = await userWith(service, 'sue', { roles: ['staff'] })
    expect((await invite(service, staff)).statusCode).toBe(202)
  })

  it('stops the start without invitations()', async () => {
    await expect(testApp({ features: [organizations()] })).rejects.toThrow(
      /features has organizations, whose invitations need invitations\(\)$/,
    )
  })
})

describe('open invitations', () => {
  it('are listed, sent again and withdrawn by their inviter, and by those who edit members', async () => {
    const service = await world({}, { roles: { owner: ['org:*'], host: ['members:invite'], member: [] } })
    const host = await memberWith(service, 'host', ['host'])
    const member = await memberWith(service, 'mia', ['member'])
    const stranger = await userWith(service, 'stranger')
    const hannas = await invited(service, service.hanna, { email: 'one@example.org' })
    const hosts = await invited(service, host, { email: 'two@example.org', roles: ['host'] })
    expect(await listed(service, service.hanna)).toMatchObject({
      results: [
        { id: hannas.id, email: 'one@example.org', roles: ['member'], inviter_id: service.hanna.id },
        { id: hosts.id, email: 'two@example.org', roles: ['host'], inviter_id: host.id },
      ],
      next: null,
    })
    expect((await listed(service, host)).results).toMatchObject([{ id: hosts.id }])
    for (const work of [sendAgain, withdraw]) {
      expect(refusal(await work(service, host, hannas.id))).toEqual([404, 'ACCOUNTS_NOT_FOUND'])
      expect(refusal(await work(service, stranger, hannas.id))).toEqual([404, 'ACCOUNTS_NOT_FOUND'])
      expect(refusal(await work(service, member, hosts.id))).toEqual([403, 'missing_permission'])
    }
    await linkOf(service, 'two@example.org')
    expect((await sendAgain(service, host, hosts.id)).statusCode).toBe(204)
    const link = await linkOf(service, 'two@example.org')
    expect((await service.send('GET', link)).statusCode).toBe(200)
    expect((await withdraw(service, service.hanna, hosts.id)).statusCode).toBe(204)
    expect((await service.send('GET', link)).statusCode).toBe(400)
    expect((await withdraw(service, host, hosts.id)).statusCode).toBe(404)
  })

  it('are of one organization: the path of another finds none', async () => {
    const service = await world()
    const row = await invited(service, service.hanna)
    await service.send('POST', '/organizations/', { name: 'Other', slug: 'other' }, service.hanna)
    const response = await service.send(
      'DELETE',
      `/organizations/other/invitations/${row.id}`,
      undefined,
      service.hanna,
    )
    expect(response.statusCode).toBe(404)
    // Nor do the routes of invitations to an account.
    const admin = await userWith(service, 'sue', { isStaff: true })
    expect((await service.send('DELETE', `/invitations/${row.id}`, undefined, admin)).statusCode).toBe(404)
    expect((await service.app.inject({ url: '/invitations/', ...admin })).json().results).toEqual([])
  })

  it('give nothing once their inviter has left, lost the right, or was disabled, deleted or locked down', async () => {
    const ends: Record<string, (service: World, admin: Login) => Promise<unknown>> = {
      removed: (service, admin) =>
        service.send('DELETE', `/organizations/acme/members/${admin.id}`, undefined, service.hanna),
      demoted: (service, admin) =>
        service.send(
          'PATCH',
          `/organizations/acme/members/${admin.id}`,
          { roles: ['member'] },
          service.hanna,
        ),
      disabled: ({ app }, { id }) => app.accounts.updateUser(id, { isActive: false }),
      deleted: ({ app }, { id }) => app.accounts.deleteUser(id),
      'locked down': ({ app }, { id }) => app.accounts.secureUser(id),
    }
    for (const [name, end] of Object.entries(ends)) {
      const service = await world()
      const admin = await memberWith(service, 'ada', ['admin'])
      const row = await invited(service, admin)
      const path = await linkOf(service)
      const gus = await userWith(service, 'gus')
      expect(await own(service, gus), name).toHaveLength(1)
      await end(service, admin)
      expect((await service.send('GET', path)).statusCode, name).toBe(400)
      expect(await own(service, gus), name).toEqual([])
      expect((await accept(service, gus, row.id)).statusCode, name).toBe(404)
      expect(await membershipOf(service, gus.id), name).toBeNull()
    }
  })

  it('are withdrawn when their inviter is locked down', async () => {
    const service = await world()
    const admin = await memberWith(service, 'ada', ['admin'])
    await invited(service, admin)
    await service.app.accounts.secureUser(admin.id)
    expect(await service.invitations.listByEmail(email)).toEqual([])
  })

  it('give nothing once the organization is gone', async () => {
    const service = await world()
    const row = await invited(service, service.hanna)
    const path = await linkOf(service)
    const gus = await userWith(service, 'gus')
    await service.store.write([{ organizationId: service.acme, expectedVersion: 1, isDeletion: true }])
    expect((await service.send('GET', path)).statusCode).toBe(400)
    expect((await accept(service, gus, row.id)).statusCode).toBe(404)
  })
})

describe('an invitation in the account of its address', () => {
  it('is listed, accepted once, and gone', async () => {
    const service = await world()
    const row = await invited(service, service.hanna, { roles: ['admin'] })
    const gus = await userWith(service, 'gus')
    const other = await userWith(service, 'other')
    expect(await own(service, gus)).toEqual([
      {
        ...{
          id: row.id,
          roles: ['admin'],
          invited_by: 'hanna',
          organization: { id: service.acme, name: 'Acme' },
        },
        ...{ invited_at: row.createdAt.toISOString(), expires_at: row.expiresAt.toISOString() },
      },
    ])
    expect(await own(service, other)).toEqual([])
    for (const work of [accept, decline]) expect((await work(service, other, row.id)).statusCode).toBe(404)
    const accepted = await accept(service, gus, row.id)
    expect(accepted.json()).toMatchObject({ id: service.acme, slug: 'acme', name: 'Acme', roles: ['admin'] })
    const mine = await service.app.inject({ url: '/me/organizations/', ...gus })
    expect(mine.json().results).toEqual([accepted.json()])
    expect(await own(service, gus)).toEqual([])
    expect((await accept(service, gus, row.id)).statusCode).toBe(404)
    expect(await service.store.find({ slug: 'acme' })).toMatchObject({ members: 2, owners: 1 })
  })

  it('is listed as often as other lists', async () => {
    const service = await world({ throttle: { limits: { listUsers: { max: 2, window: 60_000 } } } })
    const gus = await userWith(service, 'gus')
    const list = () => service.app.inject({ url: '/me/invitations/', headers: gus.headers })
    for (let n = 0; n < 2; n += 1) expect((await list()).statusCode).toBe(200)
    expect((await list()).statusCode).toBe(429)
  })

  it('is nothing to an account whose address is not proven', async () => {
    const service = await world()
    const row = await invited(service, service.hanna)
    const gus = await userWith(service, 'gus', { isVerified: false })
    expect(await own(service, gus)).toEqual([])
    for (const work of [accept, decline])
      expect(refusal(await work(service, gus, row.id))).toEqual([403, 'ACCOUNTS_NOT_VERIFIED'])
    expect(refusal(await accept(service, gus, 'none'))).toEqual([403, 'ACCOUNTS_NOT_VERIFIED'])
  })

  it('is declined, and then gives nothing', async () => {
    const service = await world()
    const row = await invited(service, service.hanna)
    const path = await linkOf(service)
    const gus = await userWith(service, 'gus')
    expect((await decline(service, gus, row.id)).statusCode).toBe(204)
    expect((await service.send('GET', path)).statusCode).toBe(400)
    expect((await accept(service, gus, row.id)).statusCode).toBe(404)
    expect((await listed(service, service.hanna)).results).toEqual([])
  })

  it('adds to what a member has, and takes nothing', async () => {
    const service = await world()
    const ada = await memberWith(service, 'ada', ['admin'])
    const less = await invited(service, service.hanna, { email: 'ada@example.org', roles: ['member'] })
    expect((await accept(service, ada, less.id)).json()).toMatchObject({ roles: ['admin'] })
    const more = await invited(service, service.hanna, { email: 'ada@example.org', roles: ['owner'] })
    expect((await accept(service, ada, more.id)).json()).toMatchObject({ roles: ['admin', 'owner'] })
    expect(await service.store.find({ slug: 'acme' })).toMatchObject({ members: 2, owners: 2 })
  })

  it('is bounded by what a person can belong to', async () => {
    const service = await world({}, { limits: { organizations: 1 } })
    const gus = await userWith(service, 'gus')
    await service.send('POST', '/organizations/', { name: 'Own', slug: 'own' }, gus)
    const row = await invited(service, service.hanna)
    expect(refusal(await accept(service, gus, row.id))).toEqual([409, 'too_many_organizations'])
    expect(await own(service, gus)).toHaveLength(1)
    expect((await withdraw(service, service.hanna, row.id)).statusCode).toBe(204)
  })

  it.each([
    ['they belong to too many', { organizations: 1 }],
    ['the organization is full', { members: 1 }],
  ])('stays as it is while it is refused since %s, so it can be withdrawn', async (_, limits) => {
    const service = await world({}, { limits })
    const gus = await userWith(service, 'gus')
    await service.send('POST', '/organizations/', { name: 'Own', slug: 'own' }, gus)
    const row = await invited(service, service.hanna)
    const path = await linkOf(service)
    const attempts = [1, 2, 3, 4].flatMap(() => [
      accept(service, gus, row.id),
      service.send('POST', path, {}, gus),
    ])
    for (const refused of await Promise.all(attempts)) expect(refused.statusCode, refused.body).toBe(409)
    expect(await service.invitations.find(row.id)).toEqual(row)
    expect((await withdraw(service, service.hanna, row.id)).statusCode).toBe(204)
  })

  it('is in the export of the person', async () => {
    const service = await world()
    const row = await invited(service, service.hanna)
    const gus = await userWith(service, 'gus')
    const exported = await service.app.inject({ url: '/me/export/', ...gus })
    expect(exported.json().features.organizations.received_invitations).toMatchObject([
      { organization: { id: service.acme }, roles: ['member'], expires_at: row.expiresAt.toISOString() },
    ])
  })

  it('is told by events about those whom they are about', async () => {
    const service = await world()
    const row = await invited(service, service.hanna)
    const gus = await userWith(service, 'gus')
    await accept(service, gus, row.id)
    const second = await invited(service, service.hanna, { roles: ['admin'] })
    await accept(service, gus, second.id)
    const third = await invited(service, service.hanna)
    await decline(service, gus, third.id)
    await expect.poll(() => service.events.length).toBe(9)
    expect(
      service.events
        .map(({ type, user, data }) => [type, user?.id === gus.id ? 'gus' : 'hanna', { ...data }])
        .toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
    ).toEqual(
      [
        ['invitation.accepted', 'gus', { invitation_id: row.id }],
        ['invitation.accepted', 'gus', { invitation_id: second.id }],
        ['invitation.created', 'hanna', { invitation_id: row.id }],
        ['invitation.created', 'hanna', { invitation_id: second.id }],
        ['invitation.created', 'hanna', { invitation_id: third.id }],
        ['invitation.withdrawn', 'hanna', { invitation_id: third.id }],
        ['member.added', 'gus', { organization_id: service.acme, roles: ['member'] }],
        ['member.added', 'hanna', { organization_id: service.acme, roles: ['owner'] }],
        ['member.roles_changed', 'gus', { organization_id: service.acme, added: ['admin'], removed: [] }],
      ].toSorted((one, other) => JSON.stringify(one).localeCompare(JSON.stringify(other))),
    )
  })
})

describe('accepting takes effect once', () => {
  it('under parallel requests', async () => {
    const service = await world()
    const row = await invited(service, service.hanna)
    const gus = await userWith(service, 'gus')
    const responses = await Promise.all(Array.from({ length: 8 }, () => accept(service, gus, row.id)))
    expect(responses.some(({ statusCode }) => statusCode === 200)).toBe(true)
    expect(responses.filter(({ statusCode }) => ![200, 404, 409].includes(statusCode))).toEqual([])
    expect(await service.store.find({ slug: 'acme' })).toMatchObject({ members: 2, owners: 1, version: 2 })
    expect(await service.invitations.find(row.id)).toBeNull()
  })

  it('if the process dies once it has claimed the row: it is open again', async () => {
    const service = await world()
    const row = await invited(service, service.hanna)
    const gus = await userWith(service, 'gus')
    const until = new Date(Date.now() + 60_000)
    await service.invitations.update(row.id, { acceptingUntil: until }, row.version)
    expect(refusal(await withdraw(service, service.hanna, row.id))).toEqual([409, 'being_accepted'])
    expect(refusal(await decline(service, gus, row.id))).toEqual([409, 'being_accepted'])
    expect(refusal(await invite(service, service.hanna))).toEqual([409, 'being_accepted'])
    // What one request has begun without success, the next one goes on with.
    expect((await accept(service, gus, row.id)).statusCode).toBe(200)
    expect(await service.store.find({ slug: 'acme' })).toMatchObject({ members: 2 })
  })

  it('if it dies before the row is gone: what it gave and was taken away does not come back', async () => {
    const service = await world()
    const row = await invited(service, service.hanna, { roles: ['admin'] })
    const path = await linkOf(service)
    const gus = await userWith(service, 'gus')
    const { delete: really } = service.invitations
    service.invitations.delete = () => Promise.reject(new Error('gone'))
    expect((await accept(service, gus, row.id)).statusCode).toBe(200)
    service.invitations.delete = really
    expect(await service.invitations.find(row.id)).not.toBeNull()
    const demoted = await service.send(
      'PATCH',
      `/organizations/acme/members/${gus.id}`,
      { roles: ['member'] },
      service.hanna,
    )
    expect(demoted.statusCode, demoted.body).toBe(200)
    // What was left of it went with the role.
    expect((await service.send('POST', path, {}, gus)).statusCode).toBe(400)
    expect(await membershipOf(service, gus.id)).toMatchObject({ roles: ['member'] })
    expect(await service.invitations.find(row.id)).toBeNull()
  })

  it('so a new invitation after such a death gives what it says', async () => {
    const service = await world()
    const row = await invited(service, service.hanna)
    const gus = await userWith(service, 'gus')
    const { delete: really } = service.invitations
    service.invitations.delete = () => Promise.reject(new Error('gone'))
    await accept(service, gus, row.id)
    service.invitations.delete = really
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() + 120_000)
    expect((await listed(service, service.hanna)).results).toEqual([])
    const second = await invited(service, service.hanna, { roles: ['admin'] })
    expect(second.id).not.toBe(row.id)
    expect((await accept(service, gus, second.id)).json()).toMatchObject({ roles: ['member', 'admin'] })
  })

  it('but not if the member is removed meanwhile, nor afterwards with what is left', async () => {
    const service = await world()
    const gus = await userWith(service, 'gus')
    const row = await invited(service, service.hanna)
    // What is left of an acceptance whose process died.
    const { delete: really } = service.invitations
    service.invitations.delete = () => Promise.reject(new Error('gone'))
    await accept(service, gus, row.id)
    service.invitations.delete = really
    const admin = await memberWith(service, 'ada', ['admin'])
    const open = await invited(service, admin)
    const { write } = service.store
    let isRemoved = false
    service.store.write = async (...args) => {
      if (!isRemoved) {
        isRemoved = true
        const path = `/organizations/acme/members/${gus.id}`
        expect((await service.send('DELETE', path, undefined, service.hanna)).statusCode).toBe(204)
      }
      return write(...args)
    }
    expect((await accept(service, gus, open.id)).statusCode).toBe(404)
    expect(await membershipOf(service, gus.id)).toBeNull()
    expect((await accept(service, gus, row.id)).statusCode).toBe(404)
    expect(await service.invitations.listByEmail(email)).toEqual([])
    expect(await service.store.find({ slug: 'acme' })).toMatchObject({ members: 2, owners: 1 })
  })

  it.each<[string, (service: World, gus: Login) => Promise<unknown>]>([
    ['disabled', ({ app }, { id }) => app.accounts.updateUser(id, { isActive: false })],
    ['logged out everywhere', ({ app }, { id }) => app.accounts.setPassword(id, otherPassword)],
    [
      'moved to another address',
      ({ app }, { id }) => app.accounts.updateUser(id, { email: 'other@example.org' }),
    ],
  ])('and not for a user who is %s just before the write', async (_, end) => {
    const service = await world()
    const row = await invited(service, service.hanna)
    const gus = await userWith(service, 'gus')
    const { update } = service.invitations
    service.invitations.update = async (...args) => {
      service.invitations.update = update
      const changed = await update(...args)
      await end(service, gus)
      return changed
    }
    const response = await accept(service, gus, row.id)
    expect([403, 404], response.body).toContain(response.statusCode)
    expect(await membershipOf(service, gus.id)).toBeNull()
    expect(await service.invitations.find(row.id)).toMatchObject({ acceptingUntil: null })
  })

  it.each([
    ['users', 'findById'],
    ['invitations', 'find'],
    ['invitations', 'update'],
    ['store', 'find'],
    ['store', 'findFor'],
    ['store', 'countOfUser'],
    ['store', 'write'],
  ] as const)('and not while %s.%s is unavailable: 503, then it works', async (of, method) => {
    const service = await world()
    const row = await invited(service, service.hanna)
    const gus = await userWith(service, 'gus')
    const store = service[of] as unknown as Record<string, unknown>
    const really = store[method]
    store[method] = () => Promise.reject(new Error('down'))
    const response = await accept(service, gus, row.id)
    store[method] = really
    expect(response.statusCode, response.body).toBe(503)
    expect(await membershipOf(service, gus.id)).toBeNull()
    expect((await accept(service, gus, row.id)).statusCode).toBe(200)
  })
})

/** The names of store methods as they are called, in their order. */
function callsOf(stores: readonly object[]): { calls: string[]; clear(): void } {
  const calls: string[] = []
  for (const store of stores as Record<string, unknown>[]) {
    for (const [name, method] of Object.entries(store)) {
      if (typeof method !== 'function') continue
      store[name] = (...args: unknown[]) => {
        calls.push(name)
        return method.apply(store, args)
      }
    }
  }
  return { calls, clear: () => void calls.splice(0) }
}
