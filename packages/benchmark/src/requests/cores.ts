import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

/**
 * Binds a process, with all its threads, to one core, if there are several and the system has `taskset`.
 * @returns whether it is bound
 */
export function bindToCore(pid: number, core: number): boolean {
  if (availableParallelism() < 2) return false
  const { status } = spawnSync('taskset', ['--all-tasks', '--pid', '--cpu-list', String(core), String(pid)])
  return status === 0
}
