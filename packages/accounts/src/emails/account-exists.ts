import type { EmailContent, EmailFacts } from '../seams/email-templates.js'
import { duration, emailContent } from './layout.js'

export function accountExistsEmail({ username, site, url, minutes = 0 }: EmailFacts): EmailContent {
  return emailContent(
    `You already have an account at ${site}`,
    [
      `Hello ${username},`,
      `somebody, probably you, tried to sign up at ${site} with this e-mail address. There is an account with it already, named ${username}, so no second one was made.`,
      url === undefined
        ? 'You can log in with it.'
        : 'You can log in with it. If you do not know its password, choose a new one:',
      null,
      ...(url === undefined ? [] : [`The link works once, for ${duration(minutes)}.`]),
      'If it was not you, there is nothing to do: nothing was changed.',
    ],
    url === undefined ? undefined : { label: 'Choose a new password', url },
  )
}
