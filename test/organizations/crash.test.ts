import { randomUUID } from 'node:crypto'
import { migrate } from '@fastify-accounts/kysely'
import { otherPassword, outbox } from '@fastify-accounts/test-support/app'
import { connect, type Driver, driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import { isFull } from '@fastify-accounts/test-support/depth'
import { startProcesses } from '@fastify-accounts/test-support/race-processes'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { choice, mailed } from '../invitations/links.js'
import { stoppingAfter } from '../invitations/stopping.js'
import type { Job, tasks } from './process.js'
import {
  emailOf,
  faultsOf,
  logIn,
  makeUser,
  openStores,
  type Places,
  type Service,
  type Stores,
  startService,
} from './service.js'

interface Ground {
  name: string
  /** Whether one transaction deletes a user and their memberships. */
  isOneDatabase: boolean
  places: Places
  stores: Stores
  now: Service
  /** After any acceptance of a killed process can have taken effect. */
  later: Service
  ownerId: string
  ownerCookie: string
  close(): Promise<void>
}

let grounds: Ground[]
beforeAll(async () => {
  const drivers = await driversHere(['libsql', 'pg', 'mysql2'])
  grounds = await Promise.all(drivers.flatMap((driver) => [open(driver, true), open(driver, false)]))
})
afterAll(async () => {
  for (const ground of grounds) await ground.close()
})

async function open({ name }: Driver, isOneDatabase: boolean): Promise<Ground> {
  const made = await Promise.all(
    (isOneDatabase ? ['users'] : ['users', 'others']).map(() => makeDatabase(name)),
  )
  for (const { place } of made) {
    const db = await connect(place)
    await migrate(db)
    await db.destroy()
  }
  const [users, organizations] = made.map(({ place }) => place)
  if (users === undefined) throw new Error('no database was made')
  const places = { users, ...(organizations && { organizations }) }
  const stores = await openStores(places)
  // Whichever delivers an email.
  const mailer = outbox()
  const { now: clock } = stores.invitations
  const isLater = { now: async () => new Date(((await clock?.()) ?? new Date()).getTime() + 3_600_000) }
  const start = async (own: Stores): Promise<Service> => {
    const { app } = await startService(own, { mailer })
    return { app, mails: mailer.mails }
  }
  const now = await start(stores)
  const later = await start({ ...stores, invitations: { ...stores.invitations, ...isLater } })
  const ownerId = await makeUser(now, 'olga')
  return {
    name: `${name}, ${isOneDatabase ? 'one database' : 'two databases'}`,
    ...{ isOneDatabase, places, stores, now, later, ownerId, ownerCookie: await logIn(now, 'olga') },
    async close() {
      await now.app.close()
      await later.app.close()
      await stores.disconnect()
      for (const { drop } of made) await drop()
    },
  }
}

/** How many calls of the stores the request makes. */
async function callsOf(ground: Ground, request: InjectOptions): Promise<number> {
  const { stores, begin, count } = stoppingAfter(ground.stores, Number.POSITIVE_INFINITY)
  const { app } = await startService(stores)
  await app.ready()
  begin()
  const response = await app.inject(request)
  expect(isDone(response.statusCode), `${String(request.url)}: ${response.body}`).toBe(true)
  const made = count()
  await app.close()
  return made
}

const isDone = (status: number): boolean => status >= 200 && status < 300

interface Trial<Scene> {
  ground: Ground
  calls: number
  scene: Scene
  /** What of it is tried, for messages. */
  what: string
}

/** Runs each request up to so many calls in a process that is then killed, and returns the statuses; 0 if it had not finished. */
async function kill(trials: readonly Trial<{ request: InjectOptions }>[]): Promise<number[]> {
  const victim = await startProcesses<keyof typeof tasks, readonly Job[]>(
    new URL('process.ts', import.meta.url),
    1,
  )
  const jobs = trials.map(({ ground: { places }, scene: { request }, calls }) => ({ places, request, calls }))
  const [statuses = []] = await victim.race<number[]>('goSoFar', jobs)
  await victim.stop('SIGKILL')
  const stopped = statuses.filter((status) => status === 0).length
  console.info(`killed at ${stopped} points on ${grounds.length} grounds`)
  expect(stopped).toBeGreaterThan(0)
  return statuses
}

/** One for each call after which the process may die, and one that goes through. */
async function trialsOf<Scene extends { request: InjectOptions }>(
  ground: Ground,
  what: string,
  prepare: (ground: Ground) => Promise<Scene>,
): Promise<Trial<Scene>[]> {
  const trials: Trial<Scene>[] = []
  const most = await callsOf(ground, (await prepare(ground)).request)
  for (let calls = most; calls >= 0; calls -= 1)
    trials.push({ ground, calls, scene: await prepare(ground), what })
  return trials
}

const newName = (): string => `u${randomUUID().slice(0, 12)}`

/** A user who is alone in one organization, an owner beside another in one, and a member of one. */
interface Leaver {
  request: InjectOptions
  id: string
  username: string
  alone: string
  shared: string
  joined: string
}

async function prepareLeaver({ now, ownerId }: Ground): Promise<Leaver> {
  const { organizations } = now.app.accounts
  const username = newName()
  const id = await makeUser(now, username)
  const [alone, shared, joined] = [
    await organizations.create({ name: 'Alone', slug: `a-${username}`, ownerId: id }),
    await organizations.create({ name: 'Shared', slug: `s-${username}`, ownerId: id }),
    await organizations.create({ name: 'Joined', slug: `j-${username}`, ownerId }),
  ]
  await organizations.addMember(shared.id, ownerId, ['owner'])
  await organizations.addMember(joined.id, id, ['member'])
  const request = deletionBy(await logIn(now, username))
  return { request, id, username, alone: alone.id, shared: shared.id, joined: joined.id }
}

const deletionBy = (cookie: string): InjectOptions => ({ method: 'DELETE', url: '/me/', headers: { cookie } })

test('kill -9 at any call of a deletion: in one database all or nothing, in two nobody is let in, and it can be repeated', {
  timeout: 600_000,
}, async () => {
  const trials: Trial<Leaver>[] = []
  for (const ground of grounds) trials.push(...(await trialsOf(ground, 'deletion', prepareLeaver)))
  const statuses = await kill(trials)

  const wrong: string[] = []
  const seen = new Set<string>()
  for (const [index, { ground, calls, scene }] of trials.entries()) {
    const { stores, isOneDatabase, later } = ground
    const status = statuses[index] ?? 0
    const where = `${ground.name}, after ${calls} calls`
    const check = async (when: string): Promise<boolean> => {
      const isThere = (await stores.users.findById(scene.id)) !== null
      const left = await stores.organizations.countOfUser(scene.id)
      if (isThere ? isOneDatabase && left !== 3 : left !== 0)
        wrong.push(`${where}: ${when} there: ${isThere}, with ${left} memberships`)
      for (const name of ['alone', 'shared', 'joined'] as const) {
        const faults = await faultsOf(stores, scene[name])
        if (faults === null ? name !== 'alone' : faults.length > 0)
          wrong.push(`${where}: ${when} ${name} ${faults}`)
        if (name === 'alone' && !isThere && faults !== null) wrong.push(`${where}: ${when} alone stays`)
      }
      return isThere
    }
    const isThere = await check('first')
    seen.add(`${isOneDatabase} ${isThere} ${status}`)
    if (isThere && isDone(status)) wrong.push(`${where}: ${status}, and there`)
    const again = await later.app.inject(scene.request)
    if (isThere && again.statusCode === 401) {
      // The session has ended, and the rest has not.
      const { statusCode, body } = await later.app.inject(deletionBy(await logIn(later, scene.username)))
      if (statusCode !== 204) wrong.push(`${where}: after another login ${statusCode} ${body}`)
    } else if (again.statusCode !== (isThere ? 204 : 401))
      wrong.push(`${where}: again ${again.statusCode} ${again.body}`)
    if (await check('at last')) wrong.push(`${where}: still there`)
  }
  expect(wrong).toEqual([])
  // Both sides of the write were tried.
  for (const isOneDatabase of [true, false])
    for (const isThere of [true, false]) expect([...seen]).toContain(`${isOneDatabase} ${isThere} 0`)
})

/** An invitation to an organization, and the request that accepts it. */
interface Invited {
  request: InjectOptions
  organization: string
  id: string
  email: string
  username: string
}

const invitationKinds = ['organization-invitation', 'organization-invitation-known']

const paths: Record<string, (service: Service, invited: Omit<Invited, 'request'>) => Promise<InjectOptions>> =
  {
    async 'in the app'(service, { id, username }) {
      await makeUser(service, username)
      return { url: `/me/invitations/${id}/accept/`, headers: { cookie: await logIn(service, username) } }
    },
    async 'by its link, logged in'(service, { email, username }) {
      await makeUser(service, username)
      const headers = { cookie: await logIn(service, username) }
      return { url: await mailed(service, email, invitationKinds), payload: {}, headers }
    },
    async 'by its link, without an account'(service, { email, username }) {
      return { url: await mailed(service, email, invitationKinds), payload: choice(username) }
    },
    async 'by its link, where somebody has signed up'(service, { email, username }) {
      await service.app.accounts.createUser({ username, email, password: otherPassword })
      return { url: await mailed(service, email, invitationKinds), payload: choice(`${username}-2`) }
    },
  }

async function prepareInvited({ now, stores, ownerId }: Ground, path: string): Promise<Invited> {
  const { organizations } = now.app.accounts
  const username = newName()
  const email = emailOf(username)
  const organization = (await organizations.create({ name: 'Acme', slug: username, ownerId })).id
  await organizations.invite(organization, { email, roles: ['member'] })
  const [row] = await stores.invitations.listByEmail(email)
  const invited = { id: row?.id ?? '', organization, email, username }
  return { ...invited, request: { method: 'POST', ...(await paths[path]?.(now, invited)) } }
}

async function membershipOf({ stores }: Ground, { organization, email }: Invited) {
  const user = await stores.users.findByEmail(email)
  if (user === null) return null
  return (await stores.organizations.findFor({ id: organization }, user.id))?.membership ?? null
}

test('kill -9 at any call of an acceptance: it gives once, and never comes back by what is left', {
  timeout: 600_000,
}, async () => {
  const trials: Trial<Invited>[] = []
  // Invitations and organizations are written one after the other wherever they are.
  for (const ground of grounds.filter(({ isOneDatabase }) => isFull || isOneDatabase))
    for (const path of Object.keys(paths))
      trials.push(...(await trialsOf(ground, path, (on) => prepareInvited(on, path))))
  const statuses = await kill(trials)

  const wrong: string[] = []
  let wereGiven = 0
  let wereRemoved = 0
  for (const [index, { ground, calls, scene, what }] of trials.entries()) {
    const { stores, later, ownerCookie } = ground
    const { organization, id, request } = scene
    const status = statuses[index] ?? 0
    const where = `${ground.name}, ${what}, after ${calls} calls`
    const membership = await membershipOf(ground, scene)
    const given = membership !== null
    if (given && status === 0) wereGiven += 1
    if (given ? calls === 0 : isDone(status)) wrong.push(`${where}: ${status}, given: ${given}`)
    if (given && `${membership.roles}` !== 'member') wrong.push(`${where}: has ${membership.roles}`)
    const isRemoved = given && index % 2 === 0
    if (isRemoved) {
      wereRemoved += 1
      const url = `/organizations/${organization}/members/${membership.userId}`
      const removal = { method: 'DELETE', url, headers: { cookie: ownerCookie } } as const
      const { statusCode, body } = await later.app.inject(removal)
      if (statusCode !== 204) wrong.push(`${where}: removed ${statusCode} ${body}`)
    }
    const again = await later.app.inject(request)
    if (!given && !isDone(again.statusCode)) {
      // The account was made before: it now accepts in the app.
      const headers = {
        cookie: await logIn(later, (await stores.users.findByEmail(scene.email))?.username ?? ''),
      }
      const inApp = await later.app.inject({ method: 'POST', url: `/me/invitations/${id}/accept/`, headers })
      if (!isDone(inApp.statusCode)) wrong.push(`${where}: again ${again.body}, in the app ${inApp.body}`)
    }
    if (((await membershipOf(ground, scene)) === null) !== isRemoved)
      wrong.push(`${where}: removed ${isRemoved}, in the end ${again.statusCode} ${again.body}`)
    const faults = await faultsOf(stores, organization)
    if (faults?.length !== 0) wrong.push(`${where}: ${faults}`)
    const open = await later.app.accounts.organizations.listInvitations(organization)
    if (open?.invitations.length !== 0) wrong.push(`${where}: still open`)
  }
  expect(wrong).toEqual([])
  // Both sides of the write were tried.
  expect(wereGiven).toBeGreaterThan(0)
  expect(wereRemoved).toBeGreaterThan(0)
})
