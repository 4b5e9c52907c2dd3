import type { RouteOptions } from 'fastify'
import type { LinkRouteName, RouteName } from '../feature-names.js'
import type { SomeTexts } from '../languages/texts.js'
import type { ActivityStore } from '../seams/activity-store.js'
import type { BeforeRules } from '../seams/before.js'
import type { EmailTemplates, OwnEmails } from '../seams/email-templates.js'
import type { Subscriber } from '../seams/events.js'
import type { InvitationStore } from '../seams/invitation-store.js'
import type { Mailer } from '../seams/mailer.js'
import type { PasswordCheck } from '../seams/password-check.js'
import type { PasswordHasher } from '../seams/password-hasher.js'
import type { SessionStore } from '../seams/session-store.js'
import type { ThrottleStore } from '../seams/throttle-store.js'
import type { TokenSigner } from '../seams/token-signer.js'
import type { UserStore } from '../seams/user-store.js'
import type { AccountUser, FieldsSchema } from '../user.js'
import type { Some } from './checks.js'
import type { Limits } from './limits.js'
import type { Roles } from './roles.js'
import { day, second } from './time.js'

/** Milliseconds: the default of `adapterTimeout`. */
export const defaultAdapterTimeout: number = 5 * second

/** Milliseconds: the default of `links.undoLifetime`. */
export const defaultUndoLifetime: number = 7 * day

/**
 * Authorization rules, one for each action; `actor` is the logged-in user. If one throws or takes longer than
 * `adapterTimeout`, the response is 503.
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
  /** Whether this user may search users by the start of an email address. Default: `users:read`. */
  searchEmails(actor: AccountUser): boolean | Promise<boolean>
  /** Whether this user may search the own fields of `users.searchFields`. Default: `users:read`. */
  searchFields(actor: AccountUser): boolean | Promise<boolean>
  /**
   * Whether this user may list users in the own view (`?view=own`) or by `is_active`, `is_staff` and `is_verified`. Users
   * whose details they may not see (`showDetails`) are left out. With `requireEmailConfirmation`, it also takes this to
   * list users whom nobody has proven or used yet. Default: `users:read`.
   */
  listDetails(actor: AccountUser): boolean | Promise<boolean>
  /**
   * Whether this user may see the target as the target does, and with `requireEmailConfirmation` see one whom nobody has
   * proven or used yet. Default: the user, and `users:read`.
   */
  showDetails(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
  /**
   * Whether this user may disable, enable or log out the target. Default: `users:disable`, for users who may do nothing that
   * the actor may not.
   */
  manageUser(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
  /**
   * Whether this user may change the target's email, username, own fields, and whether the email counts as verified.
   * Default: staff, for users who aren't staff; and `users:edit`, for users who have no permission of this plugin and may do
   * nothing that the actor may not. Never applies to your own account: use PATCH /me/.
   */
  editUser(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
  /** Whether this user may remove all second factors of the target. Default: staff, and `users:edit` as for `editUser`. */
  resetFactors(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
  /**
   * Whether this user may make these changes to the rights of the target, or give them to a user who is being created
   * (`null`). Default: `users:grant`, as long as neither the target nor the given roles may do anything that the actor may
   * not; only staff change who is staff.
   */
  grantRights(
    actor: AccountUser,
    target: AccountUser | null,
    changes: RightsChange,
  ): boolean | Promise<boolean>
  /**
   * Default: the user; and `users:delete`, for users who may do nothing that the actor may not. Whoever may grant rights can
   * never delete their own account.
   */
  deleteUser(actor: AccountUser, target: AccountUser): boolean | Promise<boolean>
  /**
   * Whether this user may invite people, and send invitations again and withdraw them; roles also need `grantRights`, and
   * the list `listDetails`. Default: `users:invite`.
   */
  invite(actor: AccountUser): boolean | Promise<boolean>
  /** Whether this user may manage service accounts and their API keys. Default: `users:services`. */
  manageServices(actor: AccountUser): boolean | Promise<boolean>
}

/** Changes to the rights of a user; missing ones stay unchanged. */
export interface RightsChange {
  isStaff?: boolean | undefined
  /** All roles that the user has afterwards, of those that the option `roles` names. */
  roles?: readonly string[] | undefined
}

/** The option `auth`. */
export interface AuthOptions {
  /** Path prefix of the auth routes, after the option `prefix`. Default: none. */
  prefix?: string | undefined
}

/** The option `users`. */
export interface UsersOptions {
  /** Path prefix of the users routes, after the option `prefix`. Default: none. */
  prefix?: string | undefined
  /** `'user'`: creation at /user/, with list, show and delete; `'signup'`: only creation, at /signup/; or `'both'`. Default `'both'`. */
  variant?: 'user' | 'signup' | 'both' | undefined
  /**
   * Which clients verify an address by just opening the link. `'json'`: those that explicitly ask for
   * `application/json`. `'open'`: all that don't prefer HTML. `'click'`: none, a POST is required. A browser always shows
   * a button that sends one. Default `'json'`.
   */
  verifyLinks?: 'json' | 'open' | 'click' | undefined
  /** Whether GET /user/ is mounted, if `variant` includes it. Must be `false` if the user store can't list. Default `true`. */
  list?: boolean | undefined
  /** The largest page of GET /user/, 1 to 500 users. Without `limit` a page has 50, or this if that is fewer. Default 100. */
  pageSize?: number | undefined
  /**
   * Your own fields, as JSON Schema of an object, made with TypeBox or by hand: checked, stored, and shown to the user.
   * Names in snake_case. A field with `readOnly: true` is only set by your app, such as by `before.signUp`. Default: none.
   */
  fields?: FieldsSchema | undefined
  /**
   * Whether accounts have usernames. `'required'`: all have one. `'optional'`: accounts with an email address may lack
   * one. `'none'`: users sign up and log in with an email address only; usernames are never requested or shown.
   * Default `'required'`.
   */
  names?: 'required' | 'optional' | 'none' | undefined
  /** What others see of a user besides `id` and `username`: your own fields or fields of the own view. Default: nothing. */
  publicFields?: readonly string[] | undefined
  /**
   * Your own fields, texts, that `search_in=fields` of GET /user/ searches for a text anywhere in them, if
   * `authorize.searchFields` allows it. The user store must list by `'search'`. Default: none.
   */
  searchFields?: readonly string[] | undefined
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
   * bytes in base64url. In a list, the first signs and all are accepted. To rotate, add the new one at the end, in every
   * process, before any signs with it.
   */
  secret: string | readonly string[] | undefined
  /** The address at which users reach the service, such as `https://example.org`. It decides links and the cookie's `Secure`; the Host header never does. */
  baseUrl: string
  /** Path prefix of all routes of the plugin. Default: none. Fastify's `register` also has it, and takes no `undefined`. */
  prefix?: string
  /** The auth routes; `false` leaves them out. Default `{}`. */
  auth?: false | AuthOptions | undefined
  /** The users routes; `true` is `{}`. Default `false`: nobody can sign up. */
  users?: boolean | UsersOptions | undefined
  login?:
    | {
        /** What POST /login/ accepts in `username`: the username, the email address, or either. Default `['username', 'email']`; `['email']` if `users.names` is `'none'`. */
        by?: readonly ('username' | 'email')[] | undefined
        /** Whether users can log in with an emailed code instead of the password. Default `false`. */
        emailCode?: boolean | undefined
      }
    | undefined
  /** Whether users with an email address must verify it before the first login. Default `false`. */
  requireEmailConfirmation?: boolean | undefined
  /**
   * Which email addresses an account may get. `'ascii'`: none with other than ASCII characters before the `@`, for a mail
   * server without SMTPUTF8 (RFC 6531); domains of any script are fine. Default `'any'`.
   */
  emailAddresses?: 'any' | 'ascii' | undefined
  /**
   * The page for changing the password, a path or a URL: /.well-known/change-password redirects there, for password
   * managers. `false` turns it off. Default: the plugin's own page, if the plugin is mounted at the root of the site.
   */
  changePasswordUrl?: false | string | undefined
  /**
   * Who responds to errors of the plugin's routes: `'plugin'`, in the form of docs/errors.md; or `'host'`, your app's error
   * handler if it has one. Default `'plugin'`.
   */
  errorResponses?: 'host' | 'plugin' | undefined
  /** Features of other packages, and those that are not on by default: `[passkeys()]`. Not yet stable. Default: none. */
  features?: readonly AccountsFeature[] | undefined
  /** The OpenAPI document, if the app has @fastify/swagger. */
  openapi?:
    | {
        /**
         * Whether it lists form bodies as well, next to JSON. Some generated clients choose neither then, and get a 415. Default
         * `false`.
         */
        forms?: boolean | undefined
        /**
         * Whether it describes the events as `webhooks`, for an app that sends them on. Only in OpenAPI 3.1. Default `false`.
         */
        webhooks?: boolean | undefined
      }
    | undefined
  /**
   * Other paths for single routes, by their names in /api-root/, after the prefixes: `{ login: '/session/' }`. A path
   * keeps its parameters, each as a segment: `{ reset: '/new-password/{uid64}/{token}/' }`. Default: none.
   */
  paths?: Some<Readonly<Record<RouteName, string>>> | undefined

  /** Stores users. Default: in memory, for trying out. */
  userStore?: UserStore | undefined
  /** Stores sessions. Default: in memory, for trying out. Not allowed with your own @fastify/session, which then keeps the logins. */
  sessionStore?: SessionStore | undefined
  /** Stores invitations. Default: in memory, for trying out. */
  invitationStore?: InvitationStore | undefined
  /** Stores what has happened to each account, for its person: GET /me/activity/. Default: nothing is stored. */
  activity?: ActivityStore | undefined
  /** Delivers emails. Default: prints them to the console, for trying out. */
  mailer?: Mailer | undefined
  /** Default: HMAC-SHA-256 with keys derived from `secret`. */
  tokenSigner?: TokenSigner | undefined
  /** Default: scrypt, N = 2^15, r = 8, p = 3. */
  passwordHasher?: PasswordHasher | undefined

  /**
   * What roles let people do, besides staff: `{ support: ['users:read', 'users:disable'], editor: ['posts:write'] }`, with
   * permissions of this plugin (`UserPermission`) and your own. A user has any number of roles. Default: none, and users
   * have no `roles` over HTTP.
   */
  roles?: Roles | undefined
  /** Replaces single authorization rules. */
  authorize?: Some<Authorize> | undefined
  /** Rules of your app, called before somebody signs up, logs in or changes an address. Default: none. */
  before?: Some<BeforeRules> | undefined
  /** What a sign-up may carry besides the account. */
  signUp?:
    | {
        /**
         * JSON Schema of an object, like `users.fields`: what a sign-up carries for `before.signUp` and nobody stores, such as a
         * captcha token, an invitation code or accepted terms. Names in snake_case. Default: nothing.
         */
        fields?: FieldsSchema | undefined
      }
    | undefined
  /** Replaces single emails. */
  emails?: Some<EmailTemplates> | undefined
  /**
   * Emails of your own, for `app.accounts.mail`, by names of lowercase letters, digits and `-`. Default: none.
   */
  ownEmails?: OwnEmails | undefined
  /** The appearance of emails and pages. */
  brand?:
    | {
        /** The name of the service. Default: the host of `baseUrl`. */
        name?: string | undefined
        /** Absolute URL of a picture, shown 40 pixels high; on pages only if it is on the origin of `baseUrl`. Default: the name as text. */
        logo?: string | undefined
        /** Your app, as a URL or a path: the name at the top of pages and the link on final pages lead there. Default: no links. */
        url?: string | undefined
        /** The color of buttons, `#rrggbb` or `#rgb`; their text is black or white, whichever is more readable. Default `#1d4ed8`. */
        color?: string | undefined
        /** The last line of emails and pages, such as a postal address. Default: none. */
        footer?: string | undefined
        /** One sentence that says what the service is, at most 200 characters: in the first email and in invitations. Default: none. */
        about?: string | undefined
        /** URLs or paths of what the footer of pages links to. Default: none. */
        links?:
          | { privacy?: string | undefined; terms?: string | undefined; imprint?: string | undefined }
          | undefined
        /** The picture of the site in a browser's tab, as a URL or a path of the site. Default: none. */
        icon?: string | undefined
        /** The logo on dark pages, as `logo`. Default: the same. */
        darkLogo?: string | undefined
        /** A style sheet of the site, as a path, which the pages of `pages()` load after their own. Default: none. */
        stylesheet?: string | undefined
        /** Whether pages are light or dark; `auto` as the browser prefers. Default `'auto'`. */
        scheme?: 'light' | 'dark' | 'auto' | undefined
        /** The time zone of times in emails and on pages: an IANA name such as `Europe/Berlin`. Default `'UTC'`. */
        timeZone?: string | undefined
      }
    | undefined
  /** The languages of emails, pages and messages. */
  languages?:
    | {
        /** BCP 47 tags; the first is the default language. Default: `en`, `de` and `fr`, then those of `texts`. */
        offered?: readonly string[] | undefined
        /** By tag: replacements for some shipped texts, or all texts of another language. Default: none. */
        texts?: Readonly<Record<string, SomeTexts>> | undefined
      }
    | undefined

  password?:
    | {
        /** Code points, 8 to 64. Default 8; NIST SP 800-63B-4 asks for 15 without a second factor. */
        minLength?: number | undefined
        /** Code points, 64 to 1024. Default 256. */
        maxLength?: number | undefined
        /**
         * Checks each new password that passes our own rules, wherever it is set: `pwnedPasswords()`, or your own function.
         * Default: none; nothing is sent anywhere.
         */
        check?: PasswordCheck | undefined
        /**
         * A key outside the database that is mixed into each password before hashing. At least 32 bytes that can't be guessed.
         * In a list, the first is used for new hashes and all are accepted. To rotate, add the new one at the end, in every
         * process, before any hashes with it. Hashes without it or with an older one are replaced at the next login. Keep a
         * key as long as there are hashes with it. Default: none.
         */
        pepper?: string | readonly string[] | undefined
        /**
         * How many passwords are hashed at a time, 1 to 128. 64 unknown and 64 known visitors may wait, for up to eight
         * seconds each. Default: one less than the number of cores and of libuv's threads (`UV_THREADPOOL_SIZE`, 4), so files
         * and DNS don't wait for hashes; at least 1.
         */
        concurrency?: number | undefined
      }
    | undefined

  session?:
    | {
        /** Name of the cookie; over https it gets the prefix `__Host-`. Default `'session'`. */
        cookieName?: string | undefined
        /**
         * Milliseconds without a request after which a session ends, or sooner by up to a minute or a quarter of it, whichever is less: not every
         * request is recorded. At most `absoluteTimeout`. Default 7 days.
         */
        idleTimeout?: number | undefined
        /** Milliseconds after which a session ends in any case. Default 30 days (NIST SP 800-63B-4, AAL1). */
        absoluteTimeout?: number | undefined
        /**
         * Milliseconds for which a login, or POST /confirm/, counts as recent.
         * At most `absoluteTimeout`. Default 15 minutes.
         */
        confirmLifetime?: number | undefined
        /**
         * How much of the client's address a session stores, for its owner to see: `'full'`; `'truncated'`, the network
         * (/24, IPv6 /48), enough to tell home from abroad; `'off'`, nothing. Default `'truncated'`.
         */
        ip?: 'full' | 'truncated' | 'off' | undefined
        /** Whether users get an email about a login from a new device. Default `true`. */
        newDeviceMail?: boolean | undefined
        /**
         * Whether a logout makes the browser delete all cookies of the site (`Clear-Site-Data: "cookies"`), for shared
         * computers. That includes your own cookies, those of sibling subdomains, and the known-device cookie.
         * Default `false`: a logout only clears the session cookie.
         */
        clearSiteData?: boolean | undefined
      }
    | undefined

  links?:
    | {
        /** Milliseconds, at least 1 second, whole seconds. Default 1 hour. */
        resetLifetime?: number | undefined
        /** Milliseconds, at least 1 second, whole seconds. Default 24 hours. */
        verifyLifetime?: number | undefined
        /** The link to a new email address. Milliseconds, at least 1 second, whole seconds. Default 24 hours. */
        changeEmailLifetime?: number | undefined
        /** The links that undo a change of the email address or report a login. Milliseconds, at least 1 second, whole seconds. Default 7 days. */
        undoLifetime?: number | undefined
        /**
         * Your own pages for links in emails, by the name of the route that each replaces:
         * `{ reset: 'https://app.example.org/reset/{uid64}/{token}' }`. A path, or a URL on the origin of `baseUrl` or
         * `brand.url` or on one of `trustedOrigins`; in production https, except on loopback. `email-confirm`, `email-undo`
         * and `email-release` also need `{email}`. Default: the plugin's pages.
         */
        pages?: Some<Readonly<Record<LinkRouteName, string>>> | undefined
      }
    | undefined

  /** `false` lifts all limits, including those of emails: for tests only. */
  throttle?:
    | false
    | {
        /** Counts attempts. Default: in memory, separately in each process. */
        store?: ThrottleStore | undefined
        /** Replaces single limits. */
        limits?: Some<Limits> | undefined
      }
    | undefined

  /**
   * Origins of other sites, apps and browser extensions that may send state-changing requests:
   * `['https://app.example.org', 'capacitor://localhost']`. Default: none.
   */
  trustedOrigins?: readonly string[] | undefined
  /**
   * Fastify's route constraints, for every route: `{ version: '1.0.0' }`. Link pages and the targets of forms also respond
   * without any but `host`, since browsers send no such header; of several mounts, the one registered first does.
   * Default: none.
   */
  constraints?: NonNullable<RouteOptions['constraints']> | undefined
  /** Time limit in milliseconds for an adapter call, or a function of yours, before the response is 503. Default 5000. */
  adapterTimeout?: number | undefined
  /**
   * Subscribers to events, by names of lowercase letters, digits and `-`, which stay: what waits for a subscriber waits under
   * its name. `{ crm: { 'user.created': async (event, { signal }) => … } }`. Default: none.
   */
  on?: Readonly<Record<string, Subscriber>> | undefined
  /**
   * Whether events are stored for the subscribers of other processes, for one that has none. Default `false`: events that nobody
   * here subscribes to cost nothing.
   */
  events?: boolean | undefined
  /** Whether each `audit` event is also logged, at level info. Default `false`. */
  auditLog?: boolean | undefined
  /** Other names for the decorators, if taken by a second mount or @fastify/passport. Default `{ instance: 'accounts', request: 'user' }`. */
  decorateAs?: { instance?: string | undefined; request?: string | undefined } | undefined
}
