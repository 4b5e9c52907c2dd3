import { hour, minute } from '../../options/time.js'
import { accountKey, deviceBudgetKey } from '../../throttle/throttle.js'
import type { Feature } from '../feature.js'
import { issueCode } from './codes/issue-code.js'
import { codeLifetime, codesOf } from './codes/mailed-code.js'
import { codeConfirmation, confirmationCodeRoutes } from './confirmation/routes.js'
import { emailCodeRoutes } from './routes.js'
import { de, en, fr } from './texts.js'

/** Logging in, and confirming, by a code that is mailed; with the option `login.emailCode`. */
export const emailCode: Feature = {
  name: 'email-code',
  texts: { en, de, fr },
  limits: {
    loginCode: { max: 10, window: hour },
    loginCodeMails: { max: 5, window: hour },
    loginCodeRequest: { max: 20, window: minute },
  },
  links: {
    'login-code': {
      route: 'login-code-link',
      lifetime: codeLifetime,
      // To the code that came with it: it must not show a code that somebody asks for elsewhere, or later.
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
      // Whoever asks elsewhere must not keep it from its owner.
      budgetKey: ({ knownDevice }) => knownDevice && deviceBudgetKey(knownDevice),
      facts: issueCode('login-code'),
    },
    'confirmation-code': {
      budget: 'loginCodeMails',
      // Apart: whoever asks for login codes with somebody's address must not use this up.
      budgetKey: (_, user) => accountKey(user),
      facts: issueCode('confirmation-code'),
    },
  },
  // Whoever has not proven the address may not read its mails.
  hasWayIn: ({ emailKey, isVerified }) => emailKey !== null && isVerified,
  confirmations: (core) => [codeConfirmation(core)],
  routes: (core) => ({ auth: [...emailCodeRoutes(core), ...confirmationCodeRoutes(core)] }),
}
