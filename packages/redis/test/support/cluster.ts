import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '@fastify-accounts/test-support/redis/redis'
import { onSomePort } from '@fastify-accounts/test-support/some-port'

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
  try {
    return await onSomePort((port) => startOn(port, folder))
  } catch (error) {
    await rm(folder, { recursive: true })
    if (Reflect.get(Object(error), 'code') !== 'ENOENT') throw error
    const line = `a cluster cannot be started: there is no ${program}`
    if (process.env.CI) throw new Error(line, { cause: error })
    console.warn(`skipped: ${line}`)
    return null
  }
}

/** Its nodes would talk on the next port. */
async function startOn(port: number, folder: string): Promise<TestCluster> {
  const settings = {
    port: String(port),
    'cluster-port': String(port + 1),
    'cluster-enabled': 'yes',
    'cluster-announce-ip': '127.0.0.1',
    bind: '127.0.0.1',
    dir: folder,
    save: '',
  }
  const server = spawn(
    program,
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]),
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  let said = ''
  server.stdout?.on('data', (data) => {
    said += data
  })
  await once(server, 'spawn')
  while (!said.includes('Ready to accept connections')) {
    if (server.exitCode !== null) throw new Error(`redis-server did not start: ${said}`)
    await sleep(20)
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
  const node = await connect({ retryStrategy: null }, `redis://127.0.0.1:${port}`)
  await node.call('CLUSTER', 'ADDSLOTSRANGE', '0', '16383')
  while (!(await node.cluster('INFO')).includes('cluster_state:ok')) await sleep(50)
  node.disconnect()
}

async function end(server: ChildProcess): Promise<void> {
  const exited = once(server, 'exit')
  server.kill()
  await exited
}
