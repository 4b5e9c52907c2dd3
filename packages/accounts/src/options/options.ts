import type { RouteOptions } from 'fastify'
import type { FieldError } from '../errors.js'
import type { Languages } from '../languages/languages.js'
import type { SomeTexts } from '../languages/texts.js'
import type { EmailTemplates } from '../seams/email-templates.js'
import type { Mailer } from '../seams/mailer.js'
import type { PasswordHasher } from '../seams/password-hasher.js'
import type { SessionStore } from '../seams/session-store.js'
import type { ThrottleStore } from '../seams/throttle-store.js'
import type { TokenSigner } from '../seams/token-signer.js'
import type { UserStore } from '../seams/user-store.js'
import type { AccountUser, FieldsSchema } from '../user.js'
import type { Brand } from './brand.js'

/** In milliseconds. */
export const second = 1000
export const minute: number = 60 * second
export const hour: number = 60 * minute
export const day: number = 24 * hour

/** Milliseconds: the default of `adapterTimeout`. */
export const defaultAdapterTimeout: number = 5 * second

/** So many tries in so long. */
export interface Limit {
  /** Tries, from 1. */
  max: number
  /** Milliseconds; the window begins with the first try. */
  window: number
}

/**
 * The limits, each a budget of its own. Source of the numbers: django-allauth's rate limits, and the limit of
 * consecutive failures in NIST SP 800-63B-4 section 3.2.2.
 */
export interface Limits {
  /** Failed logins per account; the next try within the window is refused. Default 5 in 5 minutes. */
  loginAccount: Limit
  /** The same over a day, so that nobody guesses on slowly for ever. Default 100 in 1 day. */
  loginAccountDay: Limit
  /** Logins per client IP. Default 30 a minute. */
  login: Limit
  /** Reset mails per address; over it the answer stays the same and no mail goes out. Default 5 an hour. */
  forgotMails: Limit
  /** Forgot requests per client IP. Default 20 a minute. */
  forgot: Limit
  /** Mails that go to an address before it is proven, and to the owner of one that is taken, per address. Default 5 an hour. */
  verifyMails: Limit
  /** Requests for a new verification mail per client IP. Default 20 a minute. */
  resend: Limit
  /** Creations per client IP, over both variants. Default 20 a minute. */
  create: Limit
  /** Tries to give the current password per user, to change or to confirm it. Default 5 a minute. */
  changePassword: Limit
  /** The same over a day, only wrong ones: a browser that was left open is no place to guess at. Default 100 in 1 day. */
  changePasswordDay: Limit
  /**
   * Tries to give the own password per client IP, to change or to confirm it, whoever is logged in: each is a hash, and
   * goes before those of strangers. Default 30 a minute.
   */
  ownPassword: Limit
  /** Changes of the own name and fields per user. Default 20 a minute. */
  changeProfile: Limit
  /** Pages of the list of users per user, without `search`: whoever reads all of it reads the whole table. Default 60 a minute. */
  listUsers: Limit
  /** Searches among users per user: each reads whatever begins like it. Default 30 a minute. */
  searchUsers: Limit
  /** Requests for another e-mail address per user. Default 5 an hour. */
  changeEmail: Limit
  /** The same over a day: each may be a mail to a stranger. Default 20 in 1 day. */
  changeEmailDay: Limit
  /** Mails about a new device per user, browser, system and network. Default 1 in 30 days. */
  newDeviceMails: Limit
  /**
   * Notices of one kind per account (`password-changed`, `new-device`) that go out at once. Those beyond it are held
   * back, and go out as one email when the window is over. Default 5 an hour.
   */
  noticeMails: Limit
  /** Uses of reset links per client IP. Default 20 a minute. */
  reset: Limit
  /** Uses of all other links per client IP. Default 20 a minute. */
  verify: Limit
}

export const defaultLimits: Readonly<Limits> = {
  loginAccount: { max: 5, window: 5 * minute },
  loginAccountDay: { max: 100, window: day },
  login: { max: 30, window: minute },
  forgotMails: { max: 5, window: hour },
  forgot: { max: 20, window: minute },
  verifyMails: { max: 5, window: hour },
  resend: { max: 20, window: minute },
  create: { max: 20, window: minute },
  changePassword: { max: 5, window: minute },
  changePasswordDay: { max: 100, window: day },
  ownPassword: { max: 30, window: minute },
  changeProfile: { max: 20, window: minute },
  listUsers: { max: 60, window: minute },
  searchUsers: { max: 30, window: minute },
  changeEmail: { max: 5, window: hour },
  changeEmailDay: { max: 20, window: day },
  newDeviceMails: { max: 1, window: 30 * day },
  noticeMails: { max: 5, window: hour },
  reset: { max: 20, window: minute },
  verify: { max: 20, window: minute },
}

/** Who may do what. Each answers for one deed; `actor` is who is logged in. */
export interface Authorize {
  /** Default: anyone. */
  createUser(actor: AccountUser | null): boolean | Promise<boolean>
  /** Default: anyone logged in. */
  listUsers(actor: AccountUser): boolean | Promise<boolean>
  /**
   * Default: anyone logged in. Where it says no, the user looks as if there were none, and is left out of the list and
   * the search. The list asks for each user of a page at the same time.
   */
  showUser(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
  /** May this user look users up by how an e-mail address begins? Default: staff. */
  searchEmails(actor: AccountUser): boolean | Promise<boolean>
  /** May this user disable, enable, promote, demote or log out that one? Default: staff. */
  manageUser(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
  /** Default: oneself and staff. Whatever it says, nobody who is staff deletes themself. */
  deleteUser(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
}

export const defaultAuthorize: Readonly<Authorize> = {
  createUser: () => true,
  listUsers: () => true,
  showUser: () => true,
  searchEmails: (actor) => actor.isStaff,
  manageUser: (actor) => actor.isStaff,
  deleteUser: (actor, target) => actor.id === target.id || actor.isStaff,
}

export interface AuthOptions {
  /** Stands before the auth routes, behind `prefix`. Default: none. */
  prefix?: string
}

export interface UsersOptions {
  /** Stands before the users routes, behind `prefix`. Default: none. */
  prefix?: string
  /** `user`: creation at /user/, with list, show and delete; `signup`: creation at /signup/ and nothing else; `both`. Default `'both'`. */
  variant?: 'user' | 'signup' | 'both'
  /**
   * Who verifies an address by opening the link. `'json'`: clients that ask for `application/json` by name. `'open'`:
   * every client that doesn't prefer HTML. `'click'`: nobody, it takes a POST. A browser always shows a button, which
   * sends one. Default `'json'`.
   */
  verifyLinks?: 'json' | 'open' | 'click'
  /** Fields of your own, as JSON Schema of an object, written with TypeBox or by hand: checked at creation, kept, and shown to the user. Names in snake_case. Default: none. */
  fields?: FieldsSchema
  /** What others see of a user beside `id` and `username`: names of your own fields, or of the own view. Default: nothing. */
  publicFields?: readonly string[]
}

/** What the plugin takes. Everything has a default but `secret` and `baseUrl`. */
export interface AccountsOptions {
  /**
   * Signs cookies and links; each use has a key of its own derived from it. At least 32 bytes, not guessable:
   * 32 random bytes in base64url are right. Several rotate: the first signs, all are accepted.
   */
  secret: string | readonly string[] | undefined
  /** Where users reach the service, `https://example.org`; links and the cookie's `Secure` are made from it, never from the Host header. */
  baseUrl: string
  /** Stands before all routes of the plugin. Default: none. */
  prefix?: string
  /** The auth routes; `false` leaves them out. Default `{}`. */
  auth?: false | AuthOptions
  /** The users routes; `true` is `{}`. Default `false`: nobody can sign up. */
  users?: boolean | UsersOptions
  login?: {
    /** What POST /login/ takes in `username`: the username, the e-mail address of the account, or either. Default `['username', 'email']`. */
    by?: readonly ('username' | 'email')[]
  }
  /** Whoever has an e-mail address must prove it before the first login. Default `false`. */
  requireEmailConfirmation?: boolean
  /**
   * Where people change their password: /.well-known/change-password redirects there, for password managers. A path
   * or a URL; `false` leaves it out. Default: our own page, where the plugin stands at the root of the site.
   */
  changePasswordUrl?: false | string
  /**
   * Who answers where a route of the plugin refuses: `'host'`, your app's error handler, if it has one; or `'plugin'`,
   * always in the form of docs/errors.md, whatever your app does. Default `'host'`.
   */
  errorAnswers?: 'host' | 'plugin'
  /** Whether GET /api-root/ is there. Default `true`. */
  apiRoot?: boolean

  /** Default: in memory, for trying out. */
  userStore?: UserStore
  /** Default: in memory, for trying out. Not beside a @fastify/session of the host's own, which then keeps the logins. */
  sessionStore?: SessionStore
  /** Default: prints mails on the console, for trying out. */
  mailer?: Mailer
  /** Default: HMAC-SHA-256 with keys derived from `secret`. */
  tokenSigner?: TokenSigner
  /** Default: scrypt, N = 2^15, r = 8, p = 3. */
  passwordHasher?: PasswordHasher

  /** Replaces single rules of who may do what. */
  authorize?: Partial<Authorize>
  /** Replaces single mails. */
  emails?: Partial<EmailTemplates>
  /** How mails and pages show whose they are. */
  brand?: {
    /** What the service is called. Default: the host of `baseUrl`. */
    name?: string
    /** Absolute URL of a picture, shown 40 pixels high; on pages only where it is on the origin of `baseUrl`. Default: the name, in letters. */
    logo?: string
    /** Where people use the service: a URL, or a path of the site. The name at the top of pages leads there, and pages with nothing left to do. Default: nowhere. */
    url?: string
    /** The colour of buttons, `#rrggbb` or `#rgb`; black or white is written on it, whichever is read more easily. Default `#1d4ed8`. */
    color?: string
    /** The last line of mails and pages, such as a postal address. Default: none. */
    footer?: string
  }
  /** The languages of mails, pages and messages. */
  languages?: {
    /** BCP 47 tags; the first is spoken where nothing else decides. Default: `en`, `de` and `fr`, then those of `texts`. */
    offered?: readonly string[]
    /** By tag: some texts in the place of shipped ones, or all texts of another language. Default: none. */
    texts?: Readonly<Record<string, SomeTexts>>
  }

  password?: {
    /** Code points, 8 to 64. Default 8; NIST SP 800-63B-4 asks for 15 where there is no second factor. */
    minLength?: number
    /** Code points, 64 to 1024. Default 256. */
    maxLength?: number
    /**
     * How many passwords are hashed at a time, 1 to 128; 64 strangers and 64 who are known may wait, each no longer
     * than eight seconds. Default: one less than there are cores, and than libuv has threads (`UV_THREADPOOL_SIZE`, 4),
     * so that files and DNS do not wait behind hashes; at least 1.
     */
    concurrency?: number
  }

  session?: {
    /** Name of the cookie; over https it gets the prefix `__Host-`. Default `'session'`. */
    cookieName?: string
    /** Milliseconds without a request after which a session ends. At most `absoluteTimeout`. Default 7 days. */
    idleTimeout?: number
    /** Milliseconds after which a session ends whatever happens. Default 30 days (NIST SP 800-63B-4, AAL1). */
    absoluteTimeout?: number
    /**
     * Milliseconds for which a password that was given, at login or at POST /confirm-password/, counts as confirmed.
     * At most `absoluteTimeout`. Default 15 minutes.
     */
    confirmLifetime?: number
    /**
     * How much of a client's address a session keeps, for its owner to see: `'full'`; `'truncated'`, the network
     * (/24, IPv6 /48), which tells home from abroad and no more; `'off'`, nothing. Default `'truncated'`.
     */
    ip?: 'full' | 'truncated' | 'off'
    /** Whether a login from a device that is not known is mailed to the user. Default `true`. */
    newDeviceMail?: boolean
    /**
     * Whether a logout asks the browser to drop every cookie of the site, by `Clear-Site-Data: "cookies"`: for shared
     * computers. That includes your own cookies, those of sibling subdomains, and the one that marks a known device.
     * Default `false`: a logout clears the session's cookie alone.
     */
    clearSiteData?: boolean
  }

  links?: {
    /** Milliseconds, at least 1 second, whole seconds. Default 1 hour. */
    resetLifetime?: number
    /** Milliseconds, at least 1 second, whole seconds. Default 24 hours. */
    verifyLifetime?: number
    /** The link to a new e-mail address. Milliseconds, at least 1 second, whole seconds. Default 24 hours. */
    changeEmailLifetime?: number
    /** The links that undo a change of the e-mail address, and a login that was not one's own. Milliseconds, at least 1 second, whole seconds. Default 7 days. */
    undoLifetime?: number
  }

  /** `false` lifts every limit, those of mails too: for load tests only. */
  throttle?:
    | false
    | {
        /** Where tries are counted. Default: in memory, each process for itself. */
        store?: ThrottleStore
        /** Replaces single limits. */
        limits?: Partial<Limits>
      }

  /** Origins of other sites that may send state-changing requests: `['https://app.example.org']`. Default: none. */
  trustedOrigins?: readonly string[]
  /**
   * Fastify's route constraints, on every route: `{ version: '1.0.0' }`. Link pages also answer without a version, as
   * browsers ask for them; of several versions in one app, the first one registered does. Default: none.
   */
  constraints?: RouteOptions['constraints']
  /** Milliseconds that a call of an adapter may take before the answer is 503. Default 5000. */
  adapterTimeout?: number
  /** Whether each event `audit` is also logged, at level info. Default `false`. */
  auditLog?: boolean
  /** Names of the decorators, where others use them: a second mount, @fastify/passport. Default `{ instance: 'accounts', request: 'user' }`. */
  decorateAs?: { instance?: string; request?: string }
}

/** The options with every default in place; adapters stay absent where the plugin makes the default. */
export interface ResolvedOptions {
  readonly secrets: readonly string[]
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly origin: string
  readonly secure: boolean
  readonly prefix: string
  readonly auth: false | Required<AuthOptions>
  readonly users: false | Required<Omit<UsersOptions, 'fields'>>
  /** The integrator's fields, also where the users routes are off. */
  readonly fields: FieldsSchema | undefined
  /** Checks what is given for the integrator's fields. */
  readonly checkFields: (value: unknown) => FieldError[]
  readonly login: { readonly byUsername: boolean; readonly byEmail: boolean }
  readonly requireEmailConfirmation: boolean
  readonly brand: Brand
  readonly languages: Languages
  readonly changePasswordUrl: false | string | undefined
  readonly errorAnswers: 'host' | 'plugin'
  readonly apiRoot: boolean
  readonly authorize: Authorize
  readonly password: {
    readonly minLength: number
    readonly maxLength: number
    readonly concurrency: number
    /** What nobody may choose, since everybody would guess it (NIST SP 800-63B-4 section 3.1.1.2). */
    readonly siteNames: readonly string[]
  }
  readonly session: {
    readonly cookieName: string
    readonly idleTimeout: number
    readonly absoluteTimeout: number
    readonly confirmLifetime: number
    readonly ip: 'full' | 'truncated' | 'off'
    readonly newDeviceMail: boolean
    readonly clearSiteData: boolean
  }
  readonly links: {
    readonly resetLifetime: number
    readonly verifyLifetime: number
    readonly changeEmailLifetime: number
    readonly undoLifetime: number
  }
  readonly limits: Readonly<Limits> | false
  readonly trustedOrigins: readonly string[]
  readonly constraints: RouteOptions['constraints']
  readonly adapterTimeout: number
  readonly auditLog: boolean
  readonly decorateAs: { readonly instance: string; readonly request: string }
  readonly given: Pick<
    AccountsOptions,
    | 'userStore'
    | 'sessionStore'
    | 'mailer'
    | 'tokenSigner'
    | 'passwordHasher'
    | 'emails'
    | 'requireEmailConfirmation'
  > & { throttleStore?: ThrottleStore | undefined }
}
