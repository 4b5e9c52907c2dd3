import { setImmediate as nextTurn } from 'node:timers/promises'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { memory } from '@fastify-accounts/test-support/faults/grounds'
import { watch } from '@fastify-accounts/test-support/faults/probe'
import { setScene } from '@fastify-accounts/test-support/faults/scene'
import { startService } from '@fastify-accounts/test-support/faults/service'
import { afterEach, expect, test, vi } from 'vitest'
import { branches } from './branches.js'
import { saboteur } from './faults.js'
import { beside, exceptionFor, labelOf, openRange } from './trial.js'

afterEach(() => void vi.useRealTimers())

test('FLT-02 responds after five seconds by default, whichever store call hangs', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] })
  const ground = await memory.open()
  const range = await openRange(ground, 1)
  const wrong: string[] = []
  for (const branch of branches) {
    await mailsGone()
    for (const { site } of await range.sitesOf(branch)) {
      if (!site.isAsync || exceptionFor(branch, site, ground)?.isAfterResponse) continue
      const scene = await range.sceneFor(branch)
      const trouble = saboteur(site, 'hangs from now on')
      let status = 0
      void watch(beside(branch, scene, trouble.onCall), () => scene.send(branch.request(scene))).then(
        (response) => {
          status = response.statusCode
        },
      )
      await trouble.struck
      await vi.advanceTimersByTimeAsync(4999)
      await turns()
      const before = status
      await vi.advanceTimersByTimeAsync(1)
      await turns()
      const expected = exceptionFor(branch, site, ground) ? branch.status : 503
      if (before !== 0 || status !== expected) {
        wrong.push(`${branch.name}, ${labelOf(site)}: ${before} before, ${status} after`)
      }
      await trouble.end()
      await mailsGone()
    }
  }
  expect(wrong).toEqual([])
  await range.close()
  await ground.close()
})

/** Mails of the previous trial are retried; their lookups would be counted in the next trial. */
async function mailsGone(): Promise<void> {
  for (let second = 0; second < 20; second += 1) {
    await vi.advanceTimersByTimeAsync(1000)
    await turns()
  }
}

/** Enough for a response to get from the last call to the client. */
async function turns(): Promise<void> {
  for (let count = 0; count < 20; count += 1) await nextTurn()
}

test('FLT-02 the default deadline is five seconds of real time', async () => {
  const service = await startService(await memory.open())
  const scene = await setScene(service)
  const trouble = saboteur({ method: 'users.findByUsername', nth: 1 }, 'never responds')
  const start = performance.now()
  const response = await watch(trouble.onCall, () => scene.logIn(goodPassword))
  expect(response.json().code).toBe('ACCOUNTS_UNAVAILABLE')
  expect(Math.round((performance.now() - start) / 5000)).toBe(1)
  expect((await scene.logIn(goodPassword)).statusCode).toBe(200)
  await trouble.end()
  await service.app.close()
})
