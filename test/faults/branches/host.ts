import { otherPassword } from '@fastify-accounts/test-support/app'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import * as deeds from '../deeds.js'
import { type Branch, get, json } from './branch.js'

const onHost = (deed: string, value: (scene: Scene) => string): Branch['request'] => {
  return (scene) => json('POST', `/host/${deed}`, { id: scene.user.id, value: value(scene) })
}

/** What the host's own code asks of `app.accounts`. */
export const host: Branch[] = [
  {
    name: 'requireUser',
    request: ({ cookie }) => get('/host/required', cookie),
    status: 200,
    deed: deeds.nothing,
  },
  {
    name: 'loadUser',
    request: ({ cookie }) => get('/host/loaded', cookie),
    status: 200,
    deed: deeds.nothing,
  },
  {
    name: 'createUser',
    request: onHost('create-user', ({ fresh }) => fresh.username),
    status: 200,
    deed: deeds.hostSignUp,
  },
  { name: 'findUser', request: onHost('find-user', ({ name }) => name), status: 200, deed: deeds.nothing },
  {
    name: 'setPassword',
    request: onHost('set-password', () => otherPassword),
    status: 200,
    deed: deeds.newPassword(otherPassword, [200]),
  },
  { name: 'updateUser by the host', request: onHost('disable', () => ''), status: 200, deed: deeds.disabled },
  {
    name: 'endUserSessions by the host',
    request: onHost('end-sessions', () => ''),
    status: 200,
    deed: deeds.endedSessions,
  },
  {
    name: 'deleteUser by the host',
    request: onHost('remove-user', () => ''),
    status: 200,
    deed: deeds.deletion([200]),
  },
]
