import { hour, minute } from '../../options/time.js'
import type { Feature } from '../feature.js'
import { resetRoutes } from './routes.js'
import { de, en, fr } from './texts.js'

/** Password reset: an emailed link to a form. */
export const reset: Feature = {
  name: 'reset',
  texts: { en, de, fr },
  limits: {
    forgotMails: { max: 5, window: hour },
    forgot: { max: 20, window: minute },
    reset: { max: 20, window: minute },
  },
  links: {
    'reset-password': {
      route: 'reset',
      lifetime: ({ links }) => links.resetLifetime,
      boundTo: ({ resetEpoch, emailKey }) => [resetEpoch, emailKey],
    },
    // Ends with everything that ends a mailed one.
    'password-link': {
      route: 'reset',
      lifetime: ({ links }) => links.resetLifetime,
      boundTo: ({ resetEpoch, emailKey }) => [resetEpoch, emailKey],
    },
  },
  mails: { 'reset-password': { link: 'reset-password', budget: 'forgotMails' } },
  routes: (core) => ({ auth: resetRoutes(core) }),
}
