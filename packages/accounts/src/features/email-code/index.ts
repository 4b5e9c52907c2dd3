import { hour, minute } from '../../options/time.js'
import { accountKey, deviceBudgetKey } from '../../throttle/throttle.js'
import type { Feature } from '../feature.js'
import { issueCode } from './codes/issue-code.js'
import { codeLifetime, codesOf } from './codes/mailed-code.js'
import { codeConfirmation, confirmationCodeRoutes } from './confirmation/routes.js'
import { emailCodeRoutes } from './routes.js'
import { de, en, fr } from './texts.js'

/** Login and confirmation with an emailed code; turned on by the option `login.emailCode`. */
export const emailCode: Feature = {
  name: 'email-code',
  texts: { en, de, fr },
  cookies: ['code'],
  limits: {
    loginCode: { max: 10, window: hour },
    loginCodeMails: { max: 5, window: hour },
    loginCodeRequest: { max: 20, window: minute },
  },
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
      // Requests elsewhere must not keep the code from its owner.
      budgetKey: ({ knownDevice }) => knownDevice && deviceBudgetKey(knownDevice),
      facts: issueCode('login-code'),
    },
    'confirmation-code': {
      budget: 'loginCodeMails',
      // Separate, because login codes requested with somebody's address must not use this up.
      budgetKey: (_, user) => accountKey(user),
      facts: issueCode('confirmation-code'),
    },
  },
  // Without verification, somebody else may be reading the address's emails.
  hasWayIn: ({ emailKey, isVerified }) => emailKey !== null && isVerified,
  confirmations: (core) => [codeConfirmation(core)],
  routes: (core) => ({ auth: [...emailCodeRoutes(core), ...confirmationCodeRoutes(core)] }),
}
