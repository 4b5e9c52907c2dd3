import { machine, versionOf } from '../versions.js'
import { type Installed, measureInstalled } from './installed.js'
import { type Memory, measureMemory } from './memory.js'
import type { Settings } from './settings.js'
import { measureStarts, type Start } from './start.js'

/** All measurements; plain data. */
export interface Results {
  machine: string
  versions: string[]
  memory: Memory[]
  starts: Start[]
  installed: Installed[]
}

export async function run(
  { parts, services, sessions, rounds }: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Results> {
  const packages = ['fastify', '@fastify/session', '@fastify/cookie', 'libsql', 'better-auth']
  return {
    machine: machine(),
    versions: packages.map((name) => versionOf(name)),
    memory: parts.includes('memory') ? await measureMemory(services, sessions, signal, say) : [],
    starts: parts.includes('start') ? await measureStarts(rounds, signal, say) : [],
    installed: parts.includes('installed') ? await measureInstalled(signal, say) : [],
  }
}
