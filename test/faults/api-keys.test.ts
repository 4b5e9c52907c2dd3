import { hostScope } from '@fastify-accounts/test-support/faults/host-routes'
import { type Scene, setScene } from '@fastify-accounts/test-support/faults/scene'
import type { Service } from '@fastify-accounts/test-support/faults/service'
import type { InjectOptions } from 'fastify'
import { apiKeys } from 'fastify-accounts'
import { describe } from 'vitest'
import { apiKeysOf } from '../../packages/accounts/src/tokens/api-key.js'
import { type FactorTrial, onHost, post, record, tryFactor } from './factor-trials.js'

/** A member of staff with a key, and a service account with one. */
interface Owner extends Scene {
  keyId: string
  /** The key itself. */
  key: string
  robot: string
  robotKeyId: string
}

const wanted = { name: 'CI', scopes: [hostScope] }

async function setOwner(service: Service): Promise<Owner> {
  const scene = await setScene(service)
  await service.app.accounts.updateUser(scene.user.id, { isStaff: true })
  const as = (request: InjectOptions) => scene.send({ ...request, headers: { cookie: scene.cookie } })
  const { id: keyId, key } = (await as(post('/api-keys/', wanted))).json()
  const { id: robot } = (await as(post('/service/', { username: `${scene.name}-robot` }))).json()
  const { id: robotKeyId } = (await as(post(`/service/${robot}/api-keys/`, wanted))).json()
  if (robotKeyId === undefined) throw new Error('the service account has no key')
  return { ...scene, keyId, key, robot, robotKeyId }
}

/** A request of the owner's session. */
const as = ({ cookie }: Owner, request: InjectOptions): InjectOptions => ({ ...request, headers: { cookie } })
const remove = (url: string): InjectOptions => ({ method: 'DELETE', url })
const findRobot = ({ service: { stores }, robot }: Owner) => stores.users.findById(robot)
const robotsKeys = async (owner: Owner) => {
  const robot = await findRobot(owner)
  return robot === null ? [] : apiKeysOf(robot)
}

const trials: FactorTrial<Owner>[] = [
  { name: 'a list', request: (owner) => as(owner, { url: '/api-keys/' }), status: 200 },
  {
    name: 'a new key',
    request: (owner) => as(owner, post('/api-keys/', wanted)),
    status: 201,
    isDone: async (owner) => apiKeysOf(await record(owner)).length > 1,
    again: [201],
  },
  {
    name: 'a removed key',
    request: (owner) => as(owner, remove(`/api-keys/${owner.keyId}`)),
    status: 204,
    isDone: async (owner) => apiKeysOf(await record(owner)).length === 0,
    again: [404],
  },
  { name: 'the service accounts', request: (owner) => as(owner, { url: '/service/' }), status: 200 },
  {
    name: 'a new service account',
    request: (owner) => as(owner, post('/service/', { username: `${owner.name}-2` })),
    status: 201,
    isDone: async ({ name, service: { stores } }) =>
      (await stores.users.findByUsername(`${name}-2`.toLowerCase())) !== null,
    again: [409],
  },
  {
    name: "a service account's keys",
    request: (owner) => as(owner, { url: `/service/${owner.robot}/api-keys/` }),
    status: 200,
  },
  {
    name: "a service account's new key",
    request: (owner) => as(owner, post(`/service/${owner.robot}/api-keys/`, wanted)),
    status: 201,
    isDone: async (owner) => (await robotsKeys(owner)).length > 1,
    again: [201],
  },
  {
    name: "a service account's removed key",
    request: (owner) => as(owner, remove(`/service/${owner.robot}/api-keys/${owner.robotKeyId}`)),
    status: 204,
    isDone: async (owner) => (await robotsKeys(owner)).length === 0,
    again: [404],
  },
  {
    name: 'a deleted service account',
    request: (owner) => as(owner, remove(`/service/${owner.robot}`)),
    status: 204,
    isDone: async (owner) => (await findRobot(owner)) === null,
    again: [404],
  },
  {
    name: "a program's request to a route of the host",
    request: ({ key }) => ({ url: '/host/scoped', headers: { authorization: `Bearer ${key}` } }),
    status: 200,
  },
  { name: 'a list by the host', request: (owner) => onHost('list-api-keys', owner), status: 200 },
  {
    name: 'a new key by the host',
    request: (owner) => onHost('create-api-key', owner, hostScope),
    status: 200,
    isDone: async (owner) => apiKeysOf(await record(owner)).length > 1,
    again: [200],
  },
  {
    name: 'a removed key by the host',
    request: (owner) => onHost('remove-api-key', owner, owner.keyId),
    status: 200,
    isDone: async (owner) => apiKeysOf(await record(owner)).length === 0,
    again: [200],
  },
  {
    name: 'the service accounts by the host',
    request: (owner) => onHost('list-services', owner),
    status: 200,
  },
  {
    name: 'a new service account by the host',
    request: (owner) => onHost('create-service', owner, `${owner.name}-2`),
    status: 200,
    isDone: async ({ name, service: { stores } }) =>
      (await stores.users.findByUsername(`${name}-2`.toLowerCase())) !== null,
    again: [409],
  },
  {
    name: 'a deleted service account by the host',
    request: ({ robot }) => post('/host/remove-user', { id: robot, value: '' }),
    status: 200,
    isDone: async (owner) => (await findRobot(owner)) === null,
    again: [200],
  },
]

describe('API keys when any adapter call fails', () => {
  tryFactor({ options: { features: [apiKeys({ scopes: [hostScope] })] }, set: setOwner }, trials)
})
