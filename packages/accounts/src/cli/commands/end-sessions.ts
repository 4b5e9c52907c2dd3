import { type Call, type Command, type Report, textOf, UsageError } from '../command.js'
import { counted } from '../counted.js'
import { withProject } from '../project.js'
import { canList, userPages } from '../user-pages.js'
import { dataOf, deletedMeanwhile, endedSessions, userNote, userOptions, withUser } from '../with-user.js'

/** How many are changed at once: the pools of most databases have ten connections. */
const atOnce = 10

export const endSessions: Command = {
  name: 'end-sessions',
  summary: 'log out one user, or everyone',
  positionals: { text: '[<user>]', count: 0, most: 1 },
  options: {
    all: { type: 'boolean', description: 'every user' },
    yes: { type: 'boolean', description: 'with --all: log them out instead of only counting' },
    ...userOptions,
  },
  notes: [
    userNote,
    'Also ends remembered devices. Users can log in again, and emailed links still work.',
    'It can be repeated, and runs while the service does.',
  ],
  async run(call) {
    const { values, positionals } = call
    if ((values.all === true) === positionals.length > 0)
      throw new UsageError('wrong usage: end-sessions <user>, or end-sessions --all')
    if (values.yes === true && values.all !== true) throw new UsageError('--yes requires --all')
    return values.all === true ? endAll(call) : endOne(call)
  },
}

function endOne(call: Call): Promise<Report> {
  return withUser(call, async (found) => {
    const { accounts, user, shown } = found
    if (!(await accounts.endUserSessions(user.id))) throw deletedMeanwhile(found)
    return {
      lines: [
        `${endedSessions(found)} and the remembered devices of ${shown}`,
        'unchanged: password, second factors, passkeys, other providers, emailed links; no email was sent',
        'They can log in again: disable-user prevents that.',
      ],
      data: dataOf(found),
    }
  })
}

async function endAll({ values, cwd, terminal }: Call): Promise<Report> {
  return withProject({ cwd, config: textOf(values, 'config') }, async ({ options, userStore }) => {
    if (!canList(userStore))
      throw new Error(
        'the user store cannot list users: set a new secret, without the old one, to log everybody out',
      )
    let users = 0
    if (values.yes !== true) {
      for await (const page of userPages(userStore)) users += page.length
      return {
        lines: [`users: ${users}; --yes logs all of them out, including staff`],
        data: { users },
      }
    }
    const { withAccounts } = await import('../with-accounts.js')
    return withAccounts(options, async (accounts) => {
      // Who signs up meanwhile has a session from after the command began.
      const progress = terminal.progress('logging out')
      try {
        for await (const page of userPages(userStore)) {
          for (let at = 0; at < page.length; at += atOnce) {
            const ended = await Promise.all(
              page.slice(at, at + atOnce).map(({ id }) => accounts.endUserSessions(id)),
            )
            users += ended.filter(Boolean).length
            progress.update(null, counted(users, 'user'))
          }
        }
      } catch (error) {
        throw new Error(`stopped after ${counted(users, 'user')}; repeat the command`, { cause: error })
      } finally {
        progress.end()
      }
      return {
        lines: [
          `logged out: ${counted(users, 'user')}`,
          'unchanged: passwords, second factors, passkeys, other providers, emailed links; no email was sent',
        ],
        data: { loggedOut: users },
      }
    })
  })
}
