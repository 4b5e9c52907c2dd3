import { passkeys } from '@fastify-accounts/passkeys'
import { goodPassword, linkPath, otherPassword, type TestApp } from '@fastify-accounts/test-support/app'
import { refusalOf } from '@fastify-accounts/test-support/app-browser'
import { create, type SoftPasskey } from '@fastify-accounts/test-support/passkeys/authenticator'
import { origin, passkeyApp, visitor } from '@fastify-accounts/test-support/passkeys/service'
import { type AccountsOptions, invitations, RuleError } from 'fastify-accounts'
import { noPassword } from 'fastify-accounts/features'
import { expect, it } from 'vitest'

const email = 'gus@example.org'

const inviting = (options: Partial<AccountsOptions> = {}) =>
  passkeyApp({
    features: [passkeys(), invitations()],
    roles: { editor: ['posts:write'] },
    requireEmailConfirmation: true,
    ...options,
  })

async function invite(service: TestApp, to = email): Promise<string> {
  await service.app.accounts.invite({ email: to, roles: ['editor'] })
  const path = linkPath(await service.mail('invitation', to))
  service.mails.splice(0)
  return path
}

/** A browser in front of the page of an invitation. */
function guest(service: TestApp, path: string, username = 'gus') {
  const browser = visitor(service)
  const ask = (choice: object = { username }) => browser.send('POST', `${path}passkey/options/`, choice)
  return {
    ...browser,
    ask,
    async accept(): Promise<SoftPasskey> {
      const options = await ask()
      expect(options.statusCode, options.body).toBe(200)
      const { passkey, response } = create(options.json(), origin)
      const accepted = await browser.send('POST', `${path}passkey/`, { username, response })
      expect(accepted.statusCode, accepted.body).toBe(200)
      return passkey
    },
  }
}

it('an invitation is accepted with a passkey, which logs in afterwards', async () => {
  const service = await inviting()
  const path = await invite(service)
  const gus = guest(service, path)
  const passkey = await gus.accept()
  expect(await gus.who()).toBeNull()
  const user = await service.users.findByEmail(email)
  expect(user).toMatchObject({
    username: 'gus',
    isVerified: true,
    roles: ['editor'],
    passwordHash: noPassword,
  })
  await gus.use(passkey)
  expect(await gus.who()).toBe('gus')
  expect(await service.invitations.listByEmail(user?.emailKey ?? '')).toEqual([])
  expect(refusalOf(await gus.ask())).toEqual([400, 'ACCOUNTS_INVALID_LINK'])
})

it('the account of a stranger at the address keeps nothing of theirs', async () => {
  const service = await inviting()
  const stranger = visitor(service)
  const { passkey: strangers } = await stranger.signUp('mallory', { email })
  service.mails.splice(0)
  const path = await invite(service)
  const gus = guest(service, path)
  const passkey = await gus.accept()
  expect(refusalOf(await stranger.use(strangers))).toEqual([401, 'ACCOUNTS_INVALID_OR_NOT_VERIFIED'])
  await gus.use(passkey)
  expect(await gus.who()).toBe('gus')
  expect(await service.users.findByEmail(email)).toMatchObject({ isVerified: true, roles: ['editor'] })
})

it('a proven account accepts logged in, and gets no passkey', async () => {
  const service = await inviting()
  const owner = { username: 'gus', email, password: goodPassword, isVerified: true }
  await service.app.accounts.createUser(owner)
  await service.app.accounts.invite({ email })
  const path = linkPath(await service.mail('invitation-known', email))
  const gus = guest(service, path)
  await gus.logIn('gus')
  expect(refusalOf(await gus.ask())).toEqual([401, 'ACCOUNTS_LOGIN_REQUIRED'])
  const { response } = create((await gus.send('POST', '/passkeys/options/')).json(), origin)
  const accepted = await gus.send('POST', `${path}passkey/`, { username: 'gus', response })
  expect(refusalOf(accepted)).toEqual([401, 'ACCOUNTS_LOGIN_REQUIRED'])
  expect(await service.users.findByEmail(email)).toMatchObject({ credentials: [] })
})

it('what cannot be accepted is refused before a passkey is created', async () => {
  const service = await inviting()
  await service.app.accounts.createUser({ username: 'taken', password: otherPassword })
  const gus = guest(service, await invite(service))
  expect((await gus.ask({})).json().fields).toMatchObject([{ field: 'username', code: 'required' }])
  expect((await gus.ask({ username: 'two words' })).json().fields).toMatchObject([{ field: 'username' }])
  expect(refusalOf(await gus.ask({ username: 'taken' }))).toEqual([409, 'ACCOUNTS_USERNAME_TAKEN'])
  await gus.accept()
})

it('a passkey for one invitation, or a sign-up, is none for another', async () => {
  const service = await inviting()
  const path = await invite(service)
  const other = guest(service, await invite(service, 'other@example.org'), 'other')
  const options = [
    await other.ask(),
    await other.send('POST', '/signup/passkey/options/', { username: 'gus', email }),
  ]
  for (const each of options) {
    const { response } = create(each.json(), origin)
    const accepted = await other.send('POST', `${path}passkey/`, { username: 'gus', response })
    expect(refusalOf(accepted)).toEqual([400, 'ACCOUNTS_INVALID_PASSKEY'])
  }
  expect(await service.users.findByEmail(email)).toBeNull()
})

it('a refusal by before.signUp leaves the passkey unused, and the invitation open', async () => {
  let refuses = true
  const service = await inviting({
    before: {
      signUp() {
        if (refuses) throw new RuleError('SHOP_FULL', { message: 'We are full.' })
      },
    },
  })
  const path = await invite(service)
  const gus = guest(service, path)
  const { response } = create((await gus.ask()).json(), origin)
  const accept = () => gus.send('POST', `${path}passkey/`, { username: 'gus', response })
  expect(refusalOf(await accept())).toEqual([403, 'SHOP_FULL'])
  refuses = false
  expect((await accept()).statusCode).toBe(200)
})
