import { otherPassword } from '@fastify-accounts/test-support/app'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import * as actions from '../actions.js'
import { type Branch, form, get, json, toUser } from './branch.js'

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
    name: 'listUsers by the host',
    request: onHost('list-users', ({ name }) => name),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'updateUser by the host, a username',
    request: onHost('rename', ({ fresh }) => fresh.username),
    status: 200,
    action: actions.newName(({ fresh }) => fresh.username),
    mail: { kind: 'account-changed', to: toUser },
  },
  {
    name: 'createPasswordLink',
    request: onHost('password-link', () => ''),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'reset by a link of the host',
    prepare: async ({ service, user }) => {
      const link = await service.app.accounts.createPasswordLink(user.id)
      return { link: new URL(link?.url ?? '').pathname }
    },
    request: ({ link }) => json('POST', link, form),
    status: 204,
    action: actions.newPassword(otherPassword, [400]),
    mail: { kind: 'password-changed', to: toUser },
  },
  {
    name: 'listSessions by the host',
    request: onHost('list-sessions', () => ''),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'endSession by the host',
    prepare: async ({ service, user }) => {
      const [newest] = (await service.app.accounts.listSessions(user.id)) ?? []
      return { link: newest?.id ?? '' }
    },
    request: onHost('end-session', ({ link }) => link),
    status: 200,
    action: actions.endOfOther([200]),
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
