import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Finding } from './finding.js'

export function nodeVersion(): Finding {
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

export function packageVersions(cwd: string): Finding[] {
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
