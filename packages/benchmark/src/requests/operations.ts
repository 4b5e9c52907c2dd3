import { emailOf, otherPassword, password, publicUrl, usernameOf } from '../people.js'
import { type Family, type ServiceName, serviceNames, usesTokens } from './names.js'
import type { Setup } from './service.js'

/** One client of a service. */
export interface Visitor {
  /** Its number; it is the user of that number. */
  readonly at: number
  /** How many there are. */
  readonly of: number
  /** How many users the service has. */
  readonly users: number
  /** The cookie of its session; kept up to date. */
  cookie: string
  /** What it has in the place of a cookie; also kept up to date. */
  tokens?: Tokens
  /** An API key; then it sends nothing else. */
  key?: string
}

export interface Tokens {
  access: string
  /** Empty with better-auth, whose tokens are renewed as they are used. */
  refresh: string
}

/** The request, and how to check that it succeeded. */
export interface Exchange {
  method: 'GET' | 'POST'
  path: string
  /** Whether the visitor says who they are: with the cookies or the access token. */
  asUser?: boolean
  /** Whether it keeps the cookies or tokens of the response. */
  keeps?: boolean
  body?: Record<string, unknown>
  status: number
  /** Must be in the body of the response. */
  has: string
}

export interface Operation {
  title: string
  services: readonly ServiceName[]
  setup?: Partial<Setup>
  /** Whether every request of a visitor is the same. */
  steady: boolean
  /** If each request is slow: at most this many clients, rounds this many times as long, and every core in use. */
  slow?: { connections: number; times: number }
  /** How often each user has done it before the measurement. */
  before?: number
  /** @param turn counts the requests of this visitor */
  exchange: Record<Family, (visitor: Visitor, turn: number) => Exchange>
}

const uncached = serviceNames.filter((name) => !/-(cached|features|keys)$/.test(name) && !usesTokens(name))
const stored = uncached.filter((name) => name !== 'bare')

export const logIn: Operation['exchange'] = {
  accounts(visitor, turn) {
    const username = usernameOf(userOf(visitor, turn))
    return post('/login/', { username, password }, 200, '"username"')
  },
  'better-auth'(visitor, turn) {
    const email = emailOf(userOf(visitor, turn))
    return post('/api/auth/sign-in/email', { email, password }, 200, '"user"')
  },
}

export const createKey: Exchange = {
  ...post('/api-keys/', { name: 'benchmark', scopes: ['me:read'] }, 201, '"key"'),
  asUser: true,
}

/** Each action that is measured. */
export const operations = {
  me: {
    title: 'who am I, logged in',
    services: serviceNames,
    steady: true,
    exchange: {
      accounts: ({ at, key }) => ({
        // No route of ours takes a key.
        ...get(key === undefined ? '/me/' : '/by-key/', 200, `"${usernameOf(at)}"`),
        asUser: true,
      }),
      'better-auth': ({ at }) => ({
        ...get('/api/auth/get-session', 200, `"${usernameOf(at)}"`),
        asUser: true,
      }),
    },
  },
  anonymous: {
    title: 'who am I, no session',
    services: uncached,
    steady: true,
    exchange: {
      accounts: () => get('/me/', 401, ''),
      'better-auth': () => get('/api/auth/get-session', 200, 'null'),
    },
  },
  public: {
    title: "a public route of the host's own, with a session's cookie",
    services: [...uncached, 'accounts-sqlite-features'],
    steady: true,
    exchange: {
      accounts: () => ({ ...get('/public', 200, 'world'), asUser: true }),
      'better-auth': () => ({ ...get('/public', 200, 'world'), asUser: true }),
    },
  },
  'log-in': {
    title: 'log in, hash removed',
    services: uncached,
    steady: false,
    // Only the first two notify a user of the device, and they differ from all later ones.
    before: 2,
    exchange: logIn,
  },
  'sign-up': {
    title: 'sign up, hash removed',
    services: uncached,
    steady: false,
    exchange: {
      accounts({ at }, turn) {
        const username = `new${at}-${turn}`
        const email = `${username}@example.org`
        return post('/user/', { username, email, password, confirm_password: password }, 201, '"username"')
      },
      'better-auth'({ at }, turn) {
        const name = `new${at}-${turn}`
        const email = `${name}@example.org`
        return post('/api/auth/sign-up/email', { name, email, password }, 200, '"user"')
      },
    },
  },
  refresh: {
    title: 'refresh tokens; of better-auth, who am I, which renews its token each time',
    services: serviceNames.filter(usesTokens),
    setup: { renews: true },
    steady: false,
    exchange: {
      accounts({ tokens }) {
        const body = { refresh_token: tokens?.refresh }
        return { ...post('/tokens/refresh/', body, 200, '"access_token"'), keeps: true }
      },
      'better-auth': ({ at }) => ({
        ...get('/api/auth/get-session', 200, `"${usernameOf(at)}"`),
        asUser: true,
        keeps: true,
      }),
    },
  },
  list: {
    title: 'list of 10,000 users, first page of 50',
    services: stored,
    setup: { users: 10_000, list: true },
    steady: true,
    exchange: {
      accounts: () => ({ ...get('/user/?limit=50', 200, '"user0"'), asUser: true }),
      'better-auth': () => ({
        ...get('/api/auth/admin/list-users?limit=50&sortBy=createdAt&sortDirection=asc', 200, '"user0"'),
        asUser: true,
      }),
    },
  },
  // After those that log in with everyone's initial password.
  'change-password': {
    title: 'change password, hash removed',
    services: stored,
    steady: false,
    exchange: {
      accounts(_, turn) {
        const [old, next] = turn % 2 === 0 ? [password, otherPassword] : [otherPassword, password]
        const body = { old_password: old, new_password: next, confirm_password: next }
        return { ...post('/change-password/', body, 204, ''), asUser: true, keeps: true }
      },
      'better-auth'(_, turn) {
        const [currentPassword, newPassword] =
          turn % 2 === 0 ? [password, otherPassword] : [otherPassword, password]
        const body = { currentPassword, newPassword, revokeOtherSessions: true }
        return { ...post('/api/auth/change-password', body, 200, '"user"'), asUser: true, keeps: true }
      },
    },
  },
  'log-in-hashed': {
    title: 'log in with the real hash; of bare Fastify, the hash and nothing else',
    services: ['bare', 'accounts-sqlite', 'by-hand-sqlite'],
    setup: { hash: 'real' },
    slow: { connections: 8, times: 6 },
    steady: false,
    exchange: logIn,
  },
} satisfies Record<string, Operation>

export type OperationName = keyof typeof operations
export const operationNames = Object.keys(operations) as OperationName[]
export const operationOf = (name: OperationName): Operation => operations[name]

/** All users in turn, none twice at the same time. */
function userOf({ at, of, users }: Visitor, turn: number): number {
  return (at + turn * of) % users
}

function get(path: string, status: number, has: string): Exchange {
  return { method: 'GET', path, status, has }
}

function post(path: string, body: Record<string, unknown>, status: number, has: string): Exchange {
  return { method: 'POST', path, body, status, has }
}

/** The exchange as HTTP/1.1; the bodies are ASCII. */
export function bytesOf({ method, path, asUser, body }: Exchange, visitor: Visitor): string {
  const { cookie, tokens, key = tokens?.access } = visitor
  const text = body ? JSON.stringify(body) : ''
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(publicUrl).host}`,
    ...(asUser ? [key === undefined ? `cookie: ${cookie}` : `authorization: Bearer ${key}`] : []),
    // Only ours asks for it, where no token of its own says so.
    ...(tokens && !asUser ? ['accounts-delivery: tokens'] : []),
    ...(body
      ? [`origin: ${publicUrl}`, 'content-type: application/json', `content-length: ${text.length}`]
      : []),
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}
