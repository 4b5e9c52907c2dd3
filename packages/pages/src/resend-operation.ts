import type { Site } from './site.js'

/** The operation that emails the link again that confirms the address of an account; `null` if nobody signs up here. */
export function resendOperationOf({ core }: Pick<Site, 'core'>): string | null {
  const { users } = core.options
  if (users === false) return null
  return users.variant === 'user' ? 'resendUserVerification' : 'resendSignupVerification'
}
