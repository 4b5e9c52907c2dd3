import {
  browser,
  goodPassword,
  linkPath,
  logIn,
  otherPassword,
  signUp,
  type TestApp,
  testApp,
} from '@fastify-accounts/test-support/app'
import { describe, expect, test } from 'vitest'
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
const as = (cookie: string) => ({ headers: { cookie } })

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

  test('leaves an account as it is, and tells its owner', async () => {
    const service = await inviting()
    const host = await userWith(service, 'hanna', ['host'])
    await userWith(service, 'gus', [])
    const before = await service.users.findByEmail(email)
    service.mails.splice(0)
    const known = await service.send('POST', '/invitations/', { email, roles: ['editor'] }, host)
    const fresh = await service.send(
      'POST',
      '/invitations/',
      { email: 'new@example.org', roles: ['editor'] },
      host,
    )
    expect([known.statusCode, known.body]).toEqual([fresh.statusCode, fresh.body])
    await service.mail('invitation-known', email)
    expect(await service.users.findByEmail(email)).toEqual(before)
  })

  test('hands over an account that nobody has proven, without what a stranger put there', async () => {
    const service = await inviting({ requireEmailConfirmation: false })
    const host = await userWith(service, 'hanna', ['host'])
    await signUp(service, 'squatter', { email })
    const squatter = as(await logIn(service, 'squatter'))
    await service.send('POST', '/invitations/', { email, roles: ['editor'] }, host)
    const path = await linkOf(service)
    expect((await service.send('GET', '/me/', undefined, squatter)).json()).toMatchObject({ roles: [] })
    expect((await accept(service, path)).statusCode).toBe(200)
    expect((await service.send('GET', '/me/', undefined, squatter)).statusCode).toBe(401)
    expect(await service.users.findByEmail(email)).toMatchObject({ username: 'gus', roles: ['editor'] })
  })

  test('takes effect with a reset link as well, and not after it has expired', async () => {
    for (const [isLive, expected] of [
      [true, ['editor']],
      [false, []],
    ] as const) {
      const service = await inviting()
      const made = await service.app.accounts.invite({ email, roles: ['editor'] })
      if (!isLive) {
        const user = await service.users.findByEmail(email)
        const credentials = user?.credentials.map((each) => ({ ...each, expiresAt: '2020-01-01T00:00:00Z' }))
        await service.users.update(made?.id ?? '', { credentials }, user?.version ?? 0)
      }
      await service.send('POST', '/forgot/', { email })
      const path = linkPath(await service.mail('reset-password', email))
      expect((await service.send('POST', path, choice)).statusCode).toBe(isLive ? 204 : 400)
      expect(await service.users.findByEmail(email)).toMatchObject({ roles: expected, isVerified: isLive })
    }
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

  test('ends with a change of the address', async () => {
    const service = await inviting()
    const made = await service.app.accounts.invite({ email, roles: ['editor'] })
    const path = await linkOf(service)
    const moved = 'moved@example.org'
    await service.app.accounts.updateUser(made?.id ?? '', { email: moved })
    expect((await accept(service, path)).json()).toMatchObject({ code: 'ACCOUNTS_INVALID_LINK' })
    await service.send('POST', '/forgot/', { email: moved })
    await service.send('POST', linkPath(await service.mail('reset-password', moved)), choice)
    expect(await service.users.findByEmail(moved)).toMatchObject({ isVerified: true, roles: [] })
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

  test('is gone for whoever got a password from the app for the account', async () => {
    const service = await inviting()
    const { id } = (await service.app.accounts.invite({ email, roles: ['editor'] })) ?? { id: '' }
    const path = await linkOf(service)
    await service.app.accounts.setPassword(id, goodPassword)
    expect((await accept(service, path)).json()).toMatchObject({ code: 'ACCOUNTS_INVALID_LINK' })
  })

  test('is over once it was withdrawn while somebody accepts it, or the other way round', async () => {
    const service = await inviting()
    const ends = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => {
        const to = `gus-${at}@example.org`
        const { id } = (await service.app.accounts.invite({ email: to })) ?? { id: '' }
        const path = linkPath(await service.mail('invitation', to))
        const [accepted, isWithdrawn] = await Promise.all([
          accept(service, path, { username: `gus-${at}`, ...choice }),
          service.app.accounts.withdrawInvitation(id),
        ])
        const user = await service.users.findById(id)
        return [accepted.statusCode === 200, isWithdrawn, user?.isVerified === true]
      }),
    )
    for (const [isAccepted, isWithdrawn, isThere] of ends) {
      expect(isAccepted).toBe(isThere)
      expect(isWithdrawn).toBe(!isAccepted)
    }
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

describe('whoever invites', () => {
  test('needs the permission, and gives no role that exceeds their own', async () => {
    const service = await inviting()
    const nobody = await userWith(service, 'nora', ['editor'])
    const greeter = await userWith(service, 'greta', ['greeter'])
    const host = await userWith(service, 'hanna', ['host'])
    const invite = async (headers: { headers: { cookie: string } }, given?: string[]) =>
      (await service.send('POST', '/invitations/', { email, ...(given && { roles: given }) }, headers))
        .statusCode
    expect(await invite(nobody)).toBe(403)
    expect(await invite(greeter, ['editor'])).toBe(403)
    expect(await invite(host, ['chief'])).toBe(403)
    expect(service.mails).toEqual([])
    expect(await invite(greeter)).toBe(202)
    const { id } = (await service.app.accounts.invite({ email, roles: ['chief'] })) ?? { id: '' }
    for (const who of [nobody, greeter, host]) {
      expect((await service.send('POST', `/invitations/${id}/send/`, undefined, who)).statusCode).toBe(403)
      expect((await service.send('DELETE', `/invitations/${id}`, undefined, who)).statusCode).toBe(403)
    }
    expect((await service.send('GET', '/invitations/', undefined, greeter)).statusCode).toBe(403)
    expect((await service.send('GET', '/invitations/', undefined, host)).json()).toMatchObject({
      results: [{ id, email, roles: ['chief'], fields: {} }],
      next: null,
    })
  })

  test('sends it again with a new link, which ends the first', async () => {
    const service = await inviting()
    const host = await userWith(service, 'hanna', ['host'])
    const { id } = (await service.app.accounts.invite({ email, roles: ['editor'] })) ?? { id: '' }
    const first = await linkOf(service)
    expect((await service.send('POST', `/invitations/${id}/send/`, undefined, host)).statusCode).toBe(204)
    const second = await linkOf(service)
    await service.send('POST', '/invitations/', { email, fields: { city: 'Ulm' } }, host)
    const third = await linkOf(service)
    for (const ended of [first, second])
      expect((await accept(service, ended)).json()).toMatchObject({ code: 'ACCOUNTS_INVALID_LINK' })
    expect((await accept(service, third)).statusCode).toBe(200)
    expect(await service.users.findByEmail(email)).toMatchObject({
      roles: ['editor'],
      fields: { city: 'Ulm' },
    })
    expect((await service.send('POST', `/invitations/${id}/send/`, undefined, host)).statusCode).toBe(404)
  })

  test('withdraws it, with the account that was made for it, and no other', async () => {
    const service = await inviting({ requireEmailConfirmation: false })
    const host = await userWith(service, 'hanna', ['host'])
    const { id } = (await service.app.accounts.invite({ email })) ?? { id: '' }
    const path = await linkOf(service)
    expect((await service.send('DELETE', `/invitations/${id}`, undefined, host)).statusCode).toBe(204)
    expect((await accept(service, path)).json()).toMatchObject({ code: 'ACCOUNTS_INVALID_LINK' })
    expect(await service.users.findById(id)).toBeNull()

    const { id: own } = await signUp(service, 'gus', { email })
    await service.app.accounts.invite({ email })
    expect(await service.app.accounts.withdrawInvitation(own)).toBe(true)
    expect(await service.app.accounts.withdrawInvitation(own)).toBe(false)
    expect(await service.users.findById(own)).toMatchObject({ username: 'gus', invitedAt: null })

    await service.app.accounts.invite({ email })
    await accept(service, await linkOf(service))
    expect((await service.send('DELETE', `/invitations/${own}`, undefined, host)).statusCode).toBe(404)
    expect(await service.users.findById(own)).toMatchObject({ isVerified: true })
  })
})

test("the app's own code lists and sends invitations, page by page", async () => {
  const service = await inviting()
  const { accounts } = service.app
  for (let at = 0; at < 51; at += 1) await accounts.invite({ email: `gus-${at}@example.org` })
  const { invitations: first, next } = await accounts.listInvitations()
  const rest = await accounts.listInvitations({ cursor: next ?? '' })
  expect([first.length, rest.invitations.length, rest.next]).toEqual([50, 1, null])
  expect(await accounts.resendInvitation(first[0]?.id ?? '')).toBe(true)
  expect(await accounts.resendInvitation('nobody')).toBe(false)
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
  const without = inviting({ users: false, requireEmailConfirmation: undefined })
  await expect(without).rejects.toThrow(/features has invitations, which needs users/)
  const service = await inviting({ features: [] })
  await expect(service.app.accounts.invite({ email })).rejects.toThrow('need the feature invitations()')
})
