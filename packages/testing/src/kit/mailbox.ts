import type { AnyMailKind, Mail, Mailer } from 'fastify-accounts'
import { onlyInTests } from './only-in-tests.js'
import { shared } from './shared.js'

/** Milliseconds; test runners give up after five seconds. */
const patience = 4_000

// Also with the fake timers of a test runner, which may replace the global functions later.
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

/** An email in a mailbox. */
export interface ReceivedMail extends Mail {
  /**
   * The link in it, as `app.inject(mail.link)` takes it.
   * @throws Error if it has none
   */
  readonly link: string
  /**
   * The code in it, such as `K7PX-2WQM`.
   * @throws Error if it has none
   */
  readonly code: string
}

/** A mailer that keeps the emails of a test. */
export interface Mailbox extends Mailer {
  /** All emails so far, oldest first. */
  readonly mails: readonly ReceivedMail[]
  /**
   * The next email of this kind: the oldest that `next` hasn't returned yet, or else the first that arrives.
   * @param address whom it must be for. Default: anybody
   * @throws Error after four seconds, with a list of what has arrived
   */
  next(kind: AnyMailKind, address?: string): Promise<ReceivedMail>
}

/**
 * Makes a mailbox; pass it as `mailer`. From then on, emails of this process are sent right after the response, which they
 * otherwise follow by half a second to two seconds.
 * @throws Error with `NODE_ENV=production`
 */
export function createMailbox(): Mailbox {
  onlyInTests('createMailbox')
  Object.assign(
    shared('wakeDelay', () => ({})),
    { min: 0, max: 0 },
  )
  const mails: ReceivedMail[] = []
  const returned = new Set<ReceivedMail>()
  const waiting = new Set<() => void>()

  function take(kind: AnyMailKind, address: string | undefined): ReceivedMail | undefined {
    const isFor = ({ to }: Mail): boolean =>
      to.address.toLowerCase() === (address ?? to.address).toLowerCase()
    const found = mails.find((mail) => mail.kind === kind && isFor(mail) && !returned.has(mail))
    if (found) returned.add(found)
    return found
  }

  return {
    mails,
    async send(mail) {
      mails.push(new Received(mail))
      // Those who have waited longest look first.
      for (const look of waiting) look()
    },
    next: (kind, address) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const found = take(kind, address)
          if (found === undefined) return
          end()
          resolve(found)
        }
        const end = (): void => {
          stopTimer(timer)
          waiting.delete(look)
        }
        const timer = startTimer(() => {
          end()
          reject(new Error(missing(kind, address, mails)))
        }, patience)
        waiting.add(look)
        look()
      }),
  }
}

function missing(kind: AnyMailKind, address: string | undefined, mails: readonly Mail[]): string {
  const wanted = address === undefined ? kind : `${kind} to ${address}`
  const arrived = mails.map((mail) => `${mail.kind} to ${mail.to.address}`).join(', ')
  return `no other email ${wanted} has arrived in ${patience / 1000} seconds, only: ${arrived || 'none at all'}`
}

class Received implements ReceivedMail {
  declare readonly id: string
  declare readonly to: Mail['to']
  declare readonly userId: string | null
  declare readonly subject: string
  declare readonly text: string
  declare readonly html: string
  declare readonly kind: AnyMailKind

  constructor(mail: Mail) {
    Object.assign(this, mail)
  }

  get link(): string {
    return this.#find('link', /https?:\/\/\S+/)
  }

  get code(): string {
    return this.#find('code', /\b[A-Z2-9]{4}-[A-Z2-9]{4}\b/)
  }

  #find(what: string, pattern: RegExp): string {
    const [found] = pattern.exec(this.text) ?? []
    if (found === undefined) throw new Error(`the email ${this.kind} has no ${what}: ${this.text}`)
    return found
  }
}
