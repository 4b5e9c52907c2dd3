import { cookiesOf, headersOf, varyingHeaders, withoutValue } from './compare-headers.js'
import type {
  Enquirer,
  EnquirersBrowser,
  NoEnumerationOptions,
  SecondRequest,
} from './enumeration-options.js'
import {
  broken,
  difference,
  type InjectableApp,
  inTime,
  notFound,
  randomName,
  send,
  unlikely,
} from './inject.js'

/** A response, as far as it must be the same for everybody. */
interface Response extends SecondRequest {
  facts: Record<'status' | 'body' | 'cookies' | 'hashes', string>
  headers: Record<string, unknown>
}

/**
 * Signs up with each address, an unused one last, and compares the responses to everything that somebody could request
 * then: the sign-up itself reveals nothing, so nothing after it may.
 * @returns what was the same for all; nothing without the path of sign-up
 */
export async function compareSecondRequests(
  app: InjectableApp,
  options: NoEnumerationOptions,
): Promise<SecondRequest[]> {
  const { account, others = [], paths = {}, alsoAsk, addressAlone = false } = options
  if (!paths.create) return []
  const emails = [account, ...others].map(({ email }, index) => [`account ${index + 1}`, email] as const)
  // A cookie may hold what somebody typed, so an address is compared with an unused one of its length.
  const lengths = new Set(emails.map(([, email]) => Buffer.byteLength(email)))
  const addresses = new Set(emails.map(([, email]) => email))
  const walks = [
    account.username === undefined ? askWithoutName : askByName,
    ...(account.username === undefined ? [] : [askWithAddressAsName]),
    ...(addressAlone ? [askWithAddressAlone] : []),
    ...(alsoAsk === undefined ? [] : [alsoAsk]),
  ]
  const compared: SecondRequest[] = []
  options.mailer?.hold()
  try {
    for (const walk of walks) {
      const alike: SecondRequest[][] = []
      for (const length of lengths) {
        const responses: [string, Response[]][] = []
        const asLong = emails.filter(([, email]) => Buffer.byteLength(email) === length)
        const unused = ['nobody', 'nobody else'].map(
          (name) => [name, unusedAddress(length, addresses)] as const,
        )
        for (const [name, email] of [...asLong, ...unused])
          responses.push([name, await responsesTo(app, options, { name, email }, walk)])
        alike.push(compare(responses))
      }
      compared.push(...(alike[0] ?? []))
    }
  } finally {
    options.mailer?.release()
  }
  return compared
}

/** An address that nobody has, of this length, or of 15 characters if that is less. */
function unusedAddress(length: number, addresses: Set<string>): string {
  const domain = '@example.org'
  for (;;) {
    const address = `${randomName(Math.max(3, length - domain.length))}${domain}`
    if (addresses.has(address)) continue
    addresses.add(address)
    return address
  }
}

type Walk = (enquirer: Enquirer, options: NoEnumerationOptions) => Promise<void>

async function askByName(
  enquirer: Enquirer,
  { paths = {}, fields = {} }: NoEnumerationOptions,
): Promise<void> {
  const { email, username, password, ask } = enquirer
  const { login = '/login/' } = paths
  const create = paths.create || ''
  const account = { ...fields, password, confirm_password: password }
  const browser: EnquirersBrowser = new Map()
  await ask('sign up', create, { ...account, username, email }, browser)
  if (login !== false) {
    await ask('log in by name', login, { username, password })
    await ask('log in by name, in the same browser', login, { username, password }, browser)
    await ask('log in by name with a wrong password', login, { username, password: unlikely() })
  }
  const other = `${unlikely()}@example.org`
  await ask('sign up with the same name', create, { ...account, username, email: other })
  const again = unlikely()
  await ask('sign up with the same address', create, { ...account, username: again, email })
  if (login !== false) await ask('log in by the other name', login, { username: again, password })
  // As after a typo in the name.
  const newest = unlikely()
  const last = { ...account, username: newest, email }
  await ask('sign up with the same address, in the same browser', create, last, browser)
  if (login !== false)
    await ask(
      'log in by the newest name, in the same browser',
      login,
      { username: newest, password },
      browser,
    )
  await askByAddress(enquirer, paths, browser)
}

async function askWithoutName(
  enquirer: Enquirer,
  { paths = {}, fields = {} }: NoEnumerationOptions,
): Promise<void> {
  const { email, password, ask } = enquirer
  const create = paths.create || ''
  const account = { ...fields, password, confirm_password: password }
  const browser: EnquirersBrowser = new Map()
  await ask('sign up', create, { ...account, email }, browser)
  await ask('sign up with the same address', create, { ...account, email })
  await askByAddress(enquirer, paths, browser)
}

/** Somebody who signs up without a password, twice. */
async function askWithAddressAlone(
  enquirer: Enquirer,
  { account, paths = {}, fields = {} }: NoEnumerationOptions,
): Promise<void> {
  const { email, username, ask } = enquirer
  const create = paths.create || ''
  const named = (name: string) => (account.username === undefined ? {} : { username: name })
  const browser: EnquirersBrowser = new Map()
  await ask('sign up with the address alone', create, { ...fields, ...named(username), email }, browser)
  await ask('sign up with it again', create, { ...fields, ...named(unlikely()), email }, browser)
  await ask('sign up with it elsewhere', create, { ...fields, ...named(unlikely()), email })
  await askByAddress(enquirer, paths, browser)
}

/** An account may have its address as its name. */
async function askWithAddressAsName(
  { email, password, ask }: Enquirer,
  { paths = {}, fields = {} }: NoEnumerationOptions,
): Promise<void> {
  const { login = '/login/' } = paths
  const create = paths.create || ''
  const account = { ...fields, password, confirm_password: password }
  await ask('sign up with the address as the name', create, { ...account, username: email, email })
  if (login !== false) await ask('log in by that name', login, { username: email, password })
}

async function askByAddress(
  { email, password, ask }: Enquirer,
  {
    login = '/login/',
    forgot = '/forgot/',
    resend = false,
    code = false,
  }: NonNullable<NoEnumerationOptions['paths']>,
  browser: EnquirersBrowser,
): Promise<void> {
  if (login !== false) {
    await ask('log in by address', login, { username: email, password })
    await ask('log in by address, in the same browser', login, { username: email, password }, browser)
  }
  for (const path of [forgot, resend, code]) {
    if (path !== false) await ask('request an email, in the same browser', path, { email }, browser)
  }
}

/** The responses to one enquirer. */
async function responsesTo(
  app: InjectableApp,
  options: NoEnumerationOptions,
  { name, email }: { name: string; email: string },
  walk: Walk,
): Promise<Response[]> {
  const { hasher } = options
  const responses: Response[] = []
  const username = unlikely()
  const ask: Enquirer['ask'] = async (request, path, payload, browser = new Map()) => {
    const before = hasher?.calls ?? 0
    const response = await inTime(path, name, send(app, path, payload, cookieHeader(browser)))
    const hashes = hasher ? hasher.calls - before : null
    const { statusCode: status, headers } = response
    const cookies = cookiesOf(headers)
    for (const cookie of cookies) keep(browser, cookie)
    const shared = (text: string) => text.replaceAll(email, '<email>').replaceAll(username, '<username>')
    const body = shared(response.body)
    const shownHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        typeof value === 'string' ? shared(value) : value,
      ]),
    )
    const facts = {
      status: `${status}`,
      body: status === 200 || status === 201 ? `${body.length} characters` : body,
      cookies: cookies.map(withoutValue).sort().join(', '),
      hashes: `${hashes}`,
    }
    responses.push({ request, path, status, hashes, facts, headers: shownHeaders })
    return response
  }
  await walk({ email, username, password: unlikely(), ask }, options)
  return responses
}

/** @throws AssertionError at the first difference */
function compare(responses: readonly [string, Response[]][]): SecondRequest[] {
  const [[firstName, expected], ...others] = responses as [[string, Response[]], ...[string, Response[]][]]
  const unused = responses.slice(-2).map(([, all]) => all)
  return expected.map((first, index) => {
    const { request, path, status, hashes } = first
    const [one, other] = unused.map((all) => all[index]?.headers ?? {})
    const varying = varyingHeaders(one ?? {}, other ?? {})
    const factsOf = (each: Response) => ({ ...each.facts, headers: headersOf(each.headers, varying) })
    const facts = factsOf(first)
    for (const [name, { [index]: response }] of others) {
      for (const what of ['status', 'body', 'headers', 'cookies', 'hashes'] as const) {
        const fact = response === undefined ? 'no request' : factsOf(response)[what]
        if (fact === facts[what]) continue
        const pair = `"${firstName}" from "${name}" once somebody has signed up`
        broken(`${path} tells ${pair} (${request}) by ${what}: ${difference(facts[what], fact)}`)
      }
    }
    if (status === 404) broken(notFound(`${path} (${request})`))
    if (index === 0 && status >= 400) broken(`${path} returns ${status} to all sign-ups: ${facts.body}`)
    return { request, path, status, hashes }
  })
}

function cookieHeader(browser: EnquirersBrowser): Record<string, string> {
  const pairs = [...browser].map(([name, value]) => `${name}=${value}`)
  return pairs.length === 0 ? {} : { cookie: pairs.join('; ') }
}

function keep(browser: EnquirersBrowser, cookie: string): void {
  const [pair = '', ...attributes] = cookie.split(/; */)
  const at = pair.indexOf('=')
  const [name, value] = [pair.slice(0, at), pair.slice(at + 1)]
  if (value === '' || attributes.some((each) => /^max-age=0$/i.test(each))) browser.delete(name)
  else browser.set(name, value)
}
