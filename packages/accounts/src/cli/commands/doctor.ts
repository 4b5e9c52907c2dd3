import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { compareClocks, describeClocks } from '../../adapters/compare-clocks.js'
import { describeError } from '../../adapters/describe-error.js'
import type { Feature } from '../../features/feature.js'
import { addressNameFaults, typedAddress } from '../../identifiers/address-name.js'
import type { ListingUserStore, Outbox, UserStore } from '../../index.js'
import { defaultAdapterTimeout } from '../../options/options.js'
import { unknownRoles } from '../../options/privileges.js'
import { probeSessions, probeUsers } from '../../start/health.js'
import { warningTable } from '../../start/warnings.js'
import { type Call, type Command, configOption, textOf } from '../command.js'
import { counted } from '../counted.js'
import { databaseHint } from '../database-hint.js'
import { openProject, type Project } from '../project.js'
import { canList, userPages } from '../user-pages.js'
import { hasOldKey } from './rekey.js'

type State = 'ok' | 'warning' | 'failed'

interface Finding {
  what: string
  state: State
  /** The finding, on one line. */
  detail: string
}

const marks: Record<State, string> = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }

export const doctor: Command = {
  name: 'doctor',
  summary: 'check that everything an app needs is set up and responds; changes nothing',
  options: configOption,
  notes: ['With NODE_ENV=production it also checks what only matters in production.'],
  async run(call) {
    const findings = [nodeVersion(), ...packageVersions(call.cwd), ...(await checkProject(call))]
    return {
      lines: findings.map(({ what, state, detail }) => `${marks[state]} ${what}: ${detail}`),
      data: { findings },
      ok: findings.every(({ state }) => state !== 'failed'),
    }
  },
}

function nodeVersion(): Finding {
  return {
    what: 'Node.js',
    state: isAtLeast(process.versions.node, [20, 19, 0]) ? 'ok' : 'failed',
    detail: `${process.version}; 20.19 or later is required`,
  }
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10))
  const at = least.findIndex((part, place) => parts[place] !== part)
  return at === -1 || (parts[at] ?? 0) > (least[at] ?? 0)
}

function packageVersions(cwd: string): Finding[] {
  const fastify = versionOf(cwd, 'fastify')
  const own = versionOf(cwd, 'fastify-accounts')
  const findings: Finding[] = [
    {
      what: 'fastify',
      state: fastify?.startsWith('5.') && isAtLeast(fastify, [5, 12, 1]) ? 'ok' : 'failed',
      detail:
        fastify === null
          ? 'not installed in this project: npm install fastify'
          : `${fastify}; 5.12.1 or a later 5.x is required`,
    },
    {
      what: 'fastify-accounts',
      state: own === null ? 'warning' : 'ok',
      detail: own ?? 'not installed in this project: npm install fastify-accounts',
    },
  ]
  for (const name of ['kysely', 'redis', 'nodemailer', 'hashes', 'passkeys', 'providers']) {
    const version = versionOf(cwd, `@fastify-accounts/${name}`)
    if (version === null) continue
    const state = own === null || version === own ? 'ok' : 'warning'
    const detail =
      state === 'ok'
        ? version
        : `${version}, but fastify-accounts is ${own}; install the same version of both`
    findings.push({ what: `@fastify-accounts/${name}`, state, detail })
  }
  return findings
}

function versionOf(cwd: string, name: string): string | null {
  try {
    const file = createRequire(join(cwd, 'package.json')).resolve(`${name}/package.json`)
    return JSON.parse(readFileSync(file, 'utf8')).version
  } catch {
    return null
  }
}

async function checkProject({ cwd, values }: Call): Promise<Finding[]> {
  let project: Project
  try {
    project = await openProject({ cwd, config: textOf(values, 'config') })
  } catch (error) {
    return [{ what: 'stores', state: 'failed', detail: describeError(error) }]
  }
  const { options } = project
  try {
    const findings: Finding[] = [{ what: 'stores', state: 'ok', detail: `from ${project.source}` }]
    findings.push(
      await attempt('user store', async () => {
        await probeUsers(project.userStore)
        const users = await project.userStore.list?.({ limit: 1, where: { kind: 'person' } })
        return Array.isArray(users) && users.length === 0 ? 'responds; there are no users yet' : 'responds'
      }),
    )
    const within = options.adapterTimeout ?? defaultAdapterTimeout
    // With DATABASE_URL the connections, and their limits, are this command's, not the app's.
    const isApps = project.source !== 'DATABASE_URL'
    findings.push(
      ...(await problems('user store', () => project.userStore.inspect?.(isApps ? within : undefined))),
    )
    const now = project.userStore.now?.bind(project.userStore)
    if (now !== undefined) findings.push(await checkClock(now))
    if (canList(project.userStore)) findings.push(...(await checkUsers(project.userStore, project)))
    const { outbox } = project.userStore
    if (outbox !== undefined) findings.push(await checkOutbox(outbox, now))
    const { sessionStore } = options
    if (sessionStore !== undefined) {
      findings.push(
        await attempt('session store', async () => {
          await probeSessions(sessionStore)
          return 'responds'
        }),
        ...(await problems('session store', () => sessionStore.inspect?.())),
      )
    }
    const started = await startPlugin(project)
    findings.push(...started)
    const isStarted = started.every(({ state }) => state !== 'failed')
    return isStarted ? [...findings, ...(await inspectFeatures(project))] : findings
  } finally {
    await project.close()
  }
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

/** Problems that the store itself finds. */
async function problems(what: string, inspect: () => Promise<string[]> | undefined): Promise<Finding[]> {
  try {
    const lines = (await inspect()) ?? []
    return lines.map((detail): Finding => ({ what, state: 'warning', detail }))
  } catch {
    // The check before this one has reported that it does not respond.
    return []
  }
}

/** Problems that features find. They provide more than the type of the option says. */
async function inspectFeatures({ options }: Project): Promise<Finding[]> {
  const features = (options.features ?? []) as readonly Feature[]
  const deadline = options.adapterTimeout ?? defaultAdapterTimeout
  const findings: Finding[] = []
  for (const feature of features) {
    if (feature.inspect === undefined) continue
    let lines: readonly string[] = []
    const finding = await attempt(feature.name, async () => {
      lines = (await feature.inspect?.(deadline)) ?? []
      return 'responds'
    })
    if (lines.length === 0) findings.push(finding)
    for (const detail of lines) findings.push({ what: feature.name, state: 'failed', detail })
  }
  return findings
}

/** The most ids that are listed. */
const listedUsers = 10

/**
 * Whether a username is an address that its account doesn't have, and a role one that the app doesn't. Imports and other
 * code may store such names.
 */
async function checkUsers(store: ListingUserStore, { source, options }: Project): Promise<Finding[]> {
  const roles = new Map<string, number>()
  const found: string[] = []
  let count = 0
  let owned = 0
  let outdated = 0
  const finding = await attempt('usernames', async () => {
    for await (const page of userPages(store)) {
      outdated += page.filter(hasOldKey).length
      for (const role of page.flatMap((user) => unknownRoles(user.roles, options)))
        roles.set(role, (roles.get(role) ?? 0) + 1)
      for (const { id, username, emailKey } of page) {
        if (username === null || addressNameFaults(username, emailKey).length === 0) continue
        count += 1
        const address = typedAddress(username)
        const owner = address === null ? null : await store.findByEmail(address)
        if (owner !== null && owner.id !== id) owned += 1
        if (found.length < listedUsers) found.push(id)
      }
    }
    return "none is another user's address"
  })
  const others: Finding[] =
    outdated === 0
      ? []
      : [
          {
            what: 'usernames',
            state: 'warning',
            detail: `${counted(outdated, 'was', 'were')} stored by an earlier version, and can't be used to log in: run npx fastify-accounts rekey`,
          },
        ]
  // A database alone doesn't reveal the app's roles.
  if (source !== 'DATABASE_URL') others.push(...strayRoles(roles))
  if (count === 0) return [finding, ...others]
  const who = counted(count, 'is an address', 'are addresses')
  const ids = `${found.join(', ')}${count > found.length ? ', …' : ''}`
  const detail = `${who} that the account does not have, ${owned} of them another account's: ids ${ids}; change the username, or set that address`
  return [{ ...finding, state: finding.state === 'failed' ? 'failed' : 'warning', detail }, ...others]
}

/** Roles that users have and the option `roles` doesn't. */
function strayRoles(counts: ReadonlyMap<string, number>): Finding[] {
  if (counts.size === 0) return []
  const names = [...counts]
    .slice(0, listedUsers)
    .map(([role, count]) => `${role} (${counted(count, 'user')})`)
  const detail = `not in the option roles, so they permit nothing: ${names.join(', ')}; users would regain them if it named them again`
  return [{ what: 'roles', state: 'warning', detail: detail.replaceAll(/\p{Cc}+/gu, ' ') }]
}

async function checkClock(now: () => Promise<Date>): Promise<Finding> {
  let warning: string | undefined
  const finding = await attempt('clock', async () => {
    const { isOff, aheadMs } = await compareClocks(now)
    if (isOff) warning = describeClocks(aheadMs)
    return "agrees with the database's"
  })
  return warning === undefined ? finding : { ...finding, state: 'warning', detail: warning }
}

/** An email that has been due for longer than this, in milliseconds, isn't delivered by anyone. */
const longOverdue = 60_000

async function checkOutbox(outbox: Outbox, now: UserStore['now']): Promise<Finding> {
  let dead = 0
  let overdue = 0
  const finding = await attempt('outbox', async () => {
    const count = await outbox.count()
    dead = count.dead
    const since = (await outbox.oldestDue?.()) ?? null
    if (since !== null) overdue = ((await now?.()) ?? new Date()).getTime() - since.getTime()
    return `responds; ${count.waiting} waiting`
  })
  const warnings: string[] = []
  if (overdue > longOverdue) {
    const minutes = Math.round(overdue / 60_000)
    warnings.push(
      `an email has been due for ${counted(minutes, 'minute')}: does a process of the service run, with the same features and decorateAs?`,
    )
  }
  if (dead > 0)
    warnings.push(
      `${counted(dead, 'email was', 'emails were')} abandoned: npx fastify-accounts outbox lists them`,
    )
  return warnings.length === 0 ? finding : { ...finding, state: 'warning', detail: warnings.join('; ') }
}

async function attempt(what: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { what, state: 'ok', detail: await work() }
  } catch (error) {
    const hint = databaseHint(error)
    return {
      what,
      state: 'failed',
      detail: hint === null ? describeError(error) : `${describeError(error)}; ${hint}`,
    }
  }
}

/** Starts the plugin with its own checks and warnings. */
async function startPlugin({ options, serverOptions, source }: Project): Promise<Finding[]> {
  if (source === 'DATABASE_URL') {
    return [{ what: 'options', state: 'warning', detail: 'not checked: this requires accounts.config.js' }]
  }
  const warnings: string[] = []
  let server: Finding | undefined
  const { withAccounts } = await import('../with-accounts.js')
  const plugin = await attempt('options', async () => {
    await withAccounts(
      options,
      async (_accounts, app) => {
        server = await checkServer(app, serverOptions !== undefined)
      },
      { complete: true, serverOptions, onWarning: (text) => warnings.push(text) },
    )
    return 'the plugin starts with these options'
  })
  return [
    plugin,
    ...(server === undefined ? [] : [server]),
    ...warnings.map((detail): Finding => ({ what: 'options', state: 'warning', detail })),
  ]
}
