import { type Driver, driversHere } from '@fastify-accounts/test-support/databases'
import { times } from '@fastify-accounts/test-support/depth'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emailOf, faultsOf } from './service.js'
import { type Answer, type Ground, openGround, type Person, type Request } from './two-processes.js'

/** Two owners of an organization. */
interface Scene {
  organization: string
  staff: Person
  own: Person
  other: Person
}

/** How an owner stops being one, or being there. */
const exits: Record<string, (scene: Scene) => Request> = {
  leaves: ({ organization, own }) => ({
    ...{ method: 'POST', path: `/organizations/${organization}/leave/`, cookie: own.cookie },
  }),
  'gives up the role': ({ organization, own }) => change(organization, own, own),
  'is demoted by the other': ({ organization, own, other }) => change(organization, own, other),
  'is removed by the other': ({ organization, own, other }) => remove(organization, own, other),
  'is demoted by staff': ({ organization, own, staff }) => change(organization, own, staff),
  'is removed by staff': ({ organization, own, staff }) => remove(organization, own, staff),
  'deletes the account': ({ own }) => ({ method: 'DELETE', path: '/me/', cookie: own.cookie }),
  'is deleted by staff': ({ own, staff }) => ({
    ...{ method: 'DELETE', path: `/user/${own.id}`, cookie: staff.cookie },
  }),
  'is disabled by staff': ({ own, staff }) => ({
    ...{ method: 'PATCH', path: `/user/${own.id}`, body: { is_active: false }, cookie: staff.cookie },
  }),
}

const change = (organization: string, of: Person, by: Person, roles = ['member']): Request => ({
  ...{ method: 'PATCH', path: `/organizations/${organization}/members/${of.id}` },
  ...{ body: { roles }, cookie: by.cookie },
})

const remove = (organization: string, of: Person, by: Person): Request => ({
  ...{ method: 'DELETE', path: `/organizations/${organization}/members/${of.id}`, cookie: by.cookie },
})

const accept = (id: string, by: Person): Request => ({
  ...{ method: 'POST', path: `/me/invitations/${id}/accept/`, cookie: by.cookie },
})

const isDone = ({ status }: Answer): boolean => status >= 200 && status < 300

/** Each with itself and each later one. */
const pairs = Object.keys(exits).flatMap((first, at) =>
  Object.keys(exits)
    .slice(at)
    .map((second) => [first, second] as const),
)

const rounds = times({ quick: 2, full: 20 })
/** Of each pair, of which there are many. */
const pairRounds = times({ quick: 1, full: 20 })
const drivers = await driversHere(['libsql', 'pg', 'mysql2'])

describe.each(drivers)('two processes on $name', ({ name }: Driver) => {
  let ground: Ground
  beforeAll(async () => {
    ground = await openGround(name)
  })
  afterAll(() => ground.close())

  test.each(pairs)('an owner %s while the other %s: one stays', async (...names) => {
    const { staff, stores, person, organization: create, sendBoth, membership } = ground
    for (let round = 0; round < pairRounds; round += 1) {
      const [one, two, third] = [await person(), await person(), await person()]
      const organization = await create([one], [two, 'owner'], [third, 'member'])
      const scenes = [
        { organization, staff, own: one, other: two },
        { organization, staff, own: two, other: one },
      ] as const
      const [first, second] = names.map((exit, at) => exits[exit]?.(scenes[at] as Scene)) as [
        Request,
        Request,
      ]
      const answers = await sendBoth(round + names.join().length, first, second)
      const seen = JSON.stringify(answers)
      for (const { status } of answers) expect([200, 204, 401, 403, 404, 409], seen).toContain(status)
      expect(await faultsOf(stores, organization), seen).toEqual([])
      // Who comes first isn't refused.
      expect(answers.some(isDone), seen).toBe(true)
      for (const [at, answer] of answers.entries()) {
        const exit = names[at] as string
        if (exit === 'is disabled by staff') continue
        const isOwner = (await membership(organization, scenes[at]?.own as Person))?.roles.includes('owner')
        expect(isOwner ?? false, seen).toBe(!isDone(answer))
      }
    }
  })

  test('both of the two members delete their accounts: the organization goes with the last', async () => {
    const { stores, person, organization: create, sendBoth } = ground
    for (let turn = 0; turn < 2 * rounds; turn += 1) {
      const [one, two] = [await person(), await person()]
      const organization = await create([one], [two, 'owner'])
      const deletion = ({ cookie }: Person): Request => ({ method: 'DELETE', path: '/me/', cookie })
      const answers = await sendBoth(turn, deletion(one), deletion(two))
      const faults = await faultsOf(stores, organization)
      expect(faults, JSON.stringify(answers)).toEqual(answers.every(isDone) ? null : [])
      for (const [at, { id }] of [one, two].entries())
        expect((await stores.users.findById(id)) === null).toBe(isDone(answers[at] as Answer))
    }
  })

  test.each<[string, (scene: { own: Person; by: Person; organization: string }) => Promise<Request>]>([
    [
      'creates an organization',
      async ({ own }) => ({
        ...{ method: 'POST', path: '/organizations/', cookie: own.cookie },
        body: { name: 'Late', slug: own.username },
      }),
    ],
    ['accepts an invitation', async ({ own, organization }) => accept(await invite(organization, own), own)],
    [
      'is made a member by staff',
      async ({ own, organization }) => ({
        ...{ method: 'POST', path: `/organizations/${organization}/members/`, cookie: ground.staff.cookie },
        body: { user_id: own.id, roles: ['owner'] },
      }),
    ],
    [
      'is made an owner',
      async ({ own, by, organization }) => {
        await ground.app.accounts.organizations.addMember(organization, own.id, ['member'])
        return change(organization, own, by, ['owner'])
      },
    ],
  ])('somebody who %s while the account is deleted leaves nothing', async (_, request) => {
    const { stores, person, organization: create, sendBoth, staff } = ground
    const by = await person()
    for (let turn = 0; turn < 2 * rounds; turn += 1) {
      const own = await person()
      const organization = await create([by])
      const gain = await request({ own, by, organization })
      const deletion: Request =
        turn % 2 === 0
          ? { method: 'DELETE', path: '/me/', cookie: own.cookie }
          : { method: 'DELETE', path: `/user/${own.id}`, cookie: staff.cookie }
      const answers = await sendBoth(turn >> 1, gain, deletion)
      const seen = JSON.stringify(answers)
      expect(await faultsOf(stores, organization), seen).toEqual([])
      const made = await stores.organizations.find({ slug: own.username })
      if (made !== null) expect(await faultsOf(stores, made.id), seen).toEqual([])
      expect((await stores.users.findById(own.id)) === null, seen).toBe(isDone(answers[1]))
      if (isDone(answers[1])) expect(await stores.organizations.countOfUser(own.id)).toBe(0)
    }
  })

  test('of two who demote each other, one does', async () => {
    const { person, organization: create, sendBoth, membership } = ground
    for (let turn = 0; turn < 3 * rounds; turn += 1) {
      const [owner, one, two] = [await person(), await person(), await person()]
      const organization = await create([owner], [one, 'admin'], [two, 'admin'])
      const answers = await sendBoth(turn, change(organization, one, two), change(organization, two, one))
      expect(answers.map(({ status }) => status).toSorted(), JSON.stringify(answers)).toEqual([200, 403])
      const left = [await membership(organization, one), await membership(organization, two)]
      expect(left.flatMap((each) => each?.roles ?? []).toSorted()).toEqual(['admin', 'member'])
    }
  })

  test.each<[string, (scene: Record<'organization', string> & Record<'by' | 'to', Person>) => Request]>([
    ['promotes', ({ organization, by, to }) => change(organization, to, by, ['admin'])],
    [
      'invites',
      ({ organization, by, to }) => ({
        ...{ method: 'POST', path: `/organizations/${organization}/invitations/`, cookie: by.cookie },
        body: { email: emailOf(to.username), roles: ['admin'] },
      }),
    ],
  ])(
    'an admin who %s while an owner takes the role gives it before that, or not at all',
    async (what, request) => {
      const { person, organization: create, sendBoth, send, membership, stores } = ground
      for (let turn = 0; turn < 3 * rounds; turn += 1) {
        const [owner, by, to] = [await person(), await person(), await person()]
        const organization =
          what === 'invites'
            ? await create([owner], [by, 'admin'])
            : await create([owner], [by, 'admin'], [to, 'member'])
        const gift = request({ organization, by, to })
        const [given, taken] = await sendBoth(turn, gift, change(organization, by, owner))
        expect(taken.status, JSON.stringify(taken)).toBe(200)
        expect([200, 202, 403], JSON.stringify(given)).toContain(given.status)
        if (what === 'invites')
          // What they have invited to is asked again at acceptance.
          for (const { id } of await stores.invitations.listByEmail(emailOf(to.username)))
            expect(isDone(await send(turn % 2, accept(id, to)))).toBe(false)
        const isGiven = (await membership(organization, to))?.roles.includes('admin') ?? false
        expect(isGiven).toBe(what === 'promotes' && isDone(given))
        expect((await send(turn % 2, gift)).status).toBe(403)
      }
    },
  )

  test('two change one member’s roles, and one removes: one after the other', async () => {
    const { person, organization: create, send, membership, stores } = ground
    for (let turn = 0; turn < 2 * rounds; turn += 1) {
      const [owner, one, two, to] = [await person(), await person(), await person(), await person()]
      const organization = await create([owner], [one, 'admin'], [two, 'admin'], [to, 'member'])
      const answers = await Promise.all([
        send(0, change(organization, to, one, ['inviter'])),
        send(1, change(organization, to, two, ['admin'])),
        send(turn % 2, remove(organization, to, owner)),
      ])
      expect(answers[2]?.status, JSON.stringify(answers)).toBe(204)
      for (const { status } of answers.slice(0, 2)) expect([200, 404]).toContain(status)
      expect(await membership(organization, to)).toBeNull()
      expect(await faultsOf(stores, organization)).toEqual([])
    }
  })

  async function invite(organization: string, { username }: Person, roles = ['member']): Promise<string> {
    const email = emailOf(username)
    await ground.app.accounts.organizations.invite(organization, { email, roles })
    const [row] = await ground.stores.invitations.listByEmail(email)
    return row?.id ?? ''
  }

  test('an invitation is accepted twice at once: it gives once', async () => {
    const { person, organization: create, sendBoth, membership, stores, send } = ground
    for (let turn = 0; turn < 3 * rounds; turn += 1) {
      const [owner, to] = [await person(), await person()]
      const organization = await create([owner])
      const id = await invite(organization, to)
      const answers = await sendBoth(turn, accept(id, to), accept(id, to))
      expect(answers.some(isDone), JSON.stringify(answers)).toBe(true)
      for (const { status } of answers) expect([200, 404, 409], JSON.stringify(answers)).toContain(status)
      expect(await membership(organization, to)).toMatchObject({ roles: ['member'], invitationId: id })
      expect(await faultsOf(stores, organization)).toEqual([])
      expect(await stores.invitations.find(id)).toBeNull()
      // It gives nothing a second time.
      expect((await send(turn % 2, remove(organization, to, owner))).status).toBe(204)
      expect(isDone(await send(turn % 2, accept(id, to)))).toBe(false)
      expect(await membership(organization, to)).toBeNull()
    }
  })

  test.each<[string, (scene: { organization: string; id: string; owner: Person; to: Person }) => Request]>([
    [
      'withdrawn',
      ({ organization, id, owner }) => ({
        ...{
          method: 'DELETE',
          path: `/organizations/${organization}/invitations/${id}`,
          cookie: owner.cookie,
        },
      }),
    ],
    ['declined', ({ id, to }) => ({ ...accept(id, to), path: `/me/invitations/${id}/decline/` })],
  ])('an invitation is accepted while it is %s: one of both', async (_, rival) => {
    const { person, organization: create, sendBoth, membership, stores } = ground
    for (let turn = 0; turn < 3 * rounds; turn += 1) {
      const [owner, to] = [await person(), await person()]
      const organization = await create([owner])
      const id = await invite(organization, to)
      const answers = await sendBoth(turn, accept(id, to), rival({ organization, id, owner, to }))
      const seen = JSON.stringify(answers)
      for (const { status } of answers) expect([200, 204, 404, 409], seen).toContain(status)
      expect(answers.filter(isDone), seen).toHaveLength(1)
      expect((await membership(organization, to)) !== null, seen).toBe(isDone(answers[0]))
      expect(await faultsOf(stores, organization)).toEqual([])
    }
  })

  test.each<[string, (scene: { organization: string; owner: Person; to: Person }) => Request]>([
    ['is removed', ({ organization, owner, to }) => remove(organization, to, owner)],
    [
      'leaves',
      ({ organization, to }) => ({
        ...{ method: 'POST', path: `/organizations/${organization}/leave/`, cookie: to.cookie },
      }),
    ],
  ])('a member who %s while they accept more is gone', async (_, rival) => {
    const { person, organization: create, sendBoth, membership, stores, send } = ground
    for (let turn = 0; turn < 3 * rounds; turn += 1) {
      const [owner, to] = [await person(), await person()]
      const organization = await create([owner], [to, 'member'])
      const id = await invite(organization, to, ['admin'])
      const answers = await sendBoth(turn, accept(id, to), rival({ organization, owner, to }))
      const seen = JSON.stringify(answers)
      for (const { status } of answers) expect([200, 204, 404, 409], seen).toContain(status)
      expect(isDone(answers[1]), seen).toBe(true)
      expect(await membership(organization, to), seen).toBeNull()
      expect(isDone(await send(turn % 2, accept(id, to)))).toBe(false)
      expect(await membership(organization, to)).toBeNull()
      expect(await faultsOf(stores, organization)).toEqual([])
    }
  })

  test('more than a person may have, or an organization, at once: not more than one too many for each request', async () => {
    const { person, organization: create, send, stores } = ground
    const own = await person()
    const organization = await create([await person()])
    const rows = await Promise.all(
      Array.from({ length: 6 }, async (_, n) => {
        const to = await person()
        await invite(organization, to)
        return [
          n,
          accept((await stores.invitations.listByEmail(emailOf(to.username)))[0]?.id ?? '', to),
        ] as const
      }),
    )
    // All of them change one organization.
    const answers = await Promise.all(rows.map(([n, request]) => send(n % 2, request)))
    const done = answers.filter(isDone).length
    expect((await stores.organizations.find({ id: organization }))?.members).toBe(1 + done)
    expect(await faultsOf(stores, organization)).toEqual([])
    const created = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        send(n % 2, {
          ...{ method: 'POST', path: '/organizations/', cookie: own.cookie },
          body: { name: 'Same', slug: `same-${own.username}` },
        }),
      ),
    )
    // One slug, one organization.
    expect(created.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409])
    expect(await stores.organizations.countOfUser(own.id)).toBe(1)
  })

  /** What ends somebody's access in one process, and what they get in the other with the next request. */
  const ends: Record<string, (scene: { organization: string; owner: Person; own: Person }) => Request> = {
    'a removal': ({ organization, owner, own }) => remove(organization, own, owner),
    leaving: ({ organization, own }) => ({
      ...{ method: 'POST', path: `/organizations/${organization}/leave/`, cookie: own.cookie },
    }),
    'a change of roles': ({ organization, owner, own }) => change(organization, own, owner, ['auditor']),
    'the end of the organization': ({ organization, owner }) => ({
      ...{ method: 'DELETE', path: `/organizations/${organization}`, cookie: owner.cookie },
    }),
    'deletion of the account': ({ own }) => ({
      ...{ method: 'DELETE', path: `/user/${own.id}`, cookie: ground.staff.cookie },
    }),
  }

  test.each(Object.keys(ends))('%s, once acknowledged, ends access in the other process', async (end) => {
    const { person, organization: create, send } = ground
    for (let turn = 0; turn < 3 * rounds; turn += 1) {
      const [owner, own] = [await person(), await person()]
      const organization = await create([owner], [own, 'member'])
      const at = turn % 2
      const guarded = ({ cookie }: Person): Request => ({
        ...{ method: 'GET', path: `/o/${organization}/projects`, cookie },
      })
      const status = async (of: Person) => (await send(at, guarded(of))).status
      // Caches are warm, and requests of others go on in the same turns.
      expect([await status(own), await status(own), await status(owner)]).toEqual([200, 200, 200])
      let isOver = false
      const late: number[] = []
      const busy = Array.from({ length: 4 }, async (_, n) => {
        for (;;) {
          const startedAfter = isOver
          const got = await status(n % 2 === 0 ? own : owner)
          if (startedAfter && n % 2 === 0) late.push(got)
          if (startedAfter) return
        }
      })
      const answer = await send(1 - at, ends[end]?.({ organization, owner, own }) as Request)
      isOver = true
      const next = await status(own)
      expect(isDone(answer), JSON.stringify(answer)).toBe(true)
      await Promise.all(busy)
      const refusal = { 'a change of roles': 403, 'deletion of the account': 401 }[end] ?? 404
      expect([next, ...late]).toEqual([refusal, refusal, refusal])
    }
  })
})
