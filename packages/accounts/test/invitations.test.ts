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
import { describe, expect, test, vi } from 'vitest'
import { type AccountsOptions, invitations, type SignUpAttempt } from '../src/index.js'

const roles = {
  editor: ['posts:write'],
  host: ['users:invite', 'users:grant', 'users:read', 'posts:write'],
  greeter: ['users:invite'],
  chief: ['users:invite', 'users:grant', 'users:delete'],
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

describe('an invitation', () => {
  test('leads to an account with what it gave, which nobody is logged in to', async () => {
    const service = await inviting()
    const host = await userWith(service, 'hanna', ['host'])
    const body = { email, fields: { city: 'Ulm' }, roles: ['editor'] }
    const invited = await service.send('POST', '/invitations/', body, host)
    expect(invited.statusCode, invited.body).toBe(202)
    // The account has a name that nobody chose.
    expect((await service.mail('invitation', email)).to).toEqual({ name: '', address: email })
    const path = await linkOf(service)
    const user = await service.users.findByEmail(email)
    expect(user).toMatchObject({ isVerified: false, roles: [], fields: {}, invitedAt: expect.any(Date) })
    const shown = (await service.send('GET', path)).json()
    expect(shown).toEqual({ valid: true, email, username_required: true })

    expect((await accept(service, path, choice)).json().fields).toMatchObject([{ field: 'username' }])
    const accepted = await accept(service, path)
    expect(accepted.statusCode, accepted.body).toBe(200)
    expect(accepted.headers['set-cookie']).not.toMatch(/^session=/)
    expect(await service.users.findByEmail(email)).toMatchObject({
      id: user?.id,
      username: 'gus',
      isVerified: true,
      roles: ['editor'],
      fields: { city: 'Ulm' },
      credentials: [],
    })
    await logIn(service, 'gus', otherPassword)
    expect((await accept(service, path)).json()).toMatchObject({ code: 'ACCOUNTS_INVALID_LINK' })
  })

  test('keeps the first fields, and of others what fits in 16 KiB', async () => {
    const text = { type: 'string' } as const
    const schema = { type: 'object', properties: { bio: text, motto: text, city: text } } as const
    const service = await inviting({ users: { fields: schema } })
    const long = (letter: string) => letter.repeat(9000)
    // Somebody else signed up with the address.
    await service.app.accounts.createUser({
      ...{ username: 'squatter', email, password: goodPassword },
      fields: { motto: long('s'), city: 'Rom' },
    })
    const host = await userWith(service, 'hanna', ['host'])
    const invite = (to: string, fields: object) =>
      service.send('POST', '/invitations/', { email: to, fields }, host)
    expect((await invite(email, { bio: long('b') })).statusCode).toBe(202)
    await linkOf(service)
    const fresh = await invite('new@example.org', { motto: long('m') })
    const again = await invite(email, { motto: long('m'), city: 'Ulm' })
    expect([again.statusCode, again.body]).toEqual([fresh.statusCode, fresh.body])
    expect((await accept(service, await linkOf(service))).statusCode).toBe(200)
    const { fields } = (await service.users.findByEmail(email)) ?? {}
    expect(fields).toEqual({ bio: long('b'), city: 'Ulm' })
  })

  test('costs as many writes to a free address as to a taken one', async () => {
    const service = await inviting()
    const greeter = await userWith(service, 'grete', ['greeter'])
    const writes = [vi.spyOn(service.users, 'create'), vi.spyOn(service.users, 'update')]
    const costs: number[][] = []
    for (let n = 0; n < 2; n += 1) {
      expect((await service.send('POST', '/invitations/', { email }, greeter)).statusCode).toBe(202)
      await service.settle()
      costs.push(writes.map((each) => each.mock.calls.length))
      for (const each of writes) each.mockClear()
    }
    expect(costs).toEqual([
      [1, 1],
      [1, 1],
    ])
  })

  test('shows its form again if the username is taken', async () => {
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

  test('asks before.signUp with what it gives', async () => {
    const asked: SignUpAttempt[] = []
    const service = await inviting({ before: { signUp: (attempt) => void asked.push(attempt) } })
    await service.app.accounts.invite({ email, roles: ['editor'], fields: { city: 'Ulm' } })
    await accept(service, await linkOf(service))
    const given = { username: 'gus', roles: ['editor'], fields: { city: 'Ulm' } }
    expect(asked).toMatchObject([{ method: 'invitation', handsOver: true, email, ...given }])
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
