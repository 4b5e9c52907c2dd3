import { providers } from '@fastify-accounts/providers'
import { goodPassword, linkPath } from '@fastify-accounts/test-support/app'
import { memory, type OpenGround } from '@fastify-accounts/test-support/faults/grounds'
import { watch } from '@fastify-accounts/test-support/faults/probe'
import { type Service, startService } from '@fastify-accounts/test-support/faults/service'
import { startIssuer, type TestIssuer } from '@fastify-accounts/test-support/providers/issuer'
import { type Visitor, visitor } from '@fastify-accounts/test-support/providers/service'
import type { FastifyInstance, LightMyRequestResponse as Response } from 'fastify'
import type { StoredUser } from 'fastify-accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRemainder } from '../../packages/accounts/src/users/ownership/states.js'
import { type Fault, type FaultName, faults, faultsOf, recorder, type Site, saboteur } from './faults.js'
import { labelOf } from './trial.js'

// Two accounts change, and no store changes both at once: whatever fails between, each state must be true.

let issuer: TestIssuer
let ground: OpenGround
beforeAll(async () => {
  issuer = await startIssuer()
  ground = await memory.open()
})
afterAll(async () => {
  await issuer.close()
  await ground.close()
})

/** An account that a stranger has made with somebody's address. */
interface Planted {
  id: string
  stranger: { username: string; password: string }
  claims: { sub: string; email: string; email_verified: boolean }
}

let made = 0

async function plant({ app, send }: Service, isUsed: boolean): Promise<Planted> {
  made += 1
  const stranger = { username: `stranger-${made}`, password: goodPassword }
  const email = `owner-${made}@example.org`
  const { id } = await app.accounts.createUser({ ...stranger, email })
  if (isUsed) expect((await logIn(send, stranger)).statusCode).toBe(200)
  return { id, stranger, claims: { sub: `owner-${made}`, email, email_verified: true } }
}

const logIn = (send: Service['send'], payload: object): Promise<Response> =>
  send({ method: 'POST', url: '/login/', payload, remoteAddress: `10.9.${made >> 8}.${made & 255}` })

const browserAt = ({ send }: Service): Visitor =>
  visitor({
    app: {
      inject: (request: object) => send({ ...request, remoteAddress: `10.8.${made >> 8}.${made & 255}` }),
    } as unknown as FastifyInstance,
    issuer,
  })

type Step = (service: Service, planted: Planted) => Promise<() => Promise<Response>>

/** What replaces the account: prepared, and then sent. */
const steps: Record<string, { isUsed: boolean; prepare: Step }> = {
  'an unused account at once': {
    isUsed: false,
    async prepare(service, { claims }) {
      const browser = browserAt(service)
      const parameters = issuer.logIn(await browser.start(), claims)
      return () => browser.comeBack(parameters)
    },
  },
  'an unused account behind the mailed link': {
    isUsed: false,
    async prepare(service, { claims }) {
      const browser = browserAt(service)
      await browser.logInWith({ ...claims, email_verified: false })
      const path = linkPath(await service.post.mail('identity-sign-up', claims.email))
      return () => browser.send('POST', path)
    },
  },
  'a used account, by starting afresh': {
    isUsed: true,
    async prepare(service, { claims }) {
      const browser = browserAt(service)
      await browser.logInWith(claims)
      return () => browser.send('POST', '/login/claim/', { start_afresh: true })
    },
  },
}

/**
 * Both accounts, as they are stored.
 * @param mayBeLost whether the address may be nobody's
 */
async function expectTruth(
  { stores: { users } }: Service,
  { id, claims }: Planted,
  before: StoredUser | null,
  mayBeLost: boolean,
) {
  const old = await users.findById(id)
  const holder = await users.findByEmail(claims.email)
  // It is as it was, except that it may have been written.
  if (old !== null && !isRemainder(old)) expect(old).toEqual({ ...before, version: old.version })
  if (!mayBeLost) expect(holder).not.toBeNull()
  if (holder !== null && holder.id !== id)
    expect([holder.isVerified, holder.identityKeys]).toEqual([true, [`oidc:${issuer.url}|${claims.sub}`]])
}

async function run(
  calm: Service,
  service: Service,
  name: string,
  site: Site,
  fault: FaultName,
): Promise<void> {
  const { isUsed, prepare } = steps[name] as (typeof steps)[string]
  const planted = await plant(calm, isUsed)
  const send = await prepare(service, planted)
  const { users } = calm.stores
  const before = await users.findById(planted.id)
  const trouble = saboteur(site, fault)
  const { isOutage = false, hangs, applies }: Fault = faults[fault]
  // In an outage nothing can be given back, nor what is taken after the deadline, as no store does.
  const isLost = isOutage || (hangs && applies && site.method === 'users.update')
  try {
    const response = await watch(trouble.onCall, send)
    await trouble.respondLate()
    expect(trouble.hasStruck()).toBe(true)
    expect([200, 303, 503]).toContain(response.statusCode)
    await expectTruth(calm, planted, before, isLost)
  } finally {
    await trouble.end()
  }
  await expectTruth(calm, planted, before, isLost)
  // The next login completes it.
  const owner = browserAt(calm)
  const again = await owner.logInWith(planted.claims)
  if (again.headers.location === '/login/claim/')
    expect((await owner.send('POST', '/login/claim/', { start_afresh: true })).statusCode).toBe(200)
  const me = (await owner.send('GET', '/me/')).json()
  expect(me).toMatchObject({ email: planted.claims.email, is_verified: true })
  expect(me.id).not.toBe(planted.id)
  // What is left of the old account is for delete-unverified, and lets nobody in.
  const rest = await users.findById(planted.id)
  expect(rest === null || isRemainder(rest)).toBe(true)
  expect((await logIn(calm.send, planted.stranger)).statusCode).toBe(401)
}

test.each(Object.keys(steps))(
  'replaces %s: any adapter call may fail, and the next login completes it',
  async (name) => {
    const options = {
      get features() {
        const client = { clientId: 'app', clientSecret: 'secret' }
        return [providers([{ name: 'demo', issuer: issuer.url, ...client, authoritativeFor: true }])]
      },
      throttle: { limits: { create: { max: 10_000, window: 60_000 } } },
    }
    const calm = await startService(ground, options)
    // The provider has to respond within the deadline as well.
    const hasty = await startService(ground, { ...options, features: options.features, adapterTimeout: 250 })
    const { isUsed, prepare } = steps[name] as (typeof steps)[string]
    const sample = await plant(calm, isUsed)
    const send = await prepare(calm, sample)
    const { onCall, sites } = recorder()
    const response = await watch(onCall, send)
    expect([200, 303]).toContain(response.statusCode)
    expect(await calm.stores.users.findById(sample.id)).toBeNull()
    const called = sites.filter(({ isAsync }) => isAsync)
    for (const method of ['users.update', 'users.create', 'users.delete'])
      expect(called.map((site) => site.method)).toContain(method)
    const wrong: string[] = []
    for (const site of called) {
      for (const fault of faultsOf(`hand-over ${name} ${labelOf(site)}`)) {
        const service = faults[fault].hangs ? hasty : calm
        await run(calm, service, name, site, fault).catch((error) => {
          wrong.push(`${labelOf(site)} ${fault}: ${error}`)
        })
      }
    }
    expect(wrong).toEqual([])
    await calm.app.close()
    await hasty.app.close()
  },
)
