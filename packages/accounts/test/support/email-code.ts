import type { Mail } from '../../src/index.js'
import type { TestApp } from './app.js'

export const email = 'alice@example.org'

type Sender = Pick<TestApp, 'send'>
type Answer = Awaited<ReturnType<TestApp['send']>>

/** The cookie of the browser that asked for a code, as the browser would send it. */
export function askedCookie(answer: Answer): string {
  const cookie = answer.cookies.find(({ name }) => name.endsWith('session-code'))
  if (answer.statusCode !== 202 || cookie === undefined) throw new Error(answer.body)
  return `${cookie.name}=${cookie.value}`
}

/** Asks for a code; returns the cookie of the browser. */
export async function askCode({ send }: Sender, address = email): Promise<string> {
  return askedCookie(await send('POST', '/login/code/', { email: address }))
}

/** The code in a mail. */
export function codeIn({ text }: Mail): string {
  const [code] = /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/.exec(text) ?? []
  if (code === undefined) throw new Error(`the mail has no code: ${text}`)
  return code
}

/** Asks for a code, and waits for its mail. */
export async function newCode(
  service: Pick<TestApp, 'send' | 'mail' | 'mails'>,
  address = email,
): Promise<{ cookie: string; code: string; mail: Mail }> {
  service.mails.length = 0
  const cookie = await askCode(service, address)
  const mail = await service.mail('login-code', address)
  return { cookie, code: codeIn(mail), mail }
}

export const giveCode = (
  { send }: Sender,
  { cookie, code }: { cookie: string; code: string },
  extra: object = {},
) => send('POST', '/login/code/confirm/', { code, ...extra }, { headers: { cookie } })

/** One that is not right, whatever is. */
export const otherThan = (code: string): string => (code === 'AAAA-AAAA' ? 'BBBB-BBBB' : 'AAAA-AAAA')
