import type { DeadMessage, Outbox, PendingMail } from '../../index.js'
import { type Call, type Command, configOption, type Report, textOf, UsageError } from '../command.js'
import { counted } from '../counted.js'
import { daysAgo } from '../days.js'
import { withProject } from '../project.js'

const usage =
  'outbox, outbox retry <id>, outbox delete <id>, or --all instead of an id; delete also takes --older-than <days>'
/** How many dead letters are listed by default. */
const listed = '100'
/** How many are read at once. */
const pageSize = 200

export const outbox: Command = {
  name: 'outbox',
  summary: 'list, resend or delete abandoned emails',
  positionals: { text: '[retry <id> | delete <id>]', count: 0, most: 2 },
  options: {
    all: { type: 'boolean', description: 'with retry or delete: every dead letter' },
    'older-than': {
      type: 'string',
      value: 'days',
      description: 'with delete: every dead letter older than this many days',
    },
    limit: { type: 'string', value: 'number', description: `how many to list; ${listed} by default` },
    ...configOption,
  },
  notes: [
    'A process of the service sends the email within seconds, with 40 new attempts.',
    'Its link is signed then and has its full lifetime, except one that undoes an email change: that counts from the change.',
    'Emails that are still waiting are left alone.',
  ],
  async run({ values, positionals: [action, id], cwd }: Call) {
    const all = values.all === true
    const limit = Number(textOf(values, 'limit') ?? listed)
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new UsageError('--limit must be a whole number from 1')
    const before = daysAgo(values, 'older-than', 0)
    if (before !== undefined && (action !== 'delete' || all || id !== undefined)) {
      throw new UsageError(`wrong usage: ${usage}`)
    }
    const every = all || before !== undefined
    if (
      action === undefined ? every : !['retry', 'delete'].includes(action) || every === (id !== undefined)
    ) {
      throw new UsageError(`wrong usage: ${usage}`)
    }
    return withProject({ cwd, config: textOf(values, 'config') }, async ({ source, userStore }) => {
      // So far all messages are emails.
      const box = userStore.outbox as Outbox<PendingMail> | undefined
      if (box === undefined) {
        throw new Error(
          `the user store of ${source} has no outbox: its emails wait in the memory of the service`,
        )
      }
      if (action === undefined) return list(box, limit)
      const retries = action === 'retry'
      const change = (each: string): Promise<boolean> =>
        retries ? box.retry(each, new Date()) : box.discard(each)
      const count = id === undefined ? await changeAll(box, change, before) : Number(await change(id))
      if (id !== undefined && count === 0) throw new Error(`there is no dead letter ${id}`)
      return {
        lines: [`${retries ? 'to be sent again' : 'deleted'}: ${count}`],
        data: retries ? { retried: count } : { deleted: count },
      }
    })
  },
}

async function list(box: Outbox<PendingMail>, limit: number): Promise<Report> {
  const { waiting, dead } = await box.count()
  const letters: DeadMessage<PendingMail>[] = []
  for await (const letter of deadLetters(box)) {
    letters.push(letter)
    if (letters.length === limit) break
  }
  const more = dead - letters.length
  return {
    lines: [
      `waiting: ${waiting}`,
      `abandoned: ${dead}`,
      ...letters.map(lineOf),
      ...(more > 0 ? [`and ${more} more (--limit)`] : []),
    ],
    data: { waiting, dead, letters: letters.map(dataOf) },
  }
}

/** @param before only those posted earlier */
async function changeAll(
  box: Outbox<PendingMail>,
  change: (id: string) => Promise<boolean>,
  before?: Date,
): Promise<number> {
  let count = 0
  for await (const { id, postedAt } of deadLetters(box)) {
    if ((before === undefined || postedAt < before) && (await change(id))) count += 1
  }
  return count
}

/** Every dead letter, page by page. */
async function* deadLetters(box: Outbox<PendingMail>): AsyncGenerator<DeadMessage<PendingMail>> {
  for (let after: string | undefined; ; ) {
    const page = await box.listDead({ limit: pageSize, after })
    yield* page
    after = page.at(-1)?.id
    if (after === undefined) return
  }
}

function addressOf(mail: PendingMail | null): string | null {
  return mail?.to ?? mail?.emailKey ?? null
}

/** An email of the app goes to the address that its user has at delivery. */
const addresseeOf = (mail: PendingMail): string => addressOf(mail) ?? `to user ${mail.userId}`

function dataOf({ id, message: mail, postedAt, attempts, error }: DeadMessage<PendingMail>): object {
  const { kind = null, userId = null } = mail ?? {}
  return { id, kind, userId, to: addressOf(mail), postedAt: postedAt.toISOString(), attempts, error }
}

function lineOf(letter: DeadMessage<PendingMail>): string {
  const { id, message: mail, postedAt, attempts, error } = letter
  const what = mail === null ? 'unreadable' : `${mail.kind}  ${addresseeOf(mail)}`
  const line = `${id}  ${postedAt.toISOString()}  ${what}  ${counted(attempts, 'attempt')}: ${error}`
  // A mail server's text may contain terminal control sequences.
  return line.replaceAll(/\p{Cc}+/gu, ' ')
}
