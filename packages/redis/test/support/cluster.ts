import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '@fastify-accounts/test-support/free-port'
import { connect } from '@fastify-accounts/test-support/redis/redis'

const program = process.env.ACCOUNTS_TEST_REDIS_SERVER ?? 'redis-server'

export interface TestCluster {
  port: number
  stop(): Promise<void>
}

/**
 * A single-node cluster, as strict about slots as a large one. `null` if redis-server can't run, which is reported in
 * one line, and fails in CI.
 */
export async function startCluster(): Promise<TestCluster | null> {
  const folder = await mkdtemp(join(tmpdir(), 'accounts-redis-'))
  const [port, busPort] = [await freePort(), await freePort()]
  const settings = {
    port: String(port),
    'cluster-port': String(busPort),
    'cluster-enabled': 'yes',
    'cluster-announce-ip': '127.0.0.1',
    bind: '127.0.0.1',
    dir: folder,
    save: '',
  }
  const server = spawn(
    program,
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    { stdio: 'ignore' },
  )
  try {
    await once(server, 'spawn')
  } catch (error) {
    await rm(folder, { recursive: true })
    const line = `a cluster cannot be started: there is no ${program}`
    if (process.env.CI) throw new Error(line, { cause: error })
    console.warn(`skipped: ${line}`)
    return null
  }
  await takeAllSlots(port)
  return {
    port,
    async stop() {
      await end(server)
      await rm(folder, { recursive: true })
    },
  }
}

async function takeAllSlots(port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      const node = await connect({ retryStrategy: null }, `redis://127.0.0.1:${port}`)
      await node.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
      while (!(await node.cluster('INFO')).includes('cluster_state:ok')) await sleep(50)
      return node.disconnect()
    } catch (error) {
      if (tries === 100) throw error
      await sleep(50)
    }
  }
}

async function end(server: ChildProcess): Promise<void> {
  const exited = once(server, 'exit')
  server.kill()
  await exited
}
