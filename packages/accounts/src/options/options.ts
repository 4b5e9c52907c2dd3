import type { RouteOptions } from 'fastify'
import type { SomeTexts } from '../languages/texts.js'
import type { EmailTemplates } from '../seams/email-templates.js'
import type { Mailer } from '../seams/mailer.js'
import type { PasswordCheck } from '../seams/password-check.js'
import type { PasswordHasher } from '../seams/password-hasher.js'
import type { SessionStore } from '../seams/session-store.js'
import type { ThrottleStore } from '../seams/throttle-store.js'
import type { TokenSigner } from '../seams/token-signer.js'
import type { UserStore } from '../seams/user-store.js'
import type { AccountUser, FieldsSchema } from '../user.js'
import type { Limits } from './limits.js'
import { second } from './time.js'

/** Milliseconds: the default of `adapterTimeout`. */
export const defaultAdapterTimeout: number = 5 * second

/** Who may do what. Each answers for one action; `actor` is who is logged in. */
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
  /** May this user look users up by how an email address begins? Default: staff. */
  searchEmails(actor: AccountUser): boolean | Promise<boolean>
  /**
   * May this user list users in the own view, with `?view=own`, or by `is_active`, `is_staff` and `is_verified`? Those
   * whom `manageUser` doesn't let them manage are left out. Default: staff.
   */
  listDetails(actor: AccountUser): boolean | Promise<boolean>
  /** May this user disable, enable, promote, demote or log out that one? Default: staff. */
  manageUser(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
  /**
   * May this user change that one's email, name, own fields, and whether the email counts as verified? Default: staff, of
   * users who aren't staff. It never applies to your own account: PATCH /me/ is for that.
   */
  editUser(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
  /** Default: the user and staff. Whatever it says, staff can't delete their own account. */
  deleteUser(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
}

/** The rules of `authorize` that apply unless the app sets its own. */
export const defaultAuthorize: Readonly<Authorize> = {
  createUser: () => true,
  listUsers: () => true,
  showUser: () => true,
  searchEmails: (actor) => actor.isStaff,
  listDetails: (actor) => actor.isStaff,
  manageUser: (actor) => actor.isStaff,
  editUser: (actor, target) => actor.isStaff && !target.isStaff,
  deleteUser: (actor, target) => actor.id === target.id || actor.isStaff,
}

/** The option `auth`. */
export interface AuthOptions {
  /** Stands before the auth routes, behind `prefix`. Default: none. */
  prefix?: string
}

/** The option `users`. */
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
  /** Whether GET /user/ is there, where `variant` has it. A user store that cannot list needs `false`. Default `true`. */
  list?: boolean
  /** Fields of your own, as JSON Schema of an object, written with TypeBox or by hand: checked at creation, kept, and shown to the user. Names in snake_case. Default: none. */
  fields?: FieldsSchema
  /**
   * Whether accounts have usernames. `'required'`: each has one. `'optional'`: one may do without, if it has an email
   * address. `'none'`: people sign up and log in by email address alone; no name is asked for, taken or shown.
   * Default `'required'`.
   */
  names?: 'required' | 'optional' | 'none'
  /** What others see of a user beside `id` and `username`: names of your own fields, or of the own view. Default: nothing. */
  publicFields?: readonly string[]
}

/** A feature, as a package hands it to a host. What is in it, `Feature` of `fastify-accounts/features` says. */
export interface AccountsFeature {
  /** Lowercase letters, digits and `-`; once in a mount. */
  readonly name: string
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
    /** What POST /login/ takes in `username`: the username, the email address of the account, or either. Default `['username', 'email']`; `['email']` where `users.names` is `'none'`. */
    by?: readonly ('username' | 'email')[]
    /** Whether people can log in with a code by email, in place of the password. Default `false`. */
    emailCode?: boolean
  }
  /** Whoever has an email address must prove it before the first login. Default `false`. */
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
  /** Features of other packages, and those that are not on by default: `[passkeys()]`. Not yet stable. Default: none. */
  features?: readonly AccountsFeature[]
  /** Whether GET /api-root/ is there. Default `true`. */
  apiRoot?: boolean
  /**
   * Other paths for single routes, by their names in /api-root/, behind the prefixes: `{ login: '/session/' }`. A path
   * keeps its parameters, each a segment: `{ reset: '/new-password/{uid64}/{token}/' }`. Default: none.
   */
  paths?: Readonly<Record<string, string>>

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
    /** The color of buttons, `#rrggbb` or `#rgb`; black or white is written on it, whichever is read more easily. Default `#1d4ed8`. */
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
     * Asked about each new password that our own rules let pass, wherever it is chosen: `pwnedPasswords()`, or a rule of
     * your own. Default: none, and nothing is sent anywhere.
     */
    check?: PasswordCheck
    /**
     * A key, kept outside the database, that each password is mixed with before it is hashed. At least 32 bytes, not
     * guessable. Several rotate: the first is used for new hashes, all are accepted. Hashes without it, or under an older
     * one, are replaced at the next login. While there are hashes under a key, it must stay. Default: none.
     */
    pepper?: string | readonly string[]
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
     * Milliseconds for which a login, or POST /confirm/, counts as recent.
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
    /** The link to a new email address. Milliseconds, at least 1 second, whole seconds. Default 24 hours. */
    changeEmailLifetime?: number
    /** The links that undo a change of the email address, and a login that was not one's own. Milliseconds, at least 1 second, whole seconds. Default 7 days. */
    undoLifetime?: number
    /**
     * Pages of your own that links in emails lead to, by the name of the route that they would lead to:
     * `{ reset: 'https://app.example.org/reset/{uid64}/{token}' }`. A path of the site, or a URL on the origin of
     * `baseUrl`, of `brand.url`, or on one of `trustedOrigins`; in production https, but for loopback. `email-confirm`,
     * `email-undo` and `email-release` also need `{email}`. Default: none, the shipped pages.
     */
    pages?: Readonly<Record<string, string>>
  }

  /** `false` lifts every limit, those of mails too: for load tests only. */
  throttle?:
    | false
    | {
        /** Where attempts are counted. Default: in memory, each process for itself. */
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
  constraints?: NonNullable<RouteOptions['constraints']>
  /** Milliseconds that a call of an adapter may take before the answer is 503. Default 5000. */
  adapterTimeout?: number
  /** Whether each event `audit` is also logged, at level info. Default `false`. */
  auditLog?: boolean
  /** Names of the decorators, where others use them: a second mount, @fastify/passport. Default `{ instance: 'accounts', request: 'user' }`. */
  decorateAs?: { instance?: string; request?: string }
}
