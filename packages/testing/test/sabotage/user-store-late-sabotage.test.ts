import { times } from '@fastify-accounts/test-support/depth'
import { breaksLaws, later } from '@fastify-accounts/test-support/sabotage'
import { assertInTime, callBefore, callDeadline, DuplicateError, UnavailableError } from 'fastify-accounts'
import { expect, test } from 'vitest'
import { userStoreCases } from '../../src/index.js'
import { createStoreWithImport, type StoreWithImport } from './store-with-import.js'

type Call = <Result>(call: () => Promise<Result>) => Promise<Result>

const writes = ['create', 'createMany', 'update', 'delete'] as const

/** A store of which these methods make their calls in this way. */
function calling(names: readonly (typeof writes)[number][], way: Call): StoreWithImport {
  const store = createStoreWithImport()
  const methods = names.map((name) => [
    name,
    (...given: unknown[]) => way(() => (store[name] as (...all: unknown[]) => Promise<unknown>)(...given)),
  ])
  return { ...store, ...Object.fromEntries(methods) }
}

/** Doesn't look at the deadline. */
const whenever: Call = (call) => callBefore(Number.POSITIVE_INFINITY, call)

/** Rejects at the deadline, but goes on. */
const goesOn: Call = async (call) => {
  assertInTime()
  const deadline = callDeadline()
  const written = later(2).then(() => whenever(call))
  written.catch(() => undefined)
  if (deadline === Number.POSITIVE_INFINITY) return written
  const end = later(deadline - performance.now()).then(() => {
    throw new UnavailableError('too late')
  })
  return Promise.race([written, end])
}

/** Rejects after it has written. */
const overdue: Call = async (call) => {
  assertInTime()
  const deadline = callDeadline()
  await later(2)
  const result = await whenever(call)
  if (performance.now() >= deadline) throw new UnavailableError('too late')
  return result
}

/** Says that it was late with an error of its own. */
const foreign: Call = (call) => {
  if (performance.now() >= callDeadline()) throw new Error('aborted')
  return whenever(call)
}

const runs = times({ quick: 3, full: 20 })
const afterIts = 'law 27: a call after its deadline'

for (const name of writes) {
  test(`detected by law 27: ${name} doesn't look at its deadline`, async () => {
    await breaksLaws(
      userStoreCases(() => calling([name], whenever)),
      afterIts,
    )
  })

  test(`detected by law 27, each time: ${name} rejects at its deadline, but goes on`, async () => {
    const cases = userStoreCases(() => calling([name], goesOn))
    const own = cases.filter((each) => each.name.includes('law 27: a call whose'))
    for (let run = 0; run < runs; run += 1) await breaksLaws(own, 'law 27: a call whose')
  }, 60_000)
}

test('detected by law 27, each time: calls reject after they have written', async () => {
  const cases = userStoreCases(() => calling(writes, overdue))
  const own = cases.filter((each) => each.name.includes('law 27: a call whose'))
  for (let run = 0; run < runs; run += 1) await breaksLaws(own, 'law 27: a call whose')
}, 60_000)

test('detected by law 27: a late call throws an error of another kind', async () => {
  await breaksLaws(
    userStoreCases(() => calling(writes, foreign)),
    afterIts,
  )
})

/** Stores that hide an outage, and what the law says. */
const hidden: Record<string, [said: RegExp, fault: (store: StoreWithImport) => Partial<StoreWithImport>]> = {
  'a lookup finds nobody': [/null instead of/, () => ({ findByEmail: async () => null })],
  'a list is empty': [/undefined instead of/, () => ({ list: async () => [] })],
  'an update says that the version differs': [/a change returned null/, () => ({ update: async () => null })],
  'a deletion finds nobody': [/a change returned false/, () => ({ delete: async () => false })],
  'a creation says that the username is taken': [
    /threw DuplicateError/,
    () => ({ create: async () => Promise.reject(new DuplicateError('username')) }),
  ],
  'an error tells the hash': [
    /an error with values/,
    () => ({ create: async ({ passwordHash }) => Promise.reject(new Error(`insert '${passwordHash}'`)) }),
  ],
}

for (const [title, [said, fault]] of Object.entries(hidden)) {
  test(`detected by law 26: during an outage ${title}`, async () => {
    const down = async () => Promise.reject(new UnavailableError('no connection'))
    let store = createStoreWithImport()
    const methods = [
      ...writes,
      'findById',
      'findByUsername',
      'findByEmail',
      'findByIdentity',
      'list',
    ] as const
    const cases = userStoreCases(
      () => {
        store = createStoreWithImport()
        return store
      },
      {
        fail: () => {
          const faulty = { ...Object.fromEntries(methods.map((name) => [name, down])), ...fault(store) }
          Object.assign(store, faulty)
        },
      },
    )
    expect(await breaksLaws(cases, 'law 26:')).toContainEqual(expect.stringMatching(said))
  })
}
