import { goodPassword } from '@fastify-accounts/test-support/app'
import type { Scene } from '@fastify-accounts/test-support/faults/scene'
import * as actions from '../actions.js'
import { type Branch, get, json } from './branch.js'

/** A staff member other than the user of the scene. */
async function asStaff(scene: Scene): Promise<Partial<Scene>> {
  const { username, email } = scene.fresh
  const staff = { username, email, password: goodPassword, isStaff: true, isVerified: true }
  await scene.service.app.accounts.createUser(staff)
  const { cookies } = await scene.logIn(goodPassword, username)
  const link = `${cookies[0]?.name}=${encodeURIComponent(cookies[0]?.value ?? '')}`
  return { link }
}

export const users: Branch[] = [
  {
    name: 'list',
    route: 'user-list GET',
    request: ({ cookie }) => get('/user/?limit=1', cookie),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'search',
    route: 'user-list GET',
    request: ({ cookie, name }) => get(`/user/?search=${name}`, cookie),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'disable a user',
    route: 'user-detail PATCH',
    prepare: asStaff,
    request: ({ link, user }) => json('PATCH', `/user/${user.id}`, { is_active: false }, link),
    status: 200,
    action: actions.disabled,
  },
  {
    name: 'demote a user',
    route: 'user-detail PATCH',
    prepare: async (scene) => ({ ...(await asStaff(scene)), user: await scene.edit({ isStaff: true }) }),
    request: ({ link, user }) => json('PATCH', `/user/${user.id}`, { is_staff: false }, link),
    status: 200,
    action: actions.demotion,
  },
  {
    name: 'give a user roles',
    route: 'user-detail PATCH',
    prepare: asStaff,
    request: ({ link, user }) => json('PATCH', `/user/${user.id}`, { roles: ['support', 'editor'] }, link),
    status: 200,
    action: actions.newRoles(['support', 'editor']),
  },
  {
    name: 'replace the roles of a user',
    route: 'user-detail PATCH',
    prepare: async (scene) => ({ ...(await asStaff(scene)), user: await scene.edit({ roles: ['support'] }) }),
    request: ({ link, user }) => json('PATCH', `/user/${user.id}`, { roles: ['editor'] }, link),
    status: 200,
    action: actions.newRoles(['editor']),
  },
  {
    name: 'log a user out',
    route: 'user-end-sessions POST',
    prepare: asStaff,
    request: ({ link, user }) => json('POST', `/user/${user.id}/end-sessions/`, undefined, link),
    status: 204,
    action: { ...actions.endedSessions, again: [204] },
  },
  {
    name: 'show own account',
    route: 'user-detail GET',
    request: ({ cookie, user }) => get(`/user/${user.id}`, cookie),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'show another user',
    route: 'user-detail GET',
    prepare: asStaff,
    request: ({ link, user }) => get(`/user/${user.id}`, link),
    status: 200,
    action: actions.nothing,
  },
  {
    name: 'delete own account',
    route: 'user-detail DELETE',
    request: ({ cookie, user }) => json('DELETE', `/user/${user.id}`, undefined, cookie),
    status: 204,
    action: actions.deletion([401]),
  },
  {
    name: 'delete another user',
    route: 'user-detail DELETE',
    prepare: asStaff,
    request: ({ link, user }) => json('DELETE', `/user/${user.id}`, undefined, link),
    status: 204,
    action: actions.deletion([404]),
  },
  {
    name: 'api-root',
    route: 'api-root GET',
    request: () => get('/api-root/'),
    status: 200,
    action: actions.nothing,
  },
]
