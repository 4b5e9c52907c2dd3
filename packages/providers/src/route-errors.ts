import type { ErrorCode } from 'fastify-accounts'

type Errors = readonly ErrorCode[]

/** What a flow is refused with before it starts. */
export const startErrors: Errors = [
  'ACCOUNTS_NOT_FOUND',
  'ACCOUNTS_PROVIDER_UNAVAILABLE',
  'ACCOUNTS_PROVIDER_MISCONFIGURED',
]

/** What a login at a provider is refused with that is to confirm who somebody is. */
export const confirmErrors: Errors = ['ACCOUNTS_PROVIDER_CANNOT_CONFIRM', 'ACCOUNTS_CONFIRMATION_REQUIRED']

/** What each login is refused with. */
export const loginErrors: Errors = [
  'ACCOUNTS_INVALID_CREDENTIALS',
  'ACCOUNTS_SECOND_FACTOR_REQUIRED',
  'ACCOUNTS_NOT_VERIFIED',
  'ACCOUNTS_DISABLED',
  'ACCOUNTS_CONFLICT',
]

/** What a login at a provider is refused with. */
export const redeemErrors: Errors = [
  ...startErrors,
  'ACCOUNTS_LOGIN_EXPIRED',
  'ACCOUNTS_PROVIDER_REFUSED',
  'ACCOUNTS_FORBIDDEN',
  'ACCOUNTS_INVALID_INPUT',
]

/** What linking an identity is refused with. */
export const linkErrors: Errors = [
  'ACCOUNTS_IDENTITY_TAKEN',
  'ACCOUNTS_LOGIN_REQUIRED',
  'ACCOUNTS_CONFIRMATION_REQUIRED',
]
