import { type TestApp, testAppOn } from '@fastify-accounts/test-support/app'
import { startProcesses } from '@fastify-accounts/test-support/race-processes'
import type { SharedPlace } from '@fastify-accounts/test-support/shared-place'
import type { InjectOptions, LightMyRequestResponse as Response } from 'fastify'
import type { ListingUserStore, SessionStore } from 'fastify-accounts'
import { vi } from 'vitest'
import type { Delivery } from './deliveries.js'
import type { Errand, tasks } from './process.js'
import { countNotices, host, type Owner, optionsWith } from './service.js'

/** Two apps on the same stores. All clocks stand still between the calls of `advance`. */
export interface Stage {
  /** They take turns. */
  appFor(turn: number): Pick<TestApp, 'send'>
  addUser(owner: Owner): Promise<unknown>
  advance(milliseconds: number): unknown
  /** How many emails have told this address of a reuse, once no work is under way. */
  notices(address: string): Promise<number>
  close(): Promise<void>
}

/** In this process. */
export async function openStage(
  stores: { users: ListingUserStore; sessions: SessionStore },
  { tokens }: Delivery,
): Promise<Stage> {
  // What asks a store's clock goes on by that of `performance`.
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  for (const store of [stores.users, stores.sessions]) if (store.now) store.now = async () => new Date()
  const options = optionsWith(tokens)
  const apps = [await testAppOn(stores, options, host), await testAppOn(stores, options, host)] as const
  return {
    appFor: (turn) => apps[turn % 2 === 0 ? 0 : 1],
    addUser: (owner) => apps[0].app.accounts.createUser({ ...owner, isVerified: true }),
    advance: (milliseconds) => vi.advanceTimersByTime(milliseconds),
    async notices(address) {
      await Promise.all(apps.map(({ settle }) => settle()))
      return countNotices(
        apps.flatMap(({ mails }) => mails),
        address,
      )
    },
    async close() {
      for (const { app } of apps) await app.close()
      vi.useRealTimers()
    },
  }
}

/** Each in a process of its own. */
export async function openProcesses({ place, prefix }: SharedPlace, { tokens }: Delivery): Promise<Stage> {
  const processes = await startProcesses<keyof typeof tasks, Errand>(
    new URL('process.ts', import.meta.url),
    2,
  )
  const ports = await processes.race<number>('serve', {
    place,
    ...(prefix && { prefix }),
    ...(tokens && { tokens }),
    time: Date.now(),
  })
  const senders = ports.map(
    (port): TestApp['send'] =>
      (method = 'GET', url, body, { headers } = {}) =>
        sendTo(`http://127.0.0.1:${port}${url}`, method, body, headers),
  )
  const [first, second] = senders as [TestApp['send'], TestApp['send']]
  const both = (...request: Parameters<TestApp['send']>) =>
    Promise.all([first(...request), second(...request)])
  return {
    appFor: (turn) => ({ send: turn % 2 === 0 ? first : second }),
    addUser: (owner) => first('POST', '/test/users/', owner),
    advance: (milliseconds) => both('POST', '/test/advance/', { milliseconds }),
    async notices(address) {
      const counts = await both('GET', `/test/notices/${address}`)
      return counts.reduce((sum, response) => sum + response.json().count, 0)
    },
    close: () => processes.stop(),
  }
}

/** A request over a connection, with its response as `inject` would return it. */
async function sendTo(
  url: string,
  method: InjectOptions['method'],
  body: object | undefined,
  headers: InjectOptions['headers'],
): Promise<Response> {
  const response = await fetch(url, {
    method: String(method),
    headers: { ...(headers as Record<string, string>), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const cookies = response.headers.getSetCookie().map((cookie) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    return { name, value: decodeURIComponent(value) }
  })
  return {
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: text,
    json: () => JSON.parse(text),
    cookies,
  } as unknown as Response
}
