import { readdirSync } from 'node:fs'
import { goodPassword } from '@fastify-accounts/test-support/app'
import { watch } from '@fastify-accounts/test-support/faults/probe'
import { setScene } from '@fastify-accounts/test-support/faults/scene'
import { createPost, type Service, startService } from '@fastify-accounts/test-support/faults/service'
import { read, root } from '@fastify-accounts/test-support/source'
import { deliveredBy } from '@fastify-accounts/test-support/tokens'
import { type AuditEvent, type PendingMail, tokens } from 'fastify-accounts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { branches } from './branches.js'
import { driverError } from './faults.js'
import { postWatch, storesWithOutbox, tellsAll } from './notices.js'
import { beside } from './trial.js'

const stores = storesWithOutbox()
const post = createPost()
const services = new Map<boolean, Promise<Service>>()
function serviceFor(confirms: boolean): Promise<Service> {
  const service =
    services.get(confirms) ?? startService(stores, { requireEmailConfirmation: confirms, ...tellsAll }, post)
  services.set(confirms, service)
  return service
}

test('FLT-33 no request posts an email after a write that it could tell of', async () => {
  const wrong: string[] = []
  for (const branch of branches) {
    const service = await serviceFor(branch.confirms ?? false)
    const scene = await setScene(service)
    Object.assign(scene, await branch.prepare?.(scene))
    const { onCall, late } = postWatch()
    const response = await watch(beside(branch, scene, onCall), () => scene.send(branch.request(scene)))
    expect([branch.name, response.statusCode]).toEqual([branch.name, branch.status])
    if (late.length > 0) wrong.push(`${branch.name}: ${late}`)
  }
  expect(wrong, 'store the email with the change, or post it first').toEqual([])
  for (const service of services.values()) await (await service).app.close()
})

/** Where an email is posted that isn't stored with a change, and what it follows. */
const postedApart: Record<string, string> = {
  'accounts/src/features/email-code/confirmation/request-confirmation-code.ts': 'nothing is written',
  'accounts/src/features/tokens/refresh-tokens.ts': 'the session ends afterwards',
  'accounts/src/features/verification/resend-verification.ts': 'nothing is written',
  'accounts/src/logins/finish-login.ts': 'the session is stored afterwards',
  'accounts/src/logins/request-mail.ts': 'nothing is written',
  'accounts/src/start/host/mail-by-host.ts': 'nothing is written',
  'accounts/src/users/create-or-pretend.ts': 'nothing is written: there is nothing to keep of the sign-up',
}

test('FLT-33 every place that posts an email apart from a change is listed, with a request that passes it', () => {
  const posting = ['accounts', 'passkeys', 'providers'].flatMap((name) =>
    readdirSync(`${root}packages/${name}/src`, { recursive: true, encoding: 'utf8' })
      .map((file) => `${name}/src/${file}`)
      .filter(
        (file) => file.endsWith('.ts') && /\b\w*(postOffice|office)\.post\(/i.test(read(`packages/${file}`)),
      ),
  )
  expect(posting.sort(), 'try the request in test/faults, and list the file here').toEqual(
    Object.keys(postedApart).sort(),
  )
})

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }))
afterEach(() => void vi.useRealTimers())

/** A service on these stores, whose outbox the test can stop. */
async function start() {
  const own = storesWithOutbox()
  const { outbox } = own.users
  if (outbox === undefined) throw new Error('the store has no outbox')
  const { add } = outbox
  const kept: string[] = []
  let fault: (() => Promise<never>) | null = null
  outbox.add = async (mails) => {
    if (fault !== null) return fault()
    kept.push(...(mails as readonly PendingMail[]).map(({ kind }) => kind))
    return add(mails)
  }
  const lines: string[] = []
  const stream = { write: (line: string) => void lines.push(line) }
  const open = () =>
    startService(own, { ...tellsAll, features: [tokens()] }, createPost(), {
      logger: { level: 'info', stream },
    })
  return {
    service: await open(),
    lines,
    /** As after the death of a process: what it was doing never goes on. */
    restarted: open,
    kept,
    fail(how: typeof fault) {
      fault = how
    },
  }
}

/** A refresh token that somebody else has gone on with, more than 30 seconds ago, and the session's newest tokens. */
async function stolen(service: Service) {
  const scene = await setScene(service)
  const refresh = (token: string, by = service) =>
    by.send({ method: 'POST', url: '/tokens/refresh/', payload: { refresh_token: token } })
  const who = (token: string, by = service) =>
    by.send({ url: '/me/', headers: { authorization: `Bearer ${token}` } })
  const login = await scene.send({
    ...{ method: 'POST', url: '/login/', payload: { username: scene.name, password: goodPassword } },
    headers: { 'accounts-delivery': 'tokens' },
  })
  const old = deliveredBy(login)
  const next = old?.refresh_token && deliveredBy(await refresh(old.refresh_token))
  if (!old?.refresh_token || !next) throw new Error('no tokens')
  expect((await who(next.access_token)).statusCode).toBe(200)
  vi.setSystemTime(Date.now() + 31_000)
  return {
    reuse: (by = service) => refresh(old.refresh_token ?? '', by),
    isOn: async (by = service) => (await who(next.access_token, by)).statusCode === 200,
  }
}

test('FLT-33 a stolen token ends the session although the outbox is down, which is logged and audited', async () => {
  const { service, lines, kept, fail } = await start()
  const { reuse, isOn } = await stolen(service)
  const events: AuditEvent[] = []
  service.app.accounts.events.on('audit', (event) => events.push(event))
  fail(() => Promise.reject(driverError()))
  expect((await reuse()).statusCode).toBe(503)
  expect([await isOn(), kept.includes('token-reused')]).toEqual([false, false])
  expect(lines.filter((line) => line.includes('without the email to its owner'))).toHaveLength(1)
  await vi.waitUntil(() => events.some(({ action }) => action === 'refresh-tokens'), 60_000)
  const told = events.find(({ action }) => action === 'refresh-tokens')
  expect(told).toMatchObject({ outcome: 'failure', reason: 'TOKEN_REUSED', userId: expect.any(String) })
})

test('FLT-33 a process that dies before the email is stored leaves the session, and the next one tells its owner', async () => {
  const { service, restarted, kept, fail } = await start()
  const { reuse, isOn } = await stolen(service)
  // It dies while it waits for the outbox.
  fail(() => new Promise(() => {}))
  void reuse().catch(() => {})
  const later = await restarted()
  fail(null)
  expect(await isOn(later)).toBe(true)
  expect((await reuse(later)).statusCode).toBe(401)
  expect([await isOn(later), kept.filter((kind) => kind === 'token-reused').length]).toEqual([false, 1])
  await later.app.close()
})

test('FLT-33 a process that dies between the email and the end of the session leaves the owner told', async () => {
  const { service, kept } = await start()
  const { reuse } = await stolen(service)
  const { sessions } = service.stores
  const end = vi.spyOn(sessions, 'delete').mockReturnValue(new Promise(() => {}))
  void reuse().catch(() => {})
  await vi.waitUntil(() => end.mock.calls.length > 0, 60_000)
  expect(kept.filter((kind) => kind === 'token-reused')).toHaveLength(1)
})
