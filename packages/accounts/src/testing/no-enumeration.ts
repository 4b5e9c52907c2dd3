import { AssertionError } from 'node:assert'
import { randomBytes } from 'node:crypto'
import type { Mailer } from '../seams/mailer.js'
import type { PasswordHasher } from '../seams/password-hasher.js'

/** What the check needs of a Fastify app, ready or not. */
export interface InjectableApp {
  inject(request: {
    method: 'POST'
    url: string
    payload: Record<string, unknown>
    remoteAddress: string
  }): PromiseLike<{ statusCode: number; body: string; headers: Record<string, unknown> }>
}

/** A hasher that counts how often it is asked to work. */
export type CountingHasher = PasswordHasher & { readonly calls: number }

/** A mailer that can be held up: a mail waits until `release`. */
export type HeldMailer = Mailer & {
  hold(): void
  release(): void
  /** Whom reset links were sent to. */
  readonly resetsFor: ReadonlySet<string>
}

/** An account as the check asks for it. */
export interface CheckedAccount {
  /** Leave it out where the account has none. */
  username?: string
  email: string
}

/** Options of the test for account enumeration. */
export interface NoEnumerationOptions {
  /** An account that can log in, made for this check. Without a username none is given at creation either. */
  account: CheckedAccount
  /** Accounts in other states, disabled or not verified for example. Default: none. */
  others?: readonly CheckedAccount[]
  /**
   * Where the routes are. Default: `/login/` and `/forgot/`; name `create` and `resend` where `requireEmailConfirmation` is on, `code` where
   * `login.emailCode` is.
   */
  paths?: {
    login?: string | false
    forgot?: string | false
    create?: string | false
    resend?: string | false
    code?: string | false
  }
  /** What your own required fields are filled with at creation. Default: nothing. */
  fields?: Record<string, unknown>
  /** The app's hasher, through `countHashes`: each answer must cost as many hashes. Default: not counted. */
  hasher?: CountingHasher
  /** The app's mailer, through `holdMails`: no answer may wait for it. Default: not checked. */
  mailer?: HeldMailer
  /**
   * Also compares how long the answers take, by medians of interleaved tries. Statistical, so not for every run; the
   * app must be registered with `throttle: false` for it. `rounds` is 100 by default; `tolerance`, the share by which
   * medians may differ, 0.05. Default: not compared.
   */
  timing?: boolean | { rounds?: number; tolerance?: number }
}

/** What was compared, and came out equal. */
export interface NoEnumerationReport {
  /** Of each route: the answers, by who was asked for, that nothing tells apart. */
  compared: { path: string; status: number; asked: string[]; hashes: number | null }[]
  /** Of each route, with `timing`: the medians in milliseconds, by who was asked for. */
  medians: { path: string; milliseconds: Record<string, number> }[]
}

/** Counts the work of a hasher; pass what comes back to the plugin and to `assertNoEnumeration`. */
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

/** Makes a mailer that can be held up; pass what comes back to the plugin and to `assertNoEnumeration`. */
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

/** One who is asked for, and the request that asks. A new one for each try, where tries must not be alike. */
type Asked = Record<string, () => Record<string, unknown>>

/** Milliseconds after which an answer counts as one that waits for the mailer. */
const patience = 10_000
/** Milliseconds that a mail may take to reach the mailer, after the answer. */
const mailPatience = 3_000

/**
 * Checks on an app of your own, with its hooks and adapters, that no answer tells whether an account exists: same
 * status, same body, same header names, as many hashes, and no wait for the mailer, for accounts that are there, in
 * whatever state, and for those that are not. Makes failed logins and mails for the accounts that it is given.
 * @throws AssertionError of one line that names the route and what differs
 */
export async function assertNoEnumeration(
  app: InjectableApp,
  options: NoEnumerationOptions,
): Promise<NoEnumerationReport> {
  const report: NoEnumerationReport = { compared: [], medians: [] }
  for (const [path, asked, status] of routesOf(options)) {
    report.compared.push(await compareAnswers(app, path, asked, status, options))
    if (options.timing) report.medians.push(await compareTimes(app, path, asked, options.timing))
  }
  await checkAccount(options)
  return report
}

/** Where no reset link went out there is no such account, and nobody was compared with nobody. */
async function checkAccount({ account, mailer, paths }: NoEnumerationOptions): Promise<void> {
  if (mailer === undefined || paths?.forgot === false) return
  for (let waited = 0; !mailer.resetsFor.has(account.email); waited += 20) {
    if (waited >= mailPatience) broken(`no reset link came for ${account.email}; is there such an account?`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Where, who is asked for, and the status of an answer that tells nothing. */
function routesOf({
  account,
  others = [],
  paths = {},
  fields = {},
}: NoEnumerationOptions): [string, Asked, number][] {
  const { login = '/login/', forgot = '/forgot/', create = false, resend = false, code = false } = paths
  const accounts = [account, ...others]
  const hasName = account.username !== undefined
  const named = (prefix: string, ask: (one: CheckedAccount) => object | null): Asked =>
    Object.fromEntries(
      accounts.flatMap((one, index) => {
        const asked = ask(one)
        return asked === null ? [] : [[`${prefix} ${index + 1}`, () => ({ ...asked })]]
      }),
    )
  const password = unlikely()
  const byEmail = {
    ...named('account', ({ email }) => ({ email })),
    nobody: () => ({ email: `${unlikely()}@example.org` }),
  }
  const routes: [string | false, Asked, number][] = [
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
    [
      create,
      Object.fromEntries(
        Object.entries(byEmail).map(([name, ask]) => [
          name,
          () => ({
            ...fields,
            ...ask(),
            ...(hasName && { username: unlikely() }),
            password,
            confirm_password: password,
          }),
        ]),
      ),
      202,
    ],
  ]
  return routes.flatMap(([path, asked, status]) =>
    path === false ? [] : [[path, asked, status] as [string, Asked, number]],
  )
}

async function compareAnswers(
  app: InjectableApp,
  path: string,
  asked: Asked,
  status: number,
  { hasher, mailer }: NoEnumerationOptions,
): Promise<NoEnumerationReport['compared'][0]> {
  const names = Object.keys(asked)
  const answers: { status: number; body: string; headers: string; hashes: number | null }[] = []
  mailer?.hold()
  try {
    for (const name of names) {
      const before = hasher?.calls ?? 0
      const { statusCode, body, headers } = await inTime(path, name, send(app, path, asked[name]?.() ?? {}))
      if (statusCode === 404) broken(`${path} is not mounted; set paths to where it is`)
      if (statusCode === 429) broken(`${path} is throttled; check an app that was not used before`)
      answers.push({
        status: statusCode,
        body,
        headers: Object.keys(headers).sort().join(', '),
        hashes: hasher ? hasher.calls - before : null,
      })
    }
  } finally {
    mailer?.release()
  }
  const [first, ...rest] = answers
  if (first === undefined) throw new TypeError('there is nothing to compare')
  for (const [index, answer] of rest.entries()) {
    for (const what of ['status', 'body', 'headers', 'hashes'] as const) {
      if (answer[what] === first[what]) continue
      const pair = `"${names[0]}" from "${names[index + 1]}"`
      broken(`${path} tells ${pair} by ${what}: ${difference(String(first[what]), String(answer[what]))}`)
    }
  }
  if (first.status !== status)
    broken(`${path} answers ${first.status} to all, not ${status}: ${shown(first.body)}`)
  return { path, status: first.status, asked: names, hashes: first.hashes }
}

async function compareTimes(
  app: InjectableApp,
  path: string,
  asked: Asked,
  timing: Exclude<NoEnumerationOptions['timing'], undefined>,
): Promise<NoEnumerationReport['medians'][0]> {
  const { rounds = 100, tolerance = 0.05 } = timing === true || timing === false ? {} : timing
  const samples = new Map<string, number[]>(Object.keys(asked).map((name) => [name, []]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, times] of samples) {
      const start = performance.now()
      const { statusCode } = await send(app, path, asked[name]?.() ?? {})
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

let clients = 0

/** From another client each time, so that limits by address do not come in between. */
function send(app: InjectableApp, path: string, payload: Record<string, unknown>) {
  clients += 1
  const network = clients
    .toString(16)
    .padStart(8, '0')
    .replace(/(.{4})$/, ':$1')
  return app.inject({ method: 'POST', url: path, payload, remoteAddress: `2001:db8:${network}::1` })
}

async function inTime<T>(path: string, name: string, answer: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patience)
  })
  const first = await Promise.race([answer.then((value) => ({ value })), late])
  clearTimeout(timer)
  return first === undefined
    ? broken(`${path} does not answer for "${name}" while the mailer is busy`)
    : first.value
}

function medianOf(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** A name, or a password, that nobody has. */
function unlikely(): string {
  return `n${randomBytes(12).toString('hex')}`
}

/** Two texts from where they part. */
function difference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at += 1
  const start = Math.max(0, at - 20)
  return `${shown(one.slice(start))} and ${shown(other.slice(start))}`
}

function shown(text: string): string {
  return text.length > 120 ? `${text.slice(0, 120)}…` : text
}

function broken(message: string): never {
  throw new AssertionError({ message })
}
