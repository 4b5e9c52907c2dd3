import type { MailFacts } from '../../emails/mail-facts.js'
import { issueCode } from '../../logins/codes/issue-code.js'
import { hour, minute } from '../../options/time.js'
import type { Feature, LinkFacts } from '../feature.js'
import { resetRoutes } from './routes.js'
import { de, en, fr } from './texts.js'

const issueResetCode = issueCode('reset-code')

/** The code, if one was requested. If it has ended before its email is sent, the email has the link alone. */
const codeFacts: NonNullable<MailFacts['facts']> = async (mail, to, deps) => {
  const issued = mail.codeSeed === null ? null : await issueResetCode(mail, to, deps)
  if (issued === null) return { user: to.user, facts: {} }
  const { code, minutes: codeMinutes } = issued.facts
  return { user: issued.user, facts: { code, codeMinutes } }
}

const resetLink: LinkFacts = {
  route: 'reset',
  lifetime: ({ links }) => links.resetLifetime,
  boundTo: ({ resetEpoch, emailKey }) => [resetEpoch, emailKey],
}

/** Password reset: an emailed link to a form, and with `login.emailCode` a code to type where it was requested. */
export const reset: Feature = {
  name: 'reset',
  texts: { en, de, fr },
  cookies: ['reset-code'],
  limits: {
    forgotMails: { max: 5, window: hour },
    forgot: { max: 20, window: minute },
    reset: { max: 20, window: minute },
  },
  links: {
    'reset-password': resetLink,
    // Ends with everything that ends a mailed one.
    'password-link': resetLink,
  },
  mails: { 'reset-password': { link: 'reset-password', budget: 'forgotMails', facts: codeFacts } },
  routes: (core) => ({ auth: resetRoutes(core) }),
}
