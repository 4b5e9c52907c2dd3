import PQueue from 'p-queue'
import pRetry from 'p-retry'
import type { Language, Languages } from '../languages/languages.js'
import { withoutValues } from '../scrub.js'
import type { EmailFacts } from '../seams/email-templates.js'
import type { Mailer, MailKind } from '../seams/mailer.js'
import { InvalidArgumentError } from '../seams/store-errors.js'
import type { User } from '../user.js'
import type { ComposeEmail } from './compose.js'
import { oneLine } from './one-line.js'

/** Sends mails after the answer, never in its time. */
export interface PostOffice {
  /**
   * Puts a mail to a user in the queue; users without an address, or disabled, get no mail. Never throws.
   * @param whom the user, or a look-up that is made in the queue
   * @param work what is done in the queue, since the time it takes must not tell who has an account
   */
  post(kind: MailKind, whom: User | (() => Promise<User | null>), work?: MailWork): void
  /** The same office, for mails that are caused by somebody who speaks this language. */
  speaking(language: Language): PostOffice
  /** Waits for the mails under way, at most so many milliseconds; what is left then is reported as failed. */
  drain(timeout: number): Promise<void>
}

export interface MailWork {
  /** Where it goes. Default: to the user's own address. */
  to?: string
  /** Whether the mail may go out; spends its budget, so that only mails that go out count. Default: yes. */
  allowed?: (user: User) => Promise<boolean>
  /** The facts beside the name and the site. Default: none. */
  facts?: (user: User) => Promise<Pick<EmailFacts, 'url' | 'minutes' | 'device'>>
}

/** A mail that was given up. */
export interface MailFailure {
  kind: MailKind
  /** `null` where it was not looked up yet. */
  userId: string | null
  error: unknown
}

const concurrency = 5
/** What waits in memory; more means that the mail server is gone, and that somebody asks for mails by the thousand. */
const maxWaiting = 1000
/** Tries after the first one: half a second, then one, then two. */
const retries = 3

export function createPostOffice(deps: {
  mailer: Pick<Mailer, 'send'>
  compose: ComposeEmail
  site: string
  languages: Languages
  onFailure(failure: MailFailure): void
}): PostOffice {
  const { mailer, compose, site, languages, onFailure } = deps
  const queue = new PQueue({ concurrency })
  /** Mails that are neither handed over nor given up: how to report each. */
  const open = new Set<(error: unknown) => void>()

  async function deliver(
    kind: MailKind,
    user: User,
    address: string,
    facts: Partial<EmailFacts> & Pick<EmailFacts, 'language'>,
  ): Promise<void> {
    const content = compose(kind, { ...facts, username: user.username, site })
    // A template of the integrator's may have put the name into the subject.
    const subject = oneLine(content.subject)
    await mailer.send({ to: { name: oneLine(user.username), address }, kind, ...content, subject })
  }

  /** The language that a user has chosen, in the integrator's own field `locale`. */
  function languageOf({ fields }: User): Language | null {
    return typeof fields.locale === 'string' ? languages.match(fields.locale.replaceAll('_', '-')) : null
  }

  const speaking = (spoken: Language): PostOffice => ({
    speaking,
    post(kind, whom, { to, allowed = async () => true, facts = async () => ({}) } = {}) {
      const failed = (error: unknown): void => {
        if (open.delete(failed))
          onFailure({ kind, userId: typeof whom === 'function' ? null : whom.id, error })
      }
      open.add(failed)
      if (queue.size >= maxWaiting) return failed(new Error(`more than ${maxWaiting} mails wait`))
      const work = async (): Promise<void> => {
        await new Promise(setImmediate)
        const user = typeof whom === 'function' ? await whom() : whom
        const address = to ?? user?.email
        if (!user?.isActive || !address || !(await allowed(user))) return
        const known = await facts(user)
        const { tag } = languageOf(user) ?? spoken
        await pRetry(() => deliver(kind, user, address, { ...known, language: tag }), {
          retries,
          minTimeout: 500,
          factor: 2,
          shouldRetry: ({ error }) => !(error instanceof InvalidArgumentError),
        }).catch((error: unknown) => {
          throw withoutValues(error, known)
        })
      }
      queue.add(work).then(() => open.delete(failed), failed)
    },
    async drain(timeout) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, timeout)
      })
      await Promise.race([queue.onIdle(), late])
      clearTimeout(timer)
      queue.clear()
      for (const failed of open) failed(new Error('the app was closed before the mail was handed over'))
    },
  })
  return speaking(languages.fallback)
}
