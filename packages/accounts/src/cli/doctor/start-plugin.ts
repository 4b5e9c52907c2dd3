import type { FastifyInstance } from 'fastify'
import type { Accounts } from '../../index.js'
import { countUnclaimed } from '../../start/events-health.js'
import { warningTable } from '../../start/warnings.js'
import { counted } from '../counted.js'
import { mountOf, type Project } from '../project.js'
import { attempt, type Finding } from './finding.js'

/** Starts the plugin with its own checks and warnings. */
export async function startPlugin({
  options,
  serverOptions,
  source,
  userStore,
}: Project): Promise<Finding[]> {
  if (source === 'DATABASE_URL') {
    return [{ what: 'options', state: 'warning', detail: 'not checked: this requires accounts.config.js' }]
  }
  const warnings: string[] = []
  const mount = mountOf(options)
  let server: Finding | undefined
  let unclaimed: Readonly<Record<string, number>> = {}
  const { withAccounts } = await import('../with-accounts.js')
  const plugin = await attempt('options', async () => {
    await withAccounts(
      options,
      async (accounts, app) => {
        unclaimed = await unclaimedOf(accounts, userStore, mount)
        server = await checkServer(app, serverOptions !== undefined)
      },
      { complete: true, serverOptions, onWarning: (text) => warnings.push(text) },
    )
    return 'the plugin starts with these options'
  })
  return [
    plugin,
    ...(server === undefined ? [] : [server]),
    ...Object.entries(unclaimed).map(
      ([name, waiting]): Finding => ({
        what: 'outbox',
        state: 'warning',
        detail: `${counted(waiting, 'message waits', 'messages wait')} for the subscriber ${name}, which these options don't have: npx fastify-accounts outbox delete --subscriber ${name} deletes them`,
      }),
    ),
    ...warnings.map((detail): Finding => ({ what: 'options', state: 'warning', detail })),
  ]
}

/** What waits for subscribers that were removed. */
async function unclaimedOf(
  accounts: Pick<Accounts, 'check'>,
  { outbox }: Project['userStore'],
  mount: string,
): Promise<Readonly<Record<string, number>>> {
  if (outbox === undefined) return {}
  const { events } = await accounts.check()
  return (events === null ? await countUnclaimed(outbox, mount, []) : events.unclaimed) ?? {}
}

/** Whether the response to a malformed path omits the path, which may contain the token of a link. */
async function checkServer(app: FastifyInstance, isKnown: boolean): Promise<Finding> {
  const what = 'server options'
  if (!isKnown) {
    const detail =
      'not checked: accounts.config.js exports no serverOptions; Fastify needs frameworkErrors and timeouts'
    return { what, state: 'warning', detail }
  }
  const { body, headers } = await app.inject('/reset/a-token%zz/')
  const isSafe = !body.includes('a-token') && headers['cache-control'] === 'no-store'
  return isSafe
    ? { what, state: 'ok', detail: 'the response to a malformed path does not repeat it' }
    : {
        what,
        state: 'warning',
        detail: `${warningTable.ACCOUNTS_WARN_FRAMEWORK_ERRORS} (ACCOUNTS_WARN_FRAMEWORK_ERRORS)`,
      }
}
