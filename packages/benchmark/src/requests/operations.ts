import type { Authenticator, Passkey } from './authenticator.js'
import {
  emailOf,
  type Family,
  otherPassword,
  password,
  publicUrl,
  type ServiceName,
  serviceNames,
  usernameOf,
} from './names.js'
import type { Setup } from './service.js'
import { codeOf } from './totp.js'

/** One client of a service: what it knows, and what it has learned from the answers. */
export interface Visitor {
  /** Its number; it is the user of that number. */
  readonly at: number
  /** How many there are. */
  readonly of: number
  /** How many users the service has. */
  readonly users: number
  /** The cookie of its session; kept up to date. */
  cookie: string
  /** The path of the last full page of the list. */
  deepPage: string
  /** The secret from which each user's authenticator app computes codes, in base32. */
  appSecret: string
  authenticator: Authenticator
  passkeys: Passkey[]
  /** The WebAuthn options that it received last. */
  options: { challenge: string; user?: { id: string } }
}

/** The request, and how to check that it succeeded. */
export interface Exchange {
  method: 'GET' | 'POST'
  path: string
  /** Whether the cookies are sent. `new`: none are, and those of the answer replace them. */
  cookie?: boolean | 'new'
  body?: Record<string, unknown>
  status: number
  /** Must be in the body of the answer. */
  has: string
  /** Whether the answer is the options of WebAuthn, for the next request. */
  options?: boolean
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

/** Where the clients get the secret of the authenticator apps. */
export const secretPath = '/app-secret'

const uncached = serviceNames.filter((name) => !/-(cached|features)$/.test(name))
const stored = uncached.filter((name) => name !== 'bare')
const inSql = ['accounts-sqlite', 'accounts-postgres', 'better-auth-sqlite', 'better-auth-postgres'] as const
const me = {
  accounts: ({ at }: Visitor): Exchange => get('/me/', 200, `"${usernameOf(at)}"`),
  'better-auth': ({ at }: Visitor): Exchange => get('/api/auth/get-session', 200, `"${usernameOf(at)}"`),
}
const logIn: Operation['exchange'] = {
  accounts(visitor, turn) {
    const username = usernameOf(userOf(visitor, turn))
    return post('/login/', { username, password }, 200, '"username"')
  },
  'better-auth'(visitor, turn) {
    const email = emailOf(userOf(visitor, turn))
    return post('/api/auth/sign-in/email', { email, password }, 200, '"user"')
  },
}

/** Each action that is measured. */
export const operations = {
  me: {
    title: 'who am I, logged in',
    services: serviceNames,
    steady: true,
    exchange: {
      accounts: (visitor) => ({ ...me.accounts(visitor), cookie: true }),
      'better-auth': (visitor) => ({ ...me['better-auth'](visitor), cookie: true }),
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
      accounts: () => ({ ...get('/public', 200, 'world'), cookie: true }),
      'better-auth': () => ({ ...get('/public', 200, 'world'), cookie: true }),
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
  'log-in-factor': {
    title: 'a step of a login with a second factor (a login has two: the password, the code), hash removed',
    services: inSql,
    // A code works once, so each user logs in once.
    setup: { users: 20_000, secondFactor: true },
    steady: false,
    exchange: {
      accounts(visitor, turn) {
        const username = usernameOf(userOf(visitor, turn >> 1))
        if (turn % 2 === 0)
          return { ...post('/login/', { username, password }, 401, 'SECOND_FACTOR'), cookie: 'new' }
        const code = codeOf(visitor.appSecret)
        return { ...post('/login/second-factor/', { code }, 200, `"${username}"`), cookie: true }
      },
      'better-auth'(visitor, turn) {
        const email = emailOf(userOf(visitor, turn >> 1))
        if (turn % 2 === 0)
          return {
            ...post('/api/auth/sign-in/email', { email, password }, 200, 'twoFactorRedirect'),
            cookie: 'new',
          }
        const code = codeOf(visitor.appSecret)
        return { ...post('/api/auth/two-factor/verify-totp', { code }, 200, `"${email}"`), cookie: true }
      },
    },
  },
  'sign-up-passkey': {
    title: 'a step of a sign-up with a passkey (it has two: the options, the passkey)',
    services: ['bare', 'accounts-sqlite', 'accounts-postgres'],
    setup: { passkeys: true },
    steady: false,
    exchange: {
      accounts: (visitor, turn) => signUpWithPasskey(visitor, turn),
      'better-auth': neverAsked,
    },
  },
  'log-in-passkey': {
    title: 'a step of a login with a passkey (it has two: the options, the signature)',
    services: ['bare', 'accounts-sqlite', 'accounts-postgres'],
    setup: { passkeys: true },
    steady: false,
    exchange: {
      accounts({ authenticator, passkeys, options }, turn) {
        if (turn % 2 === 0)
          return { ...post('/login/passkey/options/', {}, 200, '"challenge"'), cookie: 'new', options: true }
        const passkey = passkeys[(turn >> 1) % passkeys.length] as Passkey
        const response = authenticator.get(options.challenge, passkey)
        return { ...post('/login/passkey/', { response }, 200, '"username"'), cookie: true }
      },
      'better-auth': neverAsked,
    },
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
        return post(
          '/api/auth/sign-up/email',
          { name, email: `${name}@example.org`, password },
          200,
          '"user"',
        )
      },
    },
  },
  'list-first': {
    title: 'list of 10,000 users, first page of 50',
    services: stored,
    setup: { users: 10_000, list: true },
    steady: true,
    exchange: {
      accounts: () => ({ ...get('/user/?limit=50', 200, '"user0"'), cookie: true }),
      'better-auth': () => ({ ...get(adminList(0), 200, '"user0"'), cookie: true }),
    },
  },
  'list-deep': {
    title: 'list of 10,000 users, last page of 50',
    services: stored,
    setup: { users: 10_000, list: true },
    steady: true,
    exchange: {
      accounts: ({ deepPage, users }) => ({ ...get(deepPage, 200, `"user${users - 1}"`), cookie: true }),
      'better-auth': ({ users }) => ({
        ...get(adminList(users - 50), 200, `"user${users - 1}"`),
        cookie: true,
      }),
    },
  },
  forgot: {
    title: 'forgot password',
    services: stored,
    steady: false,
    exchange: {
      accounts: (visitor, turn) => post('/forgot/', { email: emailOf(userOf(visitor, turn)) }, 202, 'detail'),
      'better-auth': (visitor, turn) =>
        post('/api/auth/request-password-reset', { email: emailOf(userOf(visitor, turn)) }, 200, 'status'),
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
        return { ...post('/change-password/', body, 204, ''), cookie: true }
      },
      'better-auth'(_, turn) {
        const [currentPassword, newPassword] =
          turn % 2 === 0 ? [password, otherPassword] : [otherPassword, password]
        const body = { currentPassword, newPassword, revokeOtherSessions: true }
        return { ...post('/api/auth/change-password', body, 200, '"user"'), cookie: true }
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

/** How many accounts with a passkey each client has. */
export const passkeysEach = 20

/** The two steps of a sign-up with a passkey, alternating; a visitor uses the passkeys it has created. */
export function signUpWithPasskey(visitor: Visitor, turn: number, kind = 'new'): Exchange {
  const { at, options, authenticator } = visitor
  const username = `${kind}${at}-${visitor.passkeys.length}`
  if (turn % 2 === 0) {
    const asked = post('/signup/passkey/options/', { username }, 200, '"challenge"')
    return { ...asked, cookie: 'new', options: true }
  }
  const { passkey, response } = authenticator.create(options.challenge, options.user?.id ?? '')
  visitor.passkeys.push(passkey)
  return { ...post('/signup/passkey/', { username, response }, 201, '"username"'), cookie: true }
}

/** better-auth's passkeys are in a separate package, which is not measured. */
function neverAsked(): Exchange {
  throw new Error('better-auth is not asked for this')
}

/** The request body to log in as the visitor's own user. */
export function ownLogin(family: Family, visitor: Visitor): Exchange {
  return logIn[family](visitor, 0)
}

/** All users in turn, none twice at the same time. */
function userOf({ at, of, users }: Visitor, turn: number): number {
  return (at + turn * of) % users
}

function adminList(offset: number): string {
  return `/api/auth/admin/list-users?limit=50&offset=${offset}&sortBy=createdAt&sortDirection=asc`
}

function get(path: string, status: number, has: string): Exchange {
  return { method: 'GET', path, status, has }
}

function post(path: string, body: Record<string, unknown>, status: number, has: string): Exchange {
  return { method: 'POST', path, body, status, has }
}

/** The exchange as HTTP/1.1; the bodies are ASCII. */
export function bytesOf({ method, path, cookie, body }: Exchange, visitor: Visitor): string {
  const text = body ? JSON.stringify(body) : ''
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${new URL(publicUrl).host}`,
    ...(cookie === true ? [`cookie: ${visitor.cookie}`] : []),
    ...(body
      ? [`origin: ${publicUrl}`, 'content-type: application/json', `content-length: ${text.length}`]
      : []),
  ]
  return `${head.join('\r\n')}\r\n\r\n${text}`
}
