import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { root } from '../support/source.js'

export const bin = join(root, 'packages/accounts/dist/cli/main.js')

/** What a process said, and how it ended. */
export interface Ended {
  code: number | null
  stdout: string
  stderr: string
}

/** A folder with the packages that are built here, as an app of an integrator has them; gone after the test. */
export function makeProject(files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'accounts-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, '@fastify-accounts'), { recursive: true })
  const server = join(root, 'examples/server/node_modules')
  for (const name of readdirSync(server)) {
    if (!name.startsWith('.') && !name.startsWith('@')) symlinkSync(join(server, name), join(modules, name))
  }
  for (const name of ['kysely', 'nodemailer', 'redis', 'hashes', 'passkeys']) {
    symlinkSync(join(root, 'packages', name), join(modules, '@fastify-accounts', name))
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

/** Runs the command as its users do, in a process of its own. */
export function runCli(
  folder: string,
  args: string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  return run(folder, [bin, ...args], { input, env })
}

/** Runs Node in the folder. */
export function run(
  folder: string,
  args: string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...env },
  })
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
