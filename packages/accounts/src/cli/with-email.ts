import type { Call, Report } from './command.js'
import { type Found, type Lookup, withUser } from './with-user.js'

/** `withUser` for commands that email the owner: if sending fails, the command does. */
export async function withEmail(
  call: Call,
  work: (found: Found) => Promise<Report>,
  lookup: Lookup = {},
): Promise<Report> {
  const failures: string[] = []
  // Without an outbox, the email is sent from here, when the app closes.
  const report = await withUser(
    call,
    (found) => {
      found.accounts.events.on('mail-failed', ({ error }) => failures.push(String(error)))
      return work(found)
    },
    lookup,
  )
  const [failure] = failures
  if (failure === undefined) return report
  return {
    lines: [...report.lines, `the email could not be sent: ${failure}`],
    data: { ...report.data, mail: 'failed' },
    ok: false,
  }
}
