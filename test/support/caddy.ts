import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onSomePort } from '@fastify-accounts/test-support/some-port'

const executable = process.env.CADDY ?? 'caddy'

/** Whether Caddy is installed; logs one line if not, and fails in CI. */
export function isCaddyHere(): boolean {
  if (spawnSync(executable, ['version']).status === 0) return true
  const line = 'No Caddy: its tests are skipped (apt-get install caddy, or set CADDY)'
  if (process.env.CI) throw new Error(line)
  console.warn(line)
  return false
}

/** Starts Caddy for this test and waits until it listens. */
export async function startCaddy(
  caddyfile: string,
  env: (port: number) => Record<string, string>,
): Promise<{ port: number; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-caddy-'))
  await writeFile(join(folder, 'Caddyfile'), caddyfile)
  const places = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  try {
    return await onSomePort(async (port) => {
      const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
      const caddy = spawn(executable, args, { env: { ...places, ...env(port) } })
      let said = ''
      caddy.stdout.resume()
      caddy.stderr.on('data', (data) => {
        said += data
      })
      const ended = once(caddy, 'exit')
      while (!said.includes('serving initial configuration')) {
        if (caddy.exitCode !== null) throw new Error(`Caddy did not start: ${said}`)
        await sleep(20)
      }
      return {
        port,
        async stop() {
          if (caddy.exitCode === null) caddy.kill('SIGTERM')
          await ended
          await rm(folder, { recursive: true })
        },
      }
    })
  } catch (error) {
    await rm(folder, { recursive: true })
    throw error
  }
}
