import { once } from 'node:events'
import {
  countedSessions,
  goodPassword,
  linkPath,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
  testAppOn,
  usersWithOutbox,
} from '@fastify-accounts/test-support/app'
import { type AppBrowser, appBrowser, refusalOf } from '@fastify-accounts/test-support/app-browser'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type AccountsOptions, createMemoryUserStore, type StoredUser } from '../src/index.js'

const taken = 'alice@example.org'
const free = 'nobody@example.org'
const passwords = { password: goodPassword, confirm_password: goodPassword }
const wrong = [401, 'ACCOUNTS_INVALID_CREDENTIALS']
const hinted = [401, 'ACCOUNTS_INVALID_OR_NOT_VERIFIED']
const unverified = [403, 'ACCOUNTS_NOT_VERIFIED']

/** An app with Alice, who has proven her address. */
async function withAlice(options: Partial<AccountsOptions> = {}): Promise<TestApp> {
  const service = await testApp({ requireEmailConfirmation: true, ...options })
  await service.app.accounts.createUser({
    ...{ username: 'alice', email: taken, password: otherPassword, isVerified: true },
  })
  return service
}

/** A browser in which somebody has signed up. */
async function signedUp(
  service: TestApp,
  email: string,
  username: string | undefined = 'mallory',
): Promise<AppBrowser> {
  const browser = appBrowser(service)
  const response = await browser.send('POST', '/user/', {
    ...(username && { username }),
    email,
    ...passwords,
  })
  expect(response.statusCode, response.body).toBe(202)
  return browser
}

const logInAs = async (browser: Pick<AppBrowser, 'send'>, username: string, password = goodPassword) =>
  refusalOf(await browser.send('POST', '/login/', { username, password }))

describe('attempts that are left after a sign-up', () => {
  const limits = { loginAccount: { max: 3, window: 60_000 }, login: { max: 1000, window: 60_000 } }

  /** The statuses of logins until a limit is reached. */
  async function untilThrottled(service: TestApp, username: string, password: string): Promise<number[]> {
    const statuses: number[] = []
    while (!statuses.includes(429) && statuses.length < 10) {
      const { statusCode } = await service.send('POST', '/login/', { username, password })
      statuses.push(statusCode)
    }
    return statuses
  }

  test.each([[['username', 'email']], [['username']], [['email']]] as const)(
    'are the same for a free address and a taken one, if users log in by %s',
    async (by) => {
      const walks = []
      for (const email of [taken, free]) {
        const service = await withAlice({ throttle: { limits }, login: { by: [...by] } })
        // Attempts from before the sign-up still count, or don't, in the same way.
        const before = await untilThrottled(service, email, goodPassword)
        await signedUp(service, email)
        await signedUp(service, email, email)
        walks.push({
          before,
          byAddress: await untilThrottled(service, email, goodPassword),
          byName: await untilThrottled(service, 'mallory', otherPassword),
          // The right password forgets no attempts, or the wrong ones.
          right: await untilThrottled(service, 'mallory', goodPassword),
        })
      }
      expect(walks[0]).toEqual(walks[1])
      expect(walks[0]?.before).toEqual([401, 401, 401, 429])
      expect(walks[0]?.byAddress).toEqual([429])
    },
  )

  test('by name, the right password forgets the wrong ones for both', async () => {
    const walks = []
    for (const email of [taken, free]) {
      const service = await withAlice({ throttle: { limits } })
      await signedUp(service, email)
      const statuses = []
      for (const password of [otherPassword, otherPassword, goodPassword, otherPassword, goodPassword])
        statuses.push((await service.send('POST', '/login/', { username: 'mallory', password })).statusCode)
      walks.push([...statuses, ...(await untilThrottled(service, 'mallory', otherPassword))])
    }
    expect(walks[0]).toEqual([401, 401, 403, 401, 403, 401, 401, 401, 429])
    expect(walks[1]).toEqual(walks[0])
  })
})

describe('a sign-up with a taken address', () => {
  test('is nobody’s account: no way leads to it', async () => {
    const service = await withAlice()
    const { app, users, send } = service
    await signedUp(service, taken)
    const stored = await users.findByUsername('mallory')
    expect(stored).toMatchObject({ kind: 'unclaimed', email: null, emailKey: null, isVerified: false })
    const id = stored?.id ?? ''

    const { accounts } = app
    expect([await accounts.findUser({ username: 'Mallory' }), await accounts.findUser({ id })]).toEqual([
      null,
      null,
    ])
    expect(await accounts.updateUser(id, { isVerified: true, isStaff: true })).toBeNull()
    expect(await accounts.setPassword(id, otherPassword)).toBe(false)
    expect(await accounts.endUserSessions(id)).toBe(false)
    expect(await accounts.secureUser(id)).toBeNull()
    expect(await accounts.resetUserFactors(id)).toBeNull()
    expect(await accounts.deleteUser(id)).toBe(false)

    await accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true })
    const boss = appBrowser(service)
    await boss.logIn('boss')
    const listed = await boss.send('GET', '/user/?view=own')
    expect(listed.json().results.map(({ username }: { username: string }) => username)).toEqual([
      'alice',
      'boss',
    ])
    expect((await boss.send('GET', '/user/?search=mallory')).json().results).toEqual([])
    for (const [method, path, body] of [
      ['GET', `/user/${id}`],
      ['PATCH', `/user/${id}`, { is_verified: true }],
      ['POST', `/user/${id}/end-sessions/`],
      ['DELETE', `/user/${id}`],
    ] as const)
      expect([method, (await boss.send(method, path, body)).statusCode]).toEqual([method, 404])

    expect(await users.findById(id)).toEqual(stored)
    // Its name is taken, as every other is.
    expect((await boss.send('PATCH', '/me/', { username: 'MALLORY' })).json().code).toBe(
      'ACCOUNTS_USERNAME_TAKEN',
    )
    const again = await send('POST', '/user/', { username: 'mallory', email: free, ...passwords })
    expect(again.json().code).toBe('ACCOUNTS_USERNAME_TAKEN')
  })

  test('logs nobody in, neither by the app’s own code nor once no confirmation is required', async () => {
    const stores = { users: createMemoryUserStore(), sessions: countedSessions() }
    const before = (app: TestApp['app']) =>
      void app.post<{ Body: { id: string } }>('/sso', (request, reply) =>
        app.accounts.logIn(request, reply, request.body.id),
      )
    const first = await testAppOn(stores, { requireEmailConfirmation: true }, { before })
    await first.app.accounts.createUser({ username: 'alice', email: taken, password: otherPassword })
    await signedUp(first, taken)
    await signedUp(first, free, 'ben')
    const id = (await stores.users.findByUsername('mallory'))?.id
    const sso = await first.send('POST', '/sso', { id })
    expect([sso.statusCode, sso.cookies]).toEqual([404, []])

    const second = await testAppOn(stores, { requireEmailConfirmation: false }, { before })
    expect((await second.send('POST', '/sso', { id })).statusCode).toBe(404)
    expect(await logInAs(second, 'mallory')).toEqual(unverified)
    expect(
      (await second.send('POST', '/login/', { username: 'ben', password: goodPassword })).statusCode,
    ).toBe(200)
    expect(await logInAs(second, taken)).toEqual(wrong)
    expect(stores.sessions.rows.size).toBe(1)
  })

  test('without a name leaves nothing behind', async () => {
    const service = await testApp({ requireEmailConfirmation: true, users: { names: 'none' } })
    await service.app.accounts.createUser({ email: taken, password: otherPassword })
    await signedUp(service, taken, '')
    expect(await service.users.list({ limit: 10 })).toHaveLength(1)
  })

  test('tells the owner, from the same write', async () => {
    const users = usersWithOutbox()
    const addedApart = vi.spyOn(users.outbox, 'add')
    const service = await testAppOn(
      { users, sessions: countedSessions() },
      { requireEmailConfirmation: true },
    )
    await service.app.accounts.createUser({
      ...{ username: 'alice', email: taken, password: otherPassword, isVerified: true },
    })
    await signedUp(service, taken)
    await service.mail('account-exists', taken)
    expect(addedApart).not.toHaveBeenCalled()
  })

  test('uses up none of the emails that the account itself requests', async () => {
    const service = await testAppOn(
      { users: usersWithOutbox(), sessions: countedSessions() },
      { requireEmailConfirmation: true, throttle: {} },
    )
    const count = (wanted: string) => service.mails.filter(({ kind }) => kind === wanted).length
    const owner = await signedUp(service, free, 'ben')
    for (let n = 0; n < 6; n += 1) await signedUp(service, free, `mallory-${n}`)
    // The owner's own, and five at the request of others.
    await expect.poll(() => count('verify-email')).toBe(6)
    await owner.send('POST', '/user/v/', { email: free })
    await expect.poll(() => count('verify-email')).toBe(7)
    expect(count('account-exists')).toBe(0)
  })

  test.each([
    ['user', undefined],
    ['signup', undefined],
    ['user', 'ada'],
    ['signup', 'ada'],
  ] as const)(
    'under /%s/, sends the link again if nobody has used it, as username %s',
    async (variant, username) => {
      const users = { variant: 'both', names: username === undefined ? 'none' : 'required' } as const
      const service = await testApp({ users, requireEmailConfirmation: true, throttle: {} })
      const create = (password: string, name: string | undefined = username) =>
        service.send('POST', `/${variant}/`, {
          ...(name && { username: name }),
          ...{ email: free, password, confirm_password: password },
        })
      const first = await create(otherPassword)
      await service.mail('verify-email', free)
      service.mails.length = 0
      const again = await create(goodPassword, username && 'ada2')
      expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body])
      const mail = await service.mail('verify-email', free)
      expect(linkPath(mail)).toContain(`/${variant}/v/`)
      const verified = await service.send('POST', `${linkPath(mail)}password/`, { password: otherPassword })
      expect(verified.json()).toMatchObject({ verified: true })
      expect((await logInAs(service, free, otherPassword))[0]).toBe(200)

      // Then there is an account.
      await create(goodPassword, username && 'ada3')
      expect((await service.mail('account-exists', free)).to.address).toBe(free)

      // What strangers ask for by signing up and by asking for the link is counted together.
      const other = 'eve@example.org'
      const eve = { email: other, password: goodPassword, confirm_password: goodPassword }
      const count = () => service.mails.filter(({ to }) => to.address === other).length
      for (let n = 0; n < 4; n += 1)
        await service.send('POST', `/${variant}/`, { ...eve, ...(username && { username: `eve${n}` }) })
      for (let n = 0; n < 4; n += 1) await service.send('POST', `/${variant}/v/`, { email: other })
      await service.settle()
      await expect.poll(count).toBe(6)
    },
  )
})

describe('a failed login in the browser that has signed up', () => {
  test.each([taken, free])('with %s says that the address may have to be confirmed', async (email) => {
    const service = await withAlice()
    const browser = await signedUp(service, email)
    const login = async (username: string, password = goodPassword) => logInAs(browser, username, password)
    expect([await login(email), await login(email.toUpperCase(), 'a wrong one')]).toEqual([hinted, hinted])
    expect(await login('other@example.org')).toEqual(wrong)
    expect([await login('mallory'), await login('mallory', 'a wrong one')]).toEqual([unverified, wrong])
    // The name shows the same account, so the browser keeps what it knows.
    expect(await login(email)).toEqual(hinted)
    expect(await logInAs(appBrowser(service), email)).toEqual(wrong)

    // Whatever becomes of the account.
    const { id = '' } = (await service.users.findByUsername('mallory')) ?? {}
    await service.users.delete(id)
    expect(await login(email)).toEqual(hinted)
  })

  test.each([taken, free])(
    'elsewhere, the password by name marks the browser for the account alone: %s',
    async (email) => {
      const service = await withAlice()
      await signedUp(service, email)
      const browser = appBrowser(service)
      expect(await logInAs(browser, 'mallory')).toEqual(unverified)
      expect([...browser.cookies.keys()]).toEqual(['session-signup'])
      expect(await logInAs(browser, email)).toEqual(wrong)
    },
  )

  test('says nothing more once the address is confirmed there', async () => {
    const service = await withAlice()
    const browser = await signedUp(service, free)
    await browser.send('POST', linkPath(await service.mail('verify-email', free)))
    expect(await logInAs(browser, free, 'a wrong one')).toEqual(wrong)
    await browser.logIn(free)
    expect(await browser.who()).toBe('mallory')
  })

  test('is a failed login like any other in the audit trail', async () => {
    const service = await withAlice()
    const browser = await signedUp(service, taken)
    const event = once(service.app.accounts.events, 'audit')
    expect(await logInAs(browser, taken)).toEqual(hinted)
    const { id } = (await service.users.findByEmail(taken)) ?? {}
    expect(await event).toMatchObject([{ reason: 'ACCOUNTS_INVALID_CREDENTIALS', userId: id }])
  })

  test.each([taken, free])('says nothing more once somebody has logged in there: %s', async (email) => {
    const service = await withAlice()
    const browser = await signedUp(service, email)
    const { id = '', version = 0 } = (await service.users.findByEmail(email)) ?? {}
    await service.users.update(id, { isVerified: true }, version)
    expect(await logInAs(browser, email, 'a wrong one')).toEqual(hinted)
    const password = email === taken ? otherPassword : goodPassword
    expect((await browser.send('POST', '/login/', { username: email, password })).statusCode).toBe(200)
    expect(await logInAs(browser, email, 'a wrong one')).toEqual(wrong)
  })

  test('says nothing more after a day', async () => {
    const service = await withAlice()
    const browser = await signedUp(service, free)
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() + 24 * 3600_000 - 5000)
    expect(await logInAs(browser, free)).toEqual(hinted)
    vi.setSystemTime(Date.now() + 5000)
    expect(await logInAs(browser, free)).toEqual(wrong)
  })
})

test('sign-ups set cookies of one size', async () => {
  const service = await withAlice()
  const sizes = new Set<number | undefined>()
  const addresses = [taken, free, `${'long'.repeat(15)}@${'long'.repeat(12)}.example.org`]
  for (const [index, email] of addresses.entries())
    sizes.add((await signedUp(service, email, `mallory-${index}`)).cookies.get('session-signup')?.length)
  expect([...sizes]).toEqual([expect.any(Number)])
})

describe('an account that nobody has proven', () => {
  test('once proven, used or given another address by staff, logs in by address as before', async () => {
    const service = await withAlice()
    const { users } = service
    const { id } = await signUp(service, 'ben', { email: free })
    for (const [changes, response] of [
      [{}, wrong],
      [{ lastLoginAt: new Date() }, unverified],
      [{ lastLoginAt: null, verifyEpoch: 1 }, unverified],
      [{ isActive: false }, unverified],
      [{ isVerified: true }, [403, 'ACCOUNTS_DISABLED']],
    ] as const) {
      await users.update(id, changes, (await users.findById(id))?.version ?? 0)
      expect([changes, await logInAs(service, free)]).toEqual([changes, response])
    }
  })

  test('without an address, needs none', async () => {
    const service = await withAlice()
    await service.app.accounts.createUser({ username: 'ben', password: goodPassword })
    const response = await service.send('POST', '/login/', { username: 'ben', password: goodPassword })
    expect(response.statusCode).toBe(200)
  })
})

test('the page of the link offers logging in only where that shows who made the account', async () => {
  for (const requireEmailConfirmation of [true, false]) {
    const service = await withAlice({ requireEmailConfirmation })
    await service.send('POST', '/user/', { username: 'ben', email: free, ...passwords })
    if (!requireEmailConfirmation) await service.send('POST', '/user/v/', { email: free })
    const link = linkPath(await service.mail('verify-email', free))
    const { body } = await service.send('GET', link, undefined, { headers: { accept: 'text/html' } })
    expect(body).toContain('name="password"')
    expect(body.includes('log in to the account in this browser')).toBe(!requireEmailConfirmation)
  }
})

describe('signing up again with one address', () => {
  const html = { accept: 'text/html' }
  const lastLink = async (service: TestApp) => {
    await service.settle()
    const mail = service.mails.findLast(({ kind }) => kind === 'verify-email')
    if (mail === undefined) throw new Error('there is no email')
    return { mail, link: linkPath(mail) }
  }
  const again = async (
    browser: AppBrowser,
    username: string,
    password = goodPassword,
    email: string = free,
  ) => {
    const body = { username, email, password, confirm_password: password }
    expect((await browser.send('POST', '/user/', body)).statusCode).toBe(202)
  }
  const logsIn = async (service: TestApp, username: string, password = goodPassword) =>
    (await service.send('POST', '/login/', { username, password })).statusCode
  const fields = {
    type: 'object',
    properties: { city: { type: 'string' }, customer: { type: 'string', readOnly: true } },
  } as const

  test('in the same browser, the account becomes the newest: email, page, name and password', async () => {
    const service = await withAlice()
    const browser = await signedUp(service, free, 'garce')
    await again(browser, 'grace', otherPassword)
    const { mail, link } = await lastLink(service)
    expect(mail.text).toContain('grace')
    expect(mail.text).not.toContain('garce')
    const page = await browser.send('GET', link, undefined, html)
    expect([page.body.includes('grace'), page.body.includes('garce')]).toEqual([true, false])
    expect((await browser.send('POST', link, {})).json()).toMatchObject({ verified: true, username: 'grace' })
    expect([
      await logsIn(service, 'grace', otherPassword),
      await logsIn(service, free, otherPassword),
    ]).toEqual([200, 200])
    expect([await logsIn(service, 'grace'), await logsIn(service, 'garce')]).toEqual([401, 401])
    const people = await service.users.list({ limit: 10 })
    expect(people.map(({ username }) => username).sort()).toEqual(['alice', 'grace'])
    // The typo is free.
    await again(appBrowser(service), 'garce', goodPassword, 'other@example.org')
  })

  test.each(['reset', 'verification'])('a new password by a %s there keeps the newest name', async (way) => {
    const service = await withAlice()
    const browser = await signedUp(service, free, 'garce')
    await again(browser, 'grace')
    const chosen = { new_password: otherPassword, confirm_password: otherPassword }
    if (way === 'reset') {
      await browser.send('POST', '/forgot/', { email: free })
      const response = await browser.send(
        'POST',
        linkPath(await service.mail('reset-password', free)),
        chosen,
      )
      expect(response.statusCode, response.body).toBe(204)
    } else {
      const { link } = await lastLink(service)
      expect((await browser.send('POST', `${link}new-password/`, chosen)).statusCode).toBe(200)
    }
    expect(await logsIn(service, 'grace', otherPassword)).toBe(200)
    expect(await service.users.findByUsername('garce')).toBeNull()
  })

  test('of several, the last one wins, and only those of the browser go', async () => {
    const service = await withAlice()
    const browser = await signedUp(service, free, 'garce')
    await again(appBrowser(service), 'mallory', otherPassword)
    await again(browser, 'grece')
    await again(browser, 'grace')
    const { link } = await lastLink(service)
    expect((await browser.send('POST', link, {})).json()).toMatchObject({ username: 'grace' })
    // Nobody confirms them anymore, so both fail as if their account had been somebody else's, and their names are free.
    expect(await logInAs(appBrowser(service), 'mallory', otherPassword)).toEqual(wrong)
    for (const name of ['mallory', 'grece'])
      await again(appBrowser(service), name, goodPassword, `${name}@example.org`)
  })

  test('elsewhere, it changes neither the account nor what its email and its page show', async () => {
    const service = await withAlice()
    const browser = await signedUp(service, free, 'grace')
    await again(appBrowser(service), 'mallory', otherPassword)
    const { mail, link } = await lastLink(service)
    expect([mail.text.includes('grace'), mail.text.includes('mallory')]).toEqual([true, false])
    expect((await browser.send('GET', link, undefined, html)).body).not.toContain('mallory')
    expect((await browser.send('POST', link, {})).json()).toMatchObject({ username: 'grace' })
    expect([await logsIn(service, 'grace'), await logsIn(service, free, otherPassword)]).toEqual([200, 401])
  })

  test('in a browser that made no account, the link asks whose it is, and a new password there brings the name', async () => {
    const service = await withAlice()
    await signedUp(service, free, 'mallory')
    const browser = appBrowser(service)
    await again(browser, 'ben', otherPassword)
    const { mail, link } = await lastLink(service)
    expect(mail.text).not.toContain('ben')
    const asJson = { accept: 'application/json' }
    expect((await browser.send('GET', link, undefined, asJson)).json()).toMatchObject({ verified: false })
    const response = await browser.send('POST', link, {})
    expect([response.statusCode, response.json().reason]).toEqual([400, 'proof_required'])
    expect(await logInAs(appBrowser(service), 'mallory')).toEqual(unverified)
    const chosen = { new_password: otherPassword, confirm_password: otherPassword }
    const confirmed = await browser.send('POST', `${link}new-password/`, chosen)
    expect(confirmed.json()).toMatchObject({ verified: true, username: 'ben' })
    expect([await logsIn(service, 'ben', otherPassword), await logsIn(service, free)]).toEqual([200, 401])
    expect(await service.users.findByUsername('mallory')).toBeNull()
  })

  test.each([taken, free])('a login there that says to confirm first changes nothing: %s', async (email) => {
    const service = await withAlice()
    const browser = await signedUp(service, email, 'garce')
    await again(browser, 'grace', otherPassword, email)
    const response = await browser.send('POST', '/login/', { username: 'grace', password: otherPassword })
    expect(refusalOf(response)).toEqual(unverified)
    expect(response.cookies.map(({ name }) => name)).toEqual(['session-signup'])
    if (email === taken) return
    const { link } = await lastLink(service)
    expect((await browser.send('POST', link, {})).json()).toMatchObject({ username: 'grace' })
    expect(await logsIn(service, 'grace', otherPassword)).toBe(200)
  })

  test('a link used twice writes nothing over what its owner has changed since', async () => {
    const service = await withAlice({ users: { fields } })
    const browser = await signedUp(service, free, 'garce')
    await again(browser, 'grace')
    const { link } = await lastLink(service)
    const { id = '' } = (await service.users.findByEmail(free)) ?? {}
    const slow = appBrowser(service)
    for (const [name, value] of browser.cookies) slow.take(`${name}=${value}`)
    const { update } = service.users
    service.users.update = async (...change) => {
      if (change[0] !== id) return update(...change)
      // The other use, and what follows, while this one is slow.
      service.users.update = update
      expect((await browser.send('POST', link, {})).json()).toMatchObject({ username: 'grace' })
      await browser.logIn('grace')
      expect((await browser.send('PATCH', '/me/', { city: 'Paris' })).statusCode).toBe(200)
      const choice = { new_password: otherPassword, confirm_password: otherPassword }
      const changed = await browser.send('POST', '/change-password/', {
        old_password: goodPassword,
        ...choice,
      })
      expect(changed.statusCode, changed.body).toBe(204)
      return update(...change)
    }
    expect((await slow.send('POST', link, {})).statusCode).toBe(200)
    expect([await logsIn(service, 'grace'), await logsIn(service, 'grace', otherPassword)]).toEqual([
      401, 200,
    ])
    expect(await service.users.findByEmail(free)).toMatchObject({ fields: { city: 'Paris' } })
  })

  test('fields that only the app sets stay', async () => {
    const service = await withAlice({ users: { fields } })
    const browser = await signedUp(service, free, 'garce')
    const { id = '' } = (await service.users.findByEmail(free)) ?? {}
    await service.app.accounts.updateUser(id, { fields: { customer: 'c-1' } })
    await again(browser, 'grace')
    const { link } = await lastLink(service)
    expect((await browser.send('POST', link, {})).json()).toMatchObject({ username: 'grace' })
    expect(await service.users.findByEmail(free)).toMatchObject({ fields: { customer: 'c-1' } })
  })

  test('where a stranger was first, the app’s rule is told the name that a reset there gives', async () => {
    const names: unknown[] = []
    const signUp = ({ username }: { username: string | null }) => void names.push(username)
    const service = await withAlice({ before: { signUp } })
    await signedUp(service, free, 'mallory')
    const browser = await signedUp(service, free, 'grace')
    await browser.send('POST', '/forgot/', { email: free })
    const chosen = { new_password: otherPassword, confirm_password: otherPassword }
    await browser.send('POST', linkPath(await service.mail('reset-password', free)), chosen)
    expect(await logsIn(service, 'grace', otherPassword)).toBe(200)
    expect(names).toEqual(['mallory', 'grace', 'grace'])
  })

  test('a password link of the app’s own code ends no sign-up: it proves no address', async () => {
    const service = await withAlice()
    await signedUp(service, free, 'mallory')
    const browser = await signedUp(service, free, 'grace')
    const { id = '' } = (await service.users.findByEmail(free)) ?? {}
    const link = await service.app.accounts.createPasswordLink(id)
    const chosen = { new_password: otherPassword, confirm_password: otherPassword }
    expect((await browser.send('POST', new URL(link?.url ?? '').pathname, chosen)).statusCode).toBe(204)
    expect(await logInAs(appBrowser(service), 'grace')).toEqual(unverified)
  })

  test.each([taken, free])('if the first is deleted, the second tells nothing about %s', async (email) => {
    const service = await withAlice()
    await signedUp(service, email, 'first')
    await signedUp(service, email, 'second')
    // As `delete-unverified` does, for which the second is too young.
    const { id = '' } = (await service.users.findByUsername('first')) ?? {}
    await service.users.delete(id)
    expect(await logInAs(appBrowser(service), 'second')).toEqual(unverified)
    const body = { username: 'second', email: 'other@example.org', ...passwords }
    expect(refusalOf(await service.send('POST', '/user/', body))).toEqual([409, 'ACCOUNTS_USERNAME_TAKEN'])
  })

  test.each([taken, free])('if the first is deleted, nor does the cookie of a third: %s', async (email) => {
    const service = await withAlice()
    await signedUp(service, email, 'first')
    const browser = await signedUp(service, email, 'second')
    const { id = '' } = (await service.users.findByUsername('first')) ?? {}
    await service.users.delete(id)
    // The time until which it marks the browser, and for whom: what comes after it is sealed anew each time.
    const readable = () => browser.cookies.get('session-signup')?.slice(0, 114)
    const before = readable()
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() + 3600_000)
    const body = { username: 'third', email, ...passwords }
    const { statusCode, cookies } = await browser.send('POST', '/user/', body)
    expect([statusCode, cookies.map(({ maxAge }) => maxAge)]).toEqual([202, [23 * 3600]])
    expect(readable()).toBe(before)
    const logins = []
    for (const username of ['second', 'third', email]) {
      const response = await browser.send('POST', '/login/', { username, password: goodPassword })
      logins.push([...refusalOf(response), response.cookies.length])
    }
    expect(logins).toEqual([
      [...unverified, 0],
      [...unverified, 1],
      [...hinted, 0],
    ])
  })

  test('if the first is deleted, who signs up there once more confirms with the password', async () => {
    const service = await withAlice()
    const browser = await signedUp(service, free, 'first')
    const { id = '' } = (await service.users.findByUsername('first')) ?? {}
    await service.users.delete(id)
    await again(browser, 'third')
    const { link } = await lastLink(service)
    expect((await browser.send('POST', `${link}password/`, { password: goodPassword })).json()).toMatchObject(
      {
        verified: true,
        username: 'third',
      },
    )
    expect(await logsIn(service, 'third')).toBe(200)
  })

  test('an account that somebody has used stays as it is', async () => {
    const service = await withAlice()
    const browser = await signedUp(service, free, 'garce')
    const { id = '', version = 0 } = (await service.users.findByEmail(free)) ?? {}
    await service.users.update(id, { lastLoginAt: new Date() }, version)
    await again(browser, 'grace', otherPassword)
    const { mail, link } = await lastLink(service)
    expect(mail.text).toContain('garce')
    expect((await browser.send('POST', link, {})).json()).toMatchObject({ username: 'garce' })
    expect(await logsIn(service, 'garce')).toBe(200)
  })

  test('a name that somebody else has by then stays theirs', async () => {
    const service = await withAlice()
    const browser = await signedUp(service, free, 'garce')
    await again(browser, 'grace', otherPassword)
    const { link } = await lastLink(service)
    // Between giving up the name and writing the account.
    const { update } = service.users
    service.users.update = async (...change) => {
      const changed = await update(...change)
      service.users.update = update
      await again(appBrowser(service), 'grace', goodPassword, 'faster@example.org')
      return changed
    }
    expect((await browser.send('POST', link, {})).json()).toMatchObject({ verified: true, username: 'garce' })
    expect(await logsIn(service, 'garce', otherPassword)).toBe(200)
    expect(await service.users.findByUsername('grace')).toMatchObject({ email: 'faster@example.org' })
  })
})

describe('a sign-up that nobody has confirmed', () => {
  const lateBy = (service: TestApp) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    vi.setSystemTime(Date.now() + 24 * 3600_000)
    return service
  }
  const free2 = 'second@example.org'

  test.each([taken, free])('holds its name for as long as its link works: %s', async (email) => {
    const service = await withAlice()
    await signedUp(service, email)
    const takes = () => service.send('POST', '/user/', { username: 'Mallory', email: free2, ...passwords })
    expect(refusalOf(await takes())).toEqual([409, 'ACCOUNTS_USERNAME_TAKEN'])
    lateBy(service)
    // Until somebody takes it.
    expect(await logInAs(appBrowser(service), 'mallory')).toEqual(unverified)
    expect((await takes()).statusCode).toBe(202)
    expect(await service.users.findByUsername('mallory')).toMatchObject({ email: free2 })
    expect(await service.users.list({ limit: 10 })).toHaveLength(3)
  })

  test.each([taken, free])('gives it to somebody who is renamed, too: %s', async (email) => {
    const service = await withAlice()
    await signedUp(service, email)
    await service.app.accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true })
    await service.app.accounts.createUser({ username: 'ann', password: goodPassword })
    lateBy(service)
    const ann = appBrowser(service)
    await ann.logIn('ann')
    expect((await ann.send('PATCH', '/me/', { username: 'mallory' })).json()).toMatchObject({
      username: 'mallory',
    })
  })

  test('whose name somebody else has can still be confirmed by a later link', async () => {
    const service = await withAlice()
    const browser = await signedUp(service, free)
    lateBy(service)
    await service.send('POST', '/user/', { username: 'mallory', email: free2, ...passwords })
    service.mails.length = 0
    await browser.send('POST', '/user/v/', { email: free })
    const link = linkPath(await service.mail('verify-email', free))
    const chosen = { new_password: otherPassword, confirm_password: otherPassword }
    expect((await browser.send('POST', `${link}new-password/`, chosen)).statusCode).toBe(200)
    await browser.send('POST', '/login/', { username: free, password: otherPassword })
    expect(await browser.who()).toMatch(/^user-/)
  })

  test('keeps its name if staff or the app’s own code created it, or staff gave it rights', async () => {
    const service = await withAlice()
    const { accounts } = service.app
    await accounts.createUser({ username: 'boss', password: goodPassword, isStaff: true, isVerified: true })
    const boss = appBrowser(service)
    await boss.logIn('boss')
    const person = (username: string, email: string) => ({ username, email, ...passwords })
    expect((await boss.send('POST', '/user/', person('staffs', 'staffs@example.org'))).statusCode).toBe(202)
    expect((await boss.send('POST', '/user/', person('staffs-taken', taken))).statusCode).toBe(202)
    await accounts.createUser({ username: 'hosts', password: goodPassword, email: 'hosts@example.org' })
    await signedUp(service, free, 'trusted')
    const { id = '' } = (await service.users.findByUsername('trusted')) ?? {}
    await accounts.updateUser(id, { isStaff: true })
    lateBy(service)
    for (const name of ['staffs', 'staffs-taken', 'hosts', 'trusted', 'alice', 'boss'])
      expect([name, refusalOf(await service.send('POST', '/user/', person(name, free2)))]).toEqual([
        name,
        [409, 'ACCOUNTS_USERNAME_TAKEN'],
      ])
  })
})

describe('requesting the link again', () => {
  const kinds = ({ mails }: TestApp) => mails.splice(0).map(({ kind, to }) => `${kind} ${to.address}`)
  const resend = async (service: TestApp, browser: Pick<AppBrowser, 'send'>, email: string) => {
    const { statusCode, body } = await browser.send('POST', '/user/v/', { email })
    await service.settle()
    return [statusCode, body]
  }

  test('tells someone who has signed up with a taken address that there is an account, and nobody else', async () => {
    const service = await withAlice()
    const atTaken = await signedUp(service, taken)
    const atFree = await signedUp(service, free, 'ben')
    await service.mail('account-exists', taken)
    await service.mail('verify-email', free)
    kinds(service)
    const responses = [await resend(service, atTaken, taken), await resend(service, atFree, free)]
    await service.mail('verify-email', free)
    await service.mail('account-exists', taken)
    expect(kinds(service).sort()).toEqual([`account-exists ${taken}`, `verify-email ${free}`])
    responses.push(await resend(service, atFree, taken), await resend(service, service, taken))
    responses.push(
      await resend(service, atTaken, 'unknown@example.org'),
      await resend(service, service, free),
    )
    await service.mail('verify-email', free)
    expect(kinds(service)).toEqual([`verify-email ${free}`])
    expect(new Set(responses.map(String)).size).toBe(1)
  })

  test('an email that comes too late isn’t sent: the account is gone, or its address confirmed', async () => {
    const service = await withAlice()
    const { users } = service
    const browser = await signedUp(service, free)
    const link = linkPath(await service.mail('verify-email', free))
    kinds(service)
    /** Requests the link, and changes the account once that has found it. */
    const meanwhile = async (change: (user: StoredUser) => Promise<unknown>) => {
      const { findByEmail } = users
      users.findByEmail = async (key) => {
        users.findByEmail = findByEmail
        const found = await findByEmail(key)
        if (found !== null) await change(found)
        return found
      }
      await resend(service, browser, free)
    }
    await meanwhile(({ id, version }) => users.update(id, { isVerified: true }, version))
    // The earlier one still works.
    expect((await service.send('POST', link)).json()).toMatchObject({ verified: true })
    const { id = '', version = 0 } = (await users.findByEmail(free)) ?? {}
    await users.update(id, { isVerified: false }, version)
    await meanwhile(() => users.delete(id))
    expect((await service.send('POST', link)).json().code).toBe('ACCOUNTS_INVALID_LINK')
    // A later one arrives.
    await service.send('POST', '/forgot/', { email: taken })
    await service.mail('reset-password', taken)
    expect(kinds(service)).toEqual([`reset-password ${taken}`])
  })
})
