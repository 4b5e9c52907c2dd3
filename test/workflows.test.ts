import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '@fastify-accounts/test-support/source'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'

interface Step {
  uses?: string
  run?: string
  env?: Record<string, string>
}
interface Job {
  with?: { full?: boolean }
  permissions?: Record<string, string>
  steps?: Step[]
  uses?: string
  needs?: string
}
interface Workflow {
  on: { schedule?: { cron: string }[] }
  permissions?: Record<string, string>
  jobs: Record<string, Job>
}

const folder = `${root}.github/workflows/`
const files = readdirSync(folder)
const textOf = (file: string): string => readFileSync(folder + file, 'utf8')
const jobsOf = (file: string): Job[] => Object.values((parse(textOf(file)) as Workflow).jobs)
const release = (parse(textOf('release.yml')) as Workflow).jobs

describe('the workflows', () => {
  it.each(files)('%s runs actions by their commit, and names the version', (file) => {
    const uses = textOf(file).matchAll(/^\s*(?:- )?uses: (.+)$/gm)
    for (const [, action] of uses) {
      expect(action).toMatch(
        /^(?:[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+|\.\/\.github\/workflows\/\w+\.yml)$/,
      )
    }
  })

  it.each(files)('%s gives each job only the permissions that it needs', (file) => {
    expect((parse(textOf(file)) as Workflow).permissions).toEqual({ contents: 'read' })
  })

  it('let nothing but the publishing job of the release have an identity', () => {
    const withIdentity = files.flatMap((file) =>
      jobsOf(file).filter(({ permissions }) => permissions?.['id-token']),
    )
    expect(withIdentity).toEqual([release.publish])
  })

  it('try every combination each night, and before a release packs anything', () => {
    const nightly = parse(textOf('nightly.yml')) as Workflow
    expect(nightly.on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }])
    const full = { uses: './.github/workflows/ci.yml', with: { full: true } }
    expect(nightly.jobs).toEqual({ ci: full })
    expect(release.ci).toMatchObject(full)
    expect(release.pack?.needs).toBe('ci')
    // What a push runs, and with `full` the rest.
    expect(textOf('ci.yml')).toContain(
      `run: \${{ fromJSON(inputs.full && '[".ci/run", "npm run test:full"]' || '[".ci/run"]') }}`,
    )
    expect(textOf('ci.yml')).toMatch(/- run: \$\{\{ matrix\.run \}\}/)
  })

  it.each(['publish', 'notes'])(
    'run nothing of the repository or a registry in the job %s of the release',
    (name) => {
      const { steps = [] } = release[name] ?? {}
      const actions = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses.replace(/@.*/, '')]))
      expect(
        actions.filter((action) => !['actions/download-artifact', 'actions/setup-node'].includes(action)),
      ).toEqual([])
      const commands = steps.map(({ run = '' }) => run).join('\n')
      expect(commands).not.toMatch(/\b(?:npx|pnpm|yarn|corepack|node (?!-p )|npm (?!view |publish ))/)
      expect(commands).toMatch(/sha256sum --check --strict/)
    },
  )
})

describe('the publishing of a release', () => {
  const script = release.publish?.steps?.find(({ run }) => run !== undefined)?.run ?? ''
  const names = ['fastify-accounts', '@fastify-accounts/client', '@fastify-accounts/kysely']

  /** A folder with packed packages, and their sums as the job before passes them on. */
  function packed(): { folder: string; sums: string } {
    const work = mkdtempSync(join(tmpdir(), 'release-'))
    onTestFinished(() => rmSync(work, { recursive: true, force: true }))
    const folder = join(work, 'release')
    mkdirSync(folder)
    for (const name of names) {
      const source = join(work, 'package')
      mkdirSync(source, { recursive: true })
      writeFileSync(join(source, 'package.json'), JSON.stringify({ name, version: '1.2.3' }))
      const tarball = join(folder, `${name.replace('@', '').replace('/', '-')}-1.2.3.tgz`)
      expect(spawnSync('tar', ['-czf', tarball, '-C', work, 'package']).status).toBe(0)
    }
    writeFileSync(join(folder, 'notes.md'), 'Notes')
    const { stdout } = spawnSync('sh', ['-c', 'sha256sum -- * | base64 --wrap=0'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return { folder, sums: stdout }
  }

  /** Runs the script of the job, with a registry that has these packages, by their integrity. */
  function publish(
    { folder, sums }: ReturnType<typeof packed>,
    registry: Record<string, string> = {},
    untrusted = 'none',
  ) {
    const bin = join(folder, '../bin')
    mkdirSync(bin)
    const npm = `#!${process.execPath}
const [command, spec] = process.argv.slice(2)
if (command === 'view') console.log(${JSON.stringify(registry)}[spec] ?? '')
else if (process.argv.includes('--dry-run')) {
  if (spec.includes(${JSON.stringify(untrusted)})) console.error('npm warn publish This command requires you to be logged in to x')
} else require('node:fs').appendFileSync('../published', process.argv.slice(2).join(' ') + '\\n')
`
    writeFileSync(join(bin, 'npm'), npm)
    chmodSync(join(bin, 'npm'), 0o755)
    writeFileSync(join(folder, '../published'), '')
    const env = { PATH: `${bin}:${dirname(process.execPath)}:${process.env.PATH}`, SUMS: sums }
    const { status } = spawnSync('bash', ['-c', script], { cwd: folder, env })
    return { status, published: readFileSync(join(folder, '../published'), 'utf8').trim().split('\n') }
  }

  const integrityOf = (folder: string, file: string): string =>
    `sha512-${createHash('sha512')
      .update(readFileSync(join(folder, file)))
      .digest('base64')}`

  it('publishes each tarball, the core first, without its scripts', () => {
    expect(publish(packed())).toEqual({
      status: 0,
      published: [
        'publish ./fastify-accounts-1.2.3.tgz --ignore-scripts',
        'publish ./fastify-accounts-client-1.2.3.tgz --ignore-scripts',
        'publish ./fastify-accounts-kysely-1.2.3.tgz --ignore-scripts',
      ],
    })
  })

  it.each(['fastify-accounts-kysely-1.2.3.tgz', 'notes.md'])(
    'publishes nothing if %s has changed since',
    (file) => {
      const given = packed()
      writeFileSync(join(given.folder, file), 'something else')
      expect(publish(given)).toEqual({ status: 1, published: [''] })
    },
  )

  it('publishes nothing if it may not publish one of them', () => {
    expect(publish(packed(), {}, 'kysely')).toEqual({ status: 1, published: [''] })
  })

  it('publishes nothing that was added since', () => {
    const given = packed()
    writeFileSync(join(given.folder, 'added-1.2.3.tgz'), 'something')
    expect(publish(given).published).toHaveLength(names.length)
  })

  it('continues after a failure, but not over other content', () => {
    const given = packed()
    const core = integrityOf(given.folder, 'fastify-accounts-1.2.3.tgz')
    expect(publish(given, { 'fastify-accounts@1.2.3': core })).toEqual({
      status: 0,
      published: [
        'publish ./fastify-accounts-client-1.2.3.tgz --ignore-scripts',
        'publish ./fastify-accounts-kysely-1.2.3.tgz --ignore-scripts',
      ],
    })
    expect(publish(packed(), { 'fastify-accounts@1.2.3': 'sha512-other' })).toEqual({
      status: 1,
      published: [''],
    })
  })
})

describe('the comparison of bundled versions with the registry', () => {
  /** Runs it with a registry that has the bundled versions, and more of one library. */
  function compare(more: Record<string, string[]>) {
    const bin = mkdtempSync(join(tmpdir(), 'registry-'))
    onTestFinished(() => rmSync(bin, { recursive: true, force: true }))
    const versions: Record<string, string[]> = {}
    for (const each of [
      'accounts',
      'client',
      'hashes',
      'kysely',
      'nodemailer',
      'organizations',
      'pages',
      'passkeys',
      'providers',
      'redis',
    ]) {
      const { components } = JSON.parse(readFileSync(`${root}packages/${each}/dist/sbom.cdx.json`, 'utf8'))
      for (const { group, name, version } of components) {
        const library = group === undefined ? name : `${group}/${name}`
        if (version !== undefined) versions[library] = [version, ...(more[library] ?? [])]
      }
    }
    writeFileSync(
      join(bin, 'npm'),
      `#!${process.execPath}\nconsole.log(JSON.stringify(${JSON.stringify(versions)}[process.argv[3]]))\n`,
    )
    chmodSync(join(bin, 'npm'), 0o755)
    const env = { PATH: `${bin}:${process.env.PATH}` }
    const command = [`${root}scripts/bundled-versions.mjs`]
    const { status, stdout } = spawnSync(process.execPath, command, { encoding: 'utf8', env })
    return { status, lines: stdout.trim().split('\n') }
  }

  it('fails if a compatible version is newer, and mentions a major one', () => {
    expect(compare({})).toEqual({
      status: 0,
      lines: [expect.stringMatching(/^\d+ bundled libraries, 0 behind$/)],
    })
    expect(compare({ uqr: ['0.1.9999'] })).toMatchObject({
      status: 1,
      lines: [
        expect.stringMatching(/^BEHIND uqr: accounts contain .+, the registry has 0\.1\.9999$/),
        expect.anything(),
      ],
    })
    expect(compare({ uqr: ['99.0.0', '0.1.9999-beta.1'] })).toMatchObject({
      status: 0,
      lines: [expect.stringMatching(/^uqr .+: there is 99\.0\.0$/), expect.anything()],
    })
  })
})
