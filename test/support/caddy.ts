import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const executable = process.env.CADDY ?? 'caddy'

/** Whether Caddy is installed; logs one line if not, and fails in CI. */
export function isCaddyHere(): boolean {
  if (spawnSync(executable, ['version']).status === 0) return true
  const line = 'No Caddy: its tests are skipped (apt-get install caddy, or set CADDY)'
  if (process.env.CI) throw new Error(line)
  console.warn(line)
  return false
}

/** Starts Caddy for this test and waits until it listens on the port. */
export async function startCaddy(
  caddyfile: string,
  port: number,
  env: Record<string, string> = {},
): Promise<{ stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-caddy-'))
  await writeFile(join(folder, 'Caddyfile'), caddyfile)
  const caddy = spawn(executable, ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env: { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, ...env },
  })
  const said: string[] = []
  caddy.stdout.resume()
  caddy.stderr.on('data', (data) => said.push(String(data)))
  const ended = once(caddy, 'exit')
  const stop = async (): Promise<void> => {
    if (caddy.exitCode === null) caddy.kill('SIGTERM')
    await ended
    await rm(folder, { recursive: true })
  }
  for (let attempts = 0; attempts < 500 && caddy.exitCode === null; attempts += 1) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return { stop }
    } catch {
      await sleep(20)
    } finally {
      socket.destroy()
    }
  }
  await stop()
  throw new Error(`Caddy did not start: ${said.join('')}`)
}
