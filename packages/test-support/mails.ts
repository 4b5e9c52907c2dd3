import type { AccountsOptions, Mail, MailKind, SessionStore } from 'fastify-accounts'
import { noPassword } from '../accounts/src/user.js'
import {
  goodPassword,
  type Host,
  linkPath,
  linkTarget,
  logIn,
  otherPassword,
  type TestApp,
  testApp,
} from './app.js'

/** A username that breaks emails without escaping. Sign-up rejects it, but a script could have stored it. */
export const hostileName = '<b>"Ann"</b>\r\nBcc: evil@example.com'

/** The emails of every app; the others are tested with the features that send them. */
export type OwnKind = Exclude<
  MailKind,
  | 'password-removed'
  | 'login-code'
  | 'confirmation-code'
  | 'factor-added'
  | 'factor-removed'
  | 'factor-guessed'
  | 'factor-turned-off'
  | 'recovery-codes-changed'
  | 'recovery-codes-low'
  | 'token-reused'
  | 'api-key-added'
  | 'api-key-removed'
  | 'invitation'
  | 'invitation-known'
>

/** Causes a kind of email by requests. The last request, which triggers it, carries `headers`. */
type Cause = (service: TestApp<SessionStore>, headers: Record<string, string>) => Promise<Mail>

const email = 'alice@example.org'
const newEmail = 'alice@example.net'
const creation = { password: goodPassword, confirm_password: goodPassword, email }

export const causes: Record<OwnKind, Cause> = {
  async 'reset-password'(service, headers) {
    await service.send('POST', '/forgot/', { email }, { headers })
    return service.mail('reset-password')
  },
  async 'choose-password'(service, headers) {
    await service.send('POST', linkPath(await causes['new-device'](service, {})), undefined, { headers })
    return service.mail('choose-password')
  },
  async 'verify-email'(service, headers) {
    await service.send(
      'POST',
      '/user/',
      { ...creation, username: 'bob', email: 'bob@example.org' },
      { headers },
    )
    return service.mail('verify-email', 'bob@example.org')
  },
  async 'account-exists'(service, headers) {
    await service.send('POST', '/user/', { ...creation, username: 'bob' }, { headers })
    return service.mail('account-exists')
  },
  async 'account-changed'(service, headers) {
    await service.app.accounts.createUser({
      username: 'boss',
      password: goodPassword,
      email: 'boss@example.org',
      isVerified: true,
      isStaff: true,
    })
    const alice = await service.users.findByEmail(email)
    const cookie = await logIn(service, 'boss')
    const change = { is_verified: false }
    await service.send('PATCH', `/user/${alice?.id}`, change, { headers: { ...headers, cookie } })
    return service.mail('account-changed', email)
  },
  async 'account-deleted'(service, headers) {
    const cookie = await logIn(service)
    await service.send('DELETE', '/me/', undefined, { headers: { ...headers, cookie } })
    return service.mail('account-deleted', email)
  },
  async 'factor-reset'(service, headers) {
    const link = linkPath(await causes['new-device'](service, {}))
    const alice = await service.users.findByEmail(email)
    // As an app that somebody has added since the login.
    const app = { kind: 'totp', id: 'app', createdAt: new Date().toISOString() }
    const factor = { factors: ['totp'], credentials: [app] }
    await service.users.update(alice?.id ?? '', factor, alice?.version ?? 0)
    await service.send('POST', link, undefined, { headers })
    return service.mail('factor-reset', email)
  },
  async 'password-changed'(service, headers) {
    await service.send('POST', '/forgot/', { email })
    const path = linkPath(await service.mail('reset-password'))
    const body = { new_password: otherPassword, confirm_password: otherPassword }
    await service.send('POST', path, body, { headers })
    return service.mail('password-changed')
  },
  async 'password-added'(service, headers) {
    const cookie = await logIn(service)
    const alice = await service.users.findByEmail(email)
    await service.users.update(alice?.id ?? '', { passwordHash: noPassword }, alice?.version ?? 0)
    const body = { new_password: otherPassword, confirm_password: otherPassword }
    await service.send('POST', '/change-password/', body, { headers: { ...headers, cookie } })
    return service.mail('password-added')
  },
  async 'change-email'(service, headers) {
    const cookie = await logIn(service)
    await service.send('POST', '/change-email/', { email: newEmail }, { headers: { ...headers, cookie } })
    return service.mail('change-email', newEmail)
  },
  async 'email-changed'(service, headers) {
    const link = linkTarget(await causes['change-email'](service, headers))
    await service.send('POST', link, undefined, { headers })
    return service.mail('email-changed', email)
  },
  async 'email-taken'(service, headers) {
    await service.app.accounts.createUser({ username: 'bob', password: goodPassword })
    const cookie = await logIn(service, 'bob')
    await service.send('POST', '/change-email/', { email }, { headers: { ...headers, cookie } })
    return service.mail('email-taken', email)
  },
  async 'new-device'(service, headers) {
    await logIn(service)
    await service.send('POST', '/login/', { username: 'alice', password: goodPassword }, { headers })
    return service.mail('new-device', email)
  },
}

/** The emails without a link. */
export const withoutLink: readonly OwnKind[] = ['account-changed', 'account-deleted', 'email-taken']

export const mailKinds = Object.keys(causes) as OwnKind[]

/** An app with one user, alice. */
export async function mailApp(
  options: Partial<AccountsOptions> = {},
  alice: { username?: string; fields?: Record<string, string> } = {},
  host: Host = {},
): Promise<TestApp> {
  const service = await testApp({ requireEmailConfirmation: true, ...options }, host)
  const { id } = await service.app.accounts.createUser({
    username: 'alice',
    password: goodPassword,
    email,
    isVerified: true,
    ...(alice.fields && { fields: alice.fields }),
  })
  if (alice.username !== undefined) {
    const user = await service.users.findById(id)
    await service.users.update(id, { username: alice.username }, user?.version ?? 0)
  }
  return service
}
