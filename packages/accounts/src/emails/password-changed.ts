import type { EmailContent, EmailFacts } from '../seams/email-templates.js'
import { emailContent } from './layout.js'

export function passwordChangedEmail({ username, site }: EmailFacts): EmailContent {
  return emailContent(`Your password at ${site} was changed`, [
    `Hello ${username},`,
    `the password of your account at ${site} was just changed, and other devices were logged out.`,
    'If it was you, there is nothing to do.',
    `If it was not you, somebody else may know your password: use "forgotten password" at ${site} at once to choose a new one.`,
  ])
}
