// Written from the routes of the plugin: `npm run routes`.

import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Result } from './result.js'
import type { Detail, EmailLink, Link, NewOwner, Removed, Verification } from './wire.js'

export type { Detail, EmailLink, Link, NewOwner, NewPassword, Removed, Verification } from './wire.js'

/** One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes them. */
export interface LinksClient {
  /** GET /reset/{uid64}/{token}/: show the form for a new password, or tell whether the link is valid. */
  checkResetLink(
    link: Link,
    options?: CallOptions,
  ): Promise<
    Result<{ valid: boolean; asks_username?: true; profile?: { username?: string }; api_keys: string[] }, 200>
  >
  /** POST /reset/{uid64}/{token}/: set a new password by a link. */
  resetPassword(link: Link, body: NewOwner, options?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /email/{uid64}/{token}/: show the page that changes the address. */
  checkEmailChange(link: EmailLink, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /email/{uid64}/{token}/: change the email address by a link. */
  confirmEmailChange(link: EmailLink, options?: CallOptions): Promise<Result<Detail, 200>>
  /** GET /email/undo/{uid64}/{token}/: show the page that undoes a change. */
  checkEmailUndo(
    link: EmailLink,
    options?: CallOptions,
  ): Promise<Result<{ valid: boolean; removes?: Removed }, 200>>
  /** POST /email/undo/{uid64}/{token}/: undo a change of the email address by a link. */
  undoEmailChange(
    link: EmailLink,
    options?: CallOptions,
  ): Promise<Result<{ detail: string; removed?: Removed }, 200>>
  /** GET /email/keep/{uid64}/{token}/: show the page that keeps the new address. */
  checkEmailKeep(link: EmailLink, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /email/keep/{uid64}/{token}/: keep the new address: the undo link of an email change stops working. */
  keepEmailChange(link: EmailLink, options?: CallOptions): Promise<Result<Detail, 200>>
  /** GET /email/release/{uid64}/{token}/: show the page that removes an address from an account. */
  checkEmailRelease(link: EmailLink, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /email/release/{uid64}/{token}/: remove a new address from an account, by the link emailed to it. */
  releaseEmail(link: EmailLink, options?: CallOptions): Promise<Result<Detail, 200>>
  /** GET /not-me/{uid64}/{token}/: show the page that secures the account. */
  checkLoginReport(
    link: Link,
    options?: CallOptions,
  ): Promise<Result<{ valid: boolean; removes?: Removed }, 200>>
  /** POST /not-me/{uid64}/{token}/: secure the account by the link in a new-login email. */
  reportLogin(link: Link, options?: CallOptions): Promise<Result<{ detail: string; removed?: Removed }, 200>>
  /**
   * GET /user/v/{uid64}/{token}/: show the page that verifies the address; a client that asks for application/json
   * by name verifies by it.
   */
  verifyUserByGet(link: Link, options?: CallOptions): Promise<Result<Verification, 200>>
  /** POST /user/v/{uid64}/{token}/: verify the email address by a link. */
  verifyUser(link: Link, options?: CallOptions): Promise<Result<Verification, 200>>
  /** POST /user/v/{uid64}/{token}/password/: verify the email address by a link and the password of the account. */
  verifyUserWithPassword(
    link: Link,
    body: { password: string },
    options?: CallOptions,
  ): Promise<Result<Verification, 200>>
  /**
   * POST /user/v/{uid64}/{token}/new-password/: verify the email address by a link, and make the account your own
   * with a new password.
   */
  verifyUserWithNewPassword(
    link: Link,
    body: NewOwner,
    options?: CallOptions,
  ): Promise<Result<Verification, 200>>
  /**
   * GET /signup/v/{uid64}/{token}/: show the page that verifies the address; a client that asks for
   * application/json by name verifies by it.
   */
  verifySignupByGet(link: Link, options?: CallOptions): Promise<Result<Verification, 200>>
  /** POST /signup/v/{uid64}/{token}/: verify the email address by a link. */
  verifySignup(link: Link, options?: CallOptions): Promise<Result<Verification, 200>>
  /** POST /signup/v/{uid64}/{token}/password/: verify the email address by a link and the password of the account. */
  verifySignupWithPassword(
    link: Link,
    body: { password: string },
    options?: CallOptions,
  ): Promise<Result<Verification, 200>>
  /**
   * POST /signup/v/{uid64}/{token}/new-password/: verify the email address by a link, and make the account your
   * own with a new password.
   */
  verifySignupWithNewPassword(
    link: Link,
    body: NewOwner,
    options?: CallOptions,
  ): Promise<Result<Verification, 200>>
}

/** A client of one service. Takes the options of `createAccountsClient`. */
export function createLinksClient(options: ClientOptions = {}): LinksClient {
  const auth = requestsTo(options, options.authPrefix)
  const users = requestsTo(options, options.usersPrefix)
  return {
    checkResetLink: (link, call) => auth('GET', 'reset /reset/{uid64}/{token}/', call, undefined, link),
    resetPassword: (link, body, call) => auth('POST', 'reset /reset/{uid64}/{token}/', call, body, link),
    checkEmailChange: (link, call) =>
      auth('GET', 'email-confirm /email/{uid64}/{token}/', call, undefined, link),
    confirmEmailChange: (link, call) =>
      auth('POST', 'email-confirm /email/{uid64}/{token}/', call, undefined, link),
    checkEmailUndo: (link, call) =>
      auth('GET', 'email-undo /email/undo/{uid64}/{token}/', call, undefined, link),
    undoEmailChange: (link, call) =>
      auth('POST', 'email-undo /email/undo/{uid64}/{token}/', call, undefined, link),
    checkEmailKeep: (link, call) =>
      auth('GET', 'email-keep /email/keep/{uid64}/{token}/', call, undefined, link),
    keepEmailChange: (link, call) =>
      auth('POST', 'email-keep /email/keep/{uid64}/{token}/', call, undefined, link),
    checkEmailRelease: (link, call) =>
      auth('GET', 'email-release /email/release/{uid64}/{token}/', call, undefined, link),
    releaseEmail: (link, call) =>
      auth('POST', 'email-release /email/release/{uid64}/{token}/', call, undefined, link),
    checkLoginReport: (link, call) => auth('GET', 'not-me /not-me/{uid64}/{token}/', call, undefined, link),
    reportLogin: (link, call) => auth('POST', 'not-me /not-me/{uid64}/{token}/', call, undefined, link),
    verifyUserByGet: (link, call) =>
      users('GET', 'user-verify /user/v/{uid64}/{token}/', call, undefined, link),
    verifyUser: (link, call) => users('POST', 'user-verify /user/v/{uid64}/{token}/', call, undefined, link),
    verifyUserWithPassword: (link, body, call) =>
      users('POST', 'user-verify-password /user/v/{uid64}/{token}/password/', call, body, link),
    verifyUserWithNewPassword: (link, body, call) =>
      users('POST', 'user-verify-new-password /user/v/{uid64}/{token}/new-password/', call, body, link),
    verifySignupByGet: (link, call) =>
      users('GET', 'signup-verify /signup/v/{uid64}/{token}/', call, undefined, link),
    verifySignup: (link, call) =>
      users('POST', 'signup-verify /signup/v/{uid64}/{token}/', call, undefined, link),
    verifySignupWithPassword: (link, body, call) =>
      users('POST', 'signup-verify-password /signup/v/{uid64}/{token}/password/', call, body, link),
    verifySignupWithNewPassword: (link, body, call) =>
      users('POST', 'signup-verify-new-password /signup/v/{uid64}/{token}/new-password/', call, body, link),
  }
}
