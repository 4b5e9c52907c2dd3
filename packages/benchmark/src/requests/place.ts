import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { createPostgresDatabase, redisUrl } from '../databases.js'
import type { ServiceName } from './names.js'
import type { Place } from './service.js'

/**
 * Creates a service's own place, with what it uses.
 * @param parent where its folder is created
 */
export async function createPlace(
  service: ServiceName,
  parent = tmpdir(),
): Promise<Place & { drop(): Promise<void> }> {
  const database = service.includes('postgres') ? await createPostgresDatabase() : null
  const folder = await mkdtemp(join(parent, 'accounts-benchmark-'))
  const redisPrefix = `{accounts-benchmark-${randomUUID()}}:`
  return {
    folder,
    postgresUrl: database?.url ?? '',
    redisPrefix,
    secret: randomBytes(32).toString('base64url'),
    async drop() {
      await rm(folder, { recursive: true })
      await database?.drop()
      if (service.includes('redis')) await unlink(redisPrefix)
    },
  }
}

async function unlink(prefix: string): Promise<void> {
  const redis = new Redis(redisUrl)
  for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 10_000 })) {
    if (keys.length > 0) await redis.unlink(keys)
  }
  await redis.quit()
}
