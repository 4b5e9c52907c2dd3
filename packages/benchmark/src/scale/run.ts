import type { Bounds } from '../measure.js'
import { machine, versionOf } from '../versions.js'
import { type Growth, measureGrowth } from './growth.js'
import { measureProcesses, type Processes } from './processes.js'
import { measureSessions, type Sessions } from './sessions.js'
import type { Settings } from './settings.js'

/** All measurements; plain data. */
export interface Results {
  machine: string
  versions: string[]
  users: Growth[]
  sessions: Sessions | null
  processes: Processes[]
}

export async function run(
  { parts, engines, sizes, sessions, processes, rounds }: Settings,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Results> {
  const bounds: Bounds = { warmUpMs: 300, rounds, roundMs: 50, signal }
  return {
    machine: machine(),
    versions: ['fastify', 'kysely', 'libsql', 'pg', 'mysql2', 'ioredis'].map((name) => versionOf(name)),
    users: parts.includes('users') ? await measureGrowth(engines, sizes, bounds, say) : [],
    sessions: parts.includes('sessions') ? await measureSessions(sessions, bounds, say) : null,
    processes: parts.includes('processes')
      ? await measureProcesses(processes, Math.min(rounds, 6), signal, say)
      : [],
  }
}
