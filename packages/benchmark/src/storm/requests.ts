/** How one service is spoken to. All have the same users, under one password. */
interface Requests {
  loginPath: string
  /** The body of a login by user number `at`. */
  credentials(at: number): object
  mePath: string
}

export const password = 'seven-green-lanterns'

/** Where browsers find the services; what they send as `Origin`. */
export const publicUrl = 'http://accounts.example'

export const usernameOf = (at: number): string => `user${at}`
export const emailOf = (at: number): string => `user${at}@example.org`

export const requests = {
  'fastify-accounts': {
    loginPath: '/login/',
    credentials: (at) => ({ username: usernameOf(at), password }),
    mePath: '/me/',
  },
  'better-auth': {
    loginPath: '/api/auth/sign-in/email',
    credentials: (at) => ({ email: emailOf(at), password }),
    mePath: '/api/auth/get-session',
  },
  floor: { loginPath: '/login/', credentials: () => ({ password }), mePath: '/me/' },
} satisfies Record<string, Requests>

export type ServiceName = keyof typeof requests
export const serviceNames = Object.keys(requests) as ServiceName[]
