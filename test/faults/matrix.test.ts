import { cover, isTried, sample } from '@fastify-accounts/test-support/depth'
import { databases, memory, type OpenGround } from '@fastify-accounts/test-support/faults/grounds'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Branch, branches } from './branches.js'
import { exceptions } from './exceptions.js'
import { type FaultName, faults } from './faults.js'
import { type Cell, exceptionFor, labelOf, openRange, type Place, type Range } from './trial.js'

const everyFault = Object.keys(faults) as FaultName[]

/** Of the two variants of sign-up, one piece of code, one meets every fault. */
const inMemory = ({ branch, fault }: Cell): boolean =>
  !isSecondVariant(branch) || ['rejects', 'never answers', 'applied, answer lost'].includes(fault)

/** What may lose something there: the calls of requests that change something, and all that write. */
const onDatabase = ({ branch, site, fault }: Cell): boolean => {
  if (isSecondVariant(branch) || !/^(users|sessions|throttle)/.test(site.method)) return false
  const isWrite = !/\.(find|list)/.test(site.method)
  if (fault === 'rejects' || fault === 'never answers') return isWrite || branch.action.again.length > 0
  // A read that is answered late, or not, has changed nothing: the two above say all there is to say.
  return isWrite && (fault === 'answers late' || fault === 'applied, answer lost')
}

const isSecondVariant = ({ name }: Branch): boolean => name.includes('(signup)')

const grounds = [
  { ...memory, own: branches, isDeep: true, takes: inMemory, deadline: 25, lanes: 8 },
  ...databases.map((ground) => ({
    ...ground,
    own: branches.filter(({ name }) => sample(name, databases).includes(ground)),
    isDeep: false,
    takes: onDatabase,
    deadline: 300,
    lanes: 12,
  })),
]

/** Which test a cell belongs to: the first that takes it. */
const tests: [name: string, takes: (cell: Cell) => boolean][] = [
  [
    'FLT-07 change-password tells the truth where the session store fails after the password was set',
    ({ branch, site }) => /^change-password/.test(branch.name) && /^sessions\.(?!find)/.test(site.method),
  ],
  ['FLT-04 a mailer that fails delays no answer and loses no account', of('mailer')],
  [
    'FLT-02 an adapter that never answers, or too late, is a 503 at the deadline',
    ({ fault }) => faults[fault].hangs,
  ],
  ['FLT-03 a write whose answer is lost is a 503, and the next try converges', lost],
  ['FLT-01 a user store that fails in any call is a 503', of('users')],
  ['FLT-06 a session store that fails in any call is a 503', of('sessions')],
  ['FLT-11 a hasher that fails is a 503, and nothing is stored', of('hasher')],
  ['FLT-11 a password check that fails is a 503, and nothing is stored', of('check')],
  ['FLT-01 a throttle store that fails in any call is a 503, and lifts no limit', of('throttle')],
  ['FLT-01 a token signer that fails in any call is a 503', of('signer')],
]

function of(adapter: string) {
  return ({ site }: Cell): boolean => site.method.startsWith(`${adapter}.`)
}

function lost({ fault }: Cell): boolean {
  return fault === 'applied, answer lost'
}

const testOf = (cell: Cell): string => tests.find(([, takes]) => takes(cell))?.[0] ?? ''

/** At quick depth each request meets a fault, each call of an adapter meets every fault, and no test is left out. */
const partsOf = (cell: Cell): string[] => [
  cell.branch.name,
  `${cell.site.method} ${cell.fault}`,
  testOf(cell),
  ...(cell.after ? [`${cell.site.method} after another`] : []),
]

const sizes = new Map<FaultName, number>()
const used = new Set<unknown>()
afterAll(() => {
  const parts = [...sizes].map(([fault, count]) => `${count} ${fault}`)
  const total = [...sizes.values()].reduce((sum, count) => sum + count, 0)
  console.info(`the matrix of faults: ${total} cells on ${grounds.length} stores: ${parts.join(', ')}`)
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
        used.add(exceptionFor(branch, place.after ?? place.site))
        all.push(...faultsAt(place).map((fault) => ({ ...place, fault })))
      }
    })
    for (const cell of cover(all.filter(takes), partsOf)) {
      const name = testOf(cell)
      cells.set(name, [...(cells.get(name) ?? []), cell])
      sizes.set(cell.fault, (sizes.get(cell.fault) ?? 0) + 1)
    }
  }, 120_000)
  afterAll(async () => {
    for (const range of ranges) await range.close()
    await ground.close()
  })

  function faultsAt(place: Place): readonly FaultName[] {
    return place.site.isAsync ? everyFault : ['throws at once']
  }

  /** Each range takes the next item when it is done with one. */
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

  test.each(tests.map(([name]) => name))('%s', { timeout: 240_000 }, async (name) => {
    const ofTest = cells.get(name) ?? []
    const wrong: string[] = []
    await shared(ofTest, async (range, cell) => {
      await range.run(cell).catch((error) => wrong.push(`${labelIn(cell)} ${cell.fault}: ${error}`))
    })
    expect(wrong).toEqual([])
  })

  test('every cell belongs to a test', () => expect(cells.get('')).toBeUndefined())
})

test('every route of /api-root/ is in the matrix', async () => {
  const range = await memory.open()
  const { send, app } = await (await import('@fastify-accounts/test-support/faults/service')).startService(
    range,
  )
  const index: Record<string, { methods: string[] }> = (await send({ url: '/api-root/' })).json()
  const mounted = Object.entries(index).flatMap(([name, { methods }]) =>
    methods.map((each) => `${name} ${each}`),
  )
  const tried = new Set(branches.flatMap(({ route }) => route ?? []))
  // The form is another way to the very call of `change-password POST`.
  const others = mounted.filter((each) => !each.startsWith('change-password-form '))
  expect([...tried].sort()).toEqual(others.sort())
  await app.close()
})

test('every exception is one that some cell needs', () => {
  expect(exceptions.filter((each) => !used.has(each))).toEqual([])
})

function labelIn({ branch, site, after }: Place): string {
  return [branch.name, after && `${labelOf(after)} rejects`, labelOf(site)].filter(Boolean).join(', ')
}
