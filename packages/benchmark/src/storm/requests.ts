/** The API of one service. All have the same users, under one password. */
export interface Requests {
  loginPath: string
  /** The body of a login by user number `at`. */
  credentials(at: number): object
  mePath: string
  /**
   * How a logged-in user sends a wrong password: it is hashed, and the session stays as it is. The floor has no
   * logged-in users.
   */
  wrongPassword?: { path: string; body: object }
}

export const password = 'seven-green-lanterns'

/** The services' address in browsers, which send it as `Origin`. */
export const publicUrl = 'http://accounts.example'

export const usernameOf = (at: number): string => `user${at}`
export const emailOf = (at: number): string => `user${at}@example.org`

export const requests = {
  'fastify-accounts': {
    loginPath: '/login/',
    credentials: (at) => ({ username: usernameOf(at), password }),
    mePath: '/me/',
    wrongPassword: { path: '/confirm/', body: { password: 'not-it' } },
  },
  'better-auth': {
    loginPath: '/api/auth/sign-in/email',
    credentials: (at) => ({ email: emailOf(at), password }),
    mePath: '/api/auth/get-session',
    wrongPassword: {
      path: '/api/auth/change-password',
      body: { currentPassword: 'not-it', newPassword: password },
    },
  },
  floor: { loginPath: '/login/', credentials: () => ({ password }), mePath: '/me/' },
} satisfies Record<string, Requests>

export type ServiceName = keyof typeof requests
export const serviceNames = Object.keys(requests) as ServiceName[]
