import { AssertionError } from 'node:assert'
import { expect, test, vi } from 'vitest'
import { noErrors } from '../src/suites/calls.js'
import { casesOf, notChecked, runCases } from '../src/suites/cases.js'
import { check, race, rejects, same, show } from '../src/suites/checks.js'

const broken = {
  name: 'law 1: a thing is a thing',
  run: async () => {
    throw new AssertionError({ message: '\n\nit is not\n  1 as an example\n\nwhat it should be\n}' })
  },
}
const kept = { name: 'law 2: another', run: async () => undefined }

test('runCases prints a line per failed law, and a summary', async () => {
  const lines: string[] = []
  const report = await runCases([broken, kept], (line) => lines.push(line))
  expect(report).toEqual({
    passed: 1,
    failures: [{ name: broken.name, reason: 'it is not … what it should be' }],
    skipped: [],
  })
  expect(lines).toEqual([
    'not ok - law 1: a thing is a thing - it is not … what it should be',
    '1 of 2 laws hold',
  ])
})

test('a reason that broke an earlier law is printed once', async () => {
  const find = async (_: string): Promise<string> => Promise.reject(new RangeError('\nno table'))
  const store = { find }
  const laws = {
    'law 1: one': async ({ find }: typeof store) => void (await find('x')),
    'law 2: two': async ({ find }: typeof store) => void (await find('y')),
    'law 3: three': async () => check(false, 'it is not'),
  }
  const lines: string[] = []
  const { failures } = await runCases(
    casesOf(laws, () => store),
    (line) => lines.push(line),
  )
  expect(lines).toEqual([
    "not ok - law 1: one - find('x') threw RangeError: no table",
    'not ok - law 2: two - for the same reason as law 1: one',
    'not ok - law 3: three - it is not',
    '0 of 3 laws hold',
  ])
  expect(failures.map(({ reason }) => reason)).toContain("find('y') threw RangeError: no table")
})

test('runCases prints to standard output by default', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await runCases([kept])
  const printed = write.mock.calls.map(([text]) => text)
  write.mockRestore()
  expect(printed).toEqual(['1 of 1 laws hold\n'])
})

test("an error that isn't an AssertionError becomes a one-line one, with its cause", async () => {
  const cause = new RangeError('out of range\nSELECT secret')
  const [law] = casesOf({ law: async () => Promise.reject(cause) }, () => ({}))
  const error = await law?.run().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(AssertionError)
  expect(error).toMatchObject({ message: 'threw RangeError: out of range … SELECT secret', cause })
})

test('the cause of a wrapped error is included in the line', async () => {
  const cause = new Error('read ECONNRESET', { cause: new Error('socket closed\nat a place') })
  const [law] = casesOf({ law: async () => Promise.reject(new Error('query failed', { cause })) }, () => ({}))
  await expect(law?.run()).rejects.toThrow(
    'threw Error: query failed, caused by Error: read ECONNRESET, caused by Error: socket closed … at a place',
  )
})

test('an unexpected error names the call that threw it, and its arguments', async () => {
  const store = { find: async (id: string): Promise<string> => Promise.reject(new RangeError(`no ${id}`)) }
  const law = async ({ find }: typeof store) => void (await find('x'))
  const [broken] = casesOf({ law }, () => Object.freeze(store))
  await expect(broken?.run()).rejects.toThrow(/^find\('x'\) threw RangeError: no x$/)
})

test('so does one of several simultaneous calls, and one on a nested object', async () => {
  const find = async (id: string): Promise<string> => Promise.reject(new RangeError(`no ${id}`))
  const store = { find, withUsers: { find } }
  const laws = {
    several: async ({ find }: typeof store) =>
      noErrors((await race(['x', 'y'].map((id) => () => find(id)))).errors),
    held: async ({ withUsers }: typeof store) => void (await withUsers.find('z')),
  }
  const [several, held] = casesOf(laws, () => store)
  await expect(several?.run()).rejects.toThrow(
    /^find\('x'\) threw RangeError: no x in a race, as did another call$/,
  )
  await expect(held?.run()).rejects.toThrow(/^find\('z'\) threw RangeError: no z$/)
})

test('a law about an omitted part is skipped: in the report, under vitest and under node:test', async () => {
  const cases = casesOf({ kept: kept.run, missing: async () => notChecked('list') }, () => ({}))
  const lines: string[] = []
  const report = await runCases(cases, (line) => lines.push(line))
  expect(report).toEqual({
    passed: 1,
    failures: [],
    skipped: [{ name: 'missing', reason: 'not checked: list' }],
  })
  expect(lines).toEqual(['1 of 2 laws hold; not checked: list'])
  const missing = cases[1] ?? expect.fail()
  // As vitest does, and as Jest passes nothing: it would wait for a declared callback.
  const skip = vi.fn(() => expect.fail('skipped'))
  await expect(missing.run({ skip })).rejects.toThrow('skipped')
  expect(skip).toHaveBeenCalledWith('not checked: list')
  await missing.run()
  expect(missing.run).toHaveLength(0)
})

test('each case frees its own subject, whether or not its law passes', async () => {
  const made: { freed: boolean }[] = []
  const make = () => {
    const subject = { freed: false }
    made.push(subject)
    return subject
  }
  const free = async (subject: { freed: boolean }) => {
    subject.freed = true
  }
  const laws = { broken: broken.run, kept: kept.run }
  await runCases(casesOf(laws, make, free), () => undefined)
  expect(made).toEqual([{ freed: true }, { freed: true }])
})

test('a law gets two handles if two were created, and both are freed', async () => {
  const freed: string[] = []
  const pair = [{ name: 'a' }, { name: 'b' }] as const
  const given: string[] = []
  const law = async (one: { name: string }, other: { name: string }) => void given.push(one.name, other.name)
  const laws = { law }
  const free = async ({ name }: { name: string }) => void freed.push(name)
  for (const { run } of [...casesOf(laws, () => pair, free), ...casesOf(laws, () => pair[0], free)])
    await run()
  expect(given).toEqual(['a', 'b', 'a', 'a'])
  expect(freed).toEqual(['a', 'b', 'a'])
})

test("a subject that can't be freed doesn't hide why a law fails", async () => {
  const [law] = casesOf(
    { law: broken.run },
    () => ({}),
    () => Promise.reject(new Error('cannot close')),
  )
  await expect(law?.run()).rejects.toThrow('it is not')
})

test("a subject that can't be created fails the case with the harness’s own error", async () => {
  const failure = new Error('no database')
  const [law] = casesOf({ law: kept.run }, () => Promise.reject(failure))
  await expect(law?.run()).rejects.toBe(failure)
})

test('same reports the first difference', () => {
  const when = new Date(0)
  expect(() => same({ a: [1], b: { c: when } }, { a: [1], b: { c: when } }, 'it')).not.toThrow()
  expect(() => same({ a: { b: 1 } }, { a: { b: 2 } }, 'it')).toThrow(/^it\.a\.b is 1 instead of 2$/)
  expect(() => same({ a: when }, { a: new Date(1) }, 'it')).toThrow(/^it\.a is 1970.* instead of 1970/)
  expect(() => same({ a: 1 }, { a: 1, b: 2 }, 'it')).toThrow(/^it\.b is undefined instead of 2$/)
  expect(() => same([1], [1, 2], 'it')).toThrow(/^it is \[ 1 \] instead of \[ 1, 2 \]$/)
  expect(() => same(null, { a: 1 }, 'it')).toThrow(/^it is null instead of/)
  const long = 'x'.repeat(500)
  expect(() => same(long.slice(1), long, 'it')).toThrow(/^it has 499 characters instead of 500$/)
  expect(() => same(`${long}a`, `${long}b`, 'it')).toThrow(/^it is 'a' instead of 'b' from character 500$/)
  expect(() => same([long], [long, 1], 'it')).toThrow(/^it has 1 items instead of 2$/)
  expect(() => same([long, { a: 1 }], [long, { a: 2 }], 'it')).toThrow(/^it\[1\]\.a is 1 instead of 2$/)
})

test('same compares the identities of a user in any order, and nothing else', () => {
  expect(() => same([{ identityKeys: ['a', 'b'] }], [{ identityKeys: ['b', 'a'] }], 'it')).not.toThrow()
  expect(() => same({ identityKeys: ['a'] }, { identityKeys: ['a', 'a'] }, 'it')).toThrow(
    'it.identityKeys is',
  )
  expect(() => same({ roles: ['a', 'b'] }, { roles: ['b', 'a'] }, 'it')).toThrow('it.roles is')
})

test('rejects reports what happened instead', async () => {
  const call = async (): Promise<unknown> => 'x'.repeat(500)
  await expect(rejects(RangeError, call, 'it')).rejects.toThrow(
    /^it returned 'x{1,120}\.\.\. instead of throwing RangeError$/,
  )
  const wrong = () => Promise.reject(new TypeError('no'))
  await expect(rejects(RangeError, wrong, 'it')).rejects.toThrow(
    'it threw TypeError: no instead of throwing RangeError',
  )
  expect(await rejects(TypeError, wrong, 'it')).toBeInstanceOf(TypeError)
})

test('check fails with its message, show fits on a line', () => {
  expect(() => check(false, 'it is not')).toThrow(/^it is not$/)
  expect(show({ text: 'a\nb', deep: ['x'.repeat(500)] })).toMatch(/^.{1,120}$/)
})
