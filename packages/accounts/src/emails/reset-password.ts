import type { EmailContent, EmailFacts } from '../seams/email-templates.js'
import { duration, emailContent } from './layout.js'

export function resetPasswordEmail({ username, site, url = '', minutes = 0 }: EmailFacts): EmailContent {
  return emailContent(
    `Reset your password at ${site}`,
    [
      `Hello ${username},`,
      `somebody, probably you, asked for a new password for your account at ${site}. Choose one here:`,
      null,
      `The link works once, for ${duration(minutes)}.`,
      'If it was not you, there is nothing to do: your password stays as it is.',
    ],
    { label: 'Choose a new password', url },
  )
}
