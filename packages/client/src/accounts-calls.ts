// Written from the routes of the plugin: `npm run routes`.

import type { CallOptions, ClientOptions } from './exchange.js'
import { requestsTo } from './request.js'
import type { Failure, Result, Success } from './result.js'
import type {
  AnyFields,
  Confirmation,
  Credentials,
  Detail,
  EmailChange,
  NewUser,
  OwnUser,
  PasswordChange,
  ProfileChange,
  RouteIndex,
  SessionList,
  UserExport,
} from './wire.js'

/** One method for each route, named like its operation in the OpenAPI document. docs/routes.md describes them. */
export interface AccountsCalls<Fields extends AnyFields = object, SignUp extends AnyFields = object> {
  /** POST /login/: log in. */
  logIn(body: Credentials, options?: CallOptions): Promise<Result<OwnUser<Fields>, 200>>
  /** POST /logout/: log out. */
  logOut(options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /change-password/: change the password, or set a first one after a recent login. */
  changePassword(body: PasswordChange, options?: CallOptions): Promise<Result<undefined, 204>>
  /** DELETE /password/: remove the password, unless it is the last way to log in. Requires a recent login. */
  removePassword(options?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /me/: show the current user. */
  showMe(options?: CallOptions): Promise<Result<OwnUser<Fields>, 200>>
  /** PATCH /me/: change the current user's profile. */
  updateMe(body: ProfileChange<Fields>, options?: CallOptions): Promise<Result<OwnUser<Fields>, 200>>
  /** DELETE /me/: delete your own account; another staff member must demote staff first. Requires a recent login. */
  deleteMe(options?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /me/export/: get all that is kept of the current user. Requires a recent login. */
  exportMe(options?: CallOptions): Promise<Result<UserExport, 200>>
  /** POST /confirm/: confirm the login again before a sensitive action. */
  confirm(body: Confirmation, options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /forgot/: email a link for choosing a new password. */
  requestPasswordReset(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>
  /** POST /change-email/: email a link to a new address. Requires a recent login. */
  changeEmail(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>
  /** GET /change-email/: show the address that awaits confirmation. */
  showEmailChange(options?: CallOptions): Promise<Result<EmailChange, 200>>
  /** DELETE /change-email/: cancel a change of address. */
  cancelEmailChange(options?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /sessions/: list the sessions of the current user. */
  listSessions(options?: CallOptions): Promise<Result<SessionList, 200>>
  /** DELETE /sessions/{id}: end one session. */
  endSession(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /sessions/end-others/: end all sessions but this one. */
  endOtherSessions(options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /user/: create a user. */
  createUser(
    body: NewUser<Fields & SignUp>,
    options?: CallOptions,
  ): Promise<Success<OwnUser<Fields>, 201> | Success<Detail, 202> | Failure>
  /** POST /signup/: create a user. */
  signUp(
    body: NewUser<Fields & SignUp>,
    options?: CallOptions,
  ): Promise<Success<OwnUser<Fields>, 201> | Success<Detail, 202> | Failure>
  /** POST /user/v/: send the verification link again. */
  resendUserVerification(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>
  /** POST /signup/v/: send the verification link again. */
  resendSignupVerification(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>
  /** GET /api-root/: list the mounted routes. */
  listRoutes(options?: CallOptions): Promise<Result<RouteIndex, 200>>
}

export function accountsCalls<Fields extends AnyFields = object, SignUp extends AnyFields = object>(
  options: ClientOptions,
): AccountsCalls<Fields, SignUp> {
  const auth = requestsTo(options, options.authPrefix)
  const users = requestsTo(options, options.usersPrefix)
  return {
    logIn: (body, call) => auth('POST', 'login /login/', call, body),
    logOut: (call) => auth('POST', 'logout /logout/', call),
    changePassword: (body, call) => auth('POST', 'change-password /change-password/', call, body),
    removePassword: (call) => auth('DELETE', 'password /password/', call),
    showMe: (call) => auth('GET', 'me /me/', call),
    updateMe: (body, call) => auth('PATCH', 'me /me/', call, body),
    deleteMe: (call) => auth('DELETE', 'me /me/', call),
    exportMe: (call) => auth('GET', 'me-export /me/export/', call),
    confirm: (body, call) => auth('POST', 'confirm /confirm/', call, body),
    requestPasswordReset: (body, call) => auth('POST', 'forgot /forgot/', call, body),
    changeEmail: (body, call) => auth('POST', 'change-email /change-email/', call, body),
    showEmailChange: (call) => auth('GET', 'change-email /change-email/', call),
    cancelEmailChange: (call) => auth('DELETE', 'change-email /change-email/', call),
    listSessions: (call) => auth('GET', 'sessions /sessions/', call),
    endSession: (id, call) => auth('DELETE', 'session /sessions/{id}', call, undefined, { id }),
    endOtherSessions: (call) => auth('POST', 'sessions-end-others /sessions/end-others/', call),
    createUser: (body, call) =>
      users('POST', 'user-list /user/', call, body) as Promise<
        Success<OwnUser<Fields>, 201> | Success<Detail, 202> | Failure
      >,
    signUp: (body, call) =>
      users('POST', 'signup /signup/', call, body) as Promise<
        Success<OwnUser<Fields>, 201> | Success<Detail, 202> | Failure
      >,
    resendUserVerification: (body, call) => users('POST', 'user-verify-resend /user/v/', call, body),
    resendSignupVerification: (body, call) => users('POST', 'signup-verify-resend /signup/v/', call, body),
    listRoutes: (call) => auth('GET', 'api-root /api-root/', call),
  }
}
