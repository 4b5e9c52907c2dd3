import { minute } from '../../options/time.js'
import type { Feature } from '../feature.js'
import { verificationRoutes } from './routes.js'
import { de, en, fr } from './texts.js'

/** A new account's address is verified by an emailed link, which can be requested again. */
export const verification: Feature = {
  name: 'verification',
  texts: { en, de, fr },
  limits: {
    resend: { max: 20, window: minute },
  },
  links: {
    'verify-email': {
      // Each variant of creation has its own routes.
      route: { user: 'user-verify', signup: 'signup-verify' },
      mount: 'users',
      lifetime: ({ links }) => links.verifyLifetime,
      boundTo: ({ verifyEpoch, emailKey }) => [verifyEpoch, emailKey],
    },
  },
  mails: {
    'verify-email': {
      link: 'verify-email',
      budget: 'verifyMails',
      isWanted: ({ user }) => !user.isVerified,
    },
  },
  routes: (core) => ({ users: verificationRoutes(core) }),
}
