import { createHash } from 'node:crypto'
import { goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import { hashOf } from '@fastify-accounts/test-support/faults/service'
import { newSession } from '@fastify-accounts/testing'
import * as actions from '../actions.js'
import { type Branch, credentials, deadSession, json, unverified } from './branch.js'

/** Replaces the hash with one of an older, cheaper kind. */
async function oldHash(scene: Scene): Promise<undefined> {
  const salt = createHash('sha256').update(scene.name).digest('base64url')
  await scene.edit({ passwordHash: hashOf('v1', salt, goodPassword) })
}

/** With the scene's own two, as many as a user may have. */
async function manySessions({ user, service: { stores } }: Scene): Promise<undefined> {
  const earlier = new Date(Date.now() - 60_000)
  const times = { createdAt: earlier, lastSeenAt: earlier }
  const sessions = Array.from({ length: 98 }, () => newSession({ userId: user.id, ...times }))
  await Promise.all(sessions.map((session) => stores.sessions.create(session)))
}

export const login: Branch[] = [
  { name: 'with the right password' },
  { name: 'with the wrong password', status: 401, request: loginWith(otherPassword) },
  {
    name: 'with an unknown name',
    status: 401,
    request: ({ fresh }: Scene) =>
      json('POST', '/login/', { username: fresh.username, password: goodPassword }),
  },
  { name: 'that rehashes the password', prepare: oldHash },
  {
    name: 'with a session',
    request: (scene: Scene) => json('POST', '/login/', credentials(scene), scene.cookie),
  },
  {
    name: 'with a dead session',
    prepare: deadSession,
    request: (scene: Scene) => json('POST', '/login/', credentials(scene), scene.cookie),
  },
  {
    name: 'on a known device',
    request: (scene: Scene) => json('POST', '/login/', credentials(scene), scene.device),
  },
  {
    name: 'on a known device with the wrong password',
    status: 401,
    request: (scene: Scene) => json('POST', '/login/', credentials(scene, otherPassword), scene.device),
  },
  { name: 'with too many sessions', prepare: manySessions },
  { name: 'while another request changes the user', isContended: true },
  {
    name: 'of a disabled user',
    status: 403,
    action: actions.nothingBut('ACCOUNTS_DISABLED'),
    prepare: async (scene: Scene) => ({ user: await scene.edit({ isActive: false }) }),
  },
  {
    name: 'of an unverified user',
    status: 403,
    confirms: true,
    action: actions.nothingBut('ACCOUNTS_NOT_VERIFIED'),
    prepare: unverified,
  },
].map((branch) => ({
  route: 'login POST',
  request: loginWith(goodPassword),
  status: 200,
  action: actions.nothing,
  ...branch,
  name: `login ${branch.name}`,
}))

function loginWith(password: string): Branch['request'] {
  return (scene) => json('POST', '/login/', credentials(scene, password))
}
