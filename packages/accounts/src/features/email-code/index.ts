import { issueCode } from '../../logins/codes/issue-code.js'
import { codeLifetime, codesOf } from '../../logins/codes/mailed-code.js'
import { hour, minute } from '../../options/time.js'
import { accountKey } from '../../throttle/throttle.js'
import type { Feature } from '../feature.js'
import { codeConfirmation, confirmationCodeRoutes } from './confirmation/routes.js'
import * as confirmationTexts from './confirmation/texts.js'
import { emailCodeRoutes } from './routes.js'
import * as loginTexts from './texts.js'

/** Confirmation with an emailed code; for `emailCode`, and for features whose users need it. */
export const confirmationCode: Feature = {
  name: 'confirmation-code',
  texts: confirmationTexts,
  limits: {
    loginCode: { max: 10, window: hour },
    loginCodeMails: { max: 5, window: hour },
    loginCodeRequest: { max: 20, window: minute },
  },
  mails: {
    'confirmation-code': {
      link: 'not-me',
      budget: 'loginCodeMails',
      // Login codes that the account's browsers request don't use this up.
      budgetKey: (_, user) => `confirmation:${accountKey(user)}`,
      facts: issueCode('confirmation-code'),
    },
  },
  confirmations: (core) => [codeConfirmation(core)],
  routes: () => ({ auth: confirmationCodeRoutes() }),
}

/** Login with an emailed code; turned on by the option `login.emailCode`. */
export const emailCode: Feature = {
  name: 'email-code',
  texts: loginTexts,
  cookies: ['code'],
  links: {
    'login-code': {
      route: 'login-code-link',
      lifetime: codeLifetime,
      // Bound to the code in the same email: the link must not show a code requested elsewhere, or later.
      variants: (user) => codesOf(user, 'login-code').map((code) => ({ ...user, credentials: [code] })),
      boundTo: ({ sessionEpoch, resetEpoch, emailKey, credentials = [] }) => [
        ...[sessionEpoch, resetEpoch, emailKey],
        codesOf({ credentials }, 'login-code')[0]?.id ?? null,
      ],
    },
  },
  mails: {
    'login-code': {
      link: 'login-code',
      budget: 'loginCodeMails',
      // A code only works where it was requested.
      counted: 'separate',
      facts: issueCode('login-code'),
    },
  },
  // Without verification, somebody else may be reading the address's emails.
  hasWayIn: ({ emailKey, isVerified }) => emailKey !== null && isVerified,
  routes: (core) => ({ auth: emailCodeRoutes(core) }),
}
