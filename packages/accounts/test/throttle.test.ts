import { expect, test } from 'vitest'
import { createMemoryThrottleStore } from '../src/defaults/memory-throttle-store.js'
import { defaultLimits, type Limits, type ThrottleStore } from '../src/index.js'
import { createThrottle } from '../src/throttle/throttle.js'

const window = 60_000
const limits: Limits = { ...defaultLimits, forgotMails: { max: 2, window } }

const throttle = () => createThrottle(createMemoryThrottleStore(), limits, 'accounts')

test('a try that was refused takes nothing from one that is given back', async () => {
  const { allows, giveBack } = throttle()
  const answers = []
  for (let tries = 0; tries < 5; tries += 1) answers.push(await allows('forgotMails', 'ada'))
  expect(answers).toEqual([true, true, false, false, false])
  await giveBack('forgotMails', 'ada')
  expect([await allows('forgotMails', 'ada'), await allows('forgotMails', 'ada')]).toEqual([true, false])
})

test.each([
  [0, true],
  [window - 1, true],
  [window, false],
  [window + 1, false],
])('a try of %i ms ago is given back: %s', async (age, isGivenBack) => {
  const { allows, giveBack } = throttle()
  await allows('forgotMails', 'ada')
  await allows('forgotMails', 'ada')
  await giveBack('forgotMails', 'ada', age)
  expect(await allows('forgotMails', 'ada')).toBe(isGivenBack)
})

test('without limits nothing is counted, nor is the store asked', async () => {
  const notAsked = () => Promise.reject(new Error('the store was asked'))
  const store: ThrottleStore = { increment: notAsked, decrement: notAsked, clear: notAsked }
  const { allows, spend, giveBack, clear } = createThrottle(store, false, 'accounts')
  await spend('loginAccount', 'ada')
  await giveBack('loginAccount', 'ada')
  await clear('loginAccount', 'ada')
  expect(await allows('forgotMails', 'ada')).toBe(true)
})
