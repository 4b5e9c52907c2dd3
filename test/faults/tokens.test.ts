import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import type { Service } from '@fastify-accounts/test-support/faults/service'
import { deliveredBy } from '@fastify-accounts/test-support/tokens'
import type { InjectOptions } from 'fastify'
import { type DeliveredTokens, type Session, tokens } from 'fastify-accounts'
import { afterEach, beforeEach, describe, vi } from 'vitest'
import { type FactorTrial, post, record, tryFactor } from './factor-trials.js'

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:10Z') }))
afterEach(() => void vi.useRealTimers())

/** A user with an app that keeps tokens. */
interface Owner extends Scene {
  tokens: DeliveredTokens
  /** Its row in the store. */
  row: Session
}

async function setOwner(service: Service): Promise<Owner> {
  const scene = await setScene(service)
  const login = post('/login/', { username: scene.name, password: goodPassword })
  const delivered = deliveredBy(await scene.send({ ...login, headers: { 'accounts-delivery': 'tokens' } }))
  const row = (await scene.rows()).find(({ kind }) => kind === 'token')
  if (delivered === undefined || row === undefined) throw new Error('the login delivered no tokens')
  return { ...scene, tokens: delivered, row }
}

/** A request with the access token. */
const as = ({ tokens: { access_token: token } }: Owner, request: InjectOptions): InjectOptions => ({
  ...request,
  headers: { authorization: `Bearer ${token}` },
})
const refresh = ({ tokens: { refresh_token } }: Owner) => post('/tokens/refresh/', { refresh_token })

const rowOf = (owner: Owner) => owner.service.stores.sessions.find(owner.row.id)
const isOver = async (owner: Owner): Promise<boolean> => (await rowOf(owner)) === null

/** Another has gone on with the successor of its refresh token, more than 30 seconds ago. */
async function reused(owner: Owner): Promise<InjectOptions> {
  const next = deliveredBy(await owner.send(refresh(owner)))
  if (next === undefined) throw new Error('the refresh delivered nothing')
  await owner.send(as({ ...owner, tokens: next }, { url: '/me/' }))
  vi.setSystemTime(Date.now() + 31_000)
  return refresh(owner)
}

const change = { old_password: goodPassword, new_password: otherPassword, confirm_password: otherPassword }

const trials: FactorTrial<Owner>[] = [
  {
    name: 'a login',
    request: ({ name }) => ({
      ...post('/login/', { username: name, password: goodPassword }),
      headers: { 'accounts-delivery': 'tokens' },
    }),
    status: 200,
  },
  {
    name: 'a login that ends the session before',
    request: (owner) => as(owner, post('/login/', { username: owner.name, password: goodPassword })),
    status: 200,
    isDone: isOver,
    again: [200],
  },
  { name: 'the first visit', request: (owner) => as(owner, { url: '/me/' }), status: 200 },
  {
    name: 'a refresh',
    request: refresh,
    status: 200,
    isDone: async (owner) => (await rowOf(owner))?.generation === 1,
    again: [200],
  },
  {
    name: 'a refresh that a retry repeats',
    async request(owner) {
      await owner.send(refresh(owner))
      return refresh(owner)
    },
    status: 200,
  },
  {
    name: 'a refresh after a confirmation whose response was lost',
    async request(owner) {
      await owner.send(as(owner, post('/confirm/', { password: goodPassword })))
      return refresh(owner)
    },
    status: 200,
    isDone: async (owner) => (await rowOf(owner))?.generation === 1,
    again: [200],
  },
  { name: 'a refresh token used again', request: reused, status: 401, isDone: isOver, again: [401] },
  {
    name: 'a refresh of a session that is over',
    async request(owner) {
      await owner.service.stores.sessions.delete(owner.row.id)
      return refresh(owner)
    },
    status: 401,
  },
  {
    name: 'a refresh token revoked',
    request: ({ tokens: { refresh_token: token } }) => post('/tokens/revoke/', { token }),
    status: 200,
    isDone: isOver,
    again: [200],
  },
  {
    name: 'a confirmation',
    request: (owner) => as(owner, post('/confirm/', { password: goodPassword })),
    status: 200,
    // A late one may come on top of the next.
    isDone: async (owner) => ((await rowOf(owner))?.confirmation ?? 0) >= 1,
    again: [200],
  },
  {
    name: 'a new password',
    request: (owner) => as(owner, post('/change-password/', change)),
    status: 200,
    isDone: async (owner) => (await record(owner)).passwordHash !== owner.user.passwordHash,
    again: [401],
    statusAlone: 204,
    password: otherPassword,
  },
  {
    name: 'a logout',
    request: (owner) => as(owner, post('/logout/')),
    status: 204,
    isDone: isOver,
    again: [204],
  },
]

describe('sessions of tokens when any adapter call fails', () => {
  tryFactor({ options: { features: [tokens()] }, set: setOwner }, trials)
})
