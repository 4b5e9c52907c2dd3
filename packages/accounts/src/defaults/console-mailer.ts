import type { Mail, Mailer } from '../seams/mailer.js'
import { InvalidArgumentError } from '../seams/store-errors.js'

/** One `@` of any width, and no characters of address lists, comments, quoted parts or headers. */
const plainAddress = /^[^\s\p{Cc}"(),:;<>@﹫＠[\\\]]+@[^\s\p{Cc}"(),:;<>@﹫＠[\\\]]+$/u

/**
 * Prints emails instead of sending them, for trying out. The output contains working links, so keep it out of production
 * logs.
 *
 * @param write receives the text of one email; prints it to standard output by default
 * @throws InvalidArgumentError from `send` for an address that is not plain, or a line break in a name or subject
 */
export function createConsoleMailer(
  write: (text: string) => void = (text) => void process.stdout.write(text),
): Mailer {
  return {
    async send(mail) {
      assertSendable(mail)
      const { to, subject, text, kind } = mail
      const lines = [`To: ${to.name} <${to.address}>`, `Subject: ${subject}`, `Kind: ${kind}`, '', text]
      write(`--- mail ---\n${lines.map(visible).join('\n')}\n--- end of mail ---\n`)
    },
  }
}

function assertSendable({ to, subject }: Mail): void {
  if (typeof to?.address !== 'string' || !plainAddress.test(to.address)) {
    throw new InvalidArgumentError('to.address must be one plain address')
  }
  for (const [name, value] of [
    ['to.name', to.name],
    ['subject', subject],
  ]) {
    if (typeof value !== 'string' || /[\r\n\0]/.test(value)) {
      throw new InvalidArgumentError(`${name} must be one line of text`)
    }
  }
}

/** Control characters could move the cursor or forge lines in a terminal. */
function visible(text: string): string {
  return text.replace(
    /[^\P{Cc}\n\t]/gu,
    (control) => `\\x${control.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
