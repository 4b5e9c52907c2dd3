import { expect } from 'vitest'
import { secondFactor } from '../../packages/accounts/src/index.js'
import {
  cookieOf,
  goodPassword,
  logIn,
  otherPassword,
  whoIs,
} from '../../packages/accounts/test/support/app.js'
import { codeOf, enroll, firstStep, secondStep } from '../../packages/accounts/test/support/second-factor.js'
import { cases } from './catalogue.js'
import type { Scene, Service } from './service.js'

/** Another process in all that matters: nothing is shared but the stores. */
async function startOn({ start }: Scene): Promise<Service> {
  return start({ features: [secondFactor()] })
}

async function withFactor(service: Service) {
  const alice = { username: 'alice', password: goodPassword, email: 'alice@example.org', isVerified: true }
  const { id } = await service.app.accounts.createUser(alice)
  return { id, ...(await enroll(service)) }
}

cases('Second factor', (attempt) => {
  attempt(
    'SFA-01',
    {
      tried:
        'one code, and one recovery code, twenty times at once at two processes, each for a login of its own',
      expected: 'one login each; all else is refused, and so is the code afterwards',
    },
    async (scene) => {
      const services = [await startOn(scene), await startOn(scene)] as const
      const { secret, codes } = await withFactor(services[0])
      for (const code of [codeOf(secret), codes[0] ?? '']) {
        const waiting = await Promise.all(Array.from({ length: 20 }, () => firstStep(services[0])))
        const answers = await Promise.all(
          waiting.map((cookie, n) => secondStep(services[n % 2 === 0 ? 0 : 1], cookie, code)),
        )
        const statuses = answers.map(({ statusCode }) => statusCode).sort()
        expect(statuses[0]).toBe(200)
        expect(statuses.slice(1)).toEqual(Array(19).fill(401))
        const again = await secondStep(services[1], await firstStep(services[1]), code)
        expect(again.statusCode).toBe(401)
      }
    },
  )

  attempt(
    'SFA-02',
    {
      tried: 'a login that waits: as a session, and after a new password, disabling and another login',
      expected: '401, and no session',
    },
    async (scene) => {
      const service = await startOn(scene)
      const { id, codes } = await withFactor(service)
      const pending = await firstStep(service)
      expect(await whoIs(service, pending.replace('session-pending', 'session'))).toBeNull()
      const used = await firstStep(service)
      const done = await secondStep(service, used, codes[0] ?? '')
      expect(await whoIs(service, cookieOf(done))).toBe('alice')
      expect((await secondStep(service, pending, codes[1] ?? '')).statusCode).toBe(401)
      const next = await firstStep(service)
      await service.app.accounts.updateUser(id, { isActive: false })
      await service.app.accounts.updateUser(id, { isActive: true })
      expect((await secondStep(service, next, codes[1] ?? '')).statusCode).toBe(401)
      const last = await firstStep(service)
      await service.app.accounts.setPassword(id, otherPassword)
      expect((await secondStep(service, last, codes[1] ?? '')).statusCode).toBe(401)
    },
  )

  attempt(
    'SFA-03',
    {
      tried: 'a session from before the factor was turned on, and a password alone in place of it',
      expected: 'the session is over, and the password alone confirms nothing',
    },
    async (scene) => {
      const service = await startOn(scene)
      const alice = {
        username: 'alice',
        password: goodPassword,
        email: 'alice@example.org',
        isVerified: true,
      }
      await service.app.accounts.createUser(alice)
      const before = await logIn(service)
      const { cookie } = await enroll(service)
      expect(await whoIs(service, before)).toBeNull()
      const confirm = { payload: { password: goodPassword }, headers: { cookie } }
      const answer = await service.app.inject({ method: 'POST', url: '/confirm/', ...confirm })
      expect(answer.statusCode).toBe(403)
    },
  )
})
