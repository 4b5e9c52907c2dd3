import type { EmailContent, EmailFacts } from '../seams/email-templates.js'
import { duration, emailContent } from './layout.js'

export function verifyEmailEmail({ username, site, url = '', minutes = 0 }: EmailFacts): EmailContent {
  return emailContent(
    `Confirm your e-mail address at ${site}`,
    [
      `Hello ${username},`,
      `an account named ${username} was made at ${site} with this e-mail address. If it is yours, confirm the address:`,
      null,
      `The link works for ${duration(minutes)}.`,
      'If it is not yours, do not open the link: without it the address stays unconfirmed.',
    ],
    { label: 'Confirm my address', url },
  )
}
