import { randomUUID } from 'node:crypto'
import { migrate } from '@fastify-accounts/kysely'
import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import {
  connect,
  type Driver,
  driversHere,
  makeDatabase,
  type Place,
} from '@fastify-accounts/test-support/databases'
import { times } from '@fastify-accounts/test-support/depth'
import { type Processes, startProcesses } from '@fastify-accounts/test-support/race-processes'
import type { StoredUser } from 'fastify-accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { choice, mailed } from './links.js'
import type { tasks } from './process.js'
import { openStores, type Service, type Stores, startService } from './service.js'

/** A request, sent to one of two other processes. */
interface Request {
  path: string
  body?: object
  cookie?: string
}

interface Answer {
  status: number
  body: { result?: unknown }
}

/** An invitation of an address, and who made it. */
interface Scene extends Service {
  stores: Stores
  id: string
  inviterId: string
  username: string
  email: string
  accept: Request
}

/** What an account has of the invitation. */
const hasGift = (user: StoredUser | null): boolean => user?.roles.includes('editor') === true

interface Race {
  /** What runs at the same time as the acceptance. */
  rival(scene: Scene): Promise<Request>
  /** What must be true afterwards. */
  judge(answers: { accepted: Answer; rival: Answer; owner: StoredUser | null }, scene: Scene): Promise<void>
}

/** Ends an invitation by a call of the app's own code, whose `true` says that it can't take effect anymore. */
const ending = (rival: Race['rival']): Race => ({
  rival,
  async judge({ accepted, rival, owner }) {
    const isOver = rival.status === 200 && rival.body.result !== false
    expect(accepted.status === 200 && isOver).toBe(false)
    expect(hasGift(owner)).toBe(accepted.status === 200)
    if (isOver) expect(hasGift(owner)).toBe(false)
  },
})

const races: Record<string, Race> = {
  'a withdrawal': ending(async ({ id }) => ({ path: `/test/withdrawInvitation/${id}` })),
  'its end': {
    rival: async ({ id }) => ({ path: `/test/expire/${id}` }),
    async judge({ accepted, owner }) {
      expect(hasGift(owner)).toBe(accepted.status === 200)
    },
  },
  'another acceptance': {
    rival: async ({ accept, username }) => ({ ...accept, body: choice(`${username}-b`) }),
    async judge({ accepted, rival, owner }) {
      expect([accepted, rival].filter(({ status }) => status === 200)).toHaveLength(1)
      expect(hasGift(owner)).toBe(true)
    },
  },
  'sending it again': {
    rival: async ({ id }) => ({ path: `/test/resendInvitation/${id}` }),
    async judge({ accepted, owner }) {
      expect(hasGift(owner)).toBe(accepted.status === 200)
    },
  },
  'a sign-up with the address': {
    rival: async ({ username, email }) => ({
      path: '/signup/',
      body: { username: `${username}-b`, email, password: otherPassword, confirm_password: otherPassword },
    }),
    async judge({ accepted, owner }, scene) {
      expect(owner).not.toBeNull()
      expect(hasGift(owner)).toBe(accepted.status === 200)
      if (accepted.status === 200) return expect(owner?.username).toBe(scene.username)
      // The stranger's sign-up was faster: the link still works, and the account becomes theirs.
      const again = await scene.app.inject({
        method: 'POST',
        url: scene.accept.path,
        payload: choice(scene.username),
      })
      expect(again.statusCode).toBe(200)
      expect(hasGift(await scene.stores.users.findByEmail(scene.email))).toBe(true)
    },
  },
  'a reset of an unproven account': {
    async rival(scene) {
      const { app, email, username } = scene
      await app.accounts.createUser({ username: `${username}-b`, email, password: otherPassword })
      await app.inject({ method: 'POST', url: '/forgot/', payload: { email } })
      const { username: _, ...pair } = choice(username)
      return { path: await mailed(scene, email, ['reset-password']), body: pair }
    },
    async judge({ accepted, rival, owner }, scene) {
      expect([accepted, rival].filter(({ status }) => status === 200 || status === 204)).not.toEqual([])
      expect(owner?.isVerified).toBe(true)
      await expectGiftOrOpen(owner, scene)
    },
  },
  'another account that changes to the address': {
    async rival(scene) {
      const { app, email, username } = scene
      const own = { username: `${username}-b`, password: goodPassword }
      await app.accounts.createUser({ ...own, email: `b-${email}`, isVerified: true })
      const cookie = await loginOf(scene, own)
      const headers = { cookie }
      await app.inject({ method: 'POST', url: '/change-email/', payload: { email }, headers })
      const path = await mailed(scene, email, ['change-email'])
      return { path: `${path}?email=${encodeURIComponent(email)}`, cookie }
    },
    async judge({ accepted, rival, owner }, scene) {
      const { stores, username } = scene
      expect([accepted.status, rival.status].filter((status) => status === 200)).toHaveLength(1)
      await expectGiftOrOpen(owner, scene)
      const other = await stores.users.findByUsername(`${username}-b`)
      if (other?.id !== owner?.id) expect(hasGift(other)).toBe(false)
    },
  },
  'its inviter is disabled': {
    rival: async ({ inviterId }) => ({ path: `/test/disable/${inviterId}` }),
    async judge({ accepted, owner }) {
      expect(hasGift(owner)).toBe(accepted.status === 200)
    },
  },
  'its inviter is deleted': {
    rival: async ({ inviterId }) => ({ path: `/test/delete/${inviterId}` }),
    async judge({ accepted, owner }) {
      expect(hasGift(owner)).toBe(accepted.status === 200)
    },
  },
  'its inviter is secured': {
    rival: async ({ inviterId }) => ({ path: `/test/secure/${inviterId}` }),
    async judge({ accepted, owner }) {
      expect(hasGift(owner)).toBe(accepted.status === 200)
    },
  },
  'the proven account that accepts is deleted': {
    async rival(scene) {
      const { app, email, username } = scene
      const own = { username: `${username}-b`, password: goodPassword }
      const user = await app.accounts.createUser({ ...own, email, isVerified: true })
      scene.accept = { ...scene.accept, body: {}, cookie: await loginOf(scene, own) }
      return { path: `/test/delete/${user.id}` }
    },
    async judge({ rival, owner }) {
      expect(rival.body.result).toBe(true)
      expect(owner).toBeNull()
    },
  },
}

/** One that proves the address while somebody else is accepting gets nothing yet: it can still be accepted. */
async function expectGiftOrOpen(owner: StoredUser | null, { stores, id }: Scene): Promise<void> {
  const left = await stores.invitations.find(id)
  expect([hasGift(owner), left !== null]).toEqual(hasGift(owner) ? [true, false] : [false, true])
}

async function loginOf({ app }: Service, payload: { username: string; password: string }): Promise<string> {
  const login = await app.inject({ method: 'POST', url: '/login/', payload })
  return String(login.headers['set-cookie']).split(';')[0] ?? ''
}

let processes: Processes<keyof typeof tasks, Place>
const drivers = await driversHere(['libsql', 'pg', 'mysql2'])

describe.each(drivers)('two processes on $name', ({ name }: Driver) => {
  let stores: Stores
  let service: Service
  let ports: number[]
  let drop: () => Promise<void>
  beforeAll(async () => {
    const database = await makeDatabase(name)
    drop = database.drop
    const db = await connect(database.place)
    await migrate(db)
    await db.destroy()
    stores = await openStores(database.place)
    service = await startService(stores)
    processes = await startProcesses(new URL('process.ts', import.meta.url), 2)
    ports = await processes.race<number>('serve', database.place)
  })
  afterAll(async () => {
    await processes.stop()
    await service.app.close()
    await stores.disconnect()
    await drop()
  })

  async function send(at: number, { path, body = {}, cookie }: Request): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${ports[at]}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(cookie !== undefined && { cookie }) },
      body: JSON.stringify(body),
    })
    return { status: response.status, body: (await response.json().catch(() => ({}))) as Answer['body'] }
  }

  async function prepare(): Promise<Scene> {
    const username = `u${randomUUID().slice(0, 12)}`
    const email = `${username}@example.org`
    const boss = { username: `${username}-i`, password: goodPassword }
    const { id: inviterId } = await service.app.accounts.createUser({
      ...boss,
      email: `i-${email}`,
      isVerified: true,
      roles: ['recruiter'],
    })
    const headers = { cookie: await loginOf(service, boss) }
    const payload = { email, roles: ['editor'] }
    const invited = await service.app.inject({ method: 'POST', url: '/invitations/', payload, headers })
    expect(invited.statusCode, invited.body).toBe(202)
    const { invitations } = await service.app.accounts.listInvitations()
    const [{ id = '' } = {}] = (await stores.invitations.listByEmail(email)) ?? invitations
    const path = await mailed(service, email, ['invitation'])
    return { ...service, stores, id, inviterId, username, email, accept: { path, body: choice(username) } }
  }

  test.each(Object.keys(races))('an acceptance against %s', async (name) => {
    const race = races[name] as Race
    for (let turn = 0; turn < times({ quick: 6, full: 60 }); turn += 1) {
      const scene = await prepare()
      const rival = await race.rival(scene)
      const [accepted, other] = await Promise.all([send(turn % 2, scene.accept), send((turn + 1) % 2, rival)])
      expect(accepted.status, JSON.stringify(accepted.body)).not.toBe(503)
      const owner = await stores.users.findByEmail(scene.email)
      await race.judge({ accepted, rival: other, owner }, scene)
      const left = await stores.invitations.find(scene.id)
      expect(left === null || left.acceptingUntil === null).toBe(true)
    }
  })
})
