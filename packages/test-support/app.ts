import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, {
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  type InjectOptions,
  type LightMyRequestResponse as Response,
} from 'fastify'
import accounts, {
  type Accounts,
  type AccountsOptions,
  type AccountUser,
  createMemoryInvitationStore,
  createMemorySessionStore,
  createMemoryUserStore,
  createScryptHasher,
  type InvitationStore,
  type ListingUserStore,
  type Mail,
  type Mailer,
  type Outbox,
  type PasswordHasher,
  type PendingMail,
  type Session,
  type SessionStore,
  type User,
} from 'fastify-accounts'
import { createMemoryOutbox } from '../accounts/src/defaults/memory-outbox.js'
import type { SwaggerTransform } from '../accounts/src/http/route.js'
import type { MessageQueue } from '../accounts/src/seams/outbox.js'

// As an integrator writes it, for all tests.
declare module 'fastify' {
  interface FastifyInstance {
    accounts: Accounts
  }
  interface FastifyRequest {
    user: AccountUser | null
  }
}

export const secret = 'dGhpcy1pcy1hLXRlc3Qtc2VjcmV0LW9mLWVub3VnaC1ieXRlcw'
export const baseUrl = 'http://localhost:3000'
export const goodPassword = 'correct horse battery'
export const otherPassword = 'staple gun and paper'

/** The default hasher with so little work that tests do not wait for it, counting the work it does. */
export function cheapHasher(): PasswordHasher & { hashes: number; verifications: number } {
  const scrypt = createScryptHasher({ logN: 4, r: 1, p: 1 })
  const counting = {
    hashes: 0,
    verifications: 0,
    hash: (password: string) => {
      counting.hashes += 1
      return scrypt.hash(password)
    },
    verify: (password: string, hash: string) => {
      if (scrypt.canVerify(hash)) counting.verifications += 1
      return scrypt.verify(password, hash)
    },
    canVerify: (hash: string) => scrypt.canVerify(hash),
    needsRehash: (hash: string) => scrypt.needsRehash(hash),
  }
  return counting
}

/** A mailer that keeps the emails it is given. */
export function outbox(): Mailer & { mails: Mail[] } {
  const mails: Mail[] = []
  return { mails, send: async (mail) => void mails.push(mail) }
}

/**
 * An outbox like a database's: other processes may have left emails in it.
 * @param ahead milliseconds that the clock of this process is ahead of the database's
 */
export function lastingOutbox(ahead = 0): Outbox<PendingMail> {
  const notHere = () => Promise.reject(new Error('no service asks for this'))
  const memory = createMemoryOutbox() as unknown as MessageQueue<PendingMail>
  const here = (time: Date) => new Date(time.getTime() + ahead)
  return {
    ...memory,
    claim: ({ now, until, ...rest }) => memory.claim({ ...rest, now: here(now), until: here(until) }),
    renew: (entry, until) => memory.renew(entry, here(until)),
    postpone: (entry, { dueAt, ...rest }) => memory.postpone(entry, { ...rest, dueAt: dueAt && here(dueAt) }),
    async oldestDue(realm) {
      const due = await memory.oldestDue?.(realm)
      return due ? new Date(due.getTime() - ahead) : null
    },
    listDead: notHere,
    retry: notHere,
    discard: notHere,
  }
}

/** A user store in memory that stores emails with a change, as those for SQL do: both or neither. */
export function usersWithOutbox(outbox = lastingOutbox()): ListingUserStore & { outbox: typeof outbox } {
  const memory = createMemoryUserStore()
  // What is watched or replaced later are emails posted apart.
  const { add: store } = outbox
  const add = (mails: readonly unknown[]) => store(mails as PendingMail[])
  return {
    ...memory,
    outbox,
    async create(user, mails = [], wanted) {
      await add([])
      const made = await memory.create(user, [], wanted)
      await add(mails.map((mail) => ({ ...mail, userId: made.id })))
      return made
    },
    async update(id, changes, expectedVersion, mails = []) {
      await add([])
      const changed = await memory.update(id, changes, expectedVersion)
      if (changed !== null) await add(mails)
      return changed
    },
    async delete(id, mails = [], successor, expectedVersion) {
      await add([])
      const isDeleted = await memory.delete(id, [], successor, expectedVersion)
      if (isDeleted) await add(mails)
      return isDeleted
    },
  }
}

/** An invitation store in memory that stores emails in this outbox, as those for SQL do. */
export function invitationsWithOutbox(outbox: ReturnType<typeof lastingOutbox>): InvitationStore {
  const memory = createMemoryInvitationStore()
  const { add: store } = outbox
  const add = (mails: readonly unknown[]) => store(mails as PendingMail[])
  return {
    ...memory,
    outbox,
    async create(invitation, mails = []) {
      const isCreated = await memory.create(invitation)
      if (isCreated) await add(mails)
      return isCreated
    },
    async update(id, changes, expectedVersion, mails = []) {
      const changed = await memory.update(id, changes, expectedVersion)
      if (changed !== null) await add(mails)
      return changed
    },
    async delete(id, expectedVersion, mails = []) {
      const isDeleted = await memory.delete(id, expectedVersion)
      if (isDeleted) await add(mails)
      return isDeleted
    },
  }
}

/** A session store whose rows a test can count. */
export function countedSessions(): SessionStore & { rows: Map<string, Session> } {
  const store = createMemorySessionStore()
  const rows = new Map<string, Session>()
  return {
    ...store,
    rows,
    async create(session) {
      const count = await store.create(session)
      rows.set(session.id, session)
      return count
    },
    async touch(id, times) {
      const row = rows.get(id)
      if (row) rows.set(id, { ...row, ...times })
      return store.touch(id, times)
    },
    async change(id, from, changes) {
      const row = rows.get(id)
      const isChanged = await store.change(id, from, changes)
      if (row && isChanged) rows.set(id, { ...row, ...changes } as Session)
      return isChanged
    },
    async delete(id) {
      const isGone = await store.delete(id)
      if (isGone) rows.delete(id)
      return isGone
    },
    async deleteByUser(userId, exceptId) {
      for (const [id, row] of rows) if (row.userId === userId && id !== exceptId) rows.delete(id)
      return store.deleteByUser(userId, exceptId)
    },
    async deleteExpired(now) {
      for (const [id, row] of rows) if (row.expiresAt < now) rows.delete(id)
      return store.deleteExpired(now)
    },
  }
}

export interface TestApp<Sessions extends SessionStore = ReturnType<typeof countedSessions>> {
  app: FastifyInstance
  users: ListingUserStore
  sessions: Sessions
  invitations: InvitationStore
  hasher: ReturnType<typeof cheapHasher>
  mailer: Mailer
  mails: Mail[]
  /** A JSON request. */
  send(
    method: InjectOptions['method'],
    url: string,
    payload?: object,
    extra?: InjectOptions,
  ): Promise<Response>
  /** The email of this kind to this address, once it has arrived. */
  mail(kind: Mail['kind'], address?: string): Promise<Mail>
  /** Waits for background work after a response: until no store has been called for a while. */
  settle(): Promise<void>
}

/** The plugin's surroundings: Fastify's own options, and what is registered before it. */
export interface Host {
  server?: FastifyServerOptions & Pick<FastifyHttpOptions<Server>, 'http'>
  before?: (app: FastifyInstance) => unknown
}

/** A whole app in one call, on stores in memory. */
export function testApp(options: Partial<AccountsOptions> = {}, host: Host = {}): Promise<TestApp> {
  return testAppOn({ users: createMemoryUserStore(), sessions: countedSessions() }, options, host)
}

/** The same on stores of the test's choice. */
export async function testAppOn<Sessions extends SessionStore>(
  {
    users,
    sessions,
    invitations = createMemoryInvitationStore(),
  }: { users: ListingUserStore; sessions: Sessions; invitations?: InvitationStore },
  options: Partial<AccountsOptions> = {},
  { server = {}, before = () => {} }: Host = {},
): Promise<TestApp<Sessions>> {
  // Options of a type as wide as this match Fastify's HTTP/2 overload; what is made is a plain HTTP server.
  const app = Fastify({ pluginTimeout: 0, ...server }) as unknown as FastifyInstance
  const hasher = cheapHasher()
  const mailer = outbox()
  refuseUndescribed(app)
  await before(app)
  await app.register(accounts, {
    secret,
    baseUrl,
    users: true,
    userStore: users,
    // A @fastify/session of the host keeps the logins itself.
    ...(!app.hasDecorator('decryptSession') && { sessionStore: sessions }),
    invitationStore: invitations,
    passwordHasher: hasher,
    mailer,
    throttle: false,
    ...options,
  })
  await app.ready()
  const { userStore, sessionStore, invitationStore, throttle } = {
    ...{ userStore: users, sessionStore: sessions, invitationStore: invitations },
    ...options,
  }
  const stores = [userStore, userStore?.outbox, sessionStore, sessionStore?.withUsers, invitationStore]
  const counters = [...stores, throttle ? throttle.store : undefined]
    .filter((store) => store !== undefined)
    .map(countCalls)
  async function settle(): Promise<void> {
    // Turns, not milliseconds: on a busy machine the work may take longer.
    for (let quiet = 0; quiet < 20; quiet += 1) {
      await sleep(1)
      if (counters.some((callsUnderWay) => callsUnderWay() > 0)) quiet = 0
    }
  }
  return {
    app,
    users,
    sessions,
    invitations,
    hasher,
    mailer,
    mails: mailer.mails,
    settle,
    send: (method, url, payload, extra = {}) =>
      app.inject({ ...extra, ...(method && { method }), url, ...(payload && { payload }) }),
    async mail(kind, address) {
      for (let tries = 0; tries < 3000; tries += 1) {
        const found = mailer.mails.findLast(
          (mail) => mail.kind === kind && (!address || mail.to.address === address),
        )
        if (found) return found
        await sleep(10)
      }
      throw new Error(`no mail of the kind ${kind} came`)
    },
  }
}

/** Counts a store's calls in progress, from now on. */
function countCalls(store: object): () => number {
  let underWay = 0
  const methods = store as Record<string, unknown>
  for (const [name, method] of Object.entries(methods)) {
    if (typeof method !== 'function') continue
    methods[name] = async (...args: unknown[]) => {
      underWay += 1
      try {
        return await method.apply(store, args)
      } finally {
        underWay -= 1
      }
    }
  }
  return () => underWay
}

/**
 * In every test, a response that the OpenAPI document doesn't list for its route becomes a 500: an error under its
 * status, with its reason, a success or redirect by its status, and a session cookie.
 */
function refuseUndescribed(app: FastifyInstance): void {
  // Tests ask a route many times.
  const described = new Map<SwaggerTransform, Set<string>>()
  app.addHook('onSend', async (request, reply, payload) => {
    const [, code, reason] =
      /^\{"statusCode":\d+,"code":"((?!FST_)[A-Z]+_\w+)"(?:,"reason":"(\w+)")?/.exec(String(payload)) ?? []
    const { config, url = '' } = request.routeOptions
    const { swaggerTransform } = config as object as { swaggerTransform?: SwaggerTransform }
    const { statusCode } = reply
    if (swaggerTransform === undefined) return payload
    // HEAD is served without doing anything.
    if (code === undefined && (statusCode >= 400 || request.method === 'HEAD')) return payload
    // With pages, a browser's form of a link leads to another page, which programs never see.
    const { linkPage } = (config as { accounts?: { linkPage?: boolean } }).accounts ?? {}
    if (linkPage === true && statusCode === 303 && reply.hasHeader('location')) return payload
    const known = described.get(swaggerTransform) ?? new Set()
    described.set(swaggerTransform, known)
    const setsCookie = statusCode < 400 && isNewSession(request, reply)
    const sent = [url, statusCode, code ?? '', reason ?? '', setsCookie ? 'with a new session' : ''].join(' ')
    if (known.has(sent)) return payload
    const document: { components?: { schemas?: Record<string, object> } } = {}
    const { schema } = swaggerTransform({ url, openapiObject: document })
    // Of two spellings of a path, one is described.
    if (!('hide' in schema)) {
      const { response } = schema as { response: Record<string, { headers?: object }> }
      const listed = response[statusCode]
      const isListed =
        code === undefined
          ? listed !== undefined && (!setsCookie || 'Set-Cookie' in (listed.headers ?? {}))
          : code.startsWith('ACCOUNTS_')
            ? referredTo(listed).some((name) => isErrorOf(code, reason, document.components?.schemas?.[name]))
            : referredTo(listed ?? response['4XX']).some((name) => name.endsWith('RuleError'))
      if (!isListed) throw new Error(`${request.method} ${sent} is not in the OpenAPI document`)
    }
    known.add(sent)
    return payload
  })
}

/** The names of the components that a part of the document refers to. */
function referredTo(part: unknown): string[] {
  return [...(JSON.stringify(part) ?? '').matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name = '']) => name,
  )
}

function isErrorOf(code: string, reason: string | undefined, schema: unknown): boolean {
  const described = JSON.stringify(schema)
  return (
    described.includes(`"enum":["${code}"]`) && (reason === undefined || described.includes(`\`${reason}\``))
  )
}

/** Whether the response sets a session cookie that says more than the request's. A renewed signature doesn't count. */
function isNewSession(request: FastifyRequest, reply: FastifyReply): boolean {
  const [claim] = /[\w-]*session=[^.;]+(?:\.\d+)*\./.exec(String(reply.getHeader('set-cookie') ?? '')) ?? []
  return claim !== undefined && !String(request.headers.cookie).includes(claim)
}

/** The path of the link in a mail. */
export function linkPath(mail: Mail): string {
  const url = /https?:\/\/\S+/.exec(mail.text)?.[0]
  if (!url) throw new Error('the mail has no link')
  return new URL(url).pathname
}

/** The path and query of the first link in a mail. */
export function linkTarget({ text }: Pick<Mail, 'text'>): string {
  const { pathname, search } = new URL(/https?:\/\/\S+/.exec(text)?.[0] ?? '')
  return pathname + search
}

/** Where the form of a page at this URL posts to, of those with this field. */
export function formTarget(html: string, page: string, field: string): string {
  const [form = ''] =
    html.match(/<form.*?<\/form>/gs)?.filter((each) => each.includes(`name="${field}"`)) ?? []
  if (form === '') throw new Error(`no form has ${field}`)
  const [, action = ''] = /^<form method="post"(?: action="([^"]+)")?>/.exec(form) ?? []
  const { pathname, search } = new URL(action, new URL(page, baseUrl))
  return pathname + search
}

/** The cookie that a response set, as a browser would send it. */
export function cookieOf(response: Response): string {
  const cookie = response.cookies.find((each) => each.name.endsWith('session') && each.value !== '')
  if (!cookie) throw new Error(`the response set no cookie: ${response.statusCode} ${response.body}`)
  return `${cookie.name}=${encodeURIComponent(cookie.value)}`
}

/** A cookie that a response set, of any name. */
export function cookieNamed({ cookies }: Response, name: string): string {
  const found = cookies.find((each) => each.name === name)
  if (found === undefined) throw new Error(`the response sets no cookie ${name}`)
  return `${name}=${found.value}`
}

/** What a request with this cookie has besides. */
export const as = (cookie: string) => ({ headers: { cookie } })

/** A user created by signing up. */
export async function signUp(
  { send, users }: Pick<TestApp, 'send' | 'users'>,
  username = 'alice',
  extra: Record<string, unknown> = {},
): Promise<User> {
  const body = { username, password: goodPassword, confirm_password: goodPassword, ...extra }
  const response = await send('POST', '/user/', body)
  if (response.statusCode >= 300) throw new Error(response.body)
  const user = await users.findByUsername(username.toLowerCase())
  if (!user) throw new Error('the user is not there')
  return user
}

export async function logIn(
  { send }: Pick<TestApp, 'send'>,
  username = 'alice',
  password = goodPassword,
): Promise<string> {
  return cookieOf(await send('POST', '/login/', { username, password }))
}

/** The user of the cookie; `null` if it has none. */
export async function whoIs({ app }: Pick<TestApp, 'app'>, cookie: string): Promise<string | null> {
  const response = await app.inject({ url: '/me/', headers: { cookie } })
  return response.statusCode === 200 ? response.json().username : null
}

export const browser = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
