import { readFileSync } from 'node:fs'
import { organizations } from '@fastify-accounts/organizations'
import { passkeys } from '@fastify-accounts/passkeys'
import { providers } from '@fastify-accounts/providers'
import { as, linkTarget, logIn, signUp } from '@fastify-accounts/test-support/app'
import { everyFeature, mountedOperations } from '@fastify-accounts/test-support/operations'
import { confirm } from '@fastify-accounts/test-support/passkeys/second-step'
import { visitor } from '@fastify-accounts/test-support/passkeys/service'
import { enroll } from '@fastify-accounts/test-support/second-factor'
import {
  apiKeys,
  createMemoryThrottleStore,
  invitations,
  secondFactor,
  type ThrottleStore,
  tokens,
} from 'fastify-accounts'
import { expect, test } from 'vitest'
import { composeFeatures } from '../../packages/accounts/src/features/compose.js'
import { shippedFor } from '../../packages/accounts/src/features/shipped.js'
import { cases } from './catalogue.js'

import type { Scene } from './service.js'
import { appOf } from './token-clients.js'

/** What ends, removes, withdraws or secures something, by the names of the operations. */
const protects =
  /^(end|remove|delete|leave|withdraw|decline|cancel|revoke|undo|keep|release|report|reset(?!PasswordWithCode)|logOut)/

/** A store that, from `useUp` on, says that every limit of the kind is used up. */
function usableUp(): ThrottleStore & { useUp(kind: 'account' | 'address'): void } {
  const { increment, decrement, clear } = createMemoryThrottleStore()
  let isUsedUp = (_key: string): boolean => false
  return {
    decrement,
    clear,
    increment: async (key, windowMs) =>
      isUsedUp(key) ? { count: 1_000_000, resetMs: windowMs } : increment(key, windowMs),
    useUp(kind) {
      isUsedUp = (key) => key.startsWith('ip:') === (kind === 'address')
    },
  }
}

const demo = { name: 'demo', issuer: 'https://id.example', clientId: 'app', clientSecret: 'secret' }

/** Every feature, with every limit. */
const everything = {
  login: { emailCode: true },
  features: [
    ...[secondFactor(), tokens(), apiKeys({ scopes: ['orders:read'] }), invitations(), passkeys()],
    ...[providers([demo]), organizations()],
  ],
}

/** An app with every feature, and its routes. */
async function startOn({ start }: Pick<Scene, 'start'>) {
  const store = usableUp()
  const { app, mounted } = await mountedOperations({ features: await everyFeature() })
  await app.close()
  const options = { throttle: { store }, session: { newDeviceMail: true }, ...everything }
  return { service: await start(options), routes: [...mounted.values()], store }
}

cases('Throttling', ({ rule }) => {
  rule(
    'THR-18',
    {
      tried:
        'every limit of accounts used up by somebody else; then all that protects, with ids that do not exist',
      expected:
        'no limit is met; links that secure and resets only meet the limit of the client’s own address',
    },
    async (scene) => {
      const { service, routes, store } = await startOn(scene)
      await signUp(service)
      await service.app.accounts.updateUser((await signUp(service, 'steve')).id, { isStaff: true })
      const asStaff = as(await logIn(service, 'steve'))
      store.useUp('account')
      const asked = routes.filter(({ method, operation: { id } }) => method !== 'GET' && protects.test(id))
      expect(asked.length).toBeGreaterThan(20)
      expect(routes.filter((route) => route.method === 'DELETE' && !asked.includes(route))).toEqual([])
      const refused = async () => {
        const ids = []
        for (const {
          operation: { id },
          method,
          path: asMounted,
        } of asked) {
          // Their session goes on, and all else is asked before.
          if (id === 'deleteMe' || id === 'logOut') continue
          const body = id === 'revokeToken' ? { token: 'x' } : undefined
          const path = asMounted.replaceAll(/\{\w+\}/g, 'x')
          if ((await service.send(method, path, body, asStaff)).statusCode === 429) ids.push(id)
        }
        return ids.toSorted()
      }
      expect(await refused()).toEqual([])
      store.useUp('address')
      const byLink = asked.filter(({ isLink }) => isLink).map(({ operation: { id } }) => id)
      expect(byLink).toContain('reportLogin')
      expect(await refused()).toEqual(byLink.toSorted())
      for (const path of ['/logout/', '/me/'] as const) {
        const method = path === '/me/' ? 'DELETE' : 'POST'
        expect((await service.send(method, path, undefined, asStaff)).statusCode).not.toBe(429)
      }
    },
  )

  rule(
    'THR-18',
    {
      tried:
        'every limit of accounts used up by somebody else; then the owner ends sessions, removes what they have and secures the account, and staff withdraw, reset, disable and delete',
      expected: 'all of it succeeds at once',
    },
    async (scene) => {
      const { service, store } = await startOn(scene)
      const { send } = service
      const email = 'alice@example.org'
      const alice = await signUp(service, 'alice', { email })
      const staff = await signUp(service, 'steve')
      await service.app.accounts.updateUser(alice.id, { isVerified: true })
      await service.app.accounts.updateUser(staff.id, { isStaff: true })
      const others = []
      for (const username of ['bob', 'carol', 'dave']) others.push(await signUp(service, username))

      const owner = visitor(service)
      await owner.logIn()
      await logIn(service)
      const reported = linkTarget(await service.mail('new-device', email))
      const key = await owner.send('POST', '/api-keys/', { name: 'CI', scopes: ['orders:read'] })
      const { cookie } = await enroll(service, [...owner.cookies].map((pair) => pair.join('=')).join('; '))
      owner.take(cookie)
      const added = await owner.add()
      expect((await confirm(owner, added.passkey)).statusCode).toBe(204)
      const passkey = (await owner.send('GET', '/passkeys/')).json().results[0].id
      const totp = (await owner.send('GET', '/second-factor/')).json().apps[0].id
      const asStaff = as(await logIn(service, 'steve'))
      const invited = await send('POST', '/invitations/', { email: 'new@example.org' }, asStaff)
      const open = (await send('GET', '/invitations/', undefined, asStaff)).json().results[0].id
      const robot = (await send('POST', '/service/', { username: 'robot' }, asStaff)).json().id
      const robotKeys = `/service/${robot}/api-keys/`
      const robotKey = await send('POST', robotKeys, { name: 'CI', scopes: ['orders:read'] }, asStaff)
      expect([key.statusCode, invited.statusCode, robotKey.statusCode]).toEqual([201, 202, 201])
      const bob = as(await logIn(service, 'bob'))
      const bobs = [await appOf(service, 'bob'), await appOf(service, 'bob'), await appOf(service, 'bob')]
      const sessions = (await send('GET', '/sessions/', undefined, bob)).json().results

      store.useUp('account')
      const done: [string, number][] = []
      const byOwner = async (method: 'POST' | 'DELETE', url: string) =>
        done.push([`${method} ${url}`, (await owner.send(method, url)).statusCode])
      const byStaff = async (method: 'POST' | 'DELETE' | 'PATCH', url: string, body?: object) =>
        done.push([`${method} ${url}`, (await send(method, url, body, asStaff)).statusCode])
      const byBob = async (method: 'POST' | 'DELETE', url: string, body?: object) =>
        done.push([`${method} ${url}`, (await send(method, url, body, bob)).statusCode])
      const isOther = ({ current }: { current: boolean }) => !current
      await byOwner('DELETE', `/api-keys/${key.json().id}`)
      await byBob('POST', '/tokens/revoke/', { token: bobs[0]?.tokens.refresh_token })
      await byBob('DELETE', `/sessions/${sessions.find(isOther).id}`)
      await byBob('POST', '/sessions/end-others/')
      for (const app of bobs) expect((await app.refresh()).statusCode).toBe(401)
      await byOwner('DELETE', `/second-factor/totp/${totp}`)
      await byOwner('DELETE', `/passkeys/${passkey}`)
      await byStaff('DELETE', `/invitations/${open}`)
      await byStaff('DELETE', `${robotKeys}${robotKey.json().id}`)
      await byStaff('DELETE', `/service/${robot}`)
      await byStaff('PATCH', `/user/${others[0]?.id}`, { is_active: false })
      await byStaff('POST', `/user/${others[1]?.id}/end-sessions/`)
      await byStaff('DELETE', `/user/${others[2]?.id}`)
      await byOwner('POST', '/logout/')
      await byOwner('POST', reported)
      expect(done.filter(([, status]) => status >= 300)).toEqual([])
      expect(await owner.who()).toBeNull()
    },
  )

  rule(
    'THR-18',
    {
      tried:
        'a thief with a newer token who uses up the refreshes of the session; the owner’s app refreshes, and others send forged, ended and repeated tokens',
      expected:
        'the owner’s refresh ends the session and is told by email; what does not advance a session is not counted against it',
    },
    async ({ start, wait }) => {
      const service = await start({ throttle: {}, features: [tokens()] })
      const alice = await signUp(service, 'alice', { email: 'alice@example.org' })
      await service.app.accounts.updateUser(alice.id, { isVerified: true })
      await wait(0)
      const owner = await appOf(service)
      const thief = owner.copy()
      const used = async () => {
        expect((await thief.refresh()).statusCode).toBe(200)
        expect((await thief.send('GET', '/me/')).statusCode).toBe(200)
      }
      await used()
      // Late tabs of the owner: all of them get the same tokens, and none is counted.
      for (let n = 0; n < 70; n += 1) expect([n, (await owner.copy().refresh()).statusCode]).toEqual([n, 200])
      await wait(31_000)
      for (let n = 0; n < 59; n += 1) await used()
      expect((await thief.refresh()).statusCode).toBe(429)
      const forged = `${thief.tokens?.refresh_token?.slice(0, -10)}AAAAAAAAAA`
      expect((await owner.copy().refresh(forged)).statusCode).toBe(401)
      expect((await owner.refresh()).statusCode).toBe(401)
      expect((await service.mail('token-reused')).to.address).toBe('alice@example.org')
      for (const app of [thief, owner]) {
        expect((await app.send('GET', '/me/')).statusCode).toBe(401)
        expect((await app.refresh()).statusCode).toBe(401)
      }
    },
  )
})

/** The limits in the docs' table of what each can delay. */
function explained(): string[] {
  const page = readFileSync(new URL('../../docs/options/limits.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## What a used-up limit delays')
  const rows = section.split('\n## ')[0]?.matchAll(/^\| .+ \| .+ \| (`.+) \|$/gm) ?? []
  return [...rows].flatMap(([, names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

test('docs/options/limits.md says of each limit once what it delays if somebody else uses it up', async () => {
  const { limits } = composeFeatures(shippedFor(everything), (await everyFeature()) ?? []).names
  expect(explained().toSorted()).toEqual(Object.keys(limits).toSorted())
})
