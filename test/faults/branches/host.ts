import { otherPassword } from '@fastify-accounts/test-support/app'
import { hostMail } from '@fastify-accounts/test-support/faults/service'
import * as actions from '../actions.js'
import { type Branch, form, get, json, nameOfOther, onHost, toUser, unverified } from './branch.js'

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
    name: 'findUser by an address',
    request: onHost('find-by-email', ({ email }) => email),
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
    name: 'updateUser by the host, an address',
    request: onHost('change-email', ({ fresh }) => fresh.email),
    status: 200,
    action: actions.vouchedAddress,
    mail: { kind: 'email-changed', to: toUser },
  },
  {
    name: 'updateUser by the host, a verification',
    prepare: unverified,
    request: onHost('verify'),
    status: 200,
    action: actions.verification,
  },
  {
    name: 'updateUser by the host, roles',
    prepare: async (scene) => ({ user: await scene.edit({ roles: ['editor'] }) }),
    request: onHost('change-roles', () => 'support'),
    status: 200,
    action: actions.newRoles(['support']),
  },
  {
    name: 'createPasswordLink',
    request: onHost('password-link'),
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
    request: onHost('list-sessions'),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'exportUser',
    request: onHost('export'),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'endSession by the host',
    prepare: nameOfOther,
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
    request: onHost('disable'),
    status: 200,
    action: actions.disabled,
  },
  {
    name: 'endUserSessions by the host',
    request: onHost('end-sessions'),
    status: 200,
    action: actions.endedSessions,
  },
  {
    name: 'secureUser by the host',
    request: onHost('secure'),
    status: 200,
    // Not through a link, which works once.
    action: { ...actions.lock, again: [200] },
    mail: { kind: 'choose-password', to: toUser },
  },
  {
    name: 'mail by the host',
    request: onHost('mail', () => hostMail),
    status: 200,
    action: actions.nothing,
    mail: { kind: hostMail, to: toUser },
  },
  {
    name: 'perform, a change of the username',
    request: ({ user, fresh, cookie }) =>
      json('POST', '/host/perform', { id: user.id, value: fresh.username }, cookie),
    status: 200,
    action: actions.newName(({ fresh }) => fresh.username),
  },
  {
    name: 'logIn by the host',
    request: onHost('log-in'),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'deleteUser by the host',
    request: onHost('remove-user'),
    status: 200,
    action: actions.deletion([200]),
  },
]
