import { type CallOptions, type ClientOptions, type Method, send } from './request.js'
import { type Failure, type Result, type Success, unwrap } from './result.js'
import type {
  AnyFields,
  Credentials,
  Detail,
  EmailLink,
  Link,
  NewPassword,
  NewUser,
  OwnUser,
  PasswordChange,
  ProfileChange,
  PublicUser,
  RouteIndex,
  SessionList,
  UserFlags,
  UserPage,
  UserQuery,
  Verification,
} from './wire.js'

/** 201: the user is there. 202, with `requireEmailConfirmation`: a link to confirm the address is on its way. */
export type Creation<Fields extends AnyFields> =
  | Success<OwnUser<Fields>, 201>
  | Success<Detail, 202>
  | Failure

/**
 * One method a route, named like the operation in the OpenAPI document. docs/routes.md says what each does and what it
 * refuses with. `Fields` is the type of what stands in the option `users.fields` of the service.
 */
export interface AccountsClient<Fields extends AnyFields = object> {
  /** POST /login/. A browser keeps the session's cookie. */
  login(credentials: Credentials, options?: CallOptions): Promise<Result<OwnUser<Fields>, 200>>
  /** POST /logout/. Fine too where nobody is logged in. */
  logout(options?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /me/: who is logged in. */
  me(options?: CallOptions): Promise<Result<OwnUser<Fields>, 200>>
  /** PATCH /me/: what is not given stays as it is. */
  updateMe(changes: ProfileChange<Fields>, options?: CallOptions): Promise<Result<OwnUser<Fields>, 200>>
  /** DELETE /me/. The password must have been given lately. */
  deleteMe(options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /change-password/. All other sessions end. */
  changePassword(body: PasswordChange, options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /confirm-password/: for the deeds that ask for it. */
  confirmPassword(body: { password: string }, options?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /sessions/: those of whoever is logged in. */
  listSessions(options?: CallOptions): Promise<Result<SessionList, 200>>
  /** DELETE /sessions/{id}. Where it is the current one, that is a logout. */
  endSession(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /sessions/end-others/ */
  endOtherSessions(options?: CallOptions): Promise<Result<undefined, 204>>
  /** POST /change-email/: mails a link to the new address. The password must have been given lately. */
  changeEmail(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>
  /** GET /email/{uid64}/{token}/: whether the link is still alive. */
  checkEmailChange(link: EmailLink, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /email/{uid64}/{token}/: the account has the new address. */
  confirmEmailChange(link: EmailLink, options?: CallOptions): Promise<Result<Detail, 200>>
  /** GET /email/undo/{uid64}/{token}/: whether the link is still alive. */
  checkEmailUndo(link: EmailLink, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /email/undo/{uid64}/{token}/: the old address is back, and everybody is logged out. */
  undoEmailChange(link: EmailLink, options?: CallOptions): Promise<Result<Detail, 200>>
  /** GET /email/keep/{uid64}/{token}/, with the link that undoes a change: whether it is still alive. */
  checkEmailKeep(link: EmailLink, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /email/keep/{uid64}/{token}/: the link that undoes the change stops working. */
  keepEmailChange(link: EmailLink, options?: CallOptions): Promise<Result<Detail, 200>>
  /** GET /email/release/{uid64}/{token}/: whether the link is still alive. */
  checkEmailRelease(link: EmailLink, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /email/release/{uid64}/{token}/: the account no longer has the new address. */
  releaseEmail(link: EmailLink, options?: CallOptions): Promise<Result<Detail, 200>>
  /** GET /not-me/{uid64}/{token}/: whether the link is still alive. */
  checkNotMe(link: Link, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /not-me/{uid64}/{token}/: shuts everybody out, and mails a reset link. */
  notMe(link: Link, options?: CallOptions): Promise<Result<Detail, 200>>
  /** POST /forgot/. The answer is the same whether or not the address is known. */
  forgotPassword(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>
  /** GET /reset/{uid64}/{token}/: whether a reset link is still alive. */
  checkResetLink(link: Link, options?: CallOptions): Promise<Result<{ valid: boolean }, 200>>
  /** POST /reset/{uid64}/{token}/: sets the new password. */
  resetPassword(link: Link, body: NewPassword, options?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /reset/d/ */
  resetDone(options?: CallOptions): Promise<Result<Detail, 200>>
  /** GET /api-root/: what is mounted. */
  apiRoot(options?: CallOptions): Promise<Result<RouteIndex, 200>>

  /** POST /user/ (variant A): creates a user. */
  createUser(body: NewUser<Fields>, options?: CallOptions): Promise<Creation<Fields>>
  /**
   * GET /user/: one page of users, in order of creation. It may be shorter than `limit`, where the service hides users:
   * only a `next` of `null` ends the list.
   */
  listUsers(query?: UserQuery, options?: CallOptions): Promise<Result<UserPage<Fields>, 200>>
  /**
   * GET /user/, page after page, as `for await (const user of client.users())`.
   * @throws AccountsClientError
   */
  users(query?: UserQuery, options?: CallOptions): AsyncGenerator<PublicUser<Fields>, void, undefined>
  /** GET /user/{pk}: the own view for oneself and for staff. */
  showUser(id: string, options?: CallOptions): Promise<Result<PublicUser<Fields>, 200>>
  /** PATCH /user/{pk}: disables, enables, promotes or demotes somebody else. */
  updateUser(id: string, flags: UserFlags, options?: CallOptions): Promise<Result<PublicUser<Fields>, 200>>
  /** POST /user/{pk}/end-sessions/ */
  endUserSessions(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** DELETE /user/{pk}. Where it is oneself, the password must have been given lately. */
  deleteUser(id: string, options?: CallOptions): Promise<Result<undefined, 204>>
  /** GET /user/v/{uid64}/{token}/: verifies, as the client asks for JSON by name, unless `users.verifyLinks` is `'click'`. */
  openUserVerification(link: Link, options?: CallOptions): Promise<Result<Verification, 200>>
  /** POST /user/v/{uid64}/{token}/: verifies. */
  verifyUser(link: Link, options?: CallOptions): Promise<Result<Verification, 200>>
  /** POST /user/v/: mails the link again. */
  resendUserVerification(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>

  /** POST /signup/ (variant B): creates a user. */
  signUp(body: NewUser<Fields>, options?: CallOptions): Promise<Creation<Fields>>
  /** GET /signup/v/{uid64}/{token}/: verifies, as the client asks for JSON by name, unless `users.verifyLinks` is `'click'`. */
  openSignupVerification(link: Link, options?: CallOptions): Promise<Result<Verification, 200>>
  /** POST /signup/v/{uid64}/{token}/: verifies. */
  verifySignup(link: Link, options?: CallOptions): Promise<Result<Verification, 200>>
  /** POST /signup/v/: mails the link again. */
  resendSignupVerification(body: { email: string }, options?: CallOptions): Promise<Result<Detail, 202>>
}

/** A client of one service. It keeps nothing: in a browser, the browser keeps the cookie. */
export function createAccountsClient<Fields extends AnyFields = object>(
  options: ClientOptions = {},
): AccountsClient<Fields> {
  const { authPrefix = '', usersPrefix = '' } = options

  /** A request to a path of the auth routes, or of the users routes. */
  const at =
    (prefix: string) =>
    <Data, Status extends number>(
      method: Method,
      path: string,
      call: CallOptions = {},
      body?: object,
    ): Promise<Result<Data, Status>> =>
      send(options, method, prefix + path, body, call)
  const auth = at(authPrefix)
  const users = at(usersPrefix)

  const client: AccountsClient<Fields> = {
    login: (body, call) => auth('POST', '/login/', call, body),
    logout: (call) => auth('POST', '/logout/', call),
    me: (call) => auth('GET', '/me/', call),
    updateMe: (body, call) => auth('PATCH', '/me/', call, body),
    deleteMe: (call) => auth('DELETE', '/me/', call),
    changePassword: (body, call) => auth('POST', '/change-password/', call, body),
    confirmPassword: (body, call) => auth('POST', '/confirm-password/', call, body),
    listSessions: (call) => auth('GET', '/sessions/', call),
    endSession: (id, call) => auth('DELETE', `/sessions/${segment(id)}`, call),
    endOtherSessions: (call) => auth('POST', '/sessions/end-others/', call),
    changeEmail: (body, call) => auth('POST', '/change-email/', call, body),
    checkEmailChange: (link, call) => auth('GET', `/email/${pathOf(link)}`, call),
    confirmEmailChange: (link, call) => auth('POST', `/email/${pathOf(link)}`, call),
    checkEmailUndo: (link, call) => auth('GET', `/email/undo/${pathOf(link)}`, call),
    undoEmailChange: (link, call) => auth('POST', `/email/undo/${pathOf(link)}`, call),
    checkEmailKeep: (link, call) => auth('GET', `/email/keep/${pathOf(link)}`, call),
    keepEmailChange: (link, call) => auth('POST', `/email/keep/${pathOf(link)}`, call),
    checkEmailRelease: (link, call) => auth('GET', `/email/release/${pathOf(link)}`, call),
    releaseEmail: (link, call) => auth('POST', `/email/release/${pathOf(link)}`, call),
    checkNotMe: (link, call) => auth('GET', `/not-me/${pathOf(link)}`, call),
    notMe: (link, call) => auth('POST', `/not-me/${pathOf(link)}`, call),
    forgotPassword: (body, call) => auth('POST', '/forgot/', call, body),
    checkResetLink: (link, call) => auth('GET', `/reset/${pathOf(link)}`, call),
    resetPassword: (link, body, call) => auth('POST', `/reset/${pathOf(link)}`, call, body),
    resetDone: (call) => auth('GET', '/reset/d/', call),
    apiRoot: (call) => auth('GET', '/api-root/', call),

    createUser: (body, call) => users('POST', '/user/', call, body) as Promise<Creation<Fields>>,
    listUsers: (query, call) => users('GET', `/user/${queryOf(query)}`, call),
    async *users(query, call) {
      let cursor = query?.cursor ?? null
      do {
        const page = unwrap(await client.listUsers({ ...query, ...(cursor !== null && { cursor }) }, call))
        yield* page.results
        cursor = cursorOf(page)
      } while (cursor !== null)
    },
    showUser: (id, call) => users('GET', `/user/${segment(id)}`, call),
    updateUser: (id, body, call) => users('PATCH', `/user/${segment(id)}`, call, body),
    endUserSessions: (id, call) => users('POST', `/user/${segment(id)}/end-sessions/`, call),
    deleteUser: (id, call) => users('DELETE', `/user/${segment(id)}`, call),
    openUserVerification: (link, call) => users('GET', `/user/v/${pathOf(link)}`, call),
    verifyUser: (link, call) => users('POST', `/user/v/${pathOf(link)}`, call),
    resendUserVerification: (body, call) => users('POST', '/user/v/', call, body),

    signUp: (body, call) => users('POST', '/signup/', call, body) as Promise<Creation<Fields>>,
    openSignupVerification: (link, call) => users('GET', `/signup/v/${pathOf(link)}`, call),
    verifySignup: (link, call) => users('POST', `/signup/v/${pathOf(link)}`, call),
    resendSignupVerification: (body, call) => users('POST', '/signup/v/', call, body),
  }
  return client
}

/** The cursor of the page after this one; `null` on the last. The rest of `next` is the service's idea of its address. */
export function cursorOf({ next }: Pick<UserPage, 'next'>): string | null {
  return next && new URL(next).searchParams.get('cursor')
}

/**
 * One segment of a path, whatever is in it. Nothing, `.` and `..` would lead to another route, escaped or not (WHATWG URL
 * 4.1); a blank leads to no user and no link.
 */
function segment(text: string): string {
  return /^\.{0,2}$/.test(text) ? '%20' : encodeURIComponent(text)
}

function pathOf({ uid64, token, email }: Link & Partial<EmailLink>): string {
  return `${segment(uid64)}/${segment(token)}/${queryOf({ email })}`
}

function queryOf(query: object = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  return given.length === 0 ? '' : `?${new URLSearchParams(given)}`
}
