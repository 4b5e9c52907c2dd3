import { subscriberOf, subscriberRealm } from '../../events/realms.js'
import type { Feature } from '../../features/feature.js'
import type { DeadMessage, Outbox, PendingEvents, PendingMail } from '../../index.js'
import { isEvents } from '../../seams/events.js'
import { type Call, type Command, configOption, type Report, textOf, UsageError } from '../command.js'
import { counted } from '../counted.js'
import { daysAgo } from '../days.js'
import { mountOf, type Project, withProject } from '../project.js'

const usage =
  'outbox, outbox retry <id>, outbox delete <id>, or --all instead of an id; delete also takes --older-than <days> or --subscriber <name>'
/** How many dead letters are listed by default. */
const listed = '100'
/** How many are read at once. */
const pageSize = 200

export const outbox: Command = {
  name: 'outbox',
  summary: 'list, resend or delete abandoned emails and events',
  positionals: { text: '[retry <id> | delete <id>]', count: 0, most: 2 },
  options: {
    all: { type: 'boolean', description: 'with retry or delete: every dead letter' },
    'older-than': {
      type: 'string',
      value: 'days',
      description: 'with delete: every dead letter older than this many days',
    },
    subscriber: {
      type: 'string',
      value: 'name',
      description: 'with delete: everything that waits for this subscriber, which was removed',
    },
    limit: { type: 'string', value: 'number', description: `how many to list; ${listed} by default` },
    ...configOption,
  },
  notes: [
    'A process of the service delivers it within seconds, with 40 new attempts.',
    'The link of an email is signed then and has its full lifetime, except one that undoes an email change: that counts from the change.',
    'What is still waiting is left alone, except with --subscriber.',
  ],
  async run({ values, positionals: [action, id], cwd }: Call) {
    const all = values.all === true
    const limit = Number(textOf(values, 'limit') ?? listed)
    if (!Number.isSafeInteger(limit) || limit < 1)
      throw new UsageError('--limit must be a whole number from 1')
    const before = daysAgo(values, 'older-than', 0)
    const subscriber = textOf(values, 'subscriber')
    const chosen = [all, before !== undefined, subscriber !== undefined, id !== undefined].filter(Boolean)
    if (chosen.length > 1 || ((before ?? subscriber) !== undefined && action !== 'delete'))
      throw new UsageError(`wrong usage: ${usage}`)
    const every = all || before !== undefined || subscriber !== undefined
    if (
      action === undefined ? every : !['retry', 'delete'].includes(action) || every === (id !== undefined)
    ) {
      throw new UsageError(`wrong usage: ${usage}`)
    }
    return withProject({ cwd, config: textOf(values, 'config') }, async ({ source, userStore, options }) => {
      const box = userStore.outbox as Outbox<Waiting> | undefined
      if (box === undefined) {
        throw new Error(
          `the user store of ${source} has no outbox: its emails and events wait in the memory of the service`,
        )
      }
      if (action === undefined) return list(box, limit)
      if (subscriber !== undefined) {
        if (Object.hasOwn(options.on ?? {}, subscriber))
          throw new Error(`the option on has the subscriber ${subscriber}: remove it first`)
        const feature = await featureOf(subscriber, options)
        if (feature !== undefined)
          throw new Error(`the feature ${feature} has the subscriber ${subscriber}: remove it first`)
        const realm = subscriberRealm(mountOf(options), subscriber)
        const deleted = await deleteAll(box, realm)
        return { lines: [`deleted: ${deleted}`], data: { deleted } }
      }
      const retries = action === 'retry'
      const change = (each: string): Promise<boolean> =>
        retries ? box.retry(each, new Date()) : box.discard(each)
      const count = id === undefined ? await changeAll(box, change, before) : Number(await change(id))
      if (id !== undefined && count === 0) throw new Error(`there is no dead letter ${id}`)
      return {
        lines: [`${retries ? 'to be delivered again' : 'deleted'}: ${count}`],
        data: retries ? { retried: count } : { deleted: count },
      }
    })
  },
}

/** The feature whose subscriber has this name. The app isn't started, so only the names tell. */
async function featureOf(name: string, options: Project['options']): Promise<string | undefined> {
  const { shippedFor } = await import('../../features/shipped.js')
  const features: readonly Pick<Feature, 'name' | 'subscribers'>[] = [
    ...shippedFor(options),
    ...(options.features ?? []),
  ]
  return features.find((each) => each.subscribers !== undefined && `${name}-`.startsWith(`${each.name}-`))
    ?.name
}

/** What waits in an outbox. */
type Waiting = PendingMail | PendingEvents

async function list(box: Outbox<Waiting>, limit: number): Promise<Report> {
  const { waiting, dead } = await box.count()
  const subscribers = await waitingBySubscriber(box)
  const letters: DeadMessage<Waiting>[] = []
  for await (const letter of deadLetters(box)) {
    letters.push(letter)
    if (letters.length === limit) break
  }
  const more = dead - letters.length
  return {
    lines: [
      `waiting: ${waiting}`,
      ...subscribers.map((each) => `waiting for the subscriber ${each.subscriber}: ${each.waiting}`),
      `abandoned: ${dead}`,
      ...letters.map(lineOf),
      ...(more > 0 ? [`and ${more} more (--limit)`] : []),
    ],
    data: { waiting, dead, subscribers, letters: letters.map(dataOf) },
  }
}

/** How many messages wait for each subscriber, of any mount; none if the outbox can't tell. */
async function waitingBySubscriber(
  box: Outbox,
): Promise<{ realm: string; subscriber: string; waiting: number }[]> {
  const counts: { realm: string; subscriber: string; waiting: number }[] = []
  for (const realm of (await box.realms?.()) ?? []) {
    const subscriber = subscriberOf(realm)
    if (subscriber === undefined) continue
    const { waiting } = await box.count(realm)
    if (waiting > 0) counts.push({ realm, subscriber, waiting })
  }
  return counts
}

/** Deletes what waits in a realm, and its dead letters. */
async function deleteAll(box: Outbox<Waiting>, realm: string): Promise<number> {
  let count = 0
  const ever = new Date(8.64e15)
  for (;;) {
    // Also what waits for a later attempt.
    const until = new Date(Date.now() + 60_000)
    const entries = await box.claim({ realms: [realm], now: ever, until, limit: pageSize })
    for (const entry of entries) count += Number(await box.remove(entry))
    if (entries.length === 0) break
  }
  for await (const { id, message } of deadLetters(box))
    if (message?.realm === realm) count += Number(await box.discard(id))
  return count
}

/** @param before only those posted earlier */
async function changeAll(
  box: Outbox<Waiting>,
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
async function* deadLetters(box: Outbox<Waiting>): AsyncGenerator<DeadMessage<Waiting>> {
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

function dataOf({ id, message, postedAt, attempts, error }: DeadMessage<Waiting>): object {
  const rest = { userId: message?.userId ?? null, postedAt: postedAt.toISOString(), attempts, error }
  if (message !== null && isEvents(message))
    return { id, events: message.events.map(({ type }) => type), to: message.to, ...rest }
  return { id, kind: message?.kind ?? null, to: addressOf(message), ...rest }
}

/** What a message is, and whom it is for. */
function textOfMessage(message: Waiting | null): string {
  if (message === null) return 'unreadable'
  if (!isEvents(message)) return `${message.kind}  ${addresseeOf(message)}`
  const types = message.events.map(({ type }) => type).join(', ')
  return `${types}  to ${message.to?.join(', ') ?? 'subscribers'} about user ${message.userId}`
}

function lineOf(letter: DeadMessage<Waiting>): string {
  const { id, message, postedAt, attempts, error } = letter
  const line = `${id}  ${postedAt.toISOString()}  ${textOfMessage(message)}  ${counted(attempts, 'attempt')}: ${error}`
  // The text of a mail server or a handler may contain terminal control sequences.
  return line.replaceAll(/\p{Cc}+/gu, ' ')
}
