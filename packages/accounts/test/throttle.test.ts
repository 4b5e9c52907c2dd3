import { describe, expect, test } from 'vitest'
import { createMemoryThrottleStore } from '../src/defaults/memory-throttle-store.js'
import { defaultLimits, type Limits, type ThrottleStore } from '../src/index.js'
import { createThrottle } from '../src/throttle/throttle.js'

const window = 60_000
const limits: Limits = { ...defaultLimits, forgotMails: { max: 2, window } }

const throttle = () => createThrottle(createMemoryThrottleStore(), limits, 'accounts')

test("a rejected attempt isn't deducted from one that is refunded", async () => {
  const { allows, giveBack } = throttle()
  const responses = []
  for (let tries = 0; tries < 5; tries += 1) responses.push(await allows('forgotMails', 'ada'))
  expect(responses).toEqual([true, true, false, false, false])
  await giveBack('forgotMails', 'ada')
  expect([await allows('forgotMails', 'ada'), await allows('forgotMails', 'ada')]).toEqual([true, false])
})

test.each([
  [0, true],
  [window - 1, true],
  [window, false],
  [window + 1, false],
])('an attempt from %i ms ago is refunded: %s', async (age, isGivenBack) => {
  const { allows, giveBack } = throttle()
  await allows('forgotMails', 'ada')
  await allows('forgotMails', 'ada')
  await giveBack('forgotMails', 'ada', age)
  expect(await allows('forgotMails', 'ada')).toBe(isGivenBack)
})

describe.each([
  ['can count several keys in one call', ({ ...store }: Required<ThrottleStore>): ThrottleStore => store],
  [
    'cannot',
    ({ increment, decrement, clear }: Required<ThrottleStore>): ThrottleStore => ({
      increment,
      decrement,
      clear,
    }),
  ],
])('several limits with one key, if the store %s', (_, as) => {
  const budgets = ['loginAccount', 'loginAccountDay'] as const
  const few = { ...limits, loginAccount: { max: 2, window }, loginAccountDay: { max: 4, window: 2 * window } }
  const start = () => createThrottle(as(createMemoryThrottleStore()), few, 'accounts')

  test('are consumed in order, stopping at an exhausted one', async () => {
    const { spend, clear, count } = start()
    await spend(budgets, 'ada')
    await spend(budgets, 'ada')
    await expect(spend(budgets, 'ada')).rejects.toMatchObject({ code: 'ACCOUNTS_THROTTLED', limit: 2 })
    expect(await count('loginAccountDay', 'ada')).toMatchObject({ nth: 3 })
    await clear('loginAccount', 'ada')
    await spend(budgets, 'ada')
    await expect(spend(budgets, 'ada')).rejects.toMatchObject({ limit: 4, retryAfter: 120 })
    expect(await count('loginAccount', 'ada')).toMatchObject({ nth: 3 })
  })

  test('are refunded, each within its window, and cleared', async () => {
    const { spend, giveBack, clear, count } = start()
    const nths = async () => [
      (await count('loginAccount', 'ada'))?.nth,
      (await count('loginAccountDay', 'ada'))?.nth,
    ]
    await spend(budgets, 'ada')
    await giveBack(budgets, 'ada')
    expect(await nths()).toEqual([1, 1])
    await giveBack(budgets, 'ada', window)
    expect(await nths()).toEqual([2, 1])
    await clear(budgets, 'ada')
    expect(await nths()).toEqual([1, 1])
  })
})

test('several limits take one call to consume and one to clear, with keys that share the part in braces', async () => {
  const memory = createMemoryThrottleStore()
  const calls: unknown[] = []
  const notAsked = () => Promise.reject(new Error('one by one'))
  const store: ThrottleStore = {
    increment: notAsked,
    decrement: notAsked,
    clear: notAsked,
    incrementAll: async (attempts) => {
      calls.push(attempts)
      return memory.incrementAll(attempts)
    },
    clearAll: async (keys) => void calls.push(keys),
  }
  const { spend, clear } = createThrottle(store, limits, 'accounts')
  await spend(['loginAccount', 'loginAccountDay'], 'ada')
  await clear(['loginAccount', 'loginAccountDay'], 'ada')
  const [attempts, keys] = calls as [{ key: string; windowMs: number; max: number }[], string[]]
  expect(attempts).toMatchObject([
    { windowMs: 5 * window, max: 5 },
    { windowMs: 24 * 60 * window, max: 100 },
  ])
  expect(attempts.map(({ key }) => key)).toEqual(keys)
  expect(keys.join()).toMatch(/^loginAccount:(\{[\w-]{43}\}),loginAccountDay:\1$/)
})

test("a count missing from the store's result lifts no limit", async () => {
  const incrementAll = async () => [{ count: 1, resetMs: window }]
  const { spend } = createThrottle({ ...createMemoryThrottleStore(), incrementAll }, limits, 'accounts')
  const refused = { code: 'ACCOUNTS_THROTTLED', limit: 100 }
  await expect(spend(['loginAccount', 'loginAccountDay'], 'ada')).rejects.toMatchObject(refused)
})

test("without limits, nothing is counted, and the store isn't called", async () => {
  const notAsked = () => Promise.reject(new Error('the store was asked'))
  const store: ThrottleStore = { increment: notAsked, decrement: notAsked, clear: notAsked }
  const { allows, spend, giveBack, clear } = createThrottle(store, false, 'accounts')
  await spend('loginAccount', 'ada')
  await giveBack('loginAccount', 'ada')
  await clear('loginAccount', 'ada')
  expect(await allows('forgotMails', 'ada')).toBe(true)
})
