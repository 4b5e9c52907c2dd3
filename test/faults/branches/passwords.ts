import { browser, goodPassword, otherPassword } from '@fastify-accounts/test-support/app'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import { noPassword } from '../../../packages/accounts/src/user.js'
import * as actions from '../actions.js'
import { type Branch, form, get, json, toUser } from './branch.js'

const resetLink = async (scene: Scene) => ({ link: await scene.askForLink('/forgot/', 'reset-password') })
const withoutPassword = async (scene: Scene) => ({ user: await scene.edit({ passwordHash: noPassword }) })

export const passwords: Branch[] = [
  {
    name: 'forgot',
    route: 'forgot POST',
    request: ({ email }) => json('POST', '/forgot/', { email }),
    status: 202,
    action: actions.nothing,
    mail: { kind: 'reset-password', to: toUser },
  },
  {
    name: 'forgot with an unknown address',
    route: 'forgot POST',
    request: ({ fresh }) => json('POST', '/forgot/', { email: fresh.email }),
    status: 202,
    action: actions.nothing,
  },
  {
    name: 'reset, the form',
    route: 'reset GET',
    prepare: resetLink,
    request: ({ link }) => get(link),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'reset, the form in a browser',
    route: 'reset GET',
    prepare: resetLink,
    request: ({ link }) => ({ url: link, headers: browser }),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'reset',
    route: 'reset POST',
    prepare: resetLink,
    request: ({ link }) => json('POST', link, form),
    status: 204,
    action: actions.newPassword(otherPassword, [400]),
    mail: { kind: 'password-changed', to: toUser },
  },
  {
    name: 'reset while another request changes the user',
    route: 'reset POST',
    isContended: true,
    prepare: resetLink,
    request: ({ link }) => json('POST', link, form),
    status: 204,
    action: actions.newPassword(otherPassword, [400]),
    mail: { kind: 'password-changed', to: toUser },
  },
  {
    name: 'reset with mismatched passwords in a browser',
    route: 'reset POST',
    prepare: resetLink,
    request: ({ link }) => ({
      ...json('POST', link, { ...form, confirm_password: goodPassword }),
      headers: browser,
    }),
    status: 400,
    action: actions.nothing,
  },
  {
    name: 'reset done',
    route: 'reset-done GET',
    request: () => get('/reset/d/'),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'change-password',
    route: 'change-password POST',
    request: ({ cookie }) =>
      json('POST', '/change-password/', { old_password: goodPassword, ...form }, cookie),
    status: 204,
    action: actions.newPassword(otherPassword, [401]),
    mail: { kind: 'password-changed', to: toUser },
  },
  {
    name: 'change-password while another request changes the user',
    route: 'change-password POST',
    isContended: true,
    request: ({ cookie }) =>
      json('POST', '/change-password/', { old_password: goodPassword, ...form }, cookie),
    status: 204,
    action: actions.newPassword(otherPassword, [401]),
    mail: { kind: 'password-changed', to: toUser },
  },
  {
    name: 'change-password, by the form',
    route: 'change-password-form POST',
    request: ({ cookie }) => ({
      ...json('POST', '/change-password/form/', { old_password: goodPassword, ...form }),
      headers: { ...browser, cookie },
    }),
    status: 200,
    action: actions.newPassword(otherPassword, [401]),
    mail: { kind: 'password-changed', to: toUser },
  },
  {
    name: 'change-password with the wrong password',
    route: 'change-password POST',
    request: ({ cookie }) =>
      json('POST', '/change-password/', { old_password: 'some other password', ...form }, cookie),
    status: 400,
    action: actions.nothing,
  },
  {
    name: 'change-password, to a first one',
    route: 'change-password POST',
    prepare: withoutPassword,
    request: ({ cookie }) => json('POST', '/change-password/', form, cookie),
    status: 204,
    action: actions.firstPassword(otherPassword),
    mail: { kind: 'password-added', to: toUser },
  },
  {
    name: 'remove-password',
    route: 'password DELETE',
    request: ({ cookie }) => json('DELETE', '/password/', undefined, cookie),
    status: 204,
    action: actions.removedPassword,
    mail: { kind: 'password-removed', to: toUser },
  },
  {
    name: 'remove-password while another request changes the user',
    route: 'password DELETE',
    isContended: true,
    request: ({ cookie }) => json('DELETE', '/password/', undefined, cookie),
    status: 204,
    action: actions.removedPassword,
    mail: { kind: 'password-removed', to: toUser },
  },
]
