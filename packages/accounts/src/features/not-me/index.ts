import type { Feature } from '../feature.js'
import { notMeRoutes } from './routes.js'
import { de, en, fr } from './texts.js'

/** Reporting a login: the link in the email about a login from a new device logs everybody out. */
export const notMe: Feature = {
  name: 'not-me',
  texts: { en, de, fr },
  links: {
    'not-me': {
      route: 'not-me',
      lifetime: ({ links }) => links.undoLifetime,
      boundTo: ({ verifyEpoch, emailKey }) => [verifyEpoch, emailKey],
    },
  },
  routes: (core) => ({ auth: notMeRoutes(core) }),
}
