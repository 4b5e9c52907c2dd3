import { existsSync, readdirSync } from 'node:fs'
import { cover, isQuick, isTried, sample, times } from '@fastify-accounts/test-support/depth'
import { databases, memory, type OpenGround } from '@fastify-accounts/test-support/faults/grounds'
import { hostActions } from '@fastify-accounts/test-support/faults/host-routes'
import { startService } from '@fastify-accounts/test-support/faults/service'
import { read, root } from '@fastify-accounts/test-support/source'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shippedFeatures } from '../../packages/accounts/src/features/shipped.js'
import { type Branch, branches } from './branches.js'
import { exceptions } from './exceptions.js'
import { type FaultName, faults } from './faults.js'
import { mayChange, mounted } from './mounted.js'
import { type Cell, exceptionFor, labelOf, openRange, type Place, type Range } from './trial.js'

const everyFault = Object.keys(faults) as FaultName[]

/** The two variants of sign-up share their code, and so do a form and its call: only one of each meets every fault. */
const inMemory = ({ branch, fault }: Cell): boolean =>
  !sharesCode(branch) || ['rejects', 'never responds', 'applied, result lost'].includes(fault)

/** Only calls that could lose data there: those of requests that change something, and all writes. */
const onDatabase = ({ branch, site, fault }: Cell): boolean => {
  if (sharesCode(branch) || !/^(users|sessions|invitations|throttle)/.test(site.method)) return false
  const isWrite = !/\.(find|list)/.test(site.method)
  if (fault === 'rejects' || fault === 'never responds') return isWrite || branch.action.again.length > 0
  // A late or lost read has changed nothing, so the two faults above cover it.
  return isWrite && (fault === 'responds late' || fault === 'applied, result lost')
}

const sharesCode = ({ name }: Branch): boolean => /\(signup\)|, by the form$/.test(name)

const others = isQuick ? sample('matrix', databases) : databases

// Each lane starts services of its own, and below full depth few cells are left.
const grounds = [
  {
    ...memory,
    own: branches,
    isDeep: true,
    takes: inMemory,
    deadline: 25,
    lanes: times({ quick: 4, full: 8 }),
  },
  ...others.map((ground) => ({
    ...ground,
    own: branches.filter(({ name }) => sample(name, others).includes(ground)),
    isDeep: false,
    takes: onDatabase,
    deadline: 300,
    lanes: times({ quick: 4, full: 12 }),
  })),
]

/** A cell belongs to the first test that takes it. */
const tests: [name: string, takes: (cell: Cell) => boolean][] = [
  [
    'FLT-07 change-password responds truthfully if the session store fails after the password was set',
    ({ branch, site }) => /^change-password/.test(branch.name) && /^sessions\.(?!find)/.test(site.method),
  ],
  ['FLT-04 a failing mailer delays no response and loses no account', of('mailer')],
  [
    'FLT-02 returns 503 at the deadline if an adapter never responds or responds too late',
    ({ fault }) => faults[fault].hangs,
  ],
  ['FLT-03 returns 503 if the result of a write is lost, and a retry converges', lost],
  ['FLT-01 returns 503 if a user store call fails', of('users')],
  ['FLT-06 returns 503 if a session store call fails', of('sessions')],
  ['FLT-01 returns 503 if an invitation store call fails', of('invitations')],
  ['FLT-11 returns 503 and stores nothing if the hasher fails', of('hasher')],
  ['FLT-11 returns 503 and stores nothing if the password check fails', of('check')],
  ['FLT-01 returns 503 and lifts no limit if a throttle store call fails', of('throttle')],
  ['FLT-01 returns 503 if a token signer call fails', of('signer')],
]

function of(adapter: string) {
  return ({ site }: Cell): boolean => site.method.startsWith(`${adapter}.`)
}

function lost({ fault }: Cell): boolean {
  return fault === 'applied, result lost'
}

const testOf = (cell: Cell): string => tests.find(([, takes]) => takes(cell))?.[0] ?? ''

/**
 * Below full depth each adapter method meets every fault, no test is skipped, and each request meets a fault; at push it
 * meets every fault, and one at each adapter method that it calls.
 */
const partsOf = (cell: Cell): string[] => {
  const { branch, site, fault, after } = cell
  return [
    ...(isQuick ? [branch.name] : [`${branch.name} ${fault}`, `${branch.name} ${site.method}`]),
    `${site.method} ${fault}`,
    testOf(cell),
    ...(after ? [`${site.method} after another`] : []),
  ]
}

const sizes = new Map<FaultName, number>()
const used = new Set<unknown>()
afterAll(() => {
  const parts = [...sizes].map(([fault, count]) => `${count} ${fault}`)
  const total = [...sizes.values()].reduce((sum, count) => sum + count, 0)
  console.info(`fault matrix: ${total} cells on ${grounds.length} stores: ${parts.join(', ')}`)
})

describe.each(grounds)('on $name', ({ open, own, isDeep, takes, deadline, lanes }) => {
  let ground: OpenGround
  let ranges: Range[]
  const cells = new Map<string, Cell[]>()

  beforeAll(async () => {
    ground = await open()
    ranges = await Promise.all(Array.from({ length: lanes }, () => openRange(ground, deadline)))
    const all: Cell[] = []
    await shared(own, async (range, branch) => {
      const places = await range.sitesOf(branch)
      if (isDeep && isTried(branch.name)) places.push(...(await range.furtherSitesOf(branch)))
      for (const place of places) {
        for (const fault of faultsAt(place)) {
          used.add(exceptionFor(branch, place.after ?? place.site, ground, faults[fault]))
          all.push({ ...place, fault })
        }
      }
    })
    for (const cell of cover(all.filter(takes), partsOf)) {
      const name = testOf(cell)
      cells.set(name, [...(cells.get(name) ?? []), cell])
      sizes.set(cell.fault, (sizes.get(cell.fault) ?? 0) + 1)
    }
  })
  afterAll(async () => {
    for (const range of ranges) await range.close()
    await ground.close()
  })

  function faultsAt(place: Place): readonly FaultName[] {
    return place.site.isAsync ? everyFault : ['throws synchronously']
  }

  /** Each range takes the next item when it has finished one. */
  async function shared<Item>(
    items: readonly Item[],
    work: (range: Range, item: Item) => Promise<void>,
  ): Promise<void> {
    const queue = items.values()
    await Promise.all(
      ranges.map(async (range) => {
        for (const item of queue) await work(range, item)
      }),
    )
  }

  test.each(tests.map(([name]) => name))('%s', async (name) => {
    const ofTest = cells.get(name) ?? []
    const wrong: string[] = []
    await shared(ofTest, async (range, cell) => {
      await range.run(cell).catch((error) => wrong.push(`${labelIn(cell)} ${cell.fault}: ${error}`))
    })
    expect(wrong).toEqual([])
  })

  test('every cell belongs to a test', () => expect(cells.get('')).toBeUndefined())
})

test('every route has a branch, and if it may change something, one that succeeds', async () => {
  const routes = await mounted()
  const tried = new Set(branches.flatMap(({ route }) => route ?? []))
  expect([...tried].sort()).toEqual(routes.map(({ route }) => route).sort())
  const succeed = new Set(branches.flatMap(({ route, status }) => (status < 400 && route) || []))
  const missing = routes.filter((each) => mayChange(each) && !succeed.has(each.route))
  const names = missing.map(({ name, route }) => `${name}, as '${route}'`)
  expect(names, 'add a branch of each with a status below 400 in test/faults/branches').toEqual([])
})

test('every function of app.accounts that uses a store has a route of the host, and every such route a trial', async () => {
  const ground = await memory.open()
  const service = await startService(ground)
  const names = Object.entries(service.app.accounts).flatMap(([name, value]) =>
    typeof value === 'function' ? [name] : [],
  )
  await service.app.close()
  await ground.close()
  const routes = read('packages/test-support/faults/host-routes.ts')
  const missing = names.filter((name) => !othersTry.includes(name) && !routes.includes(`accounts.${name}`))
  expect(missing, 'add a route of each to host-routes.ts').toEqual([])
  const trials = ['test/faults', 'test/faults/branches']
    .flatMap((folder) => readdirSync(root + folder).map((name) => `${folder}/${name}`))
    .filter((path) => path.endsWith('.ts'))
    .map(read)
    .join('\n')
  const untried = hostActions.filter(
    (action) => !new RegExp(`onHost\\('${action}'|/host/${action}'`).test(trials),
  )
  expect(untried, 'try each in branches/host.ts, or in the file of its feature').toEqual([])
})

/** They call no store, or read what `requireUser` reads; the health check has tests of its own. */
const othersTry = [
  ...['can', 'keyOf', 'userOf', 'refuseCrossSite'],
  ...['requirePermission', 'requireRecentLogin', 'requireSecondFactor'],
  'check',
]

test('every feature that apps opt in to has trials', () => {
  const shipped = shippedFeatures.map(({ name }) => name)
  const optional = [
    ...readdirSync(`${root}packages/accounts/src/features`, { withFileTypes: true })
      .filter((each) => each.isDirectory() && !shipped.includes(each.name))
      .map(({ name }) => name),
    ...readdirSync(`${root}packages`).filter((name) => {
      const index = `packages/${name}/src/index.ts`
      // One of pages has no routes: what it performs is tried with its own route.
      return existsSync(root + index) && /\): \w*Feature \{[\s\S]*^ {4}routes\b/m.test(read(index))
    }),
  ]
  const trials = readdirSync(`${root}test/faults`)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => read(`test/faults/${name}`))
    .filter((code) => code.includes('  tryFactor('))
  const untried = optional.filter((feature) => {
    const name = feature.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())
    return !trials.some((code) => new RegExp(`\\b${name}\\b`).test(code))
  })
  expect(optional).toEqual(expect.arrayContaining(['second-factor', 'passkeys', 'providers']))
  expect(untried, 'try the routes of each in a file of test/faults that calls tryFactor').toEqual([])
})

test('every exception is needed by a cell', () => {
  expect(exceptions.filter((each) => !used.has(each))).toEqual([])
})

function labelIn({ branch, site, after }: Place): string {
  return [branch.name, after && `${labelOf(after)} rejects`, labelOf(site)].filter(Boolean).join(', ')
}
