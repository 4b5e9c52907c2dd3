import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { basename, join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { type Block, blocksOf, pages } from '@fastify-accounts/test-support/blocks'
import { driversHere } from '@fastify-accounts/test-support/databases'
import { isFull } from '@fastify-accounts/test-support/depth'
import { read, root } from '@fastify-accounts/test-support/source'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { compile, createHost, makeProject, remove, run, start, visitorOf, write } from './project.js'
import { logsIn, type Sample, type Service, samples, supplied, urls } from './samples.js'

/** The most samples that may go unrun; every one of them may break unnoticed. */
const mostShown = 12

const folderOf = (page: string) => page.replace(/\.md$/, '').replaceAll(/[^a-z0-9]+/gi, '-')

/** A code block and its test. */
interface Case {
  block: Block
  sample: Sample
  /** Its path in the project, if it is code. */
  file: string | null
  text: string
  /** The number of lines above it there. */
  above: number
}

const cases: Case[] = Object.entries(samples).flatMap(([page, ofPage]) =>
  blocksOf(page).flatMap((block, index) => {
    const sample = ofPage[index]
    if (sample === undefined) return []
    const { before, after } = surroundings(sample)
    // `before` starts with its imports, so it stays first.
    const head = before === '' ? '' : `${before}\n`
    // Apps elsewhere in the repository, and code that extends global types, are compiled in place.
    const isCode =
      (/^[jt]s$/.test(block.language) || (block.language === 'sql' && sample.kind === 'part')) &&
      sample.kind !== 'excerpt' &&
      !(sample.kind === 'file' && /^(packages|examples\/(own-feature|drizzle|prisma))\//.test(sample.named))
    return {
      block,
      sample,
      file: isCode ? `${folderOf(page)}/${nameOf(sample) ?? `${index + 1}.${block.language}`}` : null,
      text: `${head}${block.code}${after}\n`,
      above: head.split('\n').length - 1,
    }
  }),
)

function surroundings(sample: Sample): { before: string; after: string } {
  if (sample.kind === 'shape') {
    // Compared both ways, so neither has a member that the other lacks.
    const same = sample.of.map(
      (name) => `{ type Real = import('${sample.from ?? 'fastify-accounts'}').${name}
  const same: [Real] extends [${name}] ? ([${name}] extends [Real] ? keyof Real extends keyof ${name} ? true : never : never) : never = true; void same }`,
    )
    return { before: sample.given ?? '', after: same.join('\n') }
  }
  return {
    before: ('before' in sample && sample.before) || '',
    after: ('after' in sample && sample.after) || '',
  }
}

const unindented = (code: string) => code.replaceAll(/^ +/gm, '')

function nameOf(sample: Sample): string | null {
  if (sample.kind === 'file') return basename(sample.named)
  return 'file' in sample ? (sample.file ?? null) : null
}

const project = makeProject()
const host = createHost(project)
const faults = new Map<string, string[]>()

beforeAll(async () => {
  write(project, 'ambient.d.ts', ambient)
  for (const [name, text] of Object.entries(supplied)) write(project, name, text)
  for (const { file, text } of cases) if (file !== null) write(project, file, text)
  for (const line of await compile(project)) {
    const [, file = '', row = '', fault = ''] = /^([^(]+)\((\d+),\d+\): (.*)$/.exec(line) ?? [
      line,
      '',
      '0',
      line,
    ]
    const found = cases.find((each) => each.file === file)
    const at =
      found === undefined
        ? `${file}:${row}`
        : `${found.block.page}:${Number(row) - found.above + found.block.line - 1}`
    faults.set(file, [...(faults.get(file) ?? []), `${at}: ${fault}`])
  }
})

afterAll(async () => {
  await host.stop()
  remove(project)
})

/** The declarations that the TypeScript page asks for. */
const ambient = `import type { Accounts, AccountUser } from 'fastify-accounts'
declare module 'fastify' {
  interface FastifyInstance { accounts: Accounts; staff: Accounts }
  interface FastifyRequest { user: AccountUser | null; staffUser: AccountUser | null }
}
`

describe('the pages', () => {
  it.each(pages)('%s: every sample is listed in samples.ts', (page) => {
    const found = blocksOf(page).map(({ line, code }) => `${page}:${line} ${code.split('\n')[0]}`)
    expect(found, 'list new samples in test/samples/samples.ts, in order').toHaveLength(
      samples[page]?.length ?? 0,
    )
  })

  it('few samples are not run', () => {
    const count = (kind: Sample['kind']) => cases.filter(({ sample }) => sample.kind === kind).length
    expect(cases.length).toBeGreaterThan(100)
    expect(count('shown')).toBeLessThanOrEqual(mostShown)
    expect(Object.keys(samples).filter((page) => !pages.includes(page))).toEqual([])
  })

  it('code supplied by the tests compiles', () => {
    const ofSamples = new Set(cases.map(({ file }) => file))
    expect([...faults].filter(([file]) => !ofSamples.has(file))).toEqual([])
  })
})

describe.each(Object.keys(samples).filter((page) => cases.some(({ block }) => block.page === page)))(
  '%s',
  (page) => {
    it.each(
      cases
        .filter(({ block }) => block.page === page)
        .map((each) => [`line ${each.block.line}: ${each.sample.kind}`, each] as const),
    )('%s', async (_, each) => {
      if (each.file !== null) expect(faults.get(each.file) ?? []).toEqual([])
      await check(each)
    })
  },
)

const nodeTest = ['--test', '--test-reporter=tap']
// It takes only files that are named like tests.
const vitest = ['node_modules/vitest/vitest.mjs', 'run']

async function check({ block, sample, file }: Case): Promise<void> {
  const compiled = file?.replace(/\.ts$/, '.js') ?? ''
  switch (sample.kind) {
    case 'app': {
      if (!(await isThere(sample.needs))) return
      const app = await (isFull ? start(project, compiled, sample.env) : host.start(compiled, sample.env))
      onTestFinished(() => app.stop())
      try {
        await (sample.visit ?? logsIn)(visitorOf(app.port))
      } catch (error) {
        throw new Error(`${app.output()}\n${error}`)
      }
      if (sample.prints !== undefined) await expect.poll(app.output).toMatch(sample.prints)
      return
    }
    case 'script': {
      if (!(await isThere(sample.needs))) return
      const ended = await run(project, ['--import', join(project, 'preload.js'), compiled], sample.env)
      expect(ended).toMatchObject({ code: 0 })
      if (sample.prints !== undefined) expect(ended.output).toMatch(sample.prints)
      return
    }
    case 'suite': {
      if (!(await isThere(sample.needs))) return
      const ended = await run(project, [...(sample.runner ? vitest : nodeTest), compiled])
      expect(ended, ended.output).toMatchObject({ code: 0 })
      expect(stripVTControlCharacters(ended.output)).toMatch(/^# pass [1-9]|^ +Tests +[1-9]\d* passed/m)
      if (sample.unchecked !== undefined) {
        const skipped = ended.output.matchAll(/# SKIP not checked: (.*)$/gm)
        expect([...new Set([...skipped].map(([, what]) => what))].sort()).toEqual(sample.unchecked)
      }
      return
    }
    case 'part':
    case 'shape':
      expect(file).not.toBeNull()
      return
    case 'file':
      expect(block.code).toBe(read(sample.named))
      return
    case 'excerpt':
      expect(unindented(read(sample.named))).toContain(unindented(block.code))
      return
    case 'install':
      for (const [, names = ''] of block.code.matchAll(/^npm install ([^#\n]+)/gm)) {
        for (const name of names
          .trim()
          .split(/\s+/)
          .filter((each) => !each.startsWith('-') && !each.endsWith('.tgz'))
          .map((each) => each.replace(/(?<=.)@.*/, ''))) {
          expect(
            JSON.parse(readFileSync(join(project, 'node_modules', name, 'package.json'), 'utf8')).name,
          ).toBe(name)
        }
      }
      return
    case 'commands': {
      const { scripts } = JSON.parse(read('package.json'))
      const lines = block.code.split('\n').filter((line) => /^(npm|npx|node|\.ci|[A-Z_]+=)/.test(line))
      expect(lines.length).toBeGreaterThan(0)
      for (const line of lines) {
        const [, script] = /^npm (?:run )?([\w:]+)/.exec(line) ?? []
        if (script !== undefined) expect(Object.keys(scripts)).toContain(script)
        for (const [path] of line
          .replace(/#.*/, '')
          .matchAll(/(?<=\s)(test|scripts|packages|docs)\/[\w/.-]+/g)) {
          expect(() => readFileSync(join(root, path)), path).not.toThrow(/ENOENT/)
        }
      }
      return
    }
    case 'json':
      expect(() => JSON.parse(block.code)).not.toThrow()
      return
    case 'elsewhere':
      expect(read(sample.test)).toContain(basename(block.page, '.md'))
      return
    case 'shown':
      expect(sample.why).not.toBe('')
      return
    case 'story':
      expect(block.page).toBe('docs/start.md')
      expect(read('test/samples/start.test.ts')).toContain(block.page)
  }
}

/** Whether the service is reachable. If not, logs one line, or fails in CI. */
async function isThere(service: Service | 'better-sqlite3' | undefined): Promise<boolean> {
  if (service === undefined) return true
  if (service === 'better-sqlite3') return (await driversHere([service])).length > 0
  const { hostname, port } = new URL(urls[service])
  const responses = await new Promise<boolean>((resolve) => {
    const socket = connect(Number(port), hostname)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.unref()
  })
  if (responses) return true
  const line = `No ${service} at ${urls[service]}: samples that need it are skipped`
  if (process.env.CI) throw new Error(line)
  console.warn(line)
  return false
}
