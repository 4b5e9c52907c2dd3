import { day, hour } from '../../options/time.js'
import type { Feature } from '../feature.js'
import { emailChangeRoutes } from './routes.js'
import { de, en, fr } from './texts.js'

/** Another address: confirmed by a link to the new one, undone by a link to the old one. */
export const emailChange: Feature = {
  name: 'email-change',
  texts: { en, de, fr },
  limits: {
    changeEmail: { max: 5, window: hour },
    changeEmailDay: { max: 20, window: day },
  },
  links: {
    'change-email': {
      route: 'email-confirm',
      isAboutAddress: true,
      lifetime: ({ links }) => links.changeEmailLifetime,
      boundTo: ({ sessionEpoch, resetEpoch, verifyEpoch, emailKey }) => [
        sessionEpoch,
        resetEpoch,
        verifyEpoch,
        emailKey,
      ],
    },
    // It outlasts whatever somebody does who took the account over: another password, another address. Its use ends it.
    'undo-email': {
      route: 'email-undo',
      isAboutAddress: true,
      lifetime: ({ links }) => links.undoLifetime,
      boundTo: ({ emailChangedAt }) => [emailChangedAt?.getTime() ?? null],
      // The time to undo a change runs from the change, however late its notice is.
      begin: ({ emailChangedAt }) => emailChangedAt,
    },
    // Alive before the address is confirmed and after it, whatever the account does: it serves whoever has the mailbox.
    'release-email': {
      route: 'email-release',
      isAboutAddress: true,
      lifetime: ({ links }) => links.undoLifetime,
      boundTo: () => [],
    },
  },
  mails: {
    'change-email': {
      link: 'change-email',
      release: 'release-email',
      budget: 'verifyMails',
      // Where the address has an account, its owner is told instead, by a mail of another kind.
      isWanted: async ({ emailKey }, users) => (await users.findByEmail(emailKey)) === null,
    },
    // Not held back: before each, the address has to be proven again.
    'email-changed': { link: 'undo-email' },
    'email-taken': { budget: 'verifyMails' },
  },
  routes: (core) => ({ auth: emailChangeRoutes(core) }),
}
