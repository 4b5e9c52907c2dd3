import { goodPassword } from '@fastify-accounts/test-support/app'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import { secondFactor } from 'fastify-accounts'
import { expect, it } from 'vitest'
import { browser, pagesApp } from './pages-app.js'

const verified = { username: 'ada', password: goodPassword, email: 'ada@example.org', isVerified: true }

it('gets in with a recovery code after a lost phone, and back', async () => {
  const world = await pagesApp({}, { features: [secondFactor()] })
  await world.app.accounts.createUser({ ...verified, username: 'alice' })
  const { codes } = await enroll(world)
  const visitor = browser(world.app)
  await visitor.open('/secret/?a=1')
  const second = await visitor.submit('Log in', { username: 'alice', password: goodPassword })
  expect(second).toMatchObject({ status: 200, heading: 'Two-step verification' })
  expect(second.html).toContain('autocomplete="one-time-code"')
  const other = await visitor.follow('Use a recovery code')
  expect(other.text).toContain('Recovery code')
  const wrong = await visitor.submit('Continue', { code: 'WRONG-WRONG' })
  expect(wrong.status).toBe(401)
  const back = await visitor.submit('Continue', { code: codes[0] ?? '' })
  expect(back).toMatchObject({ status: 200, url: '/secret/?a=1', html: 'in' })
})
