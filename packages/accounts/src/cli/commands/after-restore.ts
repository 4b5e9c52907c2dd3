import { ownRealm } from '../../emails/own-realm.js'
import type { Invitation, Outbox, PendingMail, StoredUser } from '../../index.js'
import { apiKeysOf } from '../../tokens/api-key.js'
import { countWaiting, discardOld } from '../after-restore/discard-emails.js'
import { endingChanges, isEnded, type Meant } from '../after-restore/ending-changes.js'
import { warnOfReusedIds } from '../after-restore/reused-ids.js'
import { changeStoredUser } from '../change-stored-user.js'
import { type Call, type Command, configOption, type Report, textOf, UsageError } from '../command.js'
import { type CommandEvents, commandEvents } from '../command-events.js'
import { counted } from '../counted.js'
import { mountOf, type Project, withProject } from '../project.js'
import { canList, userPages } from '../user-pages.js'

/** How many users are changed at once: the pools of most databases have ten connections. */
const atOnce = 10
/** How many keys and invitations are named. */
const named = 100
/** How many invitations are read at once. */
const perPage = 500

export const afterRestore: Command = {
  name: 'after-restore',
  summary: 'end what a restored backup has brought back',
  options: {
    since: {
      type: 'string',
      value: 'time',
      description: 'required: when the backup was made, such as 2026-11-28T02:00:00Z',
    },
    yes: { type: 'boolean', description: 'end everything instead of only counting' },
    'keep-api-keys': { type: 'boolean', description: 'keep API keys; only if none was removed since' },
    'keep-emails': { type: 'boolean', description: "keep waiting emails; only if they weren't sent since" },
    'sessions-emptied': {
      type: 'boolean',
      description: 'if ids are numbers: sessions elsewhere are deleted',
    },
    ...configOption,
  },
  notes: [
    'Ends sessions, tokens, remembered devices, emailed links and codes, API keys, open invitations and waiting emails.',
    'Run it before the service starts. Each run logs everyone out again.',
    'Waiting events stay: those delivered since the backup are delivered again, with the same ids.',
    'Passwords, second factors, passkeys, rights, addresses and deleted users stay as in the backup: docs/guides/backups.md.',
  ],
  async run({ values, cwd, terminal }: Call) {
    const since = timeOf(textOf(values, 'since'))
    const keepsKeys = values['keep-api-keys'] === true
    const keepsMails = values['keep-emails'] === true
    return withProject({ cwd, config: textOf(values, 'config') }, async (project) => {
      const { options, userStore } = project
      if (!canList(userStore))
        throw new Error(
          'the user store cannot list users: set a new secret, without the old one, and remove API keys by hand',
        )
      const realm = mountOf(options)
      const box = keepsMails ? undefined : (userStore.outbox as Outbox<PendingMail> | undefined)
      const realms = [realm, ownRealm(realm)]
      const ended = values.yes === true
      const isEmptied = values['sessions-emptied'] === true
      const warnings = await warnOfReusedIds(project, userStore, { ends: ended, isEmptied })
      const events = await commandEvents(project)
      const found = newFindings()
      const progress = terminal.progress('ending')
      try {
        for await (const page of userPages(userStore, {})) {
          const old = page.filter(({ createdAt }) => createdAt < since)
          for (let at = 0; at < old.length; at += atOnce) {
            const batch = old.slice(at, at + atOnce)
            if (ended)
              await Promise.all(batch.map((user) => endAll(project, events, user, { since, keepsKeys })))
            for (const user of batch) note(found, user, { since, keepsKeys })
            progress.update(null, counted(found.users, 'user'))
          }
        }
        await endInvitations(project, events, found, { since, ended })
        found.emails = await (ended ? discardOld(box, realms, since) : countWaiting(box, realms))
      } catch (error) {
        throw new Error(`stopped after ${counted(found.users, 'user')}; repeat the command`, { cause: error })
      } finally {
        progress.end()
      }
      return reportOf(found, ended, { since, warnings })
    })
  },
}

/** @throws UsageError */
function timeOf(text: string | undefined): Date {
  const time = new Date(text ?? '')
  // Without a zone it would be the time of this machine.
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text ?? '')
  if (!isTime || Number.isNaN(time.getTime()))
    throw new UsageError(`--since requires a time with its zone, such as 2026-11-28T02:00:00Z, got ${text}`)
  if (time.getTime() > Date.now()) throw new UsageError(`--since is in the future: ${text}`)
  return time
}

/** First the record, which ends everything at once, then the rows of the sessions. */
async function endAll(
  { options, userStore }: Project,
  events: CommandEvents,
  user: StoredUser,
  meant: Meant,
): Promise<void> {
  await changeStoredUser(
    userStore,
    user,
    (current) => endingChanges(current, meant),
    (current, changes) => events.ofChange(current, changes),
  )
  await options.sessionStore?.deleteByUser(user.id)
}

/** Those of the backup: which of them were accepted or withdrawn since can't be told. */
async function endInvitations(
  { options: { invitationStore } }: Project,
  events: CommandEvents,
  found: Findings,
  { since, ended }: { since: Date; ended: boolean },
): Promise<void> {
  let after: Invitation | undefined
  do {
    const page: Invitation[] = (await invitationStore?.list({ limit: perPage, after })) ?? []
    for (const { id, email, inviterId } of page.filter(({ createdAt }) => createdAt < since)) {
      if (ended && (await invitationStore?.delete(id))) {
        const user = inviterId === null ? null : { id: inviterId, version: null }
        // A store elsewhere takes no messages.
        await events.post(events.about({ type: 'invitation.withdrawn', user, data: { invitation_id: id } }))
      }
      found.invitations += 1
      if (found.invitations <= named) found.lines.invitations.push(`  ${email}`)
    }
    after = page.at(-1)
  } while (after !== undefined)
}

interface Findings {
  users: number
  apiKeys: number
  invitations: number
  emails: number
  /** The first of them. */
  lines: { apiKeys: string[]; invitations: string[] }
}

const newFindings = (): Findings => ({
  users: 0,
  apiKeys: 0,
  invitations: 0,
  emails: 0,
  lines: { apiKeys: [], invitations: [] },
})

/** @param user as it was before */
function note(found: Findings, user: StoredUser, meant: Meant): void {
  found.users += 1
  const owner = user.username ?? user.email ?? user.id
  for (const key of apiKeysOf(user).filter((each) => isEnded(each, meant))) {
    found.apiKeys += 1
    if (found.apiKeys <= named) found.lines.apiKeys.push(`  ${owner}  ${key.id}  ${key.name}`)
  }
}

function reportOf(
  { lines, ...counts }: Findings,
  ended: boolean,
  { since, warnings }: { since: Date; warnings: string[] },
): Report {
  const [keysAre, invitationsAre, emailsAre] = ended ? ['removed', 'ended', 'deleted'] : ['', '', 'waiting']
  const listed = (title: string, count: number, some: string[]): string[] => [
    `${title}: ${count}`,
    // Names may contain terminal control sequences.
    ...some.map((line) => line.replaceAll(/\p{Cc}+/gu, ' ')),
    ...(count > some.length ? [`  and ${count - some.length} more`] : []),
  ]
  return {
    lines: [
      ...warnings.map((warning) => `warning: ${warning}`),
      ended
        ? `logged out: ${counted(counts.users, 'user')}, with their remembered devices, emailed links and codes`
        : `users: ${counts.users}; --yes logs all of them out and ends the following`,
      ...listed(`API keys ${keysAre}`.trim(), counts.apiKeys, lines.apiKeys),
      ...listed(`invitations ${invitationsAre}`.trim(), counts.invitations, lines.invitations),
      `emails ${emailsAre}: ${counts.emails}${ended ? '' : '; those from after --since stay'}`,
      `still as in the backup: passwords, second factors, passkeys, providers, rights, addresses, disabled and deleted users. Repeat the changes made since ${since.toISOString()}.`,
    ],
    data: {
      ended,
      warnings,
      ...counts,
      named: {
        apiKeys: lines.apiKeys.map((line) => line.trim()),
        invitations: lines.invitations.map((line) => line.trim()),
      },
    },
  }
}
