import { hour, minute } from '../../options/time.js'
import type { Feature } from '../feature.js'
import { issueCode } from './codes/issue-code.js'
import { codeLifetime, codeOf } from './codes/login-code.js'
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
      // To the code that came with it: an old link must not show a code that somebody asks for later.
      boundTo: ({ sessionEpoch, resetEpoch, emailKey, credentials = [] }) => [
        ...[sessionEpoch, resetEpoch, emailKey],
        codeOf({ credentials })?.id ?? null,
      ],
    },
  },
  mails: { 'login-code': { link: 'login-code', budget: 'loginCodeMails', facts: issueCode } },
  // Whoever has not proven the address may not read its mails.
  hasWayIn: ({ emailKey, isVerified }) => emailKey !== null && isVerified,
  routes: (core) => ({ auth: emailCodeRoutes(core) }),
}
