import {
  goodPassword,
  linkTarget,
  otherPassword,
  signUp,
  type TestApp,
} from '@fastify-accounts/test-support/app'
import { codeIn } from '@fastify-accounts/test-support/email-code'
import { describe, expect, it } from 'vitest'
import { type Browser, browser, pagesApp } from './pages-app.js'

/** Opens the sign-up page from the guarded route. */
async function stranger(world: TestApp): Promise<Browser> {
  const visitor = browser(world.app)
  await visitor.open('/secret/?a=1')
  await visitor.follow('Create an account')
  expect(visitor.page).toMatchObject({ status: 200, heading: 'Create your account' })
  return visitor
}

const ada = { username: 'ada', email: 'ada@example.org', password: goodPassword }
const rest = { next: '/secret/?a=1' }
void rest

describe('a stranger at a guarded route', () => {
  it('signs up, confirms the address and is back', async () => {
    const world = await pagesApp({}, { requireEmailConfirmation: true })
    const visitor = await stranger(world)
    const sent = await visitor.submit('Create account', ada)
    expect(sent).toMatchObject({ status: 200, heading: 'Check your inbox' })
    expect(sent.text).toMatch(/We emailed a link to ada@example.org ?. Open it to finish\./)
    expect((await visitor.reload()).status).toBe(200)
    await visitor.open(linkTarget(await world.mail('verify-email')))
    const done = await visitor.submit('Confirm')
    expect(done).toMatchObject({ status: 200, url: '/done/', heading: 'Your email address is confirmed' })
    expect((await visitor.reload()).status).toBe(200)
  })

  it('goes on from there', async () => {
    const world = await pagesApp({}, { requireEmailConfirmation: true })
    const visitor = await stranger(world)
    await visitor.submit('Create account', ada)
    await visitor.open(linkTarget(await world.mail('verify-email')))
    await visitor.submit('Confirm')
    const [, label = ''] = /data-kind="primary"[^>]*>([^<]*)</.exec(visitor.page.html) ?? []
    expect(await visitor.follow(label)).toMatchObject({ status: 200, url: '/secret/?a=1', html: 'in' })
  })

  it('is back at once where no address has to be confirmed', async () => {
    const world = await pagesApp({}, { requireEmailConfirmation: false })
    const visitor = await stranger(world)
    const back = await visitor.submit('Create account', ada)
    expect(back).toMatchObject({ status: 200, url: '/secret/?a=1', html: 'in' })
  })
})
