import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { onTestFinished } from 'vitest'
import { createHost, type Ended } from './cli-host.js'
import { isFull } from './depth.js'
import { root } from './source.js'

export const bin = join(root, 'packages/accounts/dist/cli/main.js')

/** The prefix of all project folders. */
const projects = join(tmpdir(), 'accounts-cli-')
const runInHost = createHost(projects)
const ranAlone = new Set<string>()

/** A folder with the packages that are built here, as an app of an integrator has them; gone after the test. */
export function makeProject(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(projects)
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@fastify-accounts'), { recursive: true })
  const server = join(root, 'examples/server/node_modules')
  for (const name of readdirSync(server)) {
    if (!name.startsWith('.') && !name.startsWith('@')) symlinkSync(join(server, name), join(modules, name))
  }
  const built = [
    'hashes',
    'kysely',
    'nodemailer',
    'organizations',
    'passkeys',
    'providers',
    'redis',
    'table-stores',
    'testing',
  ]
  for (const name of built) {
    symlinkSync(join(root, 'packages', name), join(modules, '@fastify-accounts', name))
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

interface Surroundings {
  input?: string
  env?: Record<string, string>
}

/** Runs the command, in a process that all of them share; at full depth the first of a name in one of its own. */
export function runCli(folder: string, args: string[], surroundings: Surroundings = {}): Promise<Ended> {
  return runModule(folder, [bin, ...args], surroundings)
}

/** Runs the command as its users do, in a process of its own, which must end by itself. */
export function runProcess(folder: string, args: string[], surroundings: Surroundings = {}): Promise<Ended> {
  return run(folder, [bin, ...args], surroundings)
}

/** Runs a module that has done its work once it is loaded, in a process as `runCli` does. */
export function runModule(
  folder: string,
  [file = '', ...args]: string[],
  { input = '', env = {} }: Surroundings = {},
): Promise<Ended> {
  const command = `${file} ${args[0]}`
  if (isFull && !ranAlone.has(command)) {
    ranAlone.add(command)
    return run(folder, [file, ...args], { input, env })
  }
  return runInHost({ folder, args: [resolve(folder, file), ...args], input, env: environment(folder, env) })
}

/** Runs Node in the folder, in a process of its own. */
export function run(
  folder: string,
  args: string[],
  { input = '', env = {} }: Surroundings = {},
): Promise<Ended> {
  const child = spawn(process.execPath, args, { cwd: folder, env: environment(folder, env) })
  const said = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    said.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said.stderr += text
  })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...said }))
  })
}

function environment(folder: string, env: Record<string, string>): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: folder, ...env }
}
