import type { Site } from '../site.js'

/** Whether an account here is of no use without an address: it has to be confirmed, or is what people log in with. */
export const needsEmail = ({
  requireEmailConfirmation,
  names,
  login,
}: Pick<Site['core']['options'], 'requireEmailConfirmation' | 'names' | 'login'>): boolean =>
  requireEmailConfirmation || names === 'none' || !login.byUsername
