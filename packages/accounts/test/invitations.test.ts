import {
  as,
  browser,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type AccountsOptions, invitations } from '../src/index.js'

const roles = {
  editor: ['posts:write'],
  host: ['users:invite', 'users:grant', 'users:read', 'posts:write'],
  greeter: ['users:invite'],
}
const fields = { type: 'object', properties: { city: { type: 'string', maxLength: 20 } } } as const
const email = 'gus@example.org'
const choice = { new_password: otherPassword, confirm_password: otherPassword }

const inviting = (options: Partial<AccountsOptions> = {}): Promise<TestApp> =>
  testApp({ roles, users: { fields }, features: [invitations()], requireEmailConfirmation: true, ...options })

async function userWith({ app, ...service }: TestApp, username: string, given: string[]) {
  const input = { username, email: `${username}@example.org`, password: goodPassword, isVerified: true }
  const { id } = await app.accounts.createUser({ ...input, roles: given })
  return { id, ...as(await logIn(service, username)) }
}

const accept = (service: TestApp, path: string, body: object = { username: 'gus', ...choice }) =>
  service.send('POST', path, body)

async function linkOf(service: TestApp, to = email): Promise<string> {
  const path = linkPath(await service.mail('invitation', to))
  service.mails.splice(0)
  return path
}

test('twenty inviters about whom the app’s rule is slow keep nobody from proving an address', async () => {
  let takes = 0
  const invite = async (): Promise<boolean> => {
    if (takes > 0) vi.advanceTimersByTime(takes)
    return true
  }
  const service = await inviting({ authorize: { invite } })
  for (let n = 0; n < 20; n += 1) {
    const host = await userWith(service, `host-${n}`, ['greeter'])
    expect((await service.send('POST', '/invitations/', { email }, host)).statusCode).toBe(202)
  }
  await service.settle()
  const password = { password: goodPassword, confirm_password: goodPassword }
  await service.send('POST', '/user/', { username: 'gus', email, ...password })
  const link = linkPath(await service.mail('verify-email', email))
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  takes = 300
  const verified = await service.send('POST', `${link}password/`, { password: goodPassword })
  expect(verified.statusCode, verified.body).toBe(200)
  expect(await service.users.findByEmail(email)).toMatchObject({ isVerified: true })
  const left = await service.invitations.listByEmail(email)
  expect(left.length).toBeGreaterThan(0)
  expect(left.length).toBeLessThan(20)
  expect(left.filter(({ acceptingUntil }) => acceptingUntil !== null)).toEqual([])
})

describe('an invitation', () => {
  test('leads to an account with what it gives, to which nobody is logged in', async () => {
    const service = await inviting()
    const host = await userWith(service, 'hanna', ['host'])
    const body = { email, fields: { city: 'Ulm' }, roles: ['editor'] }
    const invited = await service.send('POST', '/invitations/', body, host)
    expect(invited.statusCode, invited.body).toBe(202)
    expect((await service.mail('invitation', email)).to).toEqual({ name: '', address: email })
    const path = await linkOf(service)
    expect(await service.users.findByEmail(email)).toBeNull()
    expect((await service.send('GET', path)).json()).toEqual({
      ...{ valid: true, email, username_required: true, login_required: false, invited_by: 'hanna' },
      gives: { fields: { city: 'Ulm' }, roles: ['editor'] },
    })

    expect((await accept(service, path, {})).json().fields).toMatchObject([
      { field: 'username', code: 'required' },
      { field: 'new_password', code: 'required' },
      { field: 'confirm_password', code: 'required' },
    ])
    const accepted = await accept(service, path)
    expect(accepted.statusCode, accepted.body).toBe(200)
    expect(accepted.headers['set-cookie']).not.toMatch(/^session=/)
    expect(await service.users.findByEmail(email)).toMatchObject({
      username: 'gus',
      isVerified: true,
      roles: ['editor'],
      fields: { city: 'Ulm' },
      credentials: [],
    })
    await logIn(service, 'gus', otherPassword)
    expect((await accept(service, path)).json()).toMatchObject({ code: 'ACCOUNTS_INVALID_LINK' })
  })

  test('adds what fits in 16 KiB of fields to an account, which keeps its own', async () => {
    const text = { type: 'string' } as const
    const schema = { type: 'object', properties: { bio: text, motto: text, city: text } } as const
    const service = await inviting({ users: { fields: schema } })
    const long = (letter: string) => letter.repeat(9000)
    const gus = await userWith(service, 'gus', ['editor'])
    await service.send('PATCH', '/me/', { bio: long('b'), city: 'Rom' }, gus)
    const gives = { fields: { motto: long('m'), city: 'Ulm' }, roles: ['greeter'] }
    await service.app.accounts.invite({ email, ...gives })
    const path = linkPath(await service.mail('invitation-known', email))
    expect((await service.send('GET', path)).json()).toMatchObject({ login_required: true, invited_by: null })
    const page = await service.send('POST', path, undefined, { headers: { ...gus.headers, ...browser } })
    expect([page.statusCode, page.body]).toEqual([200, expect.stringContaining('<h1>')])
    expect(await service.users.findByEmail(email)).toMatchObject({
      fields: { bio: long('b'), city: 'Rom' },
      roles: ['editor', 'greeter'],
    })
    expect((await service.users.findByEmail(email))?.fields).not.toHaveProperty('motto')
  })

  test('shows its form again if the username is taken or the password too short', async () => {
    const service = await inviting()
    await userWith(service, 'taken', [])
    await service.app.accounts.invite({ email })
    const path = await linkOf(service)
    const body = { username: 'taken', ...choice }
    expect((await accept(service, path, body)).json()).toMatchObject({ code: 'ACCOUNTS_USERNAME_TAKEN' })
    const page = await service.send('POST', path, body, { headers: browser })
    expect(page.statusCode).toBe(409)
    expect(page.body).toContain('name="username"')
    expect(page.body).toContain('This username is taken.')
    const short = { username: 'gus', new_password: 'short', confirm_password: 'other' }
    expect((await accept(service, path, short)).json().fields).toMatchObject([
      { field: 'new_password' },
      { field: 'confirm_password' },
    ])
    expect((await accept(service, path)).statusCode).toBe(200)
  })

  test('asks for a password only, where there are no usernames', async () => {
    const service = await inviting({ users: { names: 'none' } })
    await service.app.accounts.invite({ email })
    const path = await linkOf(service)
    const page = await service.send('GET', path, undefined, { headers: browser })
    expect(page.statusCode).toBe(200)
    expect(page.body).toContain(email)
    expect(page.body).not.toContain('name="username"')
    expect((await accept(service, path)).json().fields).toMatchObject([
      { field: 'username', code: 'unknown' },
    ])
    const done = await service.send('POST', path, choice, { headers: browser })
    expect([done.statusCode, done.body]).toEqual([200, expect.stringContaining('Your account is ready')])
  })
})

test("the app's own code lists, sends and withdraws invitations, page by page", async () => {
  const service = await inviting()
  const { accounts } = service.app
  for (let at = 0; at < 51; at += 1) await accounts.invite({ email: `gus-${at}@example.org` })
  const { invitations: first, next } = await accounts.listInvitations()
  const rest = await accounts.listInvitations({ cursor: next ?? '' })
  expect([first.length, rest.invitations.length, rest.next]).toEqual([50, 1, null])
  expect(await accounts.resendInvitation(first[0]?.id ?? '')).toBe(true)
  expect(await accounts.resendInvitation('nobody')).toBe(false)
  expect(await accounts.withdrawInvitation(first[0]?.id ?? '')).toBe(true)
  expect(await accounts.withdrawInvitation(first[0]?.id ?? '')).toBe(false)
})

test.each([
  [
    { lifetime: 1000 },
    /invitations\.lifetime must be milliseconds, whole seconds from 1 hour to 30 days, got 1000/,
  ],
  [{ life: 1 } as object, /invitations\.life is not an option/],
])('stops the start with %o', async (options, message) => {
  await expect(inviting({ features: [invitations(options)] })).rejects.toThrow(message)
})

test('needs the users module, and the feature', async () => {
  for (const users of [false, undefined]) {
    const without = inviting({ users, requireEmailConfirmation: undefined })
    await expect(without).rejects.toThrow(
      /features has invitations, which needs users: true or an object of options$/,
    )
  }
  const service = await inviting({ features: [] })
  await expect(service.app.accounts.invite({ email })).rejects.toThrow('need the feature invitations()')
})

test.each([null, undefined, 'ada@example.org', 7])('an invitation by %j is invalid input', async (input) => {
  const service = await inviting()
  const invite = service.app.accounts.invite as (input: unknown) => Promise<object>
  await expect(invite(input)).rejects.toMatchObject({ code: 'ACCOUNTS_INVALID_INPUT' })
})
