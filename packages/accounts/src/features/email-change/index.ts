import { pendingAddressOf } from '../../notes.js'
import { day, hour } from '../../options/time.js'
import type { Feature } from '../feature.js'
import { pendingChange } from './pending-facts.js'
import { emailChangeRoutes } from './routes.js'
import { de, en, fr } from './texts.js'

/** Changes the address: confirmed by a link to the new one, undone by a link to the old one. */
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
      // On an account that has got a passkey since, somebody who knows only the password may have asked for it.
      boundTo: ({ sessionEpoch, resetEpoch, verifyEpoch, emailKey, credentials = [], notes = {} }) => {
        const { at, email } = pendingAddressOf({ notes }) ?? {}
        const passkeys = credentials.filter(({ kind }) => kind === 'passkey').map(({ id }) => id)
        return [sessionEpoch, resetEpoch, verifyEpoch, emailKey, passkeys, at, email]
      },
      begin: (user) => new Date(pendingAddressOf(user)?.at ?? Date.now()),
    },
    // It survives what an attacker does with the account: a new password or address. Using it ends it.
    'undo-email': {
      route: 'email-undo',
      isAboutAddress: true,
      lifetime: ({ links }) => links.undoLifetime,
      boundTo: ({ emailChangedAt }) => [emailChangedAt?.getTime() ?? null],
      // The time to undo a change starts at the change, however late its notice is.
      begin: ({ emailChangedAt }) => emailChangedAt,
    },
    // Valid before and after confirmation, whatever the account does: it is for the owner of the mailbox.
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
      // If the address has an account, its owner gets an email of another kind instead.
      isWanted: async ({ emailKey }, users) => (await users.findByEmail(emailKey)) === null,
    },
    // Not held back: each requires the address to be verified again. An account that somebody took over is disabled before
    // its owner is there, who needs this link once it is enabled.
    'email-changed': { link: 'undo-email', reachesDisabled: true, notice: 'immediate' },
    'email-taken': { budget: 'verifyMails', counted: 'separate' },
  },
  export(user, core) {
    const pending = pendingChange(core, user)
    return pending.email === null ? null : { ...pending, asked_at: pendingAddressOf(user)?.at ?? null }
  },
  routes: (core) => ({ auth: emailChangeRoutes(core) }),
}
