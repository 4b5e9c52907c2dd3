import { goodPassword, logIn, type TestApp, testApp } from '@fastify-accounts/test-support/app'
import { read } from '@fastify-accounts/test-support/source'
import { describe, expect, test } from 'vitest'
import { secondFactor, userPermissions } from '../../src/index.js'

/** docs/guides/roles.md says who may do what to whom; each cell of its table is a test here. */
const [byHolders = []] = tablesBelow('## Who may do what to whom')

/** Their rows, with the cells by the names of the columns. */
function tablesBelow(heading: string): Record<string, string>[][] {
  const [, section = ''] = read('docs/guides/roles.md').split(heading)
  return [...section.matchAll(/(?:^\|.*\|\n)+/gm)].map(([table]) => {
    const [head = [], , ...rows] = table
      .trim()
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim().replaceAll('`', '')))
    return rows.map((cells) => Object.fromEntries(head.map((name, at) => [name, cells[at] ?? ''])))
  })
}

type Send = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object) => Promise<number>

/** The request for each action, and what it changes in the record. */
const actions: Record<string, { request: (id: string) => Parameters<Send>; changed: object | null }> = {
  'See details': { request: (id) => ['GET', `/user/${id}`], changed: {} },
  'Change the email address': {
    request: (id) => ['PATCH', `/user/${id}`, { email: 'new@example.org' }],
    changed: { email: 'new@example.org' },
  },
  'Change the username': {
    request: (id) => ['PATCH', `/user/${id}`, { username: 'renamed' }],
    changed: { username: 'renamed' },
  },
  'Change custom fields': {
    request: (id) => ['PATCH', `/user/${id}`, { team: 'compilers' }],
    changed: { fields: { team: 'compilers' } },
  },
  'Mark the address as verified': {
    request: (id) => ['PATCH', `/user/${id}`, { is_verified: true }],
    changed: { isVerified: true },
  },
  'Remove second factors': {
    request: (id) => ['POST', `/user/${id}/second-factor/reset/`],
    changed: { factors: [] },
  },
  Disable: { request: (id) => ['PATCH', `/user/${id}`, { is_active: false }], changed: { isActive: false } },
  'Log out': { request: (id) => ['POST', `/user/${id}/end-sessions/`], changed: { sessionEpoch: 1 } },
  'Grant a role whose permissions the actor has': {
    request: (id) => ['PATCH', `/user/${id}`, { roles: ['holder', 'editor'] }],
    changed: { roles: ['holder', 'editor'] },
  },
  'Revoke all roles': { request: (id) => ['PATCH', `/user/${id}`, { roles: [] }], changed: { roles: [] } },
  'Grant a role with more rights than the actor has': {
    request: (id) => ['PATCH', `/user/${id}`, { roles: ['more'] }],
    changed: { roles: ['more'] },
  },
  'Make staff': { request: (id) => ['PATCH', `/user/${id}`, { is_staff: true }], changed: { isStaff: true } },
  Delete: { request: (id) => ['DELETE', `/user/${id}`], changed: null },
}

const targets: Record<string, { isStaff?: boolean; roles?: string[] }> = {
  'ordinary user': {},
  'same roles': { roles: ['holder'] },
  'more rights': { roles: ['holder', 'more'] },
  'user with roles': { roles: ['holder', 'more', 'others'] },
  staff: { isStaff: true },
}

const everything = [...userPermissions, 'posts:write', 'billing:refund']

/** An app in which the role `holder` has one permission of the plugin, and `others` all except that one. */
const appFor = (permission: string): Promise<TestApp> =>
  testApp({
    features: [secondFactor()],
    users: { fields: { type: 'object', properties: { team: { type: 'string' } } } },
    roles: {
      holder: [permission, 'posts:write'],
      editor: ['posts:write'],
      more: ['billing:refund'],
      others: everything.filter((each) => each !== permission),
    },
  })

const create = ({ app }: TestApp, username: string, rights: object) =>
  app.accounts.createUser({ username, password: goodPassword, email: `${username}@example.org`, ...rights })

/** What one user gets for an action on another, or on themselves. */
async function outcome(
  permission: string,
  action: string,
  actorRights: object,
  targetRights: object | null,
): Promise<'yes' | 'no'> {
  const service = await appFor(permission)
  const actor = await create(service, 'actor', actorRights)
  const target = targetRights === null ? actor : await create(service, 'target', targetRights)
  const headers = { cookie: await logIn(service, 'actor') }
  const before = await service.users.findById(target.id)
  const { request, changed } = actions[action] ?? expect.fail(`no request for ${action}`)
  const [method, path, body] = request(target.id)
  const response = await service.send(method, path, body, { headers })
  const after = await service.users.findById(target.id)
  const isDone = response.statusCode < 300
  if (!isDone) {
    expect([403, 409]).toContain(response.statusCode)
    expect(after).toEqual(before)
  } else if (changed === null) expect(after).toBeNull()
  else if (action === 'See details') return response.json().email === undefined ? 'no' : 'yes'
  else expect(after).toMatchObject(changed)
  return isDone ? 'yes' : 'no'
}

test('the table has every action and every kind of user', () => {
  expect(byHolders.map(({ Action }) => Action)).toEqual(Object.keys(actions))
  const columns = byHolders.flatMap((row) => Object.keys(row))
  const users = Object.keys(targets).filter((target) => target !== 'user with roles')
  expect([...new Set(columns)].sort()).toEqual(['', 'Action', 'Permission', 'themselves', ...users].sort())
})

describe('a holder of the permission', () => {
  test.each(
    byHolders.flatMap(({ '': _, Action: action = '', Permission: permission = '', ...cells }) =>
      Object.entries(cells).map(([target, cell]) => ({ action, permission, target, cell })),
    ),
  )('$action, to $target: $cell', async ({ action, permission, target, cell }) => {
    const rights = { roles: ['holder'] }
    expect(await outcome(permission, action, rights, targets[target] ?? null)).toBe(cell)
  })
})

/** What staff can't do, which the guide says below its table. */
const refusedToStaff: Record<string, string[]> = {
  staff: [
    'Change the email address',
    'Change the username',
    'Change custom fields',
    'Mark the address as verified',
  ],
  themselves: Object.keys(actions).filter((action) => !['See details', 'Log out'].includes(action)),
}

describe('staff', () => {
  test.each(
    ['ordinary user', 'user with roles', 'staff', 'themselves'].flatMap((target) =>
      Object.keys(actions).map((action) => ({
        action,
        target,
        expected: refusedToStaff[target]?.includes(action) ? 'no' : 'yes',
      })),
    ),
  )('$action, to $target: $expected', async ({ action, target, expected }) => {
    expect(await outcome('users:read', action, { isStaff: true }, targets[target] ?? null)).toBe(expected)
  })
})

describe('everyone else', () => {
  test.each(
    byHolders.map(({ Action: action = '', Permission: permission = '' }) => ({ action, permission })),
  )('$action is refused', async ({ action, permission }) => {
    // With every other permission, and with none.
    for (const roles of [['others'], ['editor'], []])
      expect([roles, await outcome(permission, action, { roles }, {})]).toEqual([roles, 'no'])
  })

  test('only sees and deletes their own account', async () => {
    for (const action of Object.keys(actions)) {
      const isOwn = ['See details', 'Delete'].includes(action) ? 'yes' : 'no'
      expect([action, await outcome('users:read', action, {}, null)]).toEqual([action, isOwn])
    }
  })
})

test('whoever may grant rights cannot delete their own account', async () => {
  expect(await outcome('users:grant', 'Delete', { roles: ['holder'] }, null)).toBe('no')
})
