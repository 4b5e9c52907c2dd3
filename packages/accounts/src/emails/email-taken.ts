import type { EmailContent, EmailFacts } from '../seams/email-templates.js'
import { emailContent } from './layout.js'

export function emailTakenEmail({ username, site }: EmailFacts): EmailContent {
  return emailContent(`Your e-mail address is in use at ${site}`, [
    `Hello ${username},`,
    `somebody, probably you, wanted to use this e-mail address for another account at ${site}. Your account ${username} has it already, and an address belongs to one account.`,
    `If it was you, log in as ${username}, or give that account another address first.`,
    'If it was not you, there is nothing to do: nothing was changed.',
  ])
}
