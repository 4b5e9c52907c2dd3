import type { EmailContent, EmailFacts } from '../seams/email-templates.js'
import { duration, emailContent } from './layout.js'

export function emailChangedEmail({ username, site, url, minutes = 0 }: EmailFacts): EmailContent {
  return emailContent(
    `The e-mail address of your account at ${site} was changed`,
    [
      `Hello ${username},`,
      `your account at ${site} uses another e-mail address now. Mails about it no longer come here.`,
      'If it was you, there is nothing to do.',
      url === undefined
        ? `If it was not you, use the link in the first notice that you got of such a change, or write to ${site}.`
        : 'If it was not you, take your account back. This address is used again, everybody is logged out, and you choose a new password:',
      null,
      ...(url === undefined ? [] : [`The link works once, for ${duration(minutes)}.`]),
    ],
    url === undefined ? undefined : { label: 'It was not me: undo it', url },
  )
}
