import { execFile, spawn } from 'node:child_process'
import { on, once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { cheapHashes, isFull } from '@fastify-accounts/test-support/depth'
import { root } from '@fastify-accounts/test-support/source'

/** A folder with every package that a sample may import, as npm would install them. */
export function makeProject(): string {
  const folder = mkdtempSync(join(tmpdir(), 'samples-'))
  const modules = join(folder, 'node_modules')
  const holders = ['examples', 'packages'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => join(root, group, name, 'node_modules')),
  )
  for (const holder of [
    join(root, 'packages/accounts/node_modules'),
    ...holders,
    join(root, 'node_modules'),
  ]) {
    for (const name of existsSync(holder) ? namesIn(holder) : [])
      link(join(holder, name), join(modules, name))
  }
  link(join(root, 'packages/accounts'), join(modules, 'fastify-accounts'))
  for (const name of [
    'client',
    'hashes',
    'kysely',
    'nodemailer',
    'organizations',
    'pages',
    'passkeys',
    'providers',
    'redis',
    'table-stores',
    'testing',
  ]) {
    link(join(root, 'packages', name), join(modules, '@fastify-accounts', name))
  }
  // One sample is for the newer Kysely, as its page says.
  link(
    join(root, 'packages/kysely/node_modules/kysely-next'),
    join(folder, 'docs-adapters-kysely/newer/node_modules/kysely'),
  )
  write(folder, 'package.json', '{ "type": "module" }')
  write(folder, 'preload.js', preload)
  write(folder, 'host.js', host)
  return folder
}

function namesIn(modules: string): string[] {
  return readdirSync(modules).flatMap((name) => {
    if (name.startsWith('.') || name === '@fastify-accounts') return []
    return name.startsWith('@') ? readdirSync(join(modules, name)).map((each) => `${name}/${each}`) : [name]
  })
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  if (!existsSync(path)) symlinkSync(target, path)
}

export function write(folder: string, name: string, text: string): void {
  const holder = dirname(join(folder, name))
  mkdirSync(holder, { recursive: true })
  // Through a link it would change the installed package, for everyone.
  if (!realpathSync(holder).startsWith(realpathSync(folder)))
    throw new Error(`${name} is in a linked package`)
  writeFileSync(join(folder, name), text)
}

export function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true })
}

/** What pages let listen on port 3000, which may be taken, gets any free one, and reports it. */
const preload = `
import net from 'node:net'
const { listen } = net.Server.prototype
net.Server.prototype.listen = function (...args) {
  if (args[0]?.port === 3000) args[0] = { ...args[0], port: 0 }
  const { SAMPLE } = process.env
  this.once('listening', () => process.send?.({ file: SAMPLE, port: this.address().port }))
  return listen.apply(this, args)
}
process.channel?.unref()
`

/** Starts apps in its process, each with its own environment, one after another. */
const host = `
process.channel.ref()
process.on('disconnect', () => process.exit())
process.on('message', async ({ file, env }) => {
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, env)
  await import('./' + file).catch(({ stack }) => process.send({ file, error: stack }))
})
`

const common = {
  target: 'es2023',
  lib: ['es2023', 'es2024.string'],
  module: 'nodenext',
  moduleDetection: 'force',
  verbatimModuleSyntax: true,
  skipLibCheck: true,
  types: ['node'],
}

/** Strict for TypeScript; for JavaScript what an editor checks. */
const configs = {
  'tsconfig.json': {
    compilerOptions: { ...common, strict: true },
    include: ['ambient.d.ts', '**/*.ts'],
  },
  'jsconfig.json': {
    compilerOptions: { ...common, allowJs: true, checkJs: true, noEmit: true, strict: false },
    include: ['ambient.d.ts', '*/**/*.js'],
  },
}

/**
 * Compiles the folder, writing JavaScript next to its TypeScript.
 * @returns the compile errors, one line each
 * @throws Error if the compiler itself fails
 */
export async function compile(folder: string): Promise<string[]> {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const outputs: string[] = []
  // JavaScript first, before compiling TypeScript adds more of it.
  for (const [name, config] of Object.entries(configs).reverse()) {
    write(folder, name, JSON.stringify({ ...config, exclude: ['**/node_modules'] }))
    outputs.push(
      await new Promise<string>((resolve, reject) =>
        execFile(
          process.execPath,
          [tsc, '-p', name, '--pretty', 'false'],
          { cwd: folder, maxBuffer: 1 << 26 },
          (error, stdout) => {
            // It exits with 1 or 2 if it reports errors.
            if (error === null || (typeof error.code === 'number' && error.code <= 2 && stdout !== ''))
              resolve(stdout)
            else reject(error)
          },
        ),
      ),
    )
  }
  // Leaves out errors in untyped JavaScript from npm, which is checked as well.
  return outputs.flatMap((output) => output.split('\n')).filter((line) => /^(?!\.\.)\S/.test(line))
}

export interface Ended {
  code: number | null
  output: string
}

/** The environment of a sample. Its temporary files are deleted with the project. */
const environmentIn = (folder: string) => ({
  PATH: process.env.PATH,
  HOME: folder,
  TMPDIR: folder,
  SECRET: 'a sample needs no better secret than this one',
  ...cheapHashes,
})

/** Runs a script until it exits. */
export async function run(folder: string, args: string[], env: Record<string, string> = {}): Promise<Ended> {
  // PGlite is a large WebAssembly module: optimizing it takes longer than it saves.
  const child = spawn(process.execPath, isFull ? args : ['--liftoff-only', ...args], {
    cwd: folder,
    env: { ...environmentIn(folder), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text))
  const [code] = await once(child, 'close')
  return { code, output }
}

/** Runs commands of a page in a shell, with requests for port 3000 sent to another port. */
export async function shell(
  folder: string,
  commands: string,
  { port, input = '' }: { port?: number | undefined; input?: string } = {},
): Promise<string> {
  // Pages use npx, which would download the package that is linked here.
  const npx = `npx() { shift; node ${join(folder, 'node_modules/fastify-accounts/dist/cli/main.js')} "$@"; }`
  write(folder, '.curlrc', `silent\nconnect-to = "localhost:3000:127.0.0.1:${port}"\n`)
  const child = spawn('bash', ['-ec', `${npx}\n${commands}`], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, CURL_HOME: folder, ...cheapHashes },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  child.stdin.end(input)
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${commands}\nexited with ${code}: ${output}`)
  return output
}

export interface RunningApp {
  port: number
  output(): string
  stop(): Promise<void>
}

/** Starts an app and waits until it listens. */
export async function start(
  folder: string,
  file: string,
  env: Record<string, string> = {},
): Promise<RunningApp> {
  const app = launch(folder, file, { ...env, SAMPLE: file })
  const port = await portOf(app, file)
  return { port, output: () => app.lines.join('\n'), stop: app.stop }
}

/**
 * Starts apps in one process, where each costs a fifth of a process of its own. `process.env` is that of the app started
 * last, so start one after another. An app runs until the host stops: its own `stop` does nothing.
 */
export function createHost(folder: string) {
  let apps: ReturnType<typeof launch> | undefined
  return {
    async start(file: string, env: Record<string, string> = {}): Promise<RunningApp> {
      if (apps?.child.connected !== true) apps = launch(folder, 'host.js')
      const { child, lines } = apps
      const before = lines.length
      child.send({ file, env: { ...environmentIn(folder), ...env, SAMPLE: file } })
      const port = await portOf(apps, file)
      return { port, output: () => lines.slice(before).join('\n'), stop: async () => {} }
    },
    stop: async () => apps?.stop(),
  }
}

function launch(folder: string, file: string, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['--import', join(folder, 'preload.js'), file], {
    cwd: folder,
    env: { ...environmentIn(folder), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const lines: string[] = []
  for (const input of [child.stdout, child.stderr]) {
    if (input !== null) createInterface({ input }).on('line', (line) => lines.push(line))
  }
  const ended = once(child, 'close')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  return { child, lines, ended, stop }
}

async function portOf({ child, lines, ended }: ReturnType<typeof launch>, file: string): Promise<number> {
  const listening = async () => {
    for await (const [said] of on(child, 'message')) {
      if (said.file !== file) continue
      if (said.error !== undefined) throw new Error(`${file} failed before it listened:\n${said.error}`)
      return said.port
    }
  }
  return Promise.race([
    listening(),
    ended.then(() => {
      throw new Error(`${file} exited before it listened:\n${lines.join('\n')}`)
    }),
  ])
}

export interface Visit {
  (method: string, path: string, body?: object): Promise<{ status: number; body: unknown }>
  /**
   * Opens a page as a browser does.
   * @throws Error if its status isn't 200
   */
  open(path: string): Promise<string>
}

/** A client that keeps cookies. */
export function visitorOf(port: number): Visit {
  const jar = new Map<string, string>()
  const visit = async (method: string, path: string, sent?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        cookie: [...jar].map((pair) => pair.join('=')).join('; '),
        ...(sent !== undefined && { 'content-type': 'application/json' }),
      },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      jar.set(name, value)
    }
    const body = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, body: isJson ? JSON.parse(body) : body }
  }
  /** Not by `fetch`, which says that it is no navigation. */
  const open = async (path: string): Promise<string> => {
    const headers = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }
    const [response] = (await once(get({ port, path, headers, host: '127.0.0.1' }), 'response')) as [
      IncomingMessage,
    ]
    const page = await text(response)
    if (response.statusCode === 200) return page
    throw new Error(`GET ${path} returned ${response.statusCode}: ${page}`)
  }
  return Object.assign(visit, { open })
}
