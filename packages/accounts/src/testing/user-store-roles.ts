import type { UserStore } from '../seams/user-store.js'
import type { NewUser } from '../user.js'
import type { Laws } from './cases.js'
import { hostileTexts, range, same, scramble, worldlyTexts } from './checks.js'
import { canList, kinds, newUser } from './users.js'

/** In no order, long, of many scripts, and with everything that lists in texts are separated by. */
const roles: readonly string[] = [
  'support',
  'editor',
  'Editor',
  scramble(150, '𝒜𐐷😀'),
  ...worldlyTexts,
  ...hostileTexts,
  ...range(100).map((n) => `role-${(n * 7) % 100}`),
]

/** Laws about what kind a user is of, their roles and their invitation. */
export const userStoreRoleLaws: Laws<UserStore> = {
  'law 37: kind, roles and invitation come back unchanged from each lookup': async (store) => {
    for (const [index, kind] of kinds.entries()) {
      // A store that finds nobody by them need not keep them.
      const identityKeys = store.findByIdentity ? [`oidc:${kind}`] : []
      for (const given of [
        newUser({ kind, roles: roles.slice(index), invitedAt: new Date('2026-10-25T01:30:00.999Z') }),
        newUser({ kind, roles: [], invitedAt: null }),
        newUser({ kind, roles: ['admin'], invitedAt: null, identityKeys }),
      ]) {
        const created = await store.create(given)
        const expected = { ...given, id: created.id, version: 1 }
        same(created, expected, 'create()')
        same(await store.findById(created.id), expected, 'findById()')
        same(await store.findByUsername(given.usernameKey ?? ''), expected, 'findByUsername()')
        same(await store.findByEmail(`${given.emailKey}`), expected, 'findByEmail()')
        const [identity] = given.identityKeys
        if (identity !== undefined && store.findByIdentity)
          same(await store.findByIdentity(identity), expected, 'findByIdentity()')
        if (!canList(store)) continue
        const listed = await store.list({ limit: 100, where: { kind } })
        same(
          listed.find(({ id }) => id === created.id),
          expected,
          'list()',
        )
      }
    }
  },

  'law 37: kind, roles and invitation can change, each by itself': async (store) => {
    let user = await store.create(newUser())
    for (const changes of [
      { roles },
      { invitedAt: new Date('2026-03-29T01:30:00.123Z') },
      { kind: 'service' },
      { roles: roles.toReversed() },
      { kind: 'unclaimed' },
      { roles: [] },
      { invitedAt: null },
      { kind: 'person' },
      { isStaff: true },
    ] satisfies Partial<NewUser>[]) {
      const [name] = Object.keys(changes)
      user = { ...user, ...changes, version: user.version + 1 }
      same(await store.update(user.id, changes, user.version - 1), user, `update() of ${name}`)
      same(await store.findById(user.id), user, `findById() after update() of ${name}`)
    }
  },

  'law 37: a user of any kind can be without an email address': async (store) => {
    for (const kind of kinds) {
      const given = newUser({ kind, email: null, emailKey: null })
      const user = await store.create(given)
      same(await store.findById(user.id), { ...given, id: user.id, version: 1 }, `a user of kind ${kind}`)
      same((await store.findByUsername(given.usernameKey ?? ''))?.id, user.id, 'findByUsername()')
    }
  },
}
