import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Call, type Command, configOption, textOf } from '../command.js'
import { openProject, type Project } from '../project.js'
import { reasonOf } from '../reason.js'

type State = 'ok' | 'warning' | 'failed'

interface Finding {
  what: string
  state: State
  /** What was found, on one line. */
  detail: string
}

const marks: Record<State, string> = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' }

export const doctor: Command = {
  name: 'doctor',
  summary: 'look whether everything that an app needs is there and answers; changes nothing',
  options: configOption,
  notes: ['With NODE_ENV=production it finds what only matters there.'],
  async run(call) {
    const findings = [nodeVersion(), ...packageVersions(call.cwd), ...(await lookAtProject(call))]
    return {
      lines: findings.map(({ what, state, detail }) => `${marks[state]} ${what}: ${detail}`),
      data: { findings },
      ok: findings.every(({ state }) => state !== 'failed'),
    }
  },
}

function nodeVersion(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const fine = major > 20 || (major === 20 && minor >= 19)
  return {
    what: 'Node.js',
    state: fine ? 'ok' : 'failed',
    detail: `${process.version}; 20.19 or later is needed`,
  }
}

function packageVersions(cwd: string): Finding[] {
  const fastify = versionOf(cwd, 'fastify')
  const own = versionOf(cwd, 'fastify-accounts')
  const findings: Finding[] = [
    {
      what: 'fastify',
      state: fastify !== null && /^5\./.test(fastify) ? 'ok' : 'failed',
      detail:
        fastify === null
          ? 'is not installed here: npm install fastify'
          : `${fastify}; 5.12.1 or later is needed`,
    },
    {
      what: 'fastify-accounts',
      state: own === null ? 'warning' : 'ok',
      detail: own ?? 'is not installed here: npm install fastify-accounts',
    },
  ]
  for (const name of ['kysely', 'redis', 'nodemailer', 'hashes']) {
    const version = versionOf(cwd, `@fastify-accounts/${name}`)
    if (version === null) continue
    const state = own === null || version === own ? 'ok' : 'warning'
    const detail =
      state === 'ok' ? version : `${version}, beside fastify-accounts ${own}: take the same version of both`
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

async function lookAtProject({ cwd, values }: Call): Promise<Finding[]> {
  let project: Project
  try {
    project = await openProject(cwd, textOf(values, 'config'))
  } catch (error) {
    return [{ what: 'stores', state: 'failed', detail: reasonOf(error) }]
  }
  try {
    const findings: Finding[] = [{ what: 'stores', state: 'ok', detail: `from ${project.source}` }]
    findings.push(
      await attempt('user store', async () => {
        const users = await project.userStore.list({ limit: 1 })
        return users.length === 0 ? 'answers; there are no users yet' : 'answers'
      }),
    )
    const { sessionStore } = project.options
    if (sessionStore !== undefined) {
      findings.push(
        await attempt('session store', async () => {
          await sessionStore.find(randomBytes(16).toString('hex'))
          return 'answers'
        }),
      )
    }
    findings.push(...(await startPlugin(project)))
    return findings
  } finally {
    await project.close()
  }
}

async function attempt(what: string, work: () => Promise<string>): Promise<Finding> {
  try {
    return { what, state: 'ok', detail: await work() }
  } catch (error) {
    return {
      what,
      state: 'failed',
      detail: `${reasonOf(error)}; were the tables made (npx fastify-accounts migrate)?`,
    }
  }
}

/** The checks and warnings of the plugin's own start. */
async function startPlugin({ options, source }: Project): Promise<Finding[]> {
  if (source === 'DATABASE_URL') {
    return [
      { what: 'options', state: 'warning', detail: 'not looked at: only accounts.config.js knows them' },
    ]
  }
  const warnings: string[] = []
  const { withAccounts } = await import('../with-accounts.js')
  const plugin = await attempt('options', async () => {
    await withAccounts(options, async () => {}, { complete: true, onWarning: (text) => warnings.push(text) })
    return 'the plugin starts with them'
  })
  return [
    { ...plugin, detail: plugin.detail.replace(/; were the tables made.*/, '') },
    ...warnings.map((detail): Finding => ({ what: 'options', state: 'warning', detail })),
  ]
}
