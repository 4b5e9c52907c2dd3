import type { Outage } from '../adapters/outages.js'
import type { Deps } from '../deps.js'
import type { Confirmation } from '../logins/confirmation.js'
import type { MustHaveFactor } from '../logins/enrollment.js'
import type { Factor } from '../logins/factor.js'
import type { OtherBeginning } from '../logins/other-beginning.js'
import type { SignUpCookie } from '../logins/sign-up-cookie.js'
import type { Pending } from '../logins/waiting-login.js'
import type { IpBudget } from '../options/limits.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { ActivityStoreCalls } from '../seams/activity-store.js'
import type { Client } from '../sessions/client.js'
import type { DeviceCookie } from '../sessions/device-cookie.js'
import type { NamedCookie } from '../sessions/named-cookie.js'
import type { Refreshes } from '../sessions/refresh.js'
import type { SessionKeeper } from '../sessions/session-keeper.js'
import type { Visit } from '../sessions/session-reader.js'
import type { JsonValue, StoredUser, User } from '../user.js'
import type { FindOwnerProofs } from './guard/access.js'
import type { RouteUrls } from './route-urls.js'

/** What the routes of a feature get. */
export interface FeatureCore extends FactorCore {
  /** The factors of all features. */
  readonly factors: readonly Factor[]
  /** The other ways to confirm, of all features. */
  readonly confirmations: readonly Confirmation[]
  /** The ways to begin an account, of all features; none if nobody can log in here. */
  readonly beginnings: readonly OtherBeginning[]
}

/** What factors get. */
export interface FactorCore extends MountCore {
  /**
   * What a user must have proved last to change how to log in; `null` for any recent login. The access `owner` of a
   * route asks for it; what follows later, such as a redirect, asks again with `ownerRefusal`.
   */
  readonly ownerProofsOf: FindOwnerProofs
  /** For a request that also counts as another one, in addition to its route's `budget`. */
  throttleByIp(budget: IpBudget, client: Client): Promise<void>
  /**
   * Gives back what the request has spent of the client's budgets by address, for a known device of this user: as often
   * as `priorityHashes` allows. Nobody waits for it: if it fails, the request stays counted. See `knownDevice`.
   */
  giveBackByIp(client: Client, user: Pick<User, 'id'>): void
}

/** What the features of a mount share with the host's calls: all that needs no routes. */
export interface MountCore extends Deps {
  readonly options: ResolvedOptions
  readonly keeper: SessionKeeper
  /** What has happened to accounts; `null` without the option `activity`. */
  readonly activity: ActivityStoreCalls | null
  /** `null` if sessions are only delivered as cookies. */
  readonly refreshes: Refreshes | null
  readonly device: DeviceCookie
  /** Every route that signs somebody up marks the browser with it. */
  readonly signUp: SignUpCookie
  /** The names of the features of this mount. */
  readonly features: ReadonlySet<string>
  /** Whether people can log in here other than with a password, so a sign-up may do without one. */
  readonly hasOtherWays: boolean
  /** Whether accounts can have API keys here. */
  readonly hasApiKeys: boolean
  /** Whether the page of a verification link logs in the browser that signed up, and that of an invitation whom it has made an account for. */
  readonly logsInOnProof: boolean
  /** Logins that await a second factor. */
  readonly pending: Pending
  /** Whether a user must have a second factor, by the features of this mount; `undefined` if nobody must. */
  readonly mustHaveFactor: MustHaveFactor
  /** Whether a logged-in user must enroll, or give a factor, before doing anything else. */
  owesFactor(who: Visit): Promise<boolean>
  /**
   * A cookie that the feature has declared in `cookies`.
   * @throws Error for any other
   */
  cookie(name: string): NamedCookie
  /**
   * What each feature keeps of a user, by its name.
   * @throws AccountsError ACCOUNTS_UNAVAILABLE if one of them fails
   */
  exportOf(user: StoredUser, client: Client | null): Promise<{ [feature: string]: JsonValue }>
  /** The URLs of routes by name, available once they are mounted. */
  readonly where: RouteUrls
  /** The public URL below which auth routes and pages are, without a slash at its end. */
  readonly base: string
  /**
   * Logs the outages of a service that the feature calls, each in two lines.
   * @param name such as `the provider demo`
   */
  watchOutages(name: string): Outage
  /** Logs a setup that works but is probably unintended, by a stable code, in one line. */
  warn(code: string, text: string): void
}
