import { setTimeout as sleep } from 'node:timers/promises'
import { passkeys } from '@fastify-accounts/passkeys'
import { providers } from '@fastify-accounts/providers'
import { goodPassword, logIn } from '@fastify-accounts/test-support/app'
import { times } from '@fastify-accounts/test-support/depth'
import { visitor as passkeyVisitor } from '@fastify-accounts/test-support/passkeys/service'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { visitor } from '@fastify-accounts/test-support/providers/service'
import {
  makeWorkspaces,
  storesWith,
  type Tx,
  workspacesWith,
} from '@fastify-accounts/test-support/workspaces'
import type { LightMyRequestResponse as Response } from 'fastify'
import type { Alongside } from 'fastify-accounts'
import { afterAll, beforeAll, expect } from 'vitest'
import { cases } from './catalogue.js'
import { expectAlike } from './responses.js'

let issuer: TestIssuer
beforeAll(async () => {
  issuer = await startIssuer()
})
afterAll(() => issuer.close())

const passwords = { password: goodPassword, confirm_password: goodPassword }

cases('Alongside', ({ storage }) => {
  storage(
    'ALO-03',
    {
      tried:
        'every way to sign up whose response must not tell whether the address was free: with a password, with the address alone, with a passkey, by staff, and at a provider that doesn’t vouch for the address; without code of the app’s own, with code that fails, and with code that takes its time',
      expected:
        'the same response after as many statements, and as many runs of that code, for a free address, an unproven account’s and a proven one’s',
      on: 'PostgreSQL',
      because: 'the statements of the other drivers are the same',
    },
    async (scene) => {
      const slow = 30
      const full = Object.assign(new Error('the plan is full'), { statusCode: 402 })
      const plain = workspacesWith()
      let fails = false
      const kinds: Record<string, Alongside<Tx> | undefined> = {
        absent: undefined,
        throws: {
          async created(tx, user) {
            await plain.created?.(tx, user)
            if (fails) throw full
          },
        },
        slow: {
          async created(tx, user) {
            await plain.created?.(tx, user)
            // A timer may be early by a fraction.
            await sleep(slow + 2)
          },
        },
      }
      await makeWorkspaces(scene)
      const demo = { name: 'demo', issuer: issuer.url, clientId: 'app', clientSecret: 'secret' }
      for (const [kind, alongside] of Object.entries(kinds)) {
        fails = false
        let statements = 0
        const stores = await storesWith(scene, alongside, () => {
          statements += 1
        })
        const { userStore } = stores
        // Nothing is delivered, which asks the database as well.
        if (userStore.outbox) userStore.outbox.claim = async () => []
        userStore.now = async () => new Date()
        const service = await scene.start({
          ...stores,
          requireEmailConfirmation: true,
          users: { variant: 'both' },
          features: [passkeys(), providers([demo])],
        })
        const { accounts } = service.app
        const boss = { username: `boss-${kind}`, password: goodPassword, isStaff: true, isVerified: true }
        await accounts.createUser(boss)
        const cookie = await logIn(service, boss.username)
        const owners = { unproven: `unproven-${kind}@example.org`, proven: `proven-${kind}@example.org` }
        for (const [state, email] of Object.entries(owners))
          await accounts.createUser({
            username: `${state}-${kind}`,
            ...{ password: goodPassword, email, isVerified: state === 'proven' },
          })
        fails = kind === 'throws'
        const ways: Record<string, (name: string, email: string) => Promise<() => Promise<Response>>> = {
          'with a password': async (username, email) => () =>
            service.send('POST', '/user/', { username, email, ...passwords }),
          'with the address alone': async (username, email) => () =>
            service.send('POST', '/signup/', { username, email }),
          'with a passkey': async (name, email) => async () =>
            (await passkeyVisitor(service).signUp(name, { email })).response,
          'by staff': async (username, email) => () =>
            service.send('POST', '/user/', { username, email, ...passwords }, { headers: { cookie } }),
          'at a provider': async (_name, email) => {
            const browser = visitor({ ...service, issuer })
            const back = issuer.logIn(await browser.start(), { sub: email, email, email_verified: true })
            return () => browser.comeBack(back)
          },
        }
        let made = 0
        for (const [way, prepare] of Object.entries(ways)) {
          const seen = new Map<string, { response: Response; statements: number; times: number[] }>()
          for (let round = 0; round < times({ quick: 2, full: 8 }); round += 1)
            for (const state of ['free', 'unproven', 'proven'] as const) {
              made += 1
              const name = `name-${kind}-${made}`
              const signUp = await prepare(name, state === 'free' ? `${name}@example.org` : owners[state])
              statements = 0
              const begun = performance.now()
              const response = await signUp()
              const time = performance.now() - begun
              expect(response.statusCode, `${kind}, ${way}, ${state}`).toBe(fails ? 402 : 202)
              const times = [...(seen.get(state)?.times ?? []), time]
              seen.set(state, { response, statements, times })
            }
          const [free, unproven, proven] = ['free', 'unproven', 'proven'].map((state) => seen.get(state))
          if (!free || !unproven || !proven) throw new Error('nothing was seen')
          expectAlike(free.response, unproven.response, proven.response)
          const counts = [free, unproven, proven].map((each) => each.statements)
          expect(counts, `${kind}, ${way}`).toEqual([free.statements, free.statements, free.statements])
          // However busy the machine is: the app's code takes its time in each of them, once.
          const least = Math.min(...[free, unproven, proven].flatMap((each) => each.times))
          expect(least, `${kind}, ${way}`).toBeGreaterThanOrEqual(kind === 'slow' ? slow : 0)
        }
        expect(await userStore.list({ limit: 1000, where: { isUsed: true } })).toHaveLength(2)
        for (const user of await userStore.list({ limit: 1000 })) await userStore.delete(user.id)
      }
    },
  )
})
