import { driversHere, makeDatabase } from '@fastify-accounts/test-support/databases'
import { openLine } from '@fastify-accounts/test-support/redis/proxy'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startService } from './support/service.js'

async function health(url: string) {
  const response = await fetch(new URL('/healthz', url))
  return {
    status: response.status,
    cache: response.headers.get('cache-control'),
    body: await response.json(),
  }
}

const ready = { status: 200, cache: 'no-store', body: { ok: true } }
const notReady = { status: 503, cache: 'no-store', body: { ok: false } }

it('/healthz only says that the process is ready', async () => {
  const { url } = await startService()
  expect(await health(url)).toEqual(ready)
})

describe.each(await driversHere(['pg']))('on $title', ({ name }) => {
  it('/healthz reports the state of the database', async () => {
    const { place, drop } = await makeDatabase(name)
    onTestFinished(drop)
    const line = await openLine(place.url)
    onTestFinished(() => line.close())
    const { url } = await startService({
      DATABASE_URL: line.url,
      SECRET: 'a secret of at least 32 bytes for tests',
    })
    expect(await health(url)).toEqual(ready)
    await line.cut()
    await vi.waitFor(async () => expect(await health(url)).toEqual(notReady), 60_000)
    await line.mend()
    await vi.waitFor(async () => expect(await health(url)).toEqual(ready), 60_000)
  })
})
