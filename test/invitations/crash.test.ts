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
import { startProcesses } from '@fastify-accounts/test-support/race-processes'
import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { choice, mailed } from './links.js'
import type { Job, tasks } from './process.js'
import { openStores, type Service, type Stores, startService } from './service.js'
import { stoppingAfter } from './stopping.js'

interface Ground {
  name: string
  place: Place
  stores: Stores
  now: Service
  /** After any acceptance of a killed process can have taken effect. */
  later: Service
  close(): Promise<void>
}

let grounds: Ground[]
beforeAll(async () => {
  grounds = await Promise.all((await driversHere(['libsql', 'pg', 'mysql2'])).map(open))
})
afterAll(async () => {
  for (const ground of grounds) await ground.close()
})

async function open({ name }: Driver): Promise<Ground> {
  const { place, drop } = await makeDatabase(name)
  const db = await connect(place)
  await migrate(db)
  await db.destroy()
  const stores = await openStores(place)
  const { now } = stores.invitations
  const isLater = { now: async () => new Date(((await now?.()) ?? new Date()).getTime() + 3_600_000) }
  const services = {
    now: await startService(stores),
    later: await startService({ ...stores, invitations: { ...stores.invitations, ...isLater } }),
  }
  return {
    ...{ name, place, stores, ...services },
    async close() {
      await services.now.app.close()
      await services.later.app.close()
      await stores.disconnect()
      await drop()
    },
  }
}

/** An invitation, and the request that accepts it. */
interface Scene {
  id: string
  email: string
  request: InjectOptions
}

const invitationKinds = ['invitation', 'invitation-known']

const paths: Record<string, (service: Service, email: string, username: string) => Promise<InjectOptions>> = {
  async 'an address without an account'(service, email, username) {
    return { url: await mailed(service, email, invitationKinds), payload: choice(username) }
  },
  async 'an account that nobody has proven'(service, email, username) {
    await service.app.accounts.createUser({ username, email, password: otherPassword })
    return { url: await mailed(service, email, invitationKinds), payload: choice(`${username}-2`) }
  },
  async 'a proven account'(service, email, username) {
    await service.app.accounts.createUser({ username, email, password: goodPassword, isVerified: true })
    const payload = { username, password: goodPassword }
    const login = await service.app.inject({ method: 'POST', url: '/login/', payload })
    const cookie = String(login.headers['set-cookie']).split(';')[0] ?? ''
    return { url: await mailed(service, email, invitationKinds), payload: {}, headers: { cookie } }
  },
  async 'a reset of an account that nobody has proven'(service, email, username) {
    await service.app.accounts.createUser({ username, email, password: otherPassword })
    await service.app.inject({ method: 'POST', url: '/forgot/', payload: { email } })
    const { username: _, ...pair } = choice(username)
    return { url: await mailed(service, email, ['reset-password']), payload: pair }
  },
}

async function prepare(ground: Ground, path: string): Promise<Scene> {
  const username = `u${randomUUID().slice(0, 12)}`
  const email = `${username}@example.org`
  const { id } = await ground.now.app.accounts.invite({ email, roles: ['editor'], fields: { team: 'blue' } })
  const request = await paths[path]?.(ground.now, email, username)
  return { id, email, request: { method: 'POST', ...request } }
}

/** How many calls of the stores the request makes. */
async function callsOf(ground: Ground, path: string): Promise<number> {
  const { request } = await prepare(ground, path)
  const { stores, begin, count } = stoppingAfter(ground.stores, Number.POSITIVE_INFINITY)
  const { app } = await startService(stores)
  await app.ready()
  begin()
  const response = await app.inject(request)
  expect(isDone(response.statusCode), `${path}: ${response.body}`).toBe(true)
  await app.close()
  return count()
}

const isDone = (status: number): boolean => status === 200 || status === 204

const isGiven = async ({ stores }: Ground, { email }: Scene): Promise<boolean> => {
  const user = await stores.users.findByEmail(email)
  return user?.roles.includes('editor') === true && user.isVerified && user.fields.team === 'blue'
}

test('kill -9 at any call of an acceptance: it gives once or is open again, and never stays in between', async () => {
  const trials: { ground: Ground; path: string; calls: number; scene: Scene }[] = []
  for (const ground of grounds)
    for (const path of Object.keys(paths))
      for (let calls = await callsOf(ground, path); calls >= 0; calls -= 1)
        trials.push({ ground, path, calls, scene: await prepare(ground, path) })
  const victim = await startProcesses<keyof typeof tasks, readonly Job[]>(
    new URL('process.ts', import.meta.url),
    1,
  )
  const jobs = trials.map(({ ground: { place }, scene: { request }, calls }) => ({ place, request, calls }))
  const [statuses = []] = await victim.race<number[]>('goSoFar', jobs)
  await victim.stop('SIGKILL')
  const stopped = statuses.filter((status) => status === 0).length
  console.info(`killed at ${stopped} points on ${grounds.length} databases`)
  expect(stopped).toBeGreaterThan(grounds.length * Object.keys(paths).length * 4)

  const wrong: string[] = []
  let wereGiven = 0
  for (const [index, { ground, path, calls, scene }] of trials.entries()) {
    const status = statuses[index] ?? 0
    const where = `${ground.name}, ${path}, after ${calls} calls`
    const given = await isGiven(ground, scene)
    if (given && status === 0) wereGiven += 1
    if (given ? calls === 0 : isDone(status)) wrong.push(`${where}: ${status}, given: ${given}`)
    const { app } = ground.later
    const again = await app.inject(scene.request)
    if (given ? again.statusCode !== 400 : !isDone(again.statusCode))
      wrong.push(`${where}: again ${again.statusCode} ${again.body}`)
    if (!(await isGiven(ground, scene))) wrong.push(`${where}: not given in the end`)
  }
  expect(wrong).toEqual([])
  // Both sides of the write were tried.
  expect(wereGiven).toBeGreaterThan(0)
  for (const { stores, later } of grounds) {
    for (let cursor: string | null | undefined; cursor !== null; )
      cursor = (await later.app.accounts.listInvitations({ ...(cursor && { cursor }) })).next
    expect(await stores.invitations.list({ limit: 1000 })).toEqual([])
  }
}, 600_000)
