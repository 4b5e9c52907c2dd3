import { type AccountsOptions, secondFactor } from 'fastify-accounts'
import { HOTP, Secret } from 'otpauth'
import { as, cookieOf, goodPassword, type Host, logIn, type TestApp, testApp } from './app.js'

/** The code that an authenticator app shows `steps` × 30 seconds from now. */
export function codeOf(secret: string, steps = 0): string {
  const counter = currentStep() + steps
  return HOTP.generate({ secret: Secret.fromBase32(secret), counter, digits: 6 })
}

const currentStep = (): number => Math.floor(Date.now() / 30_000)

/** An app with the feature, and the user alice with a verified address. */
export async function factorApp(
  options: Partial<AccountsOptions> = {},
  given: Parameters<typeof secondFactor>[0] = {},
  host: Host = {},
): Promise<TestApp & { id: string }> {
  const service = await testApp({ features: [secondFactor(given)], ...options }, host)
  const alice = { username: 'alice', password: goodPassword, email: 'alice@example.org', isVerified: true }
  const { id } = await service.app.accounts.createUser(alice)
  return { ...service, id }
}

/** Enrolls an authenticator app with the code of the previous step, so the current one is still unused. */
export async function enroll(
  service: Pick<TestApp, 'send'>,
  cookie?: string,
  name?: string,
): Promise<{ secret: string; codes: string[]; cookie: string }> {
  const from = cookie ?? (await logIn(service))
  const begun = await service.send('POST', '/second-factor/totp/', undefined, as(from))
  const { secret, token } = begun.json()
  for (;;) {
    const step = currentStep()
    const body = { code: codeOf(secret, -1), token, ...(name && { name }) }
    const done = await service.send('POST', '/second-factor/totp/confirm/', body, as(from))
    if (done.statusCode === 200) return { secret, codes: done.json().recovery_codes, cookie: cookieOf(done) }
    // If another step began meanwhile, the code may have been too old.
    if (currentStep() === step) throw new Error(`${begun.body} ${done.body}`)
  }
}

/** The first step of a login; returns the pending cookie. */
export async function firstStep(service: Pick<TestApp, 'send'>, extra: object = {}): Promise<string> {
  const response = await service.send('POST', '/login/', {
    username: 'alice',
    password: goodPassword,
    ...extra,
  })
  const pending = response.cookies.find(({ name }) => name.endsWith('-pending'))
  if (response.statusCode !== 401 || pending === undefined) throw new Error(response.body)
  return `${pending.name}=${pending.value}`
}

export const secondStep = (service: Pick<TestApp, 'send'>, cookie: string, code: string) =>
  service.send('POST', '/login/second-factor/', { code }, as(cookie))
