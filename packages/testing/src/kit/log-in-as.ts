import { randomBytes } from 'node:crypto'
import type {
  Accounts,
  AccountUser,
  CreateUserInput,
  DeliveredTokens,
  HostLogin,
  UserFields,
} from 'fastify-accounts'
import type { AnyApp } from './any-app.js'
import { onlyInTests } from './only-in-tests.js'
import { shared } from './shared.js'

/** A user for a test to create. The password is random by default, and `isVerified` is `true`. */
export interface TestUser extends Omit<CreateUserInput, 'password' | 'confirmPassword' | 'fields'> {
  password?: string
  fields?: UserFields
}

/** Headers that log a request in. An alias, because the types of headers don't take interfaces. */
export type LoginHeaders = { cookie: string }

/** The same with tokens. */
export type TokenHeaders = { authorization: string }

/** How a test logs somebody in. */
export interface TestLogin extends HostLogin {
  /** `tokens`, if the app has `features: [tokens()]`, for an Authorization header. Default `cookie`. */
  delivery?: 'cookie' | 'tokens' | undefined
}

// biome-ignore lint/suspicious/noExplicitAny: the app's own fields are never looked at.
type AnyAccounts = Accounts<any>

/** Resolves to the Cookie header that a browser would send from then on, or to the tokens that an app would get. */
type LoginWithoutRequest = (
  userId: string,
  login: HostLogin,
  delivery: 'cookie' | 'tokens',
) => Promise<{ cookie: string; tokens: DeliveredTokens | null }>

/** By the decorator of each app. */
const logins = shared('logins', () => new WeakMap<object, LoginWithoutRequest>())

/**
 * Logs a user in, as POST /login/ does but without the password, and resolves to headers for `app.inject`, `fetch` or a
 * WebSocket. The app may use any stores and options; what keeps an account from logging in keeps it here, too.
 *
 * A second login of a user counts as one from a new device, so the owner gets an email about it, if the address is
 * verified. If your app registers a @fastify/session of its own, its cookie must have the default name.
 *
 * @param app the app, which becomes ready by this; for a realm or within a plugin, its decorator, such as `app.staff`
 * @param user a username or address, or an object with the `id` of a user; or a new user to create, without `id`
 * @param login how the user has logged in. By default with the password, which counts as a recent login. With
 * `methods: ['pwd', 'otp', 'mfa']` a second factor was used, with `methods: ['host']` the login isn't recent
 * @throws Error if there is no such user, if the app has no tokens, or with `NODE_ENV=production`; AccountsError as `createUser` and `logIn` of
 * `app.accounts`
 */
export async function logInAs(
  app: AnyApp | AnyAccounts,
  user: string | { id: string } | TestUser,
  login: TestLogin & { delivery: 'tokens' },
): Promise<TokenHeaders>
export async function logInAs(
  app: AnyApp | AnyAccounts,
  user: string | { id: string } | TestUser,
  login?: HostLogin & { delivery?: 'cookie' | undefined },
): Promise<LoginHeaders>
export async function logInAs(
  app: AnyApp | AnyAccounts,
  user: string | { id: string } | TestUser,
  { delivery = 'cookie', ...login }: TestLogin = {},
): Promise<LoginHeaders | TokenHeaders> {
  onlyInTests('logInAs')
  const { accounts, logIn } = await mounted(app)
  const { id } = await chosen(accounts, user)
  const { cookie, tokens } = await logIn(id, { methods: ['pwd'], ...login }, delivery)
  if (delivery === 'cookie') return { cookie }
  if (tokens === null) throw new Error('logInAs: this app delivers no tokens; it needs features: [tokens()]')
  return { authorization: `Bearer ${tokens.access_token}` }
}

async function mounted(
  app: AnyApp | AnyAccounts,
): Promise<{ accounts: AnyAccounts; logIn: LoginWithoutRequest }> {
  if ('ready' in app) await app.ready()
  const accounts = 'ready' in app ? (app as AnyApp & { accounts?: AnyAccounts }).accounts : app
  const logIn = accounts && logins.get(accounts)
  if (accounts && logIn) return { accounts, logIn }
  throw new Error(
    'logInAs: this app has no decorator "accounts"; pass the one of your option decorateAs, or of the scope that registers the plugin',
  )
}

async function chosen(
  accounts: AnyAccounts,
  user: string | { id: string } | TestUser,
): Promise<{ id: string }> {
  if (typeof user === 'object') {
    if ('id' in user) return user
    return accounts.createUser({ password: randomBytes(24).toString('base64url'), isVerified: true, ...user })
  }
  const found: AccountUser | null =
    (await accounts.findUser({ username: user })) ?? (await accounts.findUser({ email: user }))
  if (found) return found
  throw new Error(`logInAs: there is no user "${user}"; pass { username: '${user}' } to create one`)
}
