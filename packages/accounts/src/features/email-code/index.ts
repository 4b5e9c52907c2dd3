import { hour, minute } from '../../options/time.js'
import type { Feature } from '../feature.js'
import { issueCode } from './codes/issue-code.js'
import { codeLifetime } from './codes/login-code.js'
import { emailCodeRoutes } from './routes.js'
import { de, en, fr } from './texts.js'

/** Logging in by a code that is mailed; with the option `login.emailCode`. */
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
      boundTo: ({ sessionEpoch, resetEpoch, emailKey }) => [sessionEpoch, resetEpoch, emailKey],
    },
  },
  mails: { 'login-code': { link: 'login-code', budget: 'loginCodeMails', facts: issueCode } },
  // Whoever has not proven the address may not read its mails.
  hasWayIn: ({ emailKey, isVerified }) => emailKey !== null && isVerified,
  routes: (core) => ({ auth: emailCodeRoutes(core) }),
}
