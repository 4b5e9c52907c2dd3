import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { createKyselySessionStore, createKyselyUserStore } from '@fastify-accounts/kysely'
import {
  cheapHasher,
  cookieOf,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  whoIs,
} from '@fastify-accounts/test-support/app'
import { connect } from '@fastify-accounts/test-support/databases'
import { times } from '@fastify-accounts/test-support/depth'
import type { LightMyRequestResponse as Response } from 'fastify'
import { usernameKey } from 'fastify-accounts'
import { expect, onTestFinished } from 'vitest'
import { freshUser } from '../../packages/accounts/src/user.js'
import { cases } from './catalogue.js'
import {
  type Action,
  type Actor,
  actions,
  type Outcome,
  responsesTo,
  serialOutcomes,
} from './serial-order.js'
import type { Scene, Service } from './service.js'

/** Runs of each pair on each ground. CONTRIBUTING.md explains how to run a thousand. */
const schedules = Number(process.env.CATALOGUE_SCHEDULES ?? times({ quick: 8, full: 25 }))
const seed = Number(process.env.CATALOGUE_SEED ?? 1)
/** Concurrent schedules, each with its own account. */
const concurrent = 25

const passwords = {
  old: 'the old password',
  'new-0': 'the password of actor 0',
  'new-1': 'the password of actor 1',
}

/** Seeded pseudorandom numbers from 0 to 1 (mulberry32). */
function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Adds random delays before and after each call of a store. */
function delayAtRandom(store: object, random: () => number): void {
  async function pause(): Promise<void> {
    const chance = random()
    if (chance < 0.3) await sleep(random() * 3)
    else for (let turns = chance * 8; turns > 1; turns -= 1) await nextTurn()
  }
  const methods = store as Record<string, unknown>
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method === 'object' && method !== null && name === 'withUsers') delayAtRandom(method, random)
    if (typeof method !== 'function') continue
    methods[name] = async (...args: unknown[]) => {
      await pause()
      const result = await method(...args)
      await pause()
      return result
    }
  }
}

/** An account for one schedule, and what the two actors need. */
async function prepare(service: Service, username: string, pair: readonly [Action, Action], oldHash: string) {
  const email = `${username}@example.org`
  const person = { username, password: passwords.old, email }
  if (pair.every((action) => action === 'create'))
    return { ...person, id: '', cookies: [], reset: '', verify: '' }
  const keys = { usernameKey: usernameKey(username), emailKey: email }
  const { id } = await service.users.create(freshUser({ username, email, ...keys, passwordHash: oldHash }))
  const cookies = [
    await logIn(service, username, passwords.old),
    await logIn(service, username, passwords.old),
  ]
  const links = { reset: '', verify: '' }
  if (pair.includes('reset')) {
    await service.send('POST', '/forgot/', { email })
    links.reset = linkPath(await service.mail('reset-password', email))
  }
  if (pair.includes('verify')) {
    await service.send('POST', '/user/v/', { email })
    links.verify = linkPath(await service.mail('verify-email', email))
  }
  return { ...person, id, cookies, ...links }
}

type Account = Awaited<ReturnType<typeof prepare>>

function act(service: Service, account: Account, action: Action, actor: Actor): Promise<Response> {
  const { username, email, id } = account
  const headers = { cookie: account.cookies[actor] ?? '' }
  const own = passwords[`new-${actor}`]
  const form = { new_password: own, confirm_password: own }
  switch (action) {
    case 'login':
      return service.send('POST', '/login/', { username, password: passwords.old })
    case 'change':
      return service.send('POST', '/change-password/', { old_password: passwords.old, ...form }, { headers })
    case 'reset':
      return service.send('POST', account.reset, form)
    case 'verify':
      return service.send('POST', account.verify)
    case 'delete':
      return service.send('DELETE', `/user/${id}`, undefined, { headers })
    case 'create':
      return service.send('POST', '/user/', { username, password: own, confirm_password: own, email })
  }
}

/** Runs two actions concurrently on one account, and returns the outcome. */
async function race(service: Service, account: Account, pair: readonly [Action, Action]): Promise<Outcome> {
  const responses = await Promise.all([act(service, account, pair[0], 0), act(service, account, pair[1], 1)])
  const cookies = new Map(account.cookies.map((cookie, actor) => [`own-${actor}`, cookie]))
  const done = ([0, 1] as const).map((actor) => {
    const [response, action] = [responses[actor], pair[actor]]
    const { done, refused } = responsesTo[action]
    expect([done, ...refused]).toContain(response.statusCode)
    const isDone = response.statusCode === done
    if (isDone && action === 'login') cookies.set(`login-${actor}`, cookieOf(response))
    const renewed = response.cookies.some(({ name, value }) => name === 'session' && value !== '')
    if (isDone && action === 'change' && renewed) cookies.set(`renewed-${actor}`, cookieOf(response))
    return isDone
  })

  const { username } = account
  const works: string[] = []
  for (const [name, password] of Object.entries(passwords)) {
    const { statusCode } = await service.send('POST', '/login/', { username, password })
    expect([200, 401]).toContain(statusCode)
    if (statusCode === 200) works.push(name)
  }
  const sessions: string[] = []
  for (const [name, cookie] of cookies) if ((await whoIs(service, cookie)) !== null) sessions.push(name)
  const user = await service.users.findByUsername(usernameKey(username))
  return {
    done: [done[0] === true, done[1] === true],
    owner: user && (user.id === account.id ? 'first' : 'created'),
    passwords: works,
    isVerified: user?.isVerified ?? false,
    sessions: sessions.sort(),
  }
}

async function racePair({ start }: Scene, pair: readonly [Action, Action]): Promise<void> {
  const hasher = cheapHasher()
  const oldHash = await hasher.hash(passwords.old)
  // Every login rehashes, as after a raise of the cost.
  const service = await start({
    passwordHasher: { ...hasher, needsRehash: () => true },
    // All requests hash at once: a queue rejects most of them if the first hash took long.
    password: { concurrency: 64 },
  })
  const random = randomFrom(seed * 1009 + actions.indexOf(pair[0]) * 31 + actions.indexOf(pair[1]))
  delayAtRandom(service.users, random)
  delayAtRandom(service.sessions, random)
  const orders = serialOutcomes(pair)
  const one = async (number: number): Promise<void> => {
    const account = await prepare(service, `${pair.join('-')}-${number}`, pair, oldHash)
    const outcome = await race(service, account, pair)
    if (orders.some((order) => JSON.stringify(order) === JSON.stringify(outcome))) return
    throw new Error(
      `${pair.join(' and ')}, schedule ${number} of seed ${seed}: no order explains ${JSON.stringify(outcome)}; ${JSON.stringify(orders)}`,
    )
  }
  for (let first = 0; first < schedules; first += concurrent) {
    const count = Math.min(concurrent, schedules - first)
    await Promise.all(Array.from({ length: count }, (_, index) => one(first + index)))
  }
}

const names: Record<Action, string> = {
  login: 'a login that rehashes',
  change: 'a password change',
  reset: 'a reset',
  verify: 'a verification',
  delete: 'a deletion',
  create: 'a sign-up with the name',
}

const overtaken = (action: Action): string =>
  action === 'change' || action === 'reset'
    ? '; a deletion that began in a live session is carried out, even if that session ends meanwhile'
    : ''

cases('Concurrency', ({ storage }) => {
  for (const [index, action] of actions.entries()) {
    const others = actions.slice(index)
    const against = others.map((each) => (each === action ? 'another one' : names[each])).join(', ')
    storage(
      'CON-01',
      {
        tried: `${names[action]} at the same time as ${against}; store calls delayed at random`,
        expected: `one order of the two explains both responses and the final state: one password, which sessions are alive, who has the name${overtaken(action)}`,
      },
      async (scene) => {
        for (const other of others) await racePair(scene, [action, other])
      },
    )
  }

  storage(
    'CON-02',
    {
      tried: 'one database connection and fifty concurrent requests, for each kind of request',
      expected: 'all complete; none waits for a connection that another request holds',
    },
    async ({ start, place, prefix }) => {
      const db = place && (await connect(place, 1))
      onTestFinished(() => db?.destroy())
      const service = await start({
        ...(db && { userStore: createKyselyUserStore({ db }) }),
        ...(db && !prefix && { sessionStore: createKyselySessionStore({ db }) }),
        // Waiting for the connection counts toward the adapter's timeout; a deadlock would outlast any timeout.
        adapterTimeout: 30_000,
        password: { concurrency: 64 },
      })
      const people = Array.from({ length: 50 }, (_, index) => `user-${index}`)
      const ids = new Map<string, string>()
      const cookies = new Map<string, string>()
      const emailOf = (name: string) => `${name}@example.org`

      async function all(status: number, request: (name: string) => Promise<Response>): Promise<Response[]> {
        const responses = await Promise.all(people.map(request))
        expect(responses.map(({ statusCode }) => statusCode)).toEqual(people.map(() => status))
        return responses
      }
      const as = (name: string) => ({ headers: { cookie: cookies.get(name) ?? '' } })
      const enter = async (password: string) => {
        const responses = await all(200, (username) =>
          service.send('POST', '/login/', { username, password }),
        )
        for (const [at, name] of people.entries()) cookies.set(name, cookieOf(responses[at] as Response))
      }
      const third = 'yet another one'

      const created = await all(201, (username) =>
        service.send('POST', '/user/', {
          ...{ username, password: goodPassword, confirm_password: goodPassword, email: emailOf(username) },
        }),
      )
      for (const [at, name] of people.entries()) ids.set(name, created[at]?.json().id)
      await enter(goodPassword)
      await all(200, (name) => service.send('GET', '/me/', undefined, as(name)))
      await all(200, (name) => service.send('GET', '/user/', undefined, as(name)))
      await all(200, (name) => service.send('GET', `/user/${ids.get(name)}`, undefined, as(name)))
      await all(202, (name) => service.send('POST', '/user/v/', { email: emailOf(name) }))
      await all(200, async (name) =>
        service.send('POST', linkPath(await service.mail('verify-email', emailOf(name)))),
      )
      await all(204, (name) =>
        service.send(
          'POST',
          '/change-password/',
          { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword },
          as(name),
        ),
      )
      await all(202, (name) => service.send('POST', '/forgot/', { email: emailOf(name) }))
      const link = async (name: string) => linkPath(await service.mail('reset-password', emailOf(name)))
      await all(200, async (name) => service.send('GET', await link(name)))
      await all(204, async (name) =>
        service.send('POST', await link(name), { new_password: third, confirm_password: third }),
      )
      await enter(third)
      await all(204, (name) => service.send('POST', '/logout/', undefined, as(name)))
      await enter(third)
      await all(204, (name) => service.send('DELETE', `/user/${ids.get(name)}`, undefined, as(name)))
      expect(await service.users.list({ limit: 1 })).toEqual([])
      await signUp(service)
    },
  )
})
