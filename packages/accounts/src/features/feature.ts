import type { DeletionDeps, DeletionPlan, Deps, InvitationTarget } from '../deps.js'
import type { MailTable } from '../emails/mail-facts.js'
import type { FeatureErrors } from '../feature-names.js'
import type { FactorCore, FeatureCore, MountCore } from '../http/feature-core.js'
import type { FeaturePages } from '../http/page-route.js'
import type { Route } from '../http/route.js'
import type { Confirmation } from '../logins/confirmation.js'
import type { Factor } from '../logins/factor.js'
import type { OtherBeginning } from '../logins/other-beginning.js'
import type { Limits } from '../options/limits.js'
import type { AccountsFeature } from '../options/options.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { Subscriber } from '../seams/events.js'
import type { OperatedStore } from '../seams/operated-store.js'
import type { TargetFacts } from '../seams/target-facts.js'
import type { UserStore } from '../seams/user-store.js'
import type { Client } from '../sessions/client.js'
import type { TokenLimits } from '../sessions/session-tokens.js'
import type { ApiKeyRules } from '../tokens/api-key.js'
import type { LinkState, LinkSubject, Purpose } from '../tokens/email-link.js'
import type { AccountUser, JsonValue, StoredUser } from '../user.js'
import type { FeatureHost } from './host.js'

export type { FactorCore, FeatureCore } from '../http/feature-core.js'

/**
 * What one feature adds to a mount: everything is optional except its name. Shipped features use the same
 * interface, and a mount composes them all before its first route.
 *
 * To declare new names in TypeScript, augment the interfaces that list them: `FeatureErrors`, `FeatureMails`,
 * `FeatureLinks`, `FeatureActions`, `FeatureCalls`, `FeatureEvents`, `FeatureTexts`, `AccountLimits` and `IpLimits`, all
 * of `fastify-accounts`. Not yet stable: it may change in any release.
 */
export interface Feature extends AccountsFeature {
  /**
   * Texts by language tag, in the groups of the catalogue: `errors`, `reasons`, `responses`, `pages`, `emails`. A reason
   * is declared by its text, below the code that it belongs to. English is complete; an offered language that is missing
   * here must be in the option `languages.texts`. Default: none.
   */
  readonly texts?: { readonly en: object; readonly [tag: string]: object }
  /** Whether a language that the app adds may lack its texts, and then has them in English. Default `false`. */
  readonly hasSpareTexts?: boolean
  /** New limits, with their defaults. `throttle.limits` replaces them, `throttle: false` lifts them. Default: none. */
  readonly limits?: Readonly<Partial<Limits>>
  /** New error codes with their HTTP statuses; their texts are in `texts`, under `errors`. Default: none. */
  readonly errors?: Readonly<Partial<Record<keyof FeatureErrors, number>>>
  /** New kinds of link. Default: none. */
  readonly links?: Readonly<Partial<Record<Purpose, LinkFacts>>>
  /** New kinds of email; their texts are in `texts`, under `emails`. Default: none. */
  readonly mails?: MailTable
  /**
   * Its cookies, for `core.cookie`: lowercase letters, digits and `-`. With a name it also has those that begin with it
   * and a dash. Default: none.
   */
  readonly cookies?: readonly string[]
  /** Optional user store methods that this feature requires. Default: none. */
  readonly needs?: readonly OptionalMethod[]
  /**
   * Who must have a second factor. A user without one may only enroll. Called at each request; if it throws or
   * takes longer than `adapterTimeout`, the response is 503. Default: nobody.
   */
  mustHaveFactor?(user: AccountUser): boolean | Promise<boolean>
  /** What it turns on in the core; of several features that say the same, the last one counts. Default: nothing. */
  readonly enables?: Partial<CoreParts>
  /** Completes a login or confirms one. Default: none. */
  factors?(core: FactorCore): readonly Factor[]
  /** Other ways to confirm, besides a password and the factors. Default: none. */
  confirmations?(core: Omit<FeatureCore, 'confirmations'>): readonly Confirmation[]
  /** Other ways than a password to begin an account, offered where an invitation is accepted. Default: none. */
  beginnings?(core: FactorCore): readonly OtherBeginning[]
  /**
   * Whether a user can log in with what this feature provides. Nobody can remove the last way in, so each
   * feature that removes one checks `core.hasWayIn`. A mount with such a feature also lets people sign up with the
   * address alone. Default: nobody can.
   */
  hasWayIn?(user: StoredUser, options: ResolvedOptions): boolean
  /** What it adds to `app.accounts`. Called once at start, after `check`. Default: nothing. */
  host?(core: MountCore): FeatureHost
  /** The types of events that it brings, declared in `FeatureEvents`: `['organization.created']`. Default: none. */
  readonly events?: readonly string[]
  /**
   * Its own subscribers to events, by name, as in the option `on`: they share its names, so begin with the feature's. Called once
   * at start. Default: none.
   */
  subscribers?(core: MountCore): Readonly<Record<string, Subscriber>>
  /**
   * What it keeps of a user, for GET /me/export/: plain JSON without secrets, for the person to read. Bounded: at most some
   * thousands of entries. Others may use an account whose address nobody has proven, so it has nothing of the address's owner.
   * If it throws or takes longer than `adapterTimeout`, the response is 503. Default: nothing.
   * @param client who asks; `null` for the app's own code
   * @returns `null` if it keeps nothing of this user
   */
  export?(user: StoredUser, core: MountCore, client: Client | null): Promise<JsonValue> | JsonValue
  /**
   * What it does along with the deletion of a user or service account, or of an account that another replaces. Called before each
   * attempt, and only plans: throws an AccountsError if the account must not go yet. Default: nothing.
   * @returns `null` for nothing
   */
  deletion?(user: StoredUser, core: DeletionDeps): Promise<DeletionPlan | null>
  /** What invitations of it invite to, in the place of an account. The mount needs `invitations()`. Default: nothing. */
  invitationTarget?(core: MountCore): InvitationTarget
  /** Its stores, as `doctor` calls them: `schema` prints their tables, and `doctor` asks what is wrong. Default: none. */
  readonly stores?: Readonly<Record<string, OperatedStore>>
  /**
   * What `npx fastify-accounts import` reads for it from other systems, by field name: `totp`, `passkeys`, `apiKeys`.
   * Default: nothing.
   */
  imports?(core: Pick<Deps, 'vault'>): Promise<Readonly<Record<string, ImportReader>>>
  /**
   * Called once at start.
   * @throws Error with one line that says what is wrong
   */
  check?(options: ResolvedOptions): void
  /**
   * Called by `npx fastify-accounts doctor`: asks what the feature depends on, such as other services.
   * @param deadline milliseconds for each request
   * @returns one line for each problem. Default: nothing is asked
   */
  inspect?(deadline: number): Promise<readonly string[]>
  /**
   * Default: no routes. What an operation writes, it writes with the `users` it gets itself: they check again who writes.
   */
  routes?(core: FeatureCore): FeatureRoutes
  /** What pages of its routes need and no route tells, such as the roles that a form offers. Asked once at start. Default: nothing. */
  pageFacts?(core: MountCore): object
  /**
   * Pages for browsers, of one feature of a mount. Called once at start, when its routes are made. Default: none.
   * @param facts what the features tell pages, by their names
   */
  pages?(core: FeatureCore, facts: ReadonlyMap<string, object>): FeaturePages
}

/**
 * Converts what another system stored for a user into what this feature stores.
 * @param values at least one: strings, or other JSON values
 * @param since RFC 3339: the date for values without their own. A lockdown removes newer ones
 * @throws InvalidArgumentError with the reason why it can't be imported: `has codes of 8 digits; only 6
 * are supported`
 */
export type ImportReader = (
  values: readonly unknown[],
  since: string,
) => Partial<Pick<StoredUser, 'credentials' | 'identityKeys' | 'factors'>>

/** What the core does only for features that ask for it. */
export interface CoreParts {
  /** Delivers sessions as tokens, which last so long, to clients that ask for them. */
  tokens: TokenLimits
  /** Takes API keys in the header Authorization, which may do so much. */
  apiKeys: ApiKeyRules
  /** How long a device may skip the second factor, in milliseconds. */
  rememberFor: number
  /** Emails codes to confirm with, even if nobody logs in with one. */
  confirmationCode: true
  /** Logs in the browser that signed up, once its link is opened there as a page, and who has accepted an invitation on one. */
  loginOnProof: true
}

/** The routes of a feature, by prefix: `auth.prefix` or `users.prefix`. */
export interface FeatureRoutes {
  /** Not mounted with `auth: false`. Default: none. */
  auth?: readonly Route[]
  /** Not mounted with `users: false`. Default: none. */
  users?: readonly Route[]
  /**
   * JSON documents under the site's /.well-known/, by name (RFC 8615). Only if the app is at the root of the
   * site, and nothing else is at that path. Default: none.
   */
  wellKnown?: Readonly<Record<string, object>>
}

/** Where the links of one kind lead, how long they are valid, and what ends them earlier. */
export interface LinkFacts extends Omit<LinkState, 'subject'> {
  /** For links that name something else than a user. Default: they name the user. */
  subject?: {
    idOf: LinkSubject['idOf']
    /** Who stands in for the user of the link, with no id; `null` if it is invalid. */
    find(id: string, deps: SubjectDeps): Promise<StoredUser | null>
  }
  /**
   * The `name` of its routes, or one for each variant of creation. Their path has the parameters `uid64` and
   * `token`.
   */
  route: string | Readonly<Record<'user' | 'signup', string>>
  /** Whether those are auth routes or users routes. Default `'auth'`. */
  mount?: 'auth' | 'users'
  /** Milliseconds. */
  lifetime: number | ((options: ResolvedOptions) => number)
  /** When it becomes valid. Default: when the email is sent. */
  begin?(user: StoredUser): Date | null
}

/** What finds out whom a link or an email is for. */
export type SubjectDeps = Pick<Deps, 'invitations' | 'options'> & {
  invitationTargets: ReadonlyMap<string, TargetFacts>
  users: Pick<Deps['users'], 'findById' | 'findByEmail'>
}

/** The methods of `core.users` that a user store may omit. */
export type OptionalMethod = {
  [Name in StoreMethod]-?: undefined extends Deps['users'][Name] ? Name : never
}[StoreMethod]
type StoreMethod = keyof Deps['users'] & keyof UserStore

/** The option `users` of a mount that has users routes. */
export type MountedUsers = Exclude<ResolvedOptions['users'], false>
