import type { EmailContent, EmailFacts } from '../seams/email-templates.js'
import { duration, emailContent } from './layout.js'

export function changeEmailEmail({ username, site, url = '', minutes = 0 }: EmailFacts): EmailContent {
  return emailContent(
    `Confirm your new e-mail address at ${site}`,
    [
      `Hello ${username},`,
      `the account ${username} at ${site} asks to use this e-mail address from now on. If the account is yours, confirm the address:`,
      null,
      `The link works once, for ${duration(minutes)}.`,
      'If the account is not yours, do not open the link: without it nothing changes.',
    ],
    { label: 'Use this address', url },
  )
}
