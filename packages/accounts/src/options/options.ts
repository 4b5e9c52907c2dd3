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
import { day, second } from './time.js'

/** Milliseconds: the default of `adapterTimeout`. */
export const defaultAdapterTimeout: number = 5 * second

/** Milliseconds: the default of `links.undoLifetime`. */
export const defaultUndoLifetime: number = 7 * day

/**
 * Authorization rules, one for each action; `actor` is the logged-in user. If one throws or takes longer than
 * `adapterTimeout`, the answer is 503.
 */
export interface Authorize {
  /** Default: anyone. */
  createUser(actor: AccountUser | null): boolean | Promise<boolean>
  /** Default: anyone logged in. */
  listUsers(actor: AccountUser): boolean | Promise<boolean>
  /**
   * Default: anyone logged in. A user it rejects seems not to exist, and is missing from lists and searches. For a list it
   * is called for all users of a page at the same time.
   */
  showUser(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
  /** Whether this user may search users by the start of an email address. Default: staff. */
  searchEmails(actor: AccountUser): boolean | Promise<boolean>
  /**
   * Whether this user may list users in the own view (`?view=own`) or by `is_active`, `is_staff` and `is_verified`. Users
   * they may not manage (`manageUser`) are left out. With `requireEmailConfirmation`, it also takes this to list
   * users whom nobody has proven or used yet. Default: staff.
   */
  listDetails(actor: AccountUser): boolean | Promise<boolean>
  /**
   * Whether this user may disable, enable, promote, demote or log out the target, and with `requireEmailConfirmation` see
   * one whom nobody has proven or used yet. Default: staff.
   */
  manageUser(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
  /**
   * Whether this user may change the target's email, username, own fields, and whether the email counts as verified.
   * Default: staff, for users who aren't staff. Never applies to your own account: use PATCH /me/.
   */
  editUser(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
  /** Default: the user and staff. Staff can never delete their own account. */
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
  /** Path prefix of the auth routes, after the option `prefix`. Default: none. */
  prefix?: string
}

/** The option `users`. */
export interface UsersOptions {
  /** Path prefix of the users routes, after the option `prefix`. Default: none. */
  prefix?: string
  /** `'user'`: creation at /user/, with list, show and delete; `'signup'`: only creation, at /signup/; or `'both'`. Default `'both'`. */
  variant?: 'user' | 'signup' | 'both'
  /**
   * Which clients verify an address by just opening the link. `'json'`: those that explicitly ask for
   * `application/json`. `'open'`: all that don't prefer HTML. `'click'`: none, a POST is required. A browser always shows
   * a button that sends one. Default `'json'`.
   */
  verifyLinks?: 'json' | 'open' | 'click'
  /** Whether GET /user/ is mounted, if `variant` includes it. Must be `false` if the user store can't list. Default `true`. */
  list?: boolean
  /** Your own fields, as JSON Schema of an object, made with TypeBox or by hand: checked, stored, and shown to the user. Names in snake_case. Default: none. */
  fields?: FieldsSchema
  /**
   * Whether accounts have usernames. `'required'`: all have one. `'optional'`: accounts with an email address may lack
   * one. `'none'`: users sign up and log in with an email address only; usernames are never requested or shown.
   * Default `'required'`.
   */
  names?: 'required' | 'optional' | 'none'
  /** What others see of a user besides `id` and `username`: your own fields or fields of the own view. Default: nothing. */
  publicFields?: readonly string[]
}

/** A feature, as a package provides it. Its content is `Feature` of `fastify-accounts/features`. */
export interface AccountsFeature {
  /** Lowercase letters, digits and `-`; once in a mount. */
  readonly name: string
}

/** Options of the plugin. All have a default except `secret` and `baseUrl`. */
export interface AccountsOptions {
  /**
   * Signs cookies and links, with a derived key for each use. At least 32 bytes that can't be guessed, such as 32 random
   * bytes in base64url. In a list, the first signs and all are accepted, for rotation.
   */
  secret: string | readonly string[] | undefined
  /** The address at which users reach the service, such as `https://example.org`. It decides links and the cookie's `Secure`; the Host header never does. */
  baseUrl: string
  /** Path prefix of all routes of the plugin. Default: none. */
  prefix?: string
  /** The auth routes; `false` leaves them out. Default `{}`. */
  auth?: false | AuthOptions
  /** The users routes; `true` is `{}`. Default `false`: nobody can sign up. */
  users?: boolean | UsersOptions
  login?: {
    /** What POST /login/ accepts in `username`: the username, the email address, or either. Default `['username', 'email']`; `['email']` if `users.names` is `'none'`. */
    by?: readonly ('username' | 'email')[]
    /** Whether users can log in with an emailed code instead of the password. Default `false`. */
    emailCode?: boolean
  }
  /** Whether users with an email address must verify it before the first login. Default `false`. */
  requireEmailConfirmation?: boolean
  /**
   * The page for changing the password, a path or a URL: /.well-known/change-password redirects there, for password
   * managers. `false` turns it off. Default: the plugin's own page, if the plugin is mounted at the root of the site.
   */
  changePasswordUrl?: false | string
  /**
   * Who responds to errors of the plugin's routes: `'plugin'`, in the form of docs/errors.md; or `'host'`, your app's error
   * handler if it has one. Default `'plugin'`.
   */
  errorResponses?: 'host' | 'plugin'
  /** Features of other packages, and those that are not on by default: `[passkeys()]`. Not yet stable. Default: none. */
  features?: readonly AccountsFeature[]
  /** The OpenAPI document, if the app has @fastify/swagger. */
  openapi?: {
    /**
     * Whether it lists form bodies, too, next to JSON. Some generated clients choose neither then, and get a 415. Default
     * `false`.
     */
    forms?: boolean
  }
  /**
   * Other paths for single routes, by their names in /api-root/, after the prefixes: `{ login: '/session/' }`. A path
   * keeps its parameters, each as a segment: `{ reset: '/new-password/{uid64}/{token}/' }`. Default: none.
   */
  paths?: Readonly<Record<string, string>>

  /** Stores users. Default: in memory, for trying out. */
  userStore?: UserStore
  /** Stores sessions. Default: in memory, for trying out. Not allowed with your own @fastify/session, which then keeps the logins. */
  sessionStore?: SessionStore
  /** Delivers emails. Default: prints them to the console, for trying out. */
  mailer?: Mailer
  /** Default: HMAC-SHA-256 with keys derived from `secret`. */
  tokenSigner?: TokenSigner
  /** Default: scrypt, N = 2^15, r = 8, p = 3. */
  passwordHasher?: PasswordHasher

  /** Replaces single authorization rules. */
  authorize?: Partial<Authorize>
  /** Replaces single emails. */
  emails?: Partial<EmailTemplates>
  /** The appearance of emails and pages. */
  brand?: {
    /** The name of the service. Default: the host of `baseUrl`. */
    name?: string
    /** Absolute URL of a picture, shown 40 pixels high; on pages only if it is on the origin of `baseUrl`. Default: the name as text. */
    logo?: string
    /** Your app, as a URL or a path: the name at the top of pages and the link on final pages lead there. Default: no links. */
    url?: string
    /** The color of buttons, `#rrggbb` or `#rgb`; their text is black or white, whichever is more readable. Default `#1d4ed8`. */
    color?: string
    /** The last line of emails and pages, such as a postal address. Default: none. */
    footer?: string
  }
  /** The languages of emails, pages and messages. */
  languages?: {
    /** BCP 47 tags; the first is the default language. Default: `en`, `de` and `fr`, then those of `texts`. */
    offered?: readonly string[]
    /** By tag: replacements for some shipped texts, or all texts of another language. Default: none. */
    texts?: Readonly<Record<string, SomeTexts>>
  }

  password?: {
    /** Code points, 8 to 64. Default 8; NIST SP 800-63B-4 asks for 15 without a second factor. */
    minLength?: number
    /** Code points, 64 to 1024. Default 256. */
    maxLength?: number
    /**
     * Checks each new password that passes our own rules, wherever it is set: `pwnedPasswords()`, or your own function.
     * Default: none; nothing is sent anywhere.
     */
    check?: PasswordCheck
    /**
     * A key outside the database that is mixed into each password before hashing. At least 32 bytes that can't be guessed.
     * In a list, the first is used for new hashes and all are accepted, for rotation. Hashes without it or with an older
     * one are replaced at the next login. Keep a key as long as there are hashes with it. Default: none.
     */
    pepper?: string | readonly string[]
    /**
     * How many passwords are hashed at a time, 1 to 128. 64 unknown and 64 known visitors may wait, for up to eight
     * seconds each. Default: one less than the number of cores and of libuv's threads (`UV_THREADPOOL_SIZE`, 4), so files
     * and DNS don't wait for hashes; at least 1.
     */
    concurrency?: number
  }

  session?: {
    /** Name of the cookie; over https it gets the prefix `__Host-`. Default `'session'`. */
    cookieName?: string
    /**
     * Milliseconds without a request after which a session ends, or sooner by up to a minute or a quarter of it, whichever is less: not every
     * request is recorded. At most `absoluteTimeout`. Default 7 days.
     */
    idleTimeout?: number
    /** Milliseconds after which a session ends in any case. Default 30 days (NIST SP 800-63B-4, AAL1). */
    absoluteTimeout?: number
    /**
     * Milliseconds for which a login, or POST /confirm/, counts as recent.
     * At most `absoluteTimeout`. Default 15 minutes.
     */
    confirmLifetime?: number
    /**
     * How much of the client's address a session stores, for its owner to see: `'full'`; `'truncated'`, the network
     * (/24, IPv6 /48), enough to tell home from abroad; `'off'`, nothing. Default `'truncated'`.
     */
    ip?: 'full' | 'truncated' | 'off'
    /** Whether users get an email about a login from a new device. Default `true`. */
    newDeviceMail?: boolean
    /**
     * Whether a logout makes the browser delete all cookies of the site (`Clear-Site-Data: "cookies"`), for shared
     * computers. That includes your own cookies, those of sibling subdomains, and the known-device cookie.
     * Default `false`: a logout only clears the session cookie.
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
    /** The links that undo a change of the email address or report a login. Milliseconds, at least 1 second, whole seconds. Default 7 days. */
    undoLifetime?: number
    /**
     * Your own pages for links in emails, by the name of the route that each replaces:
     * `{ reset: 'https://app.example.org/reset/{uid64}/{token}' }`. A path, or a URL on the origin of `baseUrl` or
     * `brand.url` or on one of `trustedOrigins`; in production https, except on loopback. `email-confirm`, `email-undo`
     * and `email-release` also need `{email}`. Default: the plugin's pages.
     */
    pages?: Readonly<Record<string, string>>
  }

  /** `false` lifts all limits, including those of emails: for tests only. */
  throttle?:
    | false
    | {
        /** Counts attempts. Default: in memory, separately in each process. */
        store?: ThrottleStore
        /** Replaces single limits. */
        limits?: Partial<Limits>
      }

  /** Origins of other sites that may send state-changing requests: `['https://app.example.org']`. Default: none. */
  trustedOrigins?: readonly string[]
  /**
   * Fastify's route constraints, for every route: `{ version: '1.0.0' }`. Link pages and the targets of forms also answer
   * without any but `host`, since browsers send no such header; of several mounts, the one registered first does.
   * Default: none.
   */
  constraints?: NonNullable<RouteOptions['constraints']>
  /** Time limit in milliseconds for an adapter call, or a function of yours, before the answer is 503. Default 5000. */
  adapterTimeout?: number
  /** Whether each `audit` event is also logged, at level info. Default `false`. */
  auditLog?: boolean
  /** Other names for the decorators, if taken by a second mount or @fastify/passport. Default `{ instance: 'accounts', request: 'user' }`. */
  decorateAs?: { instance?: string; request?: string }
}
