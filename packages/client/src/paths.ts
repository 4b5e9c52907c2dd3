/** Where the routes are, by their names in GET /api-root/. A test keeps them equal to those of the server. */
export const defaultPaths = {
  login: '/login/',
  logout: '/logout/',
  me: '/me/',
  'change-password': '/change-password/',
  password: '/password/',
  confirm: '/confirm/',
  'confirm-code': '/confirm/code/',
  'login-second-factor': '/login/second-factor/',
  'login-code': '/login/code/',
  'login-code-confirm': '/login/code/confirm/',
  'login-code-link': '/login/code/{uid64}/{token}/',
  'second-factor': '/second-factor/',
  totp: '/second-factor/totp/',
  'totp-confirm': '/second-factor/totp/confirm/',
  'totp-app': '/second-factor/totp/{id}',
  'remembered-device': '/second-factor/devices/{id}',
  'recovery-codes': '/second-factor/recovery-codes/',
  'user-second-factor-reset': '/user/{pk}/second-factor/reset/',
  sessions: '/sessions/',
  session: '/sessions/{id}',
  'sessions-end-others': '/sessions/end-others/',
  'change-email': '/change-email/',
  'email-confirm': '/email/{uid64}/{token}/',
  'email-undo': '/email/undo/{uid64}/{token}/',
  'email-keep': '/email/keep/{uid64}/{token}/',
  'email-release': '/email/release/{uid64}/{token}/',
  'not-me': '/not-me/{uid64}/{token}/',
  forgot: '/forgot/',
  reset: '/reset/{uid64}/{token}/',
  'reset-done': '/reset/d/',
  'api-root': '/api-root/',
  'user-list': '/user/',
  'user-detail': '/user/{pk}',
  'user-end-sessions': '/user/{pk}/end-sessions/',
  'user-verify': '/user/v/{uid64}/{token}/',
  'user-verify-resend': '/user/v/',
  signup: '/signup/',
  'signup-verify': '/signup/v/{uid64}/{token}/',
  'signup-verify-resend': '/signup/v/',
} as const

/** A route that the client calls, by its name in GET /api-root/. */
export type RouteName = keyof typeof defaultPaths

/** A path with its parameters in their places. */
export function filled(path: string, params: object): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) =>
    segment((params as Record<string, string>)[name] as string),
  )
}

/**
 * One segment of a path, whatever is in it. Nothing, `.` and `..` would lead to another route, escaped or not (WHATWG URL
 * 4.1); a blank leads to no user and no link.
 */
function segment(text: string): string {
  return /^\.{0,2}$/.test(text) ? '%20' : encodeURIComponent(text)
}
