import { describeError } from '../../adapters/describe-error.js'
import type { Feature } from '../../features/feature.js'
import { defaultAdapterTimeout } from '../../options/options.js'
import { probeActivity, probeInvitations, probeSessions, probeUsers } from '../../start/health.js'
import { type Call, type Command, configOption, textOf } from '../command.js'
import { checkClock, checkOutbox } from '../doctor/check-database.js'
import { checkUsers } from '../doctor/check-users.js'
import { attempt, type Finding, type FindingState, problems } from '../doctor/finding.js'
import { startPlugin } from '../doctor/start-plugin.js'
import { nodeVersion, packageVersions } from '../doctor/versions.js'
import { openProject, type Project } from '../project.js'
import { storesOfFeatures } from '../stores-of-features.js'
import { canList } from '../user-pages.js'

const marks: Record<FindingState, string> = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }

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
    const { sessionStore, invitationStore, activity } = options
    if (sessionStore !== undefined) {
      findings.push(
        await attempt('session store', async () => {
          await probeSessions(sessionStore)
          return 'responds'
        }),
        ...(await problems('session store', () => sessionStore.inspect?.())),
      )
    }
    if (invitationStore !== undefined) {
      findings.push(
        await attempt('invitation store', async () => {
          await probeInvitations(invitationStore)
          return 'responds'
        }),
        ...(await problems('invitation store', () => invitationStore.inspect?.())),
      )
    }
    if (activity !== undefined) {
      findings.push(
        await attempt('activity store', async () => {
          await probeActivity(activity)
          return 'responds'
        }),
        ...(await problems('activity store', () => activity.inspect?.())),
      )
    }
    for (const [name, store] of storesOfFeatures(options))
      findings.push(...(await problems(name, () => store.inspect?.())))
    const started = await startPlugin(project)
    findings.push(...started)
    const isStarted = started.every(({ state }) => state !== 'failed')
    return isStarted ? [...findings, ...(await inspectFeatures(project))] : findings
  } finally {
    await project.close()
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
