import {
  browser,
  cheapHasher,
  formTarget,
  goodPassword,
  linkPath,
  otherPassword,
  outbox,
  testApp,
} from '@fastify-accounts/test-support/app'
import { assertNoEnumeration, countHashes, holdMails } from '@fastify-accounts/testing'
import type { AccountsOptions } from 'fastify-accounts'
import { describe, expect, it, test } from 'vitest'
import type { Feature } from '../src/features/feature.js'

const email = 'ada@example.org'
/** Another way in that ada doesn't have. */
const badges: Feature = {
  name: 'badges',
  hasWayIn: ({ credentials }) => credentials.some(({ kind }) => kind === 'badge'),
}
const byCode: Partial<AccountsOptions> = { login: { emailCode: true } }
const byBadge: Partial<AccountsOptions> = { features: [badges] }
const choice = { new_password: otherPassword, confirm_password: otherPassword }
const cookieOf = ({ cookies }: { cookies: { name: string; value: string }[] }) =>
  cookies.map(({ name, value }) => `${name}=${value}`).join('; ')

async function signedUp(own: Partial<AccountsOptions>, body: object = { email }) {
  const service = await testApp({ users: { variant: 'both', names: 'optional' }, ...own })
  const before = service.hasher.hashes
  const response = await service.send('POST', '/signup/', body)
  expect(service.hasher.hashes).toBe(before)
  expect(response.statusCode, response.body).toBe(202)
  const link = linkPath(await service.mail('verify-email', email))
  const find = () => service.users.findByEmail(email)
  return { ...service, response, link, find, maker: { ...browser, cookie: cookieOf(response) } }
}

test.each([true, false])('assertNoEnumeration walks it (with names: %s)', async (on) => {
  const hasher = countHashes(cheapHasher())
  const mailer = holdMails(outbox())
  const own = { ...byCode, requireEmailConfirmation: true, passwordHasher: hasher, mailer }
  const { app } = await testApp({ ...own, users: { variant: 'both', names: on ? 'required' : 'none' } })
  const account = { ...(on && { username: 'ada' }), email }
  await app.accounts.createUser({ ...account, password: goodPassword, isVerified: true })
  const paths = { create: '/signup/', resend: '/signup/v/' }
  const options = { account, paths, hasher, mailer, addressAlone: true }
  const { compared, secondRequests } = await assertNoEnumeration(app, options)
  expect(compared.at(-1)).toMatchObject({ path: '/signup/', status: 202, hashes: 0 })
  expect(secondRequests).toContainEqual(
    expect.objectContaining({ request: 'sign up with it elsewhere', status: 202, hashes: 0 }),
  )
})

describe('signing up with the address alone', () => {
  it.each([true, false])(
    'mails the link; a code logs in afterwards (requireEmailConfirmation: %s)',
    async (on) => {
      const { app, send, link, find, maker, mail } = await signedUp({
        ...byCode,
        requireEmailConfirmation: on,
      })
      expect(await find()).toMatchObject({ isVerified: false, passwordHash: '!', credentials: [] })
      const page = await app.inject({ url: link, headers: maker })
      expect(page.body).toContain('<button')
      expect(page.body).not.toContain('type="password"')
      const done = await app.inject({ method: 'POST', url: link, headers: maker })
      expect([done.statusCode, done.body]).toEqual([200, expect.stringContaining('log in with a code')])
      expect(await find()).toMatchObject({ isVerified: true })
      const asked = await send('POST', '/login/code/', { email })
      const code = /[A-Z0-9]{4}-[A-Z0-9]{4}/.exec((await mail('login-code', email)).text)?.[0]
      const headers = { cookie: cookieOf(asked) }
      const loggedIn = await send('POST', '/login/code/confirm/', { code }, { headers })
      expect(loggedIn.json()).toMatchObject({ email, has_password: false })
    },
  )

  it('answers a taken address alike, and its owner is told', async () => {
    const service = await testApp({ users: { variant: 'both' }, ...byCode })
    await service.app.accounts.createUser({
      username: 'ada',
      email,
      password: goodPassword,
      isVerified: true,
    })
    const hashes = service.hasher.hashes
    const taken = await service.send('POST', '/signup/', { username: 'eve', email })
    const free = await service.send('POST', '/signup/', { username: 'eva', email: 'eva@example.org' })
    expect([taken.statusCode, taken.body]).toEqual([202, free.body])
    expect(service.hasher.hashes).toBe(hashes)
    expect((await service.mail('account-exists')).to.address).toBe(email)
    expect(await service.users.findByUsername('eve')).toMatchObject({ kind: 'unclaimed', email: null })
  })

  it('lets the maker choose a password where there are no codes, and keeps what was promised', async () => {
    const { app, send, link, find, maker } = await signedUp({
      ...byBadge,
      roles: { editor: ['posts:write'] },
      before: { signUp: ({ method }) => (method === 'email' ? { roles: ['editor'] } : undefined) },
    })
    const page = await app.inject({ url: link, headers: maker })
    expect(page.body).toContain('name="new_password"')
    const bare = await app.inject({ method: 'POST', url: link, headers: maker })
    expect(bare.statusCode).toBe(400)
    const url = formTarget(page.body, link, 'new_password')
    const short = await app.inject({
      method: 'POST',
      url,
      headers: maker,
      payload: { ...choice, confirm_password: 'another' },
    })
    expect([short.statusCode, short.body]).toEqual([400, expect.stringContaining('name="new_password"')])
    expect(short.body).not.toContain('No earlier password')
    const done = await app.inject({ method: 'POST', url, headers: maker, payload: choice })
    expect(done.statusCode, done.body).toBe(200)
    expect(await find()).toMatchObject({ isVerified: true, roles: ['editor'] })
    const loggedIn = await send('POST', '/login/', { username: email, password: otherPassword })
    expect(loggedIn.statusCode).toBe(200)
  })

  it('keeps no promise for another browser, which chooses a password', async () => {
    const { app, link, find } = await signedUp({
      ...byCode,
      roles: { editor: ['posts:write'] },
      before: { signUp: ({ handsOver }) => (handsOver ? undefined : { roles: ['editor'] }) },
    })
    const page = await app.inject({ url: link, headers: browser })
    expect(page.body).toContain('name="new_password"')
    expect((await app.inject({ method: 'POST', url: link, headers: browser })).statusCode).toBe(400)
    const url = formTarget(page.body, link, 'new_password')
    await app.inject({ method: 'POST', url, headers: browser, payload: choice })
    expect(await find()).toMatchObject({ isVerified: true, roles: [], credentials: [] })
  })

  it('takes empty form fields for missing ones, and an address or both passwords', async () => {
    const { send } = await signedUp(byCode, { email, password: '', confirm_password: '' })
    for (const [body, field] of [
      [{ email, password: goodPassword }, 'confirm_password'],
      [{ email, password: goodPassword, confirm_password: '' }, 'confirm_password'],
      [{ email, confirm_password: goodPassword }, 'password'],
      [{ username: 'bob' }, 'email'],
    ] as const) {
      const refused = await send('POST', '/signup/', body)
      expect([refused.statusCode, refused.json().fields]).toMatchObject([400, [{ field, code: 'required' }]])
    }
  })

  it.each<[string, Partial<AccountsOptions>]>([
    ['there is no other way in', {}],
    ['nobody logs in here', { auth: false, features: [badges] }],
  ])('is refused if %s', async (_, own) => {
    const { send } = await testApp({ users: { variant: 'both' }, ...own })
    const refused = await send('POST', '/signup/', { username: 'ada', email })
    expect(refused.statusCode).toBe(400)
    expect(refused.json().fields).toMatchObject([{ field: 'password' }, { field: 'confirm_password' }])
  })
})
