import { createKyselySessionStore, createKyselyUserStore, migrate } from '@fastify-accounts/kysely'
import { goodPassword } from '@fastify-accounts/test-support/app'
import {
  connect,
  type Driver,
  driversHere,
  makeDatabase,
  type Place,
} from '@fastify-accounts/test-support/databases'
import { watch } from '@fastify-accounts/test-support/faults/probe'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import { createPost, type Service, startService } from '@fastify-accounts/test-support/faults/service'
import { startProcesses } from '@fastify-accounts/test-support/race-processes'
import { createMemoryThrottleStore } from 'fastify-accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Branch, branches } from './branches.js'
import type { Job, tasks } from './crash-tasks.js'
import { recorder } from './faults.js'

const actions = [
  'create (user)',
  'create (user) to be confirmed',
  'reset',
  'change-password',
  'verify by a button (user)',
  'delete own account',
].map((name) => branches.find((branch) => branch.name === name) as Branch)

interface Ground {
  name: string
  place: Place
  services: Record<'plain' | 'confirming', Service>
  close(): Promise<void>
}

let grounds: Ground[]
beforeAll(async () => {
  grounds = await Promise.all((await driversHere(['libsql', 'pg'])).map(open))
})
afterAll(async () => {
  for (const ground of grounds) await ground.close()
})

async function open({ name }: Driver): Promise<Ground> {
  const { place, drop } = await makeDatabase(name)
  const db = await connect(place)
  await migrate(db)
  const users = createKyselyUserStore({ db })
  const stores = {
    users,
    sessions: createKyselySessionStore({ db, userStore: users }),
    throttle: createMemoryThrottleStore(),
  }
  // Shared, because either service may deliver the mail.
  const post = createPost()
  const plain = await startService(stores, {}, post)
  const confirming = await startService(stores, { requireEmailConfirmation: true }, post)
  return {
    name,
    place,
    services: { plain, confirming },
    async close() {
      await plain.app.close()
      await confirming.app.close()
      await db.destroy()
      await drop()
    },
  }
}

async function prepare({ services }: Ground, branch: Branch): Promise<Scene> {
  const scene = await setScene(services[branch.confirms ? 'confirming' : 'plain'])
  return { ...scene, ...(await branch.prepare?.(scene)) }
}

/** The number of asynchronous calls that a request makes. */
async function callsOf(ground: Ground, branch: Branch): Promise<number> {
  const scene = await prepare(ground, branch)
  const { onCall, sites } = recorder()
  await watch(onCall, () => scene.send(branch.request(scene)))
  if (branch.mail) await scene.service.post.mail(branch.mail.kind, branch.mail.to(scene))
  return sites.filter(({ isAsync }) => isAsync).length
}

test('FLT-10 kill -9 at any call of create, reset, change, verify or delete loses nothing', async () => {
  const trials: { ground: Ground; branch: Branch; scene: Scene; calls: number }[] = []
  for (const ground of grounds) {
    for (const branch of actions) {
      for (let calls = await callsOf(ground, branch); calls >= 0; calls -= 1) {
        trials.push({ ground, branch, calls, scene: await prepare(ground, branch) })
      }
    }
  }
  const victim = await startProcesses<keyof typeof tasks, readonly Job[]>(
    new URL('crash-tasks.ts', import.meta.url),
    1,
  )
  const jobs = trials.map(({ ground, branch, scene, calls }) => ({
    place: ground.place,
    confirms: branch.confirms === true,
    request: branch.request(scene),
    calls,
  }))
  const [statuses = []] = await victim.race<number[]>('goSoFar', jobs)
  await victim.stop('SIGKILL')

  const points = statuses.filter((status) => status === 0).length
  console.info(`killed at ${points} points of ${actions.length} requests on ${grounds.length} databases`)
  expect(points).toBeGreaterThan(actions.length * grounds.length * 3)
  const wrong: string[] = []
  for (const [index, trial] of trials.entries()) {
    await judge(trial, statuses[index] ?? 0).catch((error) => {
      const { ground, branch, calls } = trial
      wrong.push(`${ground.name}, ${branch.name}, after ${calls} calls: ${error}`)
    })
  }
  expect(wrong).toEqual([])
})

/** @param status the response before the kill; 0 if there was none */
async function judge(
  { branch, scene, calls }: { branch: Branch; scene: Scene; calls: number },
  status: number,
): Promise<void> {
  if (status !== 0) expect(status).toBe(branch.status)
  const isDone = await branch.action.isDone(scene)
  // An acknowledged action is done; one that never started isn't.
  if (status !== 0 || calls === 0) expect(isDone).toBe(status !== 0)
  const again = await scene.send(branch.request(scene))
  expect(isDone ? branch.action.again : [branch.status]).toContain(again.statusCode)
  expect(await branch.action.isDone(scene)).toBe(true)
  if (branch.confirms) await expectWayIn(scene)
}

/** A new user who got no email requests another one and can log in. */
async function expectWayIn({ send, askForLink, logIn, fresh }: Scene): Promise<void> {
  const link = await askForLink('/user/v/', 'verify-email', fresh.email)
  expect((await send({ method: 'POST', url: link })).statusCode).toBe(200)
  expect((await logIn(goodPassword, fresh.username)).statusCode).toBe(200)
}
