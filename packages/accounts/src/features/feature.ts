import type { FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import type { MailTable } from '../emails/mail-facts.js'
import type { FeatureErrors } from '../feature-names.js'
import type { Factor } from '../logins/factor.js'
import type { Limits } from '../options/limits.js'
import type { AccountsFeature } from '../options/options.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { PageTheme } from '../pages/theme.js'
import type { Confirmation } from '../routes/confirmation.js'
import type { Route } from '../routes/route.js'
import type { RouteUrls } from '../routes/route-urls.js'
import type { Pending } from '../routes/start-session.js'
import type { ThrottleByIp } from '../routes/throttle-by-ip.js'
import type { UserStore } from '../seams/user-store.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { NamedCookie } from '../sessions/named-cookie.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { SessionList } from '../sessions/session-list.js'
import type { SpendOnce } from '../sessions/single-use.js'
import type { LinkState, Purpose } from '../tokens/email-link.js'
import type { AccountUser, StoredUser, User } from '../user.js'

/**
 * What one feature brings to a mount: everything is optional but its name. The shipped features are made of the same,
 * and a mount composes them all before its first route.
 *
 * New names are made known to TypeScript by declaring the interfaces again that list them: `FeatureErrors`,
 * `FeatureMails`, `FeatureLinks`, `FeatureActions`, `FeatureTexts`, `AccountLimits` and `IpLimits`, all of
 * `fastify-accounts`. Not yet stable: it may change in any release.
 */
export interface Feature extends AccountsFeature {
  /**
   * Texts by language tag, in the groups of the catalogue: `errors`, `answers`, `pages`, `emails`. English is complete;
   * a language that is offered and not among them must be in the option `languages.texts`. Default: none.
   */
  readonly texts?: { readonly en: object; readonly [tag: string]: object }
  /** New limits, with their defaults. `throttle.limits` replaces them, `throttle: false` lifts them. Default: none. */
  readonly limits?: Readonly<Partial<Limits>>
  /** New error codes with their HTTP statuses; their texts are in `texts`, under `errors`. Default: none. */
  readonly errors?: Readonly<Partial<Record<keyof FeatureErrors, number>>>
  /** New kinds of link. Default: none. */
  readonly links?: Readonly<Partial<Record<Purpose, LinkFacts>>>
  /** New kinds of mail; their texts are in `texts`, under `emails`. Default: none. */
  readonly mails?: MailTable
  /** Methods that a user store may lack, and that this feature cannot do without. Default: none. */
  readonly needs?: readonly OptionalMethod[]
  /**
   * Who must have a second factor. Whoever has none then may enroll and nothing else. Asked at each request.
   * Default: nobody.
   */
  mustHaveFactor?(user: AccountUser): boolean | Promise<boolean>
  /** How long a device may skip the second factor, in milliseconds. Default 0: never. */
  readonly rememberFor?: number
  /** What completes a login and confirms one. Default: none. */
  factors?(core: Omit<FeatureCore, 'factors'>): readonly Factor[]
  /** What confirms beside a password and the factors. Default: nothing. */
  confirmations?(core: FeatureCore): readonly Confirmation[]
  /**
   * Whether a user can log in by what this feature brings. Nobody can remove the last way in, so each feature that
   * takes one away asks `core.hasWayIn`. Default: nobody can.
   */
  hasWayIn?(user: StoredUser, options: ResolvedOptions): boolean
  /**
   * What `npx fastify-accounts import` reads for it from other systems, by the name of the field: `totp`, `passkeys`.
   * Default: nothing.
   */
  imports?(core: Pick<Deps, 'vault'>): Promise<Readonly<Record<string, ImportReader>>>
  /**
   * Asked once at the start.
   * @throws Error with one line that names what is wrong
   */
  check?(options: ResolvedOptions): void
  /** Default: no routes. */
  routes?(core: FeatureCore): FeatureRoutes
}

/**
 * Makes what this feature keeps for a user of what another system kept.
 * @param values one at least: texts, or what else JSON can hold
 * @param since RFC 3339: from when what has no date of its own is. A lock-down removes what is new
 * @throws InvalidArgumentError that says why it cannot be carried over: `has codes of 8 digits; those here have 6`
 */
export type ImportReader = (
  values: readonly unknown[],
  since: string,
) => Partial<Pick<StoredUser, 'credentials' | 'identityKeys' | 'factors'>>

/** The routes of a feature, by where they stand: under `auth.prefix`, or under `users.prefix`. */
export interface FeatureRoutes {
  /** Not mounted with `auth: false`. Default: none. */
  auth?: readonly Route[]
  /** Not mounted with `users: false`. Default: none. */
  users?: readonly Route[]
  /**
   * JSON documents at /.well-known/ of the site, by name (RFC 8615). Only where the app is at the root of the site, and
   * where nothing else is at that path. Default: none.
   */
  wellKnown?: Readonly<Record<string, object>>
}

/** What the links of one kind lead to, how long they live, and what ends them before that. */
export interface LinkFacts extends LinkState {
  /**
   * The `name` of the routes that it leads to, or one for each variant of creation. Their path has the parameters
   * `uid64` and `token`.
   */
  route: string | Readonly<Record<'user' | 'signup', string>>
  /** Whether those are auth routes or users routes. Default `'auth'`. */
  mount?: 'auth' | 'users'
  /** Milliseconds. */
  lifetime: number | ((options: ResolvedOptions) => number)
  /** From when on it lives. Default: from when the mail goes out. */
  begin?(user: User): Date | null
}

/** The methods of `core.users` that a user store may leave out. */
export type OptionalMethod = {
  [Name in StoreMethod]-?: undefined extends Deps['users'][Name] ? Name : never
}[StoreMethod]
type StoreMethod = keyof Deps['users'] & keyof UserStore

/** What the routes of a feature are handed. */
export interface FeatureCore extends Deps {
  readonly options: ResolvedOptions
  readonly keeper: SessionKeeper
  /** `null` where the host keeps the sessions. */
  readonly sessionList: SessionList | null
  readonly device: DeviceCookie
  /** The names of the features of this mount. */
  readonly features: ReadonlySet<string>
  /** The factors of all features. */
  readonly factors: readonly Factor[]
  /** Logins that owe a second factor. */
  readonly pending: Pending
  /** Whether whoever is logged in must enroll, or give a factor, before they may do anything else. */
  owesFactor(request: FastifyRequest): Promise<boolean>
  /** `null` where the host keeps the sessions. */
  readonly spendOnce: SpendOnce | null
  /** A cookie of the feature's own. */
  cookie(name: string): NamedCookie
  themeOf(request: FastifyRequest): PageTheme
  /** Where routes are, by their names; answers once they are mounted. */
  readonly where: RouteUrls
  /** For a request that turns out to count as another one too, beside the `budget` of its route. */
  readonly throttleByIp: ThrottleByIp
}
