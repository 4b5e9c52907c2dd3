import type { Found } from './with-user.js'

/** What becomes of the email to the owner. */
export function emailOf({ user, project: { options, userStore, source } }: Found): {
  state: string
  line: string
} {
  if (user.email === null) return { state: 'none', line: 'no email: the account has no address' }
  if (userStore.outbox !== undefined)
    return { state: 'waiting', line: `email to ${user.email}: waits for a process of the service to send it` }
  if (options.mailer === undefined)
    return { state: 'none', line: `no email: ${source} has neither an outbox nor a mailer` }
  return { state: 'sent', line: `email to ${user.email}: sent` }
}
