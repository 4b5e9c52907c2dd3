import { setTimeout as sleep } from 'node:timers/promises'
import { createKyselyUserStore } from '@fastify-accounts/kysely'
import { goodPassword, logIn } from '@fastify-accounts/test-support/app'
import { times } from '@fastify-accounts/test-support/depth'
import { startProcesses } from '@fastify-accounts/test-support/race-processes'
import {
  makeWorkspaces,
  openWorkspace,
  sqlGrounds,
  storesWith,
  type Tx,
  workspacesWith,
} from '@fastify-accounts/test-support/workspaces'
import { assertNoEnumeration, newUser } from '@fastify-accounts/testing'
import { type Alongside, AlongsideError } from 'fastify-accounts'
import { expect } from 'vitest'
import type { Halt, tasks } from './alongside-process.js'
import { cases } from './catalogue.js'
import { expectAlike } from './responses.js'
import type { Scene, Service } from './service.js'
import { callsOf } from './store-calls.js'

const form = (username: string, extra: object = {}) => ({
  username,
  password: goodPassword,
  confirm_password: goodPassword,
  ...extra,
})
const create = (service: Service, username: string, extra: object = {}, headers = {}) =>
  service.send('POST', '/user/', form(username, extra), { headers })
const remove = (service: Service, id: string, cookie: string) =>
  service.app.inject({ method: 'DELETE', url: `/user/${id}`, headers: { cookie } })

/** An app with workspaces. */
async function startWith(
  scene: Scene,
  own: Alongside<Tx> = {},
  options: Parameters<Scene['start']>[0] = {},
): Promise<Service & Awaited<ReturnType<typeof makeWorkspaces>>> {
  const workspaces = await makeWorkspaces(scene)
  const stores = await storesWith(scene, workspacesWith(own))
  const service = await scene.start({ ...stores, ...options })
  return { ...service, ...workspaces, users: stores.userStore }
}

cases('Alongside', ({ storage }) => {
  storage(
    'ALO-01',
    {
      tried:
        'every way to an account and from it: a sign-up, staff, the app’s own code; deletion by the owner, by staff, by the app’s own code',
      expected: 'the app’s own rows come and go with the account',
      ...sqlGrounds,
    },
    async (scene) => {
      const service = await startWith(scene)
      const { accounts } = service.app
      expect((await create(service, 'alice')).statusCode).toBe(201)
      await accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true })
      const boss = await logIn(service, 'boss')
      const alice = await logIn(service, 'alice')
      for (const name of ['bob', 'carol'])
        expect((await create(service, name, {}, { cookie: boss })).statusCode).toBe(201)
      expect(await service.owners()).toEqual(['alice', 'bob', 'boss', 'carol'])

      const ids = await Promise.all(
        ['alice', 'bob', 'carol'].map(async (username) => (await accounts.findUser({ username }))?.id ?? ''),
      )
      const [aliceId = '', bobId = '', carolId = ''] = ids
      expect((await remove(service, aliceId, alice)).statusCode).toBe(204)
      expect((await remove(service, bobId, boss)).statusCode).toBe(204)
      expect(await accounts.deleteUser(carolId)).toBe(true)
      expect(await service.owners()).toEqual(['boss'])
      expect((await remove(service, bobId, boss)).statusCode).toBe(404)
    },
  )

  storage(
    'ALO-02',
    {
      tried: 'the app’s own code refuses a new account, or a deletion',
      expected:
        'the response is the app’s own error, once; nothing is stored or deleted, and no email is sent, not even later',
      ...sqlGrounds,
    },
    async (scene) => {
      let calls = 0
      const mine = Object.assign(new Error('the plan is full'), { statusCode: 402 })
      const plain = workspacesWith()
      const service = await startWith(
        scene,
        {
          async created(tx, user) {
            await plain.created?.(tx, user)
            if (user.username !== 'bob') return
            calls += 1
            throw mine
          },
          async deleted(tx, user) {
            await plain.deleted?.(tx, user)
            calls += 1
            throw mine
          },
        },
        { requireEmailConfirmation: true },
      )
      const { accounts } = service.app
      const email = 'bob@example.org'
      const response = await create(service, 'bob', { email })
      expect([response.statusCode, response.json()]).toEqual([
        402,
        { statusCode: 402, error: 'Payment Required', message: 'the plan is full' },
      ])
      const input = { username: 'bob', password: goodPassword, email }
      await expect(accounts.createUser(input)).rejects.toBe(mine)
      const alice = await accounts.createUser({
        username: 'alice',
        password: goodPassword,
        isVerified: true,
        email,
      })
      await expect(accounts.deleteUser(alice.id)).rejects.toBe(mine)
      expect(calls).toBe(3)
      expect(await service.owners()).toEqual(['alice'])
      await service.settle()
      expect(service.mails).toEqual([])
      // It goes on as if nothing had been.
      await logIn(service, 'alice')
      expect((await create(service, 'bill', { email: 'bill@example.org' })).statusCode).toBe(202)
      expect((await service.mail('verify-email', 'bill@example.org')).to.name).toBe('bill')
    },
  )

  storage(
    'ALO-03',
    {
      tried:
        'with confirmation on, sign-ups with taken addresses and with free ones, while the app’s own code succeeds, takes its time, or fails',
      expected:
        'the same response after the same work: the code runs as often, for a person of the same kind, and leaves nothing behind for a taken address',
      ...sqlGrounds,
    },
    async (scene) => {
      const seen: (string | null)[] = []
      let fails = false
      const service = await startWith(
        scene,
        {
          async created(tx, user) {
            seen.push(`${user.username} <${user.email}> ${user.hasPassword}`)
            await openWorkspace(tx, user.id, `of ${user.username ?? user.id}`)
            await sleep(20)
            if (fails) throw Object.assign(new Error('the plan is full'), { statusCode: 402 })
          },
        },
        { requireEmailConfirmation: true, users: { variant: 'both', names: 'optional' } },
      )
      await service.app.accounts.createUser({
        username: 'olga',
        password: goodPassword,
        email: 'olga@example.org',
        isVerified: true,
      })
      seen.length = 0
      const asked = callsOf(service.users)
      const signUp = async (name: string | undefined, email: string) => {
        asked.length = 0
        const body = { ...form(''), username: name, email }
        const response = await service.send('POST', '/signup/', body)
        // Delivering emails reads as well.
        return { response, writes: asked.filter((call) => !call.startsWith('find')) }
      }
      for (const isFailing of [false, true]) {
        fails = isFailing
        for (const [name, other] of [
          ['ada', 'eve'],
          [undefined, undefined],
        ] as const) {
          const at = `${String(isFailing)}-${name}`
          const free = await signUp(name && `${name}-${isFailing}`, `${at}@example.org`)
          const taken = await signUp(other && `${other}-${isFailing}`, 'olga@example.org')
          expect(free.response.statusCode).toBe(isFailing ? 402 : 202)
          expectAlike(free.response, taken.response)
          expect(free.writes).toEqual(['create', 'update'])
          expect(taken.writes).toEqual(['create', 'create'])
          expect(seen.splice(0)).toEqual([
            `${name ? `${name}-${isFailing}` : null} <${at}@example.org> true`,
            `${other ? `${other}-${isFailing}` : null} <olga@example.org> true`,
          ])
        }
      }
      expect(await service.owners()).toEqual(['ada-false', 'olga', null])
    },
  )

  storage(
    'ALO-03',
    {
      tried: 'the app’s own code under the kit that checks an app for account enumeration, with times',
      expected: 'it finds nothing',
      ...sqlGrounds,
    },
    async (scene) => {
      const plain = workspacesWith()
      const service = await startWith(
        scene,
        {
          async created(tx, user) {
            await plain.created?.(tx, user)
            // Much longer than everything else, so that a busy machine can't hide or feign its absence.
            await sleep(150)
          },
        },
        { requireEmailConfirmation: true },
      )
      const account = { username: 'olga', email: 'olga@example.org' }
      await service.app.accounts.createUser({ ...account, password: goodPassword, isVerified: true })
      const { compared } = await assertNoEnumeration(service.app, {
        account,
        paths: { create: '/user/', login: false, forgot: false },
        timing: { rounds: times({ quick: 6, full: 20 }), tolerance: 0.5 },
      })
      expect(compared.map(({ path }) => path)).toEqual(['/user/'])
    },
  )

  storage(
    'ALO-04',
    {
      tried:
        'the app’s own code never returns, or waits for a connection that only its own transaction could free',
      expected: '503 at the deadline; nothing is stored then, nor by what it does later',
      ...sqlGrounds,
    },
    async (scene) => {
      let resume = (): void => {}
      const gate = new Promise<void>((resolve) => {
        resume = resolve
      })
      let late: Promise<unknown> = Promise.resolve()
      const own: Alongside<Tx> = {
        created(tx, { id, username }) {
          const work = async () => {
            await openWorkspace(tx, id, `of ${username}`)
            await gate
            await openWorkspace(tx, `${id}-late`, 'late')
          }
          late = work()
          return late as Promise<void>
        },
        async deleted() {
          await gate
        },
      }
      const service = await startWith(scene, own, { adapterTimeout: 600 })
      const { id } = await createKyselyUserStore({ db: service.db }).create(
        newUser({ username: 'zoe', usernameKey: 'zoe' }),
      )
      const response = await create(service, 'alice')
      expect([response.statusCode, response.json().code]).toEqual([503, 'ACCOUNTS_UNAVAILABLE'])
      await expect(service.app.accounts.deleteUser(id)).rejects.toMatchObject({
        code: 'ACCOUNTS_UNAVAILABLE',
      })
      resume()
      await expect(late).rejects.toThrow(/transaction/i)
      expect(await service.titles()).toEqual([])
      expect(
        (await createKyselyUserStore({ db: service.db }).list({ limit: 9 })).map((user) => user.id),
      ).toEqual([id])
    },
  )

  storage(
    'ALO-05',
    {
      tried:
        'simultaneous sign-ups for one name in two processes’ apps, and simultaneous deletions of one account',
      expected: 'one of each wins, and its rows are there, or gone; the others have left nothing',
      ...sqlGrounds,
    },
    async (scene) => {
      const one = await startWith(scene)
      const two = await scene.start(await storesWith(scene, workspacesWith()))
      const many = times({ quick: 4, full: 12 })
      const both = Array.from({ length: many }, (_, at) => (at % 2 ? one : two))
      for (const name of ['alice', 'bob']) {
        const made = await Promise.all(both.map((service) => create(service, name)))
        expect(made.map(({ statusCode }) => statusCode).filter((status) => status === 201)).toHaveLength(1)
        expect(made.every(({ statusCode }) => [201, 409].includes(statusCode))).toBe(true)
      }
      expect(await one.owners()).toEqual(['alice', 'bob'])
      const cookie = await logIn(one, 'alice')
      const { id } = (await one.app.inject({ url: '/me/', headers: { cookie } })).json()
      const gone = await Promise.all(both.map((service) => remove(service, id, cookie)))
      expect(gone.filter(({ statusCode }) => statusCode === 204)).toHaveLength(1)
      expect(await one.owners()).toEqual(['bob'])
    },
  )

  storage(
    'ALO-06',
    {
      tried: 'the app’s own statements deadlock with each other',
      expected: 'the whole runs again, or is a 503: there are as many effects as accounts',
      ...sqlGrounds,
    },
    async (scene) => {
      let turn = 0
      const plain = workspacesWith()
      const service = await startWith(scene, {
        async created(tx, user) {
          await plain.created?.(tx, user)
          turn += 1
          const order = turn % 2 ? ['one', 'two'] : ['two', 'one']
          for (const name of order) {
            await tx
              .updateTable('counters')
              .set((eb) => ({ n: eb('n', '+', 1) }))
              .where('name', '=', name)
              .execute()
            await sleep(5)
          }
        },
      })
      await service.run('create table counters (name varchar(9) primary key, n integer not null)')
      await service.run("insert into counters values ('one', 0), ('two', 0)")
      const names = Array.from({ length: times({ quick: 6, full: 12 }) }, (_, at) => `user-${at}`)
      const made = await Promise.all(names.map((name) => create(service, name)))
      const rows = await service.run('select n from counters')
      await service.run('drop table counters')
      const created = made.filter(({ statusCode }) => statusCode === 201).length
      expect(made.every(({ statusCode }) => [201, 503].includes(statusCode))).toBe(true)
      expect(created).toBeGreaterThan(0)
      expect(rows.map(({ n }) => Number(n))).toEqual([created, created])
      expect(await service.owners()).toHaveLength(created)
    },
  )

  storage(
    'ALO-07',
    {
      tried: 'kill -9 within the app’s own code, before and after its rows, at a creation and at a deletion',
      expected: 'never a row of the app without its account, or an account without its row',
      ...sqlGrounds,
    },
    async (scene) => {
      const service = await startWith(scene)
      const all: Pick<Halt, 'action' | 'isAfter' | 'username'>[] = [
        { action: 'create', isAfter: true, username: 'alice' },
        { action: 'delete', isAfter: true, username: 'bob' },
        { action: 'create', isAfter: false, username: 'alice' },
        { action: 'delete', isAfter: false, username: 'bob' },
      ]
      const victims = all.slice(0, times({ quick: 2, full: 4 }))
      const bob = await service.app.accounts.createUser({ username: 'bob', password: goodPassword })
      const task = new URL('alongside-process.ts', import.meta.url)
      const processes = await Promise.all(
        victims.map(() => startProcesses<keyof typeof tasks, Halt>(task, 1)),
      )
      // One after the other: on SQLite, each holds the only lock for writing.
      for (const [at, victim] of victims.entries()) {
        const { place } = scene
        if (place === undefined) throw new Error('this ground has no database')
        await processes[at]?.race('halt', { place, ...victim })
        await processes[at]?.stop('SIGKILL')
        expect(await service.owners()).toEqual(['bob'])
      }
      expect((await create(service, 'alice')).statusCode).toBe(201)
      expect(await service.app.accounts.deleteUser(bob.id)).toBe(true)
      expect(await service.owners()).toEqual(['alice'])
    },
  )

  storage(
    'ALO-08',
    {
      tried: 'a value of the app’s own that is taken, such as the title of a workspace',
      expected: 'an error of the app, never “this username is taken”',
      ...sqlGrounds,
    },
    async (scene) => {
      const service = await startWith(scene, { created: (tx, { id }) => openWorkspace(tx, id, 'the same') })
      expect((await create(service, 'alice')).statusCode).toBe(201)
      const response = await create(service, 'bob', { email: 'bob@example.org' })
      expect(response.statusCode).toBe(500)
      expect(response.body).not.toMatch(/ACCOUNTS_|workspaces/)
      expect((await create(service, 'ALICE')).json().code).toBe('ACCOUNTS_USERNAME_TAKEN')
      expect(await service.owners()).toEqual(['alice'])
    },
  )

  storage(
    'ALO-09',
    {
      tried: 'an import of people, one of whom the app’s own code refuses, and some of whom exist',
      expected: 'each who is imported has their rows; none is imported together with the refused one',
      ...sqlGrounds,
    },
    async (scene) => {
      const plain = workspacesWith()
      const service = await startWith(scene)
      const { userStore } = await storesWith(
        scene,
        workspacesWith({
          async created(tx, user) {
            await plain.created?.(tx, user)
            if (user.username === 'eve') throw new Error('not her')
          },
        }),
      )
      const people = (...names: string[]) =>
        names.map((name) => newUser({ username: name, usernameKey: name, email: null, emailKey: null }))
      await service.app.accounts.createUser({ username: 'bob', password: goodPassword })
      await userStore.createMany?.(people('alice', 'bob', 'carol'))
      expect(await service.owners()).toEqual(['alice', 'bob', 'carol'])
      await expect(userStore.createMany?.(people('dora', 'eve'))).rejects.toThrow(AlongsideError)
      expect(await service.owners()).toEqual(['alice', 'bob', 'carol'])
    },
  )

  storage(
    'ALO-10',
    {
      tried: 'alongside with a name that is wrong, or a value that is no function',
      expected: 'the app doesn’t start, and one line names the option',
      on: 'SQLite',
      because: 'the option is checked before any database is asked',
    },
    async (scene) => {
      for (const [alongside, message] of [
        [{ created: true }, 'alongside.created must be a function'],
        [{ onCreated() {} }, 'alongside.onCreated is not an option'],
        [true, 'alongside must be an object of functions'],
      ] as const)
        await expect(storesWith(scene, alongside as object)).rejects.toThrow(new TypeError(message))
    },
  )
})
