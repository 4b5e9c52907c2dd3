import type { Mailer, PasswordHasher } from 'fastify-accounts'
import type { InjectedResponse } from './inject.js'

/** A hasher that counts its calls. */
export type CountingHasher = PasswordHasher & { readonly calls: number }

/** A mailer that can be paused: emails wait until `release`. */
export type HeldMailer = Mailer & {
  hold(): void
  release(): void
  /** The recipients of reset links. */
  readonly resetsFor: ReadonlySet<string>
}

/** An account to check. */
export interface CheckedAccount {
  /** Omit it if the account has none. */
  username?: string
  email: string
}

/** Options of the test for account enumeration. */
export interface NoEnumerationOptions {
  /** An account that can log in, made for this check. Without a username, sign-ups have none either. */
  account: CheckedAccount
  /** Accounts in other states, such as disabled or unverified. Default: none. */
  others?: readonly CheckedAccount[] | undefined
  /**
   * The paths of the routes. Default: `/login/` and `/forgot/`; set `create` and `resend` if
   * `requireEmailConfirmation` is on, and `code` if `login.emailCode` is.
   */
  paths?:
    | {
        login?: string | false | undefined
        forgot?: string | false | undefined
        create?: string | false | undefined
        resend?: string | false | undefined
        code?: string | false | undefined
      }
    | undefined
  /** Whether people can sign up with the address alone: that is compared as well. Default `false`. */
  addressAlone?: boolean | undefined
  /** Values of your own required fields at sign-up. Default: nothing. */
  fields?: Record<string, unknown> | undefined
  /**
   * Other values for sign-ups, such as those that your `before.signUp` or `alongside` refuses: each set must get one response,
   * whether or not the address has an account. Default: none.
   */
  refusedFields?: readonly Record<string, unknown>[] | undefined
  /**
   * Other requests that name an address, by a name for the report: somebody logged in who changes theirs to it, the callback
   * of a provider that isn't authoritative for it. Called for each account, and for addresses that nobody has. Default: none.
   */
  alsoCompare?: Record<string, (email: string) => PromiseLike<InjectedResponse>> | undefined
  /** The app's hasher, through `countHashes`: responses must cost equally many hashes. Default: not counted. */
  hasher?: CountingHasher | undefined
  /**
   * More requests that somebody could make after signing up, on routes that the check doesn't know, such as with a passkey.
   * Called once for each address, and for one of the same length that has no account; whatever is asked must get the same
   * response. Default: none.
   */
  alsoAsk?: ((enquirer: Enquirer) => Promise<void>) | undefined
  /** The app's mailer, through `holdMails`: no response may wait for it. Default: not checked. */
  mailer?: HeldMailer | undefined
  /**
   * Also compares response times, by medians of interleaved attempts. It is statistical, so not for every
   * run, and requires an app registered with `throttle: false`. `rounds` is 100 by default; `tolerance`, the
   * share by which medians may differ, 0.05. Default: not compared.
   */
  timing?: boolean | { rounds?: number | undefined; tolerance?: number | undefined } | undefined
}

/** What was compared and is the same. */
export interface NoEnumerationReport {
  /** For each route: the indistinguishable responses, by who was requested. */
  compared: { path: string; status: number; requests: string[]; hashes: number | null }[]
  /** What was requested after a sign-up, and the response that was the same whether or not the address had an account. */
  secondRequests: SecondRequest[]
  /** For each route, with `timing`: the medians in milliseconds, by who was requested. */
  medians: { path: string; milliseconds: Record<string, number> }[]
}

/** What was requested after a sign-up, and its response. */
export interface SecondRequest {
  /** In words. */
  request: string
  path: string
  status: number
  hashes: number | null
}

/** Keeps the cookies it gets. */
export type EnquirersBrowser = Map<string, string>

/** Somebody who wants to know whether an address has an account, and signs up with it. */
export interface Enquirer {
  email: string
  /** One that nobody has; for each enquirer of the same length. */
  username: string
  password: string
  /**
   * Sends a request whose response must be the same for every enquirer: status, body, headers, cookies and hashes. Of
   * a body with status 200 or 201 only the size must be, and the enquirer's own username and address may differ.
   * @param request in words, for the report
   * @param browser a new `Map` for each browser. Default: one without cookies
   */
  ask(
    request: string,
    path: string,
    payload: Record<string, unknown>,
    browser?: EnquirersBrowser,
  ): Promise<InjectedResponse>
}
