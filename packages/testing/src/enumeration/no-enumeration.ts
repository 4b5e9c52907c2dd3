import type { Mailer, PasswordHasher } from 'fastify-accounts'
import { headersOf, varyingHeaders, withoutValue } from './compare-headers.js'
import type {
  CheckedAccount,
  CountingHasher,
  HeldMailer,
  NoEnumerationOptions,
  NoEnumerationReport,
} from './enumeration-options.js'
import {
  broken,
  difference,
  type InjectableApp,
  type InjectedResponse,
  inTime,
  notFound,
  send,
  shown,
  unlikely,
} from './inject.js'
import { compareSecondRequests } from './second-requests.js'

/** Counts the calls of a hasher; pass the result to the plugin and to `assertNoEnumeration`. */
export function countHashes(hasher: PasswordHasher): CountingHasher {
  let calls = 0
  return {
    get calls() {
      return calls
    },
    hash(password) {
      calls += 1
      return hasher.hash(password)
    },
    verify(password, hash) {
      calls += 1
      return hasher.verify(password, hash)
    },
    canVerify: (hash) => hasher.canVerify(hash),
    needsRehash: (hash) => hasher.needsRehash(hash),
  }
}

/** Makes a mailer that can be paused; pass the result to the plugin and to `assertNoEnumeration`. */
export function holdMails(mailer: Mailer): HeldMailer {
  let gate: Promise<void> | undefined
  let open = (): void => {}
  const resetsFor = new Set<string>()
  return {
    resetsFor,
    async send(mail) {
      if (mail.kind === 'reset-password') resetsFor.add(mail.to.address)
      await gate
      return mailer.send(mail)
    },
    hold() {
      gate = new Promise((resolve) => {
        open = resolve
      })
    },
    release() {
      gate = undefined
      open()
    },
  }
}

/** Who is requested, and the request body. Made anew for each attempt, if attempts must differ. */
type Asked = Record<string, () => Record<string, unknown>>

/** Milliseconds that an email may take to reach the mailer after the response. */
const mailPatience = 3_000

/**
 * Checks on your own app, with its hooks and adapters, that no response reveals whether an account exists:
 * same status, same body, same headers, same number of hashes, and no wait for the mailer, for existing
 * accounts in any state and for missing ones, asked once and twice at the same time. With the path `create` also that nobody can find out with further requests,
 * once they have signed up with the address. Makes failed logins, sign-ups and emails for the given accounts.
 * @throws AssertionError of one line that names the route and the difference
 */
export async function assertNoEnumeration(
  app: InjectableApp,
  options: NoEnumerationOptions,
): Promise<NoEnumerationReport> {
  const report: NoEnumerationReport = { compared: [], secondRequests: [], medians: [] }
  for (const [path, requests, status] of routesOf(options)) {
    report.compared.push(await compareResponses(app, path, requests, status, options))
    // Failed logins use up attempts, and change nothing that a second one could find.
    if (status !== 401) await compareTwice(app, path, requests, options)
    if (options.timing) report.medians.push(await compareTimes(app, path, requests, options.timing))
    // Before signing up with the address makes one.
    if (path === forgotPath(options)) await checkAccount(options)
  }
  for (const [name, ask] of Object.entries(options.alsoCompare ?? {})) await compareCalls(name, ask, options)
  report.secondRequests.push(...(await compareSecondRequests(app, options)))
  return report
}

const forgotPath = ({ paths }: NoEnumerationOptions): string | false => paths?.forgot ?? '/forgot/'

/** If no reset link was sent the account doesn't exist, and the comparison would be meaningless. */
async function checkAccount({ account, mailer }: NoEnumerationOptions): Promise<void> {
  if (mailer === undefined) return
  for (let waited = 0; !mailer.resetsFor.has(account.email); waited += 20) {
    if (waited >= mailPatience) broken(`no reset link came for ${account.email}; is there such an account?`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Each path, who is requested there, and the status of a response that reveals nothing; `null` is any. */
function routesOf({
  account,
  others = [],
  paths = {},
  fields = {},
  refusedFields = [],
  addressAlone = false,
}: NoEnumerationOptions): [string, Asked, number | null][] {
  const { login = '/login/', forgot = '/forgot/', create = false, resend = false, code = false } = paths
  const accounts = [account, ...others]
  const hasName = account.username !== undefined
  const named = (prefix: string, ask: (one: CheckedAccount) => object | null): Asked =>
    Object.fromEntries(
      accounts.flatMap((one, index) => {
        const body = ask(one)
        return body === null ? [] : [[`${prefix} ${index + 1}`, () => ({ ...body })]]
      }),
    )
  const password = unlikely()
  const byEmail = {
    ...named('account', ({ email }) => ({ email })),
    nobody: () => ({ email: `${unlikely()}@example.org` }),
  }
  const signUps = (extras: object): Asked =>
    Object.fromEntries(
      Object.entries(byEmail).map(([name, ask]) => [
        name,
        () => ({ ...fields, ...ask(), ...(hasName && { username: unlikely() }), ...extras }),
      ]),
    )
  const choice = { password, confirm_password: password }
  const routes: [string | false, Asked, number | null][] = [
    [
      login,
      {
        ...named('account', ({ username }) => (username === undefined ? null : { username, password })),
        nobody: () => ({ username: unlikely(), password }),
        ...named('address', ({ email }) => ({ username: email, password })),
        'no address': () => ({ username: `${unlikely()}@example.org`, password }),
      },
      401,
    ],
    [forgot, byEmail, 202],
    [resend, byEmail, 202],
    [code, byEmail, 202],
    [create, signUps(choice), 202],
    ...refusedFields.map((fields): [string | false, Asked, null] => [
      create,
      signUps({ ...choice, ...fields }),
      null,
    ]),
    [addressAlone && create, signUps({}), 202],
  ]
  return routes.flatMap(([path, requests, status]) =>
    path === false ? [] : [[path, requests, status] as [string, Asked, number | null]],
  )
}

/** What somebody sees of a response, or of several at once. */
interface Seen {
  status: number
  body: string
  /** Of each response. */
  headers: Record<string, unknown>[]
  hashes: number | null
}

/** Of each response, the names of headers that are other for everybody. */
type Varying = readonly ReadonlySet<string>[]

/** Has everybody ask, then two people without an account, whose responses tell which headers vary. */
async function seenBy(
  names: readonly string[],
  ask: (name: string) => Promise<Omit<Seen, 'hashes'>>,
  { hasher, mailer }: NoEnumerationOptions,
): Promise<{ seen: Seen[]; varying: Varying }> {
  const counted = async (name: string): Promise<Seen> => {
    const before = hasher?.calls ?? 0
    const response = await ask(name)
    return { ...response, hashes: hasher ? hasher.calls - before : null }
  }
  mailer?.hold()
  try {
    const seen: Seen[] = []
    for (const name of names) seen.push(await counted(name))
    const [one, other] = [await counted('nobody'), await counted('nobody')]
    const varying = one.headers.map((each, index) => varyingHeaders(each, other.headers[index] ?? {}))
    return { seen, varying }
  } finally {
    mailer?.release()
  }
}

/** @throws AssertionError at the first difference */
function compareSeen(
  path: string,
  names: readonly string[],
  { seen, varying }: { seen: readonly Seen[]; varying: Varying },
): Seen {
  const [first, ...rest] = seen
  if (first === undefined) throw new TypeError('there is nothing to compare')
  // A cookie may hold what somebody typed, so only those who typed as much have one of the same length.
  const anyLength = (cookie: string) => withoutValue(cookie).replace(/=<\d+>/, '')
  const facts = (one: Seen) => ({
    ...one,
    headers: one.headers.map((each, index) => headersOf(each, varying[index], anyLength)).join(' | '),
  })
  for (const [index, response] of rest.entries()) {
    for (const what of ['status', 'body', 'headers', 'hashes'] as const) {
      const [expected, value] = [`${facts(first)[what]}`, `${facts(response)[what]}`]
      if (value === expected) continue
      broken(
        `${path} tells "${names[0]}" from "${names[index + 1]}" by ${what}: ${difference(expected, value)}`,
      )
    }
  }
  return first
}

async function compareResponses(
  app: InjectableApp,
  path: string,
  requests: Asked,
  status: number | null,
  options: NoEnumerationOptions,
): Promise<NoEnumerationReport['compared'][0]> {
  const names = Object.keys(requests)
  const ask = async (name: string) => {
    const { statusCode, body, headers } = await inTime(path, name, send(app, path, requests[name]?.() ?? {}))
    return { status: statusCode, body, headers: [headers] }
  }
  const first = compareSeen(path, names, await seenBy(names, ask, options))
  if (first.status === 404) broken(`${path} is not mounted; set paths to where it is`)
  if (status !== null && first.status !== status)
    broken(`${path} returns ${first.status} to all, not ${status}: ${shown(first.body)}`)
  return { path, status: first.status, requests: names, hashes: first.hashes }
}

/** Asks twice at once, with other names: of two sign-ups with one address the second may find what the first has made. */
async function compareTwice(
  app: InjectableApp,
  path: string,
  requests: Asked,
  options: NoEnumerationOptions,
): Promise<void> {
  const names = Object.keys(requests)
  const ask = async (name: string) => {
    const [one = {}, other = {}] = [requests[name]?.(), requests[name]?.()]
    const same = 'email' in one ? { email: one.email } : one
    const both = [one, { ...other, ...same }].map((payload) => inTime(path, name, send(app, path, payload)))
    const responses = (await Promise.all(both)).toSorted((a, b) => a.statusCode - b.statusCode)
    return {
      status: Number(responses.map(({ statusCode }) => statusCode).join('')),
      body: responses.map(({ body }) => body).join(' '),
      headers: responses.map(({ headers }) => headers),
    }
  }
  compareSeen(`${path} (twice at once)`, names, await seenBy(names, ask, options))
}

/** What the app itself asks about each address. */
async function compareCalls(
  path: string,
  call: (email: string) => PromiseLike<InjectedResponse>,
  options: NoEnumerationOptions,
): Promise<void> {
  const { account, others = [] } = options
  const addresses = Object.fromEntries(
    [account, ...others].map(({ email }, index) => [`account ${index + 1}`, email] as const),
  )
  const names = [...Object.keys(addresses), 'nobody']
  const ask = async (name: string) => {
    const email = addresses[name] ?? `${unlikely()}@example.org`
    const { statusCode, body, headers } = await inTime(path, name, call(email))
    return { status: statusCode, body: body.replaceAll(email, '<email>'), headers: [headers] }
  }
  const { status } = compareSeen(path, names, await seenBy(names, ask, options))
  if (status === 404) broken(notFound(path))
}

async function compareTimes(
  app: InjectableApp,
  path: string,
  requests: Asked,
  timing: Exclude<NoEnumerationOptions['timing'], undefined>,
): Promise<NoEnumerationReport['medians'][0]> {
  const { rounds = 100, tolerance = 0.05 } = timing === true || timing === false ? {} : timing
  const samples = new Map<string, number[]>(Object.keys(requests).map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, times] of samples) {
      const start = performance.now()
      const { statusCode } = await send(app, path, requests[name]?.() ?? {})
      times.push(performance.now() - start)
      if (statusCode === 429) broken(`${path} is throttled; register with throttle: false to compare times`)
    }
  }
  const medians = [...samples].map(([name, times]) => [name, medianOf(times)] as const)
  const [, least] = medians.reduce((a, b) => (b[1] < a[1] ? b : a))
  const [slowest, most] = medians.reduce((a, b) => (b[1] > a[1] ? b : a))
  if (most - least > tolerance * most) {
    const figures = medians.map(([name, median]) => `${name} ${median.toFixed(2)} ms`).join(', ')
    broken(`${path} tells "${slowest}" by time: ${figures}`)
  }
  return { path, milliseconds: Object.fromEntries(medians) }
}

function medianOf(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
