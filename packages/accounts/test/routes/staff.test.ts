import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { goodPassword, logIn, signUp, type TestApp, testApp, whoIs } from '../support/app.js'

const as = (cookie: string) => ({ headers: { cookie } })

/** Somebody of the staff, who is logged in. */
async function staff(service: TestApp, username = 'chief'): Promise<{ id: string; cookie: string }> {
  const { id } = await service.app.accounts.createUser({ username, password: goodPassword, isStaff: true })
  return { id, cookie: await logIn(service, username) }
}

const patch = ({ send }: TestApp, id: string, body: object, cookie: string) =>
  send('PATCH', `/user/${id}`, body, as(cookie))

describe('GET /user/?search=', () => {
  async function names(service: TestApp, query: string, cookie: string): Promise<string[]> {
    const answer = await service.send('GET', `/user/?${query}`, undefined, as(cookie))
    expect(answer.statusCode).toBe(200)
    return answer.json().results.map(({ username }: { username: string }) => username)
  }

  test('finds by how a name begins, in any case; pages go on with it', async () => {
    const service = await testApp()
    for (const name of ['Ada', 'adam', 'bob', 'bada', 'ada.lovelace']) await signUp(service, name)
    const cookie = await logIn(service, 'bob')
    expect(await names(service, 'search=ADA', cookie)).toEqual(['Ada', 'adam', 'ada.lovelace'])
    expect(await names(service, 'search=ad%25', cookie)).toEqual([])
    expect(await names(service, 'search=a_a', cookie)).toEqual([])
    const first = (await service.send('GET', '/user/?search=ada&limit=2', undefined, as(cookie))).json()
    const { pathname, search } = new URL(first.next)
    const second = (await service.send('GET', pathname + search, undefined, as(cookie))).json()
    expect([...first.results, ...second.results].map((each) => each.username)).toEqual([
      'Ada',
      'adam',
      'ada.lovelace',
    ])
    expect(second.next).toBeNull()
  })

  test('has a budget per user, and the list without a search has another', async () => {
    const limit = (max: number) => ({ max, window: 60_000 })
    const service = await testApp({ throttle: { limits: { searchUsers: limit(2), listUsers: limit(3) } } })
    await signUp(service, 'alice')
    await signUp(service, 'bob')
    const [alice, bob] = [await logIn(service, 'alice'), await logIn(service, 'bob')]
    const statusOf = async (url: string, cookie: string) =>
      (await service.send('GET', url, undefined, { headers: { cookie } })).statusCode
    const statuses = []
    for (let tries = 0; tries < 3; tries += 1) statuses.push(await statusOf('/user/?search=a', alice))
    expect(statuses).toEqual([200, 200, 429])
    const listed = []
    for (let tries = 0; tries < 4; tries += 1) listed.push(await statusOf('/user/', alice))
    expect(listed).toEqual([200, 200, 200, 429])
    expect(await statusOf('/user/?search=a', bob)).toBe(200)
    expect(await statusOf('/user/', bob)).toBe(200)
  })

  test('looks addresses through for staff only', async () => {
    const service = await testApp()
    await signUp(service, 'ada', { email: 'Countess@example.org' })
    await signUp(service, 'bob')
    const { cookie } = await staff(service)
    expect(await names(service, 'search=countess', cookie)).toEqual(['ada'])
    expect(await names(service, 'search=countess%40EXAMPLE.org', cookie)).toEqual(['ada'])
    expect(await names(service, 'search=countess', await logIn(service, 'bob'))).toEqual([])
  })

  test.each(['search=', 'search=%00', `search=${'a'.repeat(255)}`, 'search=a&search=b'])(
    'refuses %s',
    async (query) => {
      const service = await testApp()
      await signUp(service)
      const answer = await service.send('GET', `/user/?${query}`, undefined, as(await logIn(service)))
      expect(answer.json()).toMatchObject({ statusCode: 400, fields: [{ field: 'search' }] })
    },
  )
})

describe('PATCH /user/{pk}', () => {
  test('staff disable and enable somebody, who is logged out at once', async () => {
    const service = await testApp()
    const bob = await signUp(service, 'bob')
    const session = await logIn(service, 'bob')
    const { cookie } = await staff(service)
    const disabled = await patch(service, bob.id, { is_active: false }, cookie)
    expect([disabled.statusCode, disabled.json().is_active]).toEqual([200, false])
    expect(await whoIs(service, session)).toBeNull()
    expect((await patch(service, bob.id, { is_active: true }, cookie)).json().is_active).toBe(true)
    expect(await whoIs(service, session)).toBeNull()
    expect(await whoIs(service, await logIn(service, 'bob'))).toBe('bob')
  })

  test('staff promote and demote somebody', async () => {
    const service = await testApp()
    const bob = await signUp(service, 'bob')
    const { cookie } = await staff(service)
    expect((await patch(service, bob.id, { is_staff: true }, cookie)).json().is_staff).toBe(true)
    expect((await patch(service, bob.id, { is_staff: false }, cookie)).json().is_staff).toBe(false)
  })

  test('is for staff, and for nobody on themself', async () => {
    const service = await testApp()
    const bob = await signUp(service, 'bob')
    const { id, cookie } = await staff(service)
    const session = await logIn(service, 'bob')
    for (const body of [{ is_staff: true }, { is_active: false }]) {
      expect((await patch(service, bob.id, body, session)).json().code).toBe('ACCOUNTS_FORBIDDEN')
      expect((await patch(service, id, body, session)).json().code).toBe('ACCOUNTS_FORBIDDEN')
    }
    for (const body of [{ is_staff: false }, { is_active: false }, {}]) {
      expect((await patch(service, id, body, cookie)).json().code).toBe('ACCOUNTS_FORBIDDEN')
    }
    expect((await patch(service, bob.id, { is_staff: true }, '')).json().code).toBe('ACCOUNTS_LOGIN_REQUIRED')
    expect((await patch(service, 'nobody', {}, cookie)).json().code).toBe('ACCOUNTS_NOT_FOUND')
    expect((await patch(service, bob.id, { is_staff: 'yes' }, cookie)).statusCode).toBe(400)
    expect((await patch(service, bob.id, { username: 'x' }, cookie)).json().fields).toMatchObject([
      { field: 'username', code: 'unknown' },
    ])
    expect(await service.users.findById(bob.id)).toMatchObject({ isStaff: false, isActive: true })
  })

  test('the policy decides, and hides whom it does not show', async () => {
    const service = await testApp({
      authorize: { manageUser: (actor) => actor.username === 'warden', showUser: () => false },
    })
    const bob = await signUp(service, 'bob')
    await signUp(service, 'warden')
    const { cookie } = await staff(service)
    expect((await patch(service, bob.id, { is_active: false }, cookie)).json().code).toBe(
      'ACCOUNTS_NOT_FOUND',
    )
    const done = await patch(service, bob.id, { is_active: false }, await logIn(service, 'warden'))
    expect([done.statusCode, done.json()]).toEqual([200, { id: bob.id, username: 'bob' }])
  })

  test('of two who demote each other at the same moment, one is left', { timeout: 60_000 }, async () => {
    for (const body of [{ is_staff: false }, { is_active: false }]) {
      for (let round = 0; round < 6; round += 1) {
        const service = await testApp()
        const [one, other] = [await staff(service, 'one'), await staff(service, 'other')]
        const update = service.users.update
        // Each call takes a while of its own, so that every order comes about.
        let turn = round
        service.users.update = async (...args) => {
          turn += 1
          for (let wait = (turn * 7) % 5; wait > 0; wait -= 1) await new Promise(setImmediate)
          return update(...args)
        }
        const answers = await Promise.all([
          patch(service, other.id, body, one.cookie),
          patch(service, one.id, body, other.cookie),
        ])
        const left = (await service.users.list({ limit: 10 })).filter((user) => user.isStaff && user.isActive)
        expect(left.length).toBeGreaterThanOrEqual(1)
        for (const { statusCode } of answers) expect([200, 401, 403, 409]).toContain(statusCode)
      }
    }
  })
})

describe('POST /user/{pk}/end-sessions/', () => {
  test('staff log somebody out everywhere', async () => {
    const service = await testApp()
    const bob = await signUp(service, 'bob')
    const session = await logIn(service, 'bob')
    const { cookie } = await staff(service)
    const end = (id: string, by: string) =>
      service.send('POST', `/user/${id}/end-sessions/`, undefined, as(by))
    expect((await end(bob.id, session)).json().code).toBe('ACCOUNTS_FORBIDDEN')
    expect((await end('nobody', cookie)).json().code).toBe('ACCOUNTS_NOT_FOUND')
    expect((await end(bob.id, '')).statusCode).toBe(401)
    expect(await whoIs(service, session)).toBe('bob')
    expect((await end(bob.id, cookie)).statusCode).toBe(204)
    expect(await whoIs(service, session)).toBeNull()
    expect(await service.sessions.listByUser(bob.id)).toEqual([])
    expect(await whoIs(service, await logIn(service, 'bob'))).toBe('bob')
  })
})

test('who makes staff, enables or deletes has given the password lately; who disables need not', async () => {
  const service = await testApp({ session: { confirmLifetime: 60_000 } })
  const { id } = await signUp(service)
  const { cookie } = await staff(service)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  onTestFinished(() => void vi.useRealTimers())
  expect((await patch(service, id, { is_active: false }, cookie)).statusCode).toBe(200)
  for (const refused of [
    await patch(service, id, { is_staff: true }, cookie),
    await patch(service, id, { is_active: true }, cookie),
    await service.send('DELETE', `/user/${id}`, undefined, { headers: { cookie } }),
  ]) {
    expect(refused.json()).toMatchObject({ statusCode: 403, code: 'ACCOUNTS_CONFIRMATION_REQUIRED' })
  }
  expect(await service.users.findById(id)).toMatchObject({ isStaff: false, isActive: false })
})
