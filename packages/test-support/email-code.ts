import type { Mail } from 'fastify-accounts'
import { cookieOf, otherPassword, type TestApp } from './app.js'

export const email = 'alice@example.org'

type Sender = Pick<TestApp, 'send'>
type Response = Awaited<ReturnType<TestApp['send']>>

/** The cookie of the browser that requested a code, as the browser would send it. */
export function askedCookie(response: Response, kept = 'session-code'): string {
  const cookie = response.cookies.find(({ name }) => name.endsWith(kept))
  if (response.statusCode !== 202 || cookie === undefined) throw new Error(response.body)
  return `${cookie.name}=${cookie.value}`
}

/** The cookie that a browser has from earlier requests. */
const withCookie = (cookie: string | undefined) => (cookie === undefined ? {} : { headers: { cookie } })

/** Requests a code; returns the browser's cookie. */
export async function askCode({ send }: Sender, address = email, cookie?: string): Promise<string> {
  return askedCookie(await send('POST', '/login/code/', { email: address }, withCookie(cookie)))
}

/** The code in a mail. */
export function codeIn({ text }: Mail): string {
  const [code] = /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(text) ?? []
  if (code === undefined) throw new Error(`the mail has no code: ${text}`)
  return code
}

/** Requests a code, and waits for its email. */
export async function newCode(
  service: Pick<TestApp, 'send' | 'mail' | 'mails'>,
  address = email,
  earlier?: string,
): Promise<{ cookie: string; code: string; mail: Mail }> {
  service.mails.length = 0
  const cookie = await askCode(service, address, earlier)
  const mail = await service.mail('login-code', address)
  return { cookie, code: codeIn(mail), mail }
}

export const giveCode = (
  { send }: Sender,
  { cookie, code }: { cookie: string; code: string },
  extra: object = {},
) => send('POST', '/login/code/confirm/', { code, ...extra }, { headers: { cookie } })

/** Requests a new password; returns the browser's cookie. */
export async function askReset({ send }: Sender, address = email, cookie?: string): Promise<string> {
  const response = await send('POST', '/forgot/', { email: address }, withCookie(cookie))
  return askedCookie(response, 'session-reset-code')
}

/** Requests a new password, and waits for the email with the code. */
export async function newResetCode(
  service: Pick<TestApp, 'send' | 'mail' | 'mails'>,
  address = email,
  earlier?: string,
): Promise<{ cookie: string; code: string; mail: Mail }> {
  service.mails.length = 0
  const cookie = await askReset(service, address, earlier)
  const mail = await service.mail('reset-password', address)
  return { cookie, code: codeIn(mail), mail }
}

/** Sets a new password with a code. */
export const resetByCode = (
  { send }: Sender,
  { cookie, code }: { cookie: string; code: string },
  password = otherPassword,
  extra: object = {},
) =>
  send(
    'POST',
    '/reset/code/',
    { code, new_password: password, confirm_password: password, ...extra },
    { headers: { cookie } },
  )

/** A code that differs from the correct one. */
export const otherThan = (code: string): string => (code === 'AAAA-AAAA' ? 'BBBB-BBBB' : 'AAAA-AAAA')

/** Requests a confirmation code; returns the one in its email. */
export async function confirmationCode(
  service: Pick<TestApp, 'send' | 'mail' | 'mails'>,
  cookie: string,
): Promise<string> {
  service.mails.length = 0
  const asked = await askConfirmation(service, cookie)
  if (asked.statusCode !== 202) throw new Error(asked.body)
  return codeIn(await service.mail('confirmation-code'))
}

export const askConfirmation = ({ send }: Sender, cookie: string) =>
  send('POST', '/confirm/code/', undefined, { headers: { cookie } })

export const confirmBy = ({ send }: Sender, cookie: string, code: string) =>
  send('POST', '/confirm/', { email_code: code }, { headers: { cookie } })

/** Logs in by a code. */
export async function logInByCode(
  service: Pick<TestApp, 'send' | 'mail' | 'mails'>,
  address = email,
): Promise<string> {
  return cookieOf(await giveCode(service, await newCode(service, address)))
}

/** Whether a session may do actions reserved for the owner. */
export async function isConfirmed({ send }: Sender, cookie: string): Promise<boolean> {
  const asked = await send('POST', '/change-email/', { email: 'new@example.org' }, { headers: { cookie } })
  return asked.statusCode === 202
}
