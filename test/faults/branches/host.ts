import { otherPassword } from '@fastify-accounts/test-support/app'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import * as actions from '../actions.js'
import { type Branch, get, json, toUser } from './branch.js'

const onHost = (action: string, value: (scene: Scene) => string): Branch['request'] => {
  return (scene) => json('POST', `/host/${action}`, { id: scene.user.id, value: value(scene) })
}

/** Calls of `app.accounts` by the host's own code. */
export const host: Branch[] = [
  {
    name: 'requireUser',
    request: ({ cookie }) => get('/host/required', cookie),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'loadUser',
    request: ({ cookie }) => get('/host/loaded', cookie),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'createUser',
    request: onHost('create-user', ({ fresh }) => fresh.username),
    status: 200,
    action: actions.hostSignUp,
  },
  {
    name: 'findUser',
    request: onHost('find-user', ({ name }) => name),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'setPassword',
    request: onHost('set-password', () => otherPassword),
    status: 200,
    action: actions.newPassword(otherPassword, [200]),
  },
  {
    name: 'updateUser by the host',
    request: onHost('disable', () => ''),
    status: 200,
    action: actions.disabled,
  },
  {
    name: 'endUserSessions by the host',
    request: onHost('end-sessions', () => ''),
    status: 200,
    action: actions.endedSessions,
  },
  {
    name: 'secureUser by the host',
    request: onHost('secure', () => ''),
    status: 200,
    // Not through a link, which works once.
    action: { ...actions.lock, again: [200] },
    mail: { kind: 'choose-password', to: toUser },
  },
  {
    name: 'deleteUser by the host',
    request: onHost('remove-user', () => ''),
    status: 200,
    action: actions.deletion([200]),
  },
]
