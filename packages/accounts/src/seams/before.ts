import type { AccountUser, FieldsOf, UserFields } from '../user.js'

/** Who sends a request, as your rules see it. */
export interface ClientFacts {
  /** The address, as much of it as `session.ip` says: by default the network, as in `192.0.2.0/24`. `null` if unknown. */
  readonly ip: string | null
  /** Such as `Firefox`; `null` if unknown. */
  readonly browser: string | null
  /** The operating system, such as `Android`; `null` if unknown. */
  readonly system: string | null
  /** The language of the response, a BCP 47 tag. */
  readonly language: string
}

/**
 * How a new account will be logged in to: with a password, a passkey or a login provider. `email`: somebody signs up with
 * the address alone. `email-code`: somebody logged in with an emailed code and takes over an account. `invitation`: with a
 * password, by the link of an invitation. `host`: `app.accounts.createUser` asked.
 */
export type SignUpMethod =
  | 'password'
  | 'email'
  | 'passkey'
  | 'provider'
  | 'email-code'
  | 'invitation'
  | 'host'

/**
 * A sign-up, before anything has been looked up: whether the address or the name has an account is unknown.
 * `Fields` and `Transient` are the types of your own fields and of those in `signUp.fields`, or their schemas.
 */
export interface SignUpAttempt<Fields = undefined, Transient = undefined> {
  readonly method: SignUpMethod
  /** The name of the login provider; `null` with other methods. */
  readonly provider: string | null
  /** As typed, without surrounding white space; `null` if none was given. */
  readonly email: string | null
  /** The domain of the address in lower case and ASCII, to compare with; `null` without an address. */
  readonly domain: string | null
  /** `null` if none was given, and with a provider, where the name is chosen later. */
  readonly username: string | null
  /** Your own fields. With `handsOver` those of the account, which somebody else may have entered. */
  readonly fields: FieldsOf<Fields>
  /** What an invitation gives; otherwise none. */
  readonly roles: readonly string[]
  /** What the sign-up carries by `signUp.fields`. Empty with `handsOver` and `host`. */
  readonly transient: FieldsOf<Transient>
  /** Who creates the account for somebody else; `null` if nobody is logged in. */
  readonly actor: AccountUser<Fields> | null
  /**
   * Whether the account exists, nobody has ever proven its address, and somebody has just done so: from then on it is
   * theirs. They have shown that they read its email, and entered nothing.
   */
  readonly handsOver: boolean
  /** `null` with `host`. */
  readonly client: ClientFacts | null
}

/** What a new account gets that no client may set. */
export interface SignUpGrant<Fields = undefined, Role extends string = string> {
  /** They replace what the client sent. Checked by the schema of `users.fields`. */
  readonly fields?: FieldsOf<Fields> | undefined
  /**
   * Roles. They take effect once somebody has proven the address that they were given for, or immediately without one.
   */
  readonly roles?: readonly Role[] | undefined
}

/** A login that would succeed. */
export interface LoginAttempt<Fields = undefined> {
  readonly user: AccountUser<Fields>
  /** How the user proved who they are, in words of RFC 8176: `['pwd']`, `['pwd', 'otp', 'mfa']`. `['host']`: your app vouches for them. */
  readonly methods: readonly string[]
  readonly client: ClientFacts
}

/** A new address, before anybody is emailed and it is looked up. */
export interface EmailChange<Fields = undefined> {
  readonly user: AccountUser<Fields>
  /** As typed, without surrounding white space. */
  readonly email: string
  /** In lower case and ASCII. */
  readonly domain: string
  /** Who changes it: the user, or somebody else by `authorize.editUser`. */
  readonly actor: AccountUser<Fields>
}

/** How long a rule may take. */
export interface RuleContext {
  /** Aborted after `adapterTimeout`, when nobody waits for the rule anymore: pass it to `fetch`. */
  readonly signal: AbortSignal
}

/**
 * Rules of your app, each called before something happens. A rule refuses by throwing `RuleError`. If it throws anything
 * else, whatever its `statusCode`, or takes longer than `adapterTimeout`, the response is 503.
 */
export interface BeforeRules {
  /**
   * Before an account is created, whichever way, and before somebody who proves its address gets one that was never
   * proven. Not for users that are imported or created on the command line. Default: nothing.
   */
  signUp(
    attempt: SignUpAttempt,
    context: RuleContext,
    // biome-ignore lint/suspicious/noConfusingVoidType: a rule that only refuses returns nothing.
  ): SignUpGrant | void | Promise<SignUpGrant | void>
  /** Before a session starts, once for each login; with a second factor, after that. Default: nothing. */
  logIn(attempt: LoginAttempt, context: RuleContext): void | Promise<void>
  /** Before an address changes. Default: nothing. */
  changeEmail(change: EmailChange, context: RuleContext): void | Promise<void>
}

/** The rules as the plugin calls them: in time, and their results checked. Absent ones cost nothing. */
export interface Rules {
  /** @throws RuleError; AccountsError ACCOUNTS_UNAVAILABLE; the same for the others */
  readonly signUp?: (attempt: SignUpAttempt) => Promise<Granted>
  readonly logIn?: (attempt: LoginAttempt) => Promise<void>
  readonly changeEmail?: (change: EmailChange) => Promise<void>
}

/** What a sign-up was granted, checked. */
export interface Granted {
  readonly fields: UserFields
  readonly roles: readonly string[]
}

/** Where no rule was asked. */
export const nothingGranted: Granted = { fields: {}, roles: [] }
