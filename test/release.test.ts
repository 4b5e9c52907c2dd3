import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { blocksOf } from '@fastify-accounts/test-support/blocks'
import { read, root } from '@fastify-accounts/test-support/source'
import { describe, expect, it, onTestFinished } from 'vitest'

const { stdout } = spawnSync(
  'git',
  ['ls-files', '*.md', '*package.json', 'site/*.js', 'scripts/release.mjs'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
const files = stdout.trim().split('\n')
/** What says that the packages are not on npm. */
const unpublished =
  /\b(?:not|n't|until) (?:[\w ]+ )?on npm\b|\bon npm yet\b|\bonce (?:it is|they are) published\b/i
const isUnreleased = !/^## \[\d/m.test(read('CHANGELOG.md'))

/** A copy of the files that `release.mjs` changes. */
function copy() {
  const folder = mkdtempSync(join(tmpdir(), 'release-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of files) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' })
  git('init', '--quiet')
  git('add', ...files)
  return {
    text: (file: string) => readFileSync(join(folder, file), 'utf8'),
    json: (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')),
    grep: (text: string) => git('grep', '-lF', text).stdout.trim(),
    run(args: string[], env: Record<string, string> = {}) {
      const command = [join(folder, 'scripts/release.mjs'), ...args]
      const { PATH = '' } = process.env
      return spawnSync(process.execPath, command, { encoding: 'utf8', env: { PATH, ...env } })
    },
  }
}

describe('release.mjs --repository', () => {
  it('names the repository and the site everywhere, and again another one', () => {
    const { grep, json, run } = copy()
    const manifests = files.filter((file) => /^(?:packages\/[\w-]+\/)?package\.json$/.test(file))
    for (const [repository, homepage, ...args] of [
      ['ada/fastify-accounts', 'https://ada.github.io/fastify-accounts/'],
      ['Ada-Labs/accounts.js', 'https://ada-labs.github.io/accounts.js/'],
      ['eve/Eve.github.io', 'https://eve.github.io/'],
      ['eve/accounts', 'https://accounts.example.org/', '--homepage', 'https://accounts.example.org/'],
    ] as const) {
      const { status, stdout, stderr } = run(['--repository', repository, ...args])
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(stdout).toContain(`package.json\n`)
      expect(stdout).toContain(`now name https://github.com/${repository} and ${homepage}.`)
      for (const file of manifests) {
        const manifest = json(file)
        if (manifest.repository === undefined) continue
        expect(manifest).toMatchObject({
          homepage,
          repository: { url: `git+https://github.com/${repository}.git` },
          bugs: `https://github.com/${repository}/issues`,
        })
      }
      expect(grep('OWNER.github.io') + grep('github.com/OWNER')).toBe('')
      expect(run(['--repository', repository, ...args]).stdout).toMatch(/^0 files now name /)
    }
    expect(grep('ada/fastify-accounts') + grep('Ada-Labs')).toBe('')
  })

  it.each([
    [['--repository', 'ada'], '--repository must be owner/name, as on GitHub, got ada'],
    [['--repository', 'OWNER/name'], '--repository must be owner/name, as on GitHub, got OWNER/name'],
    [
      ['--repository', 'https://github.com/ada/x'],
      '--repository must be owner/name, as on GitHub, got https://github.com/ada/x',
    ],
    [['--repository', 'ada/x.git'], '--repository must be owner/name, as on GitHub, got ada/x.git'],
    [
      ['--repository', 'ada/x', '--homepage', 'http://x.org'],
      '--homepage must begin with https:// and end with /, got http://x.org',
    ],
  ])('refuses %j with one line, and changes nothing', (args, line) => {
    const { json, run } = copy()
    expect(run(args)).toMatchObject({ status: 1, stdout: '', stderr: `${line}\n` })
    expect(json('package.json')).toEqual(JSON.parse(read('package.json')))
  })
})

describe('a release', () => {
  it('has packages in the order of publishing, the core first', () => {
    const names = copy().run(['--packages']).stdout.trim().split('\n')
    expect(names[0]).toBe('fastify-accounts')
    expect(names).toContain('@fastify-accounts/testing')
    expect(names).not.toContain('@fastify-accounts/test-support')
  })

  it.runIf(isUnreleased)(
    'needs a repository, and the first leaves no word of packages that are not on npm',
    () => {
      const { run, text } = copy()
      expect(run(['0.1.0'])).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('placeholder OWNER'),
      })
      run(['--repository', 'ada/accounts'])
      expect(run(['--check', 'v0.1.0']).stderr).toContain('CHANGELOG.md has no entry for v0.1.0')
      expect(run(['0.1.0'])).toMatchObject({ status: 0, stderr: '' })
      expect(text('CHANGELOG.md')).toMatch(/^## \[0\.1\.0\] - \d{4}-\d\d-\d\d$/m)
      expect(files.filter((file) => file.endsWith('.md') && unpublished.test(text(file)))).toEqual([])
      expect(text('docs/start.md')).not.toContain('tarballs')
      expect(text('docs/start.md')).toMatch(/^## 1\. Install\n\nIn an empty folder:\n/m)
      expect(run(['--check', 'v0.1.0'])).toMatchObject({ status: 0, stderr: '' })
      expect(run(['--check', 'v0.1.0'], { GITHUB_REPOSITORY: 'ada/accounts' }).status).toBe(0)
      expect(run(['--check', 'v0.1.0'], { GITHUB_REPOSITORY: 'eve/accounts' })).toMatchObject({
        status: 1,
        stderr:
          'fastify-accounts names git+https://github.com/ada/accounts.git, but this is eve/accounts: run release.mjs --repository eve/accounts\n',
      })
      expect(run(['--check', 'v0.2.0']).stderr).toBe('The tag is v0.2.0, but fastify-accounts is 0.1.0\n')
    },
  )
})

it('only one place says that the packages are not on npm, and none does after a release', () => {
  const pages = files.filter((file) => file.endsWith('.md'))
  expect(pages).toContain('README.md')
  expect(pages.filter((page) => unpublished.test(read(page)))).toEqual(isUnreleased ? ['docs/start.md'] : [])
})

it.each([
  [1, /^npm publish \S+ --access public$/, 12],
  [
    2,
    /^npm trust github \S+ --repo owner\/name --file release\.yml --env release --allow-publish --yes$/,
    12,
  ],
  [5, /^git (?:commit|tag|push) /, 3],
])('the commands of block %i in docs/releasing.md call what they say', (at, call, times) => {
  const folder = mkdtempSync(join(tmpdir(), 'releasing-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'bin'))
  for (const name of ['npm', 'git', 'sleep']) {
    const script = `#!/bin/sh\necho ${name} "$@" >>"$CALLS"\n`
    writeFileSync(join(folder, 'bin', name), script, { mode: 0o755 })
  }
  const calls = join(folder, 'calls')
  const { status } = spawnSync('bash', ['-euc', blocksOf('docs/releasing.md')[at]?.code ?? 'false'], {
    cwd: root,
    env: { ...process.env, CALLS: calls, TMPDIR: folder, PATH: `${folder}/bin:${process.env.PATH}` },
  })
  const lines = readFileSync(calls, 'utf8').trim().split('\n')
  expect([status, lines.filter((line) => call.test(line)).length]).toEqual([0, times])
})
