import { goodPassword } from '@fastify-accounts/test-support/app'
import type { ListingUserStore } from 'fastify-accounts'
import { expect, it } from 'vitest'
import { browser, pagesApp } from './pages-app.js'

const message = 'The service is temporarily unavailable. Try again shortly.'
const alice = { username: 'alice', password: goodPassword, email: 'alice@example.org', isVerified: true }
const credentials = { username: 'alice', password: goodPassword }

/** A store that fails wherever it is told to. */
function failing(store: ListingUserStore) {
  const own = { ...store }
  return {
    fail(method: 'findById' | 'findByUsername' | 'create' | 'update') {
      store[method] = async () => {
        throw new Error('connection lost')
      }
    },
    recover: () => void Object.assign(store, own),
  }
}

it('keeps what was typed while the store is down, and goes on once it is back', async () => {
  const world = await pagesApp({}, { requireEmailConfirmation: false })
  await world.app.accounts.createUser(alice)
  const store = failing(world.users)
  const visitor = browser(world.app)
  await visitor.open('/secret/')
  store.fail('findByUsername')
  const login = await visitor.submit('Log in', { ...credentials, remember: 'on' })
  expect(login).toMatchObject({ status: 503, heading: 'Log in to localhost:3000' })
  expect(login.text).toContain(message)
  expect(login.html).toMatch(/value="alice"[\s\S]*name="remember" value="on" checked/)
  expect(login.html).not.toContain(goodPassword)
  store.recover()

  await visitor.follow('Create an account')
  store.fail('create')
  const typed = { username: 'ben', email: 'ben@example.org', password: goodPassword }
  const signUp = await visitor.submit('Create account', typed)
  expect(signUp).toMatchObject({ status: 503, heading: 'Create your account' })
  expect(signUp.text).toContain(message)
  expect(signUp.html).toMatch(/value="ben@example.org"[\s\S]*value="ben"/)
  store.recover()
  expect(await visitor.submit('Create account', { password: goodPassword })).toMatchObject({ html: 'in' })

  await visitor.open('/account/profile/')
  store.fail('update')
  const profile = await visitor.submit('Save', { username: 'benno' })
  expect(profile).toMatchObject({ status: 503, heading: 'Profile' })
  expect(profile.text).toContain(message)
  store.recover()
  expect((await visitor.submit('Save')).text).toContain('benno')
})

it('offers the page again that cannot be read', async () => {
  const world = await pagesApp()
  await world.app.accounts.createUser(alice)
  const store = failing(world.users)
  const visitor = browser(world.app)
  await visitor.open('/account/profile/')
  await visitor.submit('Log in', credentials)
  store.fail('findById')
  for (const again of [await visitor.submit('Save', { username: 'alicia' }), await visitor.reload()]) {
    expect(again).toMatchObject({ status: 503, heading: 'Temporarily unavailable' })
    expect(again.text).toContain(message)
  }
  store.recover()
  expect(await visitor.follow('Try again')).toMatchObject({ status: 200, heading: 'Profile' })
})

it('has the account ready where only the login after a sign-up fails', async () => {
  const limits = { login: { max: 1, window: 60_000 } }
  const world = await pagesApp({}, { requireEmailConfirmation: false, throttle: { limits } })
  for (const [username, heading] of [
    ['ben', ''],
    ['cleo', 'Log in to localhost:3000'],
  ] as const) {
    const visitor = browser(world.app)
    await visitor.open('/signup/?next=%2Fsecret%2F')
    const after = await visitor.submit('Create account', { username, password: goodPassword })
    expect(after).toMatchObject({ status: 200, heading })
    if (heading !== '') {
      expect(after.url).toBe('/login/?next=%2Fsecret%2F')
      expect(after.text).toContain('Your account is ready. Log in to continue.')
    }
  }
})
