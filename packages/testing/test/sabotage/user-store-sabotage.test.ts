import { breaksLaws, closesBadly, later } from '@fastify-accounts/test-support/sabotage'
import {
  type AccountOrigin,
  closable,
  createMemoryUserStore,
  DuplicateError,
  type ListingUserStore,
  type NewUser,
  type StoredUser,
  type UserChanges,
} from 'fastify-accounts'
import { expect, test } from 'vitest'
import { newUser, runCases, userStoreCases } from '../../src/index.js'

/** Memory stores with one fault each, and the law that must detect it. */
const sabotages: Record<
  string,
  [law: string, fault: (store: ListingUserStore) => Partial<ListingUserStore>]
> = {
  'credentials are dropped at creation': [
    'every read returns',
    (store) => ({ create: (user) => store.create({ ...user, credentials: [] }) }),
  ],
  'credentials are dropped by updates': [
    'every read returns',
    (store) => ({
      update: (id, { credentials: _, ...changes }, ...rest) => store.update(id, changes, ...rest),
    }),
  ],
  'factors are dropped by updates': [
    'every read returns',
    (store) => ({ update: (id, { factors: _, ...changes }, ...rest) => store.update(id, changes, ...rest) }),
  ],
  'credentials are sorted': [
    'every read returns',
    (store) =>
      mapUsers(store, (user) => ({
        ...user,
        credentials: user.credentials.toSorted((a, b) => a.kind.localeCompare(b.kind)),
      })),
  ],
  'credentials are appended': [
    'every read returns',
    (store) => ({
      update: async (id, changes, ...rest) => {
        const old = (await store.findById(id))?.credentials ?? []
        const { credentials } = changes
        const all = credentials && { credentials: [...old, ...credentials] }
        return store.update(id, { ...changes, ...all }, ...rest)
      },
    }),
  ],
  'a list of credentials is the record’s own': ['law 1: changing a result', handOutCredentials],
  'the version is checked before credentials are written': ['law 14: of two updates', checkVersionThenWrite],
  'identities are checked before the write': [
    'law 3: exactly one of 20',
    (store) => ({
      update: async (id, changes, version) => {
        for (const key of changes.identityKeys ?? []) {
          if (await store.findByIdentity?.(key)) throw new DuplicateError('identity')
        }
        await later()
        const changed = await store.update(id, { ...changes, identityKeys: undefined }, version)
        return changed && { ...changed, identityKeys: changes.identityKeys ?? [] }
      },
    }),
  ],
  'the identities of a deleted user stay taken': [
    'law 36: the identities of a deleted user',
    (store) => {
      const gone = new Set<string>()
      return {
        delete: async (id) => {
          for (const key of (await store.findById(id))?.identityKeys ?? []) gone.add(key)
          return store.delete(id)
        },
        create: async (user) => {
          if (user.identityKeys.some((key) => gone.has(key))) throw new DuplicateError('identity')
          return store.create(user)
        },
      }
    },
  ],
  'identities are case-insensitive': [
    'law 36: identities are compared',
    (store) => ({
      findByIdentity: async (key) =>
        (await store.findByIdentity?.(typeof key === 'string' ? key.toLowerCase() : key)) ?? null,
    }),
  ],
  'a taken identity is reported as a username': [
    'law 36: a taken identity',
    (store) => ({ create: (user) => store.create(user).catch(duplicate('username')) }),
  ],
  'create omits the version': [
    'every read returns',
    (store) => ({ create: async (user) => ({ ...(await store.create(user)), version: 0 }) }),
  ],
  'create returns no id': [
    'every read returns',
    (store) => ({ create: async (user) => ({ ...(await store.create(user)), id: '' }) }),
  ],
  'booleans are returned as numbers': [
    'every read returns',
    (store) => mapUsers(store, (user) => ({ ...user, isStaff: Number(user.isStaff) as unknown as boolean })),
  ],
  'arguments are stored by reference': ['law 1: changing an argument', keepReferences],
  'results are the records themselves': ['law 1: changing a result', handOutReferences],
  'ids are numbers that count up from the last user': ['law 2: an id is never', reuseIds],
  'ids are case-insensitive': [
    'law 2: only the canonical form',
    (store) => ({ findById: async (id) => store.findById(typeof id === 'string' ? id.toLowerCase() : id) }),
  ],
  'names are checked before the write': ['simultaneous creations', checkThenWrite],
  'a taken name updates its owner': [
    'law 3:',
    (store) => ({
      create: (user) =>
        store.create(user).catch(async (error) => {
          const holder = await store.findByUsername(user.usernameKey ?? '')
          if (holder === null) throw error
          return holder
        }),
    }),
  ],
  'losers get a foreign error': [
    'law 4: a taken username',
    (store) => ({ create: (user) => store.create(user).catch(foreign) }),
  ],
  'the duplicate is always reported as the name': [
    'law 4: a taken username',
    (store) => ({ create: (user) => store.create(user).catch(duplicate('username')) }),
  ],
  'the duplicate of an update is always reported as the address': [
    'law 4: an update to a taken key',
    (store) => ({ update: (...given) => store.update(...given).catch(duplicate('email')) }),
  ],
  'a rejected creation leaves a user without an address': [
    'law 4: a rejected creation',
    (store) => ({
      create: async (user) => {
        const email = user.email
        const created = await store.create({ ...user, email: null, emailKey: null })
        const { emailKey } = user
        return (await store.update(created.id, { email, emailKey }, 1)) ?? created
      },
    }),
  ],
  'a released name stays taken': ['law 4: a user keeps', neverFreeNames],
  'the display name is the key': [
    'every read returns',
    (store) => mapUsers(store, (user) => ({ ...user, username: user.usernameKey })),
  ],
  'users without an address share one': [
    'law 5: many users',
    (store) => ({
      create: async (user) => {
        const { results } = { results: await store.list({ limit: 1000 }) }
        if (user.emailKey === null && results.some((other) => other.emailKey === null)) {
          throw new DuplicateError('email')
        }
        return store.create(user)
      },
    }),
  ],
  'names are case-insensitive': [
    'law 6:',
    (store) => ({
      findByUsername: async (key) => store.findByUsername(typeof key === 'string' ? key.toLowerCase() : key),
    }),
  ],
  'addresses ignore surrounding white space': [
    'law 6:',
    (store) => ({
      findByEmail: async (key) => store.findByEmail(typeof key === 'string' ? key.trimEnd() || key : key),
    }),
  ],
  'names are matched by LIKE': ['law 7:', matchByLike],
  'a missing user is an error': [
    'law 8:',
    (store) => ({
      findById: async (id) => {
        const user = await store.findById(id)
        if (user === null) throw new Error('not found')
        return user
      },
    }),
  ],
  'keys of any type are looked up': [
    'law 9:',
    (store) => ({ findByUsername: async (key) => store.findByUsername(key).catch(() => null) }),
  ],
  'emoji are replaced': [
    'law 10: emoji',
    (store) =>
      mapUsers(store, (user) => ({
        ...user,
        username: `${user.username}`.replace(/\p{Emoji_Presentation}/gu, '?'),
      })),
  ],
  'text ends at a NUL': [
    'law 10: NUL',
    (store) => ({ create: async (user) => store.create(cutFields(user)) }),
  ],
  'NUL gives a foreign error': [
    'law 10: NUL',
    (store) => ({ create: (user) => store.create(user).catch(foreign) }),
  ],
  'hashes are cut at 255 characters': [
    'every read returns',
    (store) => ({
      create: (user) => store.create({ ...user, passwordHash: user.passwordHash.slice(0, 255) }),
    }),
  ],
  'names are cut at 1000 characters': [
    'law 11: longer values',
    (store) => ({ create: (user) => store.create({ ...user, username: `${user.username}`.slice(0, 1000) }) }),
  ],
  'times lose their milliseconds': [
    'law 12:',
    (store) =>
      mapUsers(store, (user) => ({
        ...user,
        createdAt: new Date(Math.floor(+user.createdAt / 1000) * 1000),
      })),
  ],
  'times are strings': [
    'law 12:',
    (store) =>
      mapUsers(store, (user) => ({ ...user, createdAt: user.createdAt.toISOString() as unknown as Date })),
  ],
  'null in the fields is dropped': [
    'every read returns',
    (store) =>
      mapUsers(store, (user) => ({
        ...user,
        fields: Object.fromEntries(Object.entries(user.fields).filter(([, value]) => value !== null)),
      })),
  ],
  'update ignores the version': [
    'law 13: update at another version',
    (store) => ({ update: async (id, changes) => forceUpdate(store, id, changes) }),
  ],
  'update checks the version before it waits': ['law 14: exactly one of 100', checkVersionThenWrite],
  "update doesn't increment the version": [
    'every read returns',
    (store) => mapUsers(store, (user) => ({ ...user, version: 1 })),
  ],
  'update changes everyone': [
    'every read returns',
    (store) => ({
      update: async (id, changes, version) => {
        const updated = await store.update(id, changes, version)
        const { passwordHash } = updated ?? {}
        const others = (await store.list({ limit: 1000 })).filter((user) => user.id !== id)
        if (passwordHash)
          for (const other of others) await store.update(other.id, { passwordHash }, other.version)
        return updated
      },
    }),
  ],
  'a stale update to a taken name is a duplicate': [
    'law 13: update at another version',
    (store) => ({
      update: async (id, changes, version) => {
        if (changes.usernameKey === 'taken') throw new DuplicateError('username')
        return store.update(id, changes, version)
      },
    }),
  ],
  'update creates a missing user': [
    'law 15: updating a deleted user',
    (store) => ({
      update: async (id, changes, version) => {
        const updated = await store.update(id, changes, version)
        return (
          updated ?? ((await store.findById(id)) ? null : store.create(newUser(changes as Partial<NewUser>)))
        )
      },
    }),
  ],
  "a name changed during its user's deletion leaves the new key": [
    'law 15: a deletion stands',
    (store) => {
      const left = new Set<string>()
      return {
        update: async (id, changes, version) => {
          await later()
          const updated = await store.update(id, changes, version)
          if (updated === null && changes.usernameKey && !(await store.findById(id)))
            left.add(changes.usernameKey)
          return updated
        },
        create: async (user) => {
          if (left.has(user.usernameKey ?? '')) throw new DuplicateError('username')
          return store.create(user)
        },
      }
    },
  ],
  'undefined clears': [
    'every read returns',
    (store) => ({
      update: (id, changes, version) =>
        store.update(
          id,
          'lastLoginAt' in changes ? { ...changes, lastLoginAt: changes.lastLoginAt ?? null } : changes,
          version,
        ),
    }),
  ],
  'null leaves': [
    'every read returns',
    (store) => ({
      update: (id, changes, version) =>
        store.update(
          id,
          Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)),
          version,
        ),
    }),
  ],
  'fields are merged': [
    'every read returns',
    (store) => ({
      update: async (id, changes, version) => {
        const old = await store.findById(id)
        const fields = { ...old?.fields, ...changes.fields }
        return store.update(id, { ...changes, fields }, version)
      },
    }),
  ],
  'delete always returns true': [
    'law 18: delete says',
    (store) => ({ delete: async (id) => (await store.delete(id)) || true }),
  ],
  'delete reads before it deletes': [
    'law 18: exactly one of 20',
    (store) => ({
      delete: async (id) => {
        const found = await store.findById(id)
        await later()
        await store.delete(id)
        return found !== null
      },
    }),
  ],
  'delete ignores the version': [
    'law 18: delete with a version',
    (store) => ({ delete: (id) => store.delete(id) }),
  ],
  'delete checks the version before it deletes': [
    'law 18: of a change and a deletion',
    (store) => ({
      delete: async (id, _messages, _successor, expectedVersion) => {
        const found = await store.findById(id)
        if (found === null || (expectedVersion ?? found.version) !== found.version) return false
        await later()
        return store.delete(id)
      },
    }),
  ],
  'delete leaves the name taken': ['law 4: a user keeps', hideDeleted],
  'writes are acknowledged before they are visible': [
    'law 20:',
    (store) => {
      let stale: StoredUser | null = null
      return {
        findByUsername: async (key) => {
          const fresh = await store.findByUsername(key)
          const response = fresh === null ? null : stale
          stale = fresh
          return response
        },
      }
    },
  ],
  'unclaimed users become services': [
    'every read returns',
    (store) =>
      mapUsers(store, (user) => ({ ...user, kind: user.kind === 'unclaimed' ? 'service' : user.kind })),
  ],
  'roles are sorted': [
    'every read returns',
    (store) => mapUsers(store, (user) => ({ ...user, roles: user.roles.toSorted() })),
  ],
  'roles are joined by commas': [
    'every read returns',
    (store) => mapUsers(store, (user) => ({ ...user, roles: user.roles.join(',').split(',') })),
  ],
  'roles are case-insensitive': [
    'every read returns',
    (store) =>
      mapUsers(store, ({ roles, ...user }) => ({
        ...user,
        roles: roles.filter((role, at) => at === roles.findIndex((one) => lower(one) === lower(role))),
      })),
  ],
  'roles are cut': [
    'every read returns',
    (store) => mapUsers(store, (user) => ({ ...user, roles: user.roles.map((role) => role.slice(0, 100)) })),
  ],
  'no more than 100 roles are kept': [
    'every read returns',
    (store) => mapUsers(store, (user) => ({ ...user, roles: user.roles.slice(0, 100) })),
  ],
  'no invitation becomes one at the beginning of time': [
    'every read returns',
    (store) => mapUsers(store, (user) => ({ ...user, invitedAt: user.invitedAt ?? new Date(0) })),
  ],
  'the time of an invitation loses its milliseconds': [
    'every read returns',
    (store) =>
      mapUsers(store, (user) => ({
        ...user,
        invitedAt: user.invitedAt && new Date(Math.floor(+user.invitedAt / 1000) * 1000),
      })),
  ],
  ...Object.fromEntries(
    (['kind', 'roles', 'invitedAt'] as const).map((field): [string, (typeof sabotages)[string]] => [
      `updates drop ${field}`,
      [
        'every read returns',
        (store) => ({
          update: (id, { [field]: _, ...changes }, ...rest) => store.update(id, changes, ...rest),
        }),
      ],
    ]),
  ),
  'everybody has signed up': [
    'every read returns',
    (store) => mapUsers(store, (user) => ({ ...user, origin: 'self' })),
  ],
  'updates can change the origin': [
    'keeps the origin',
    (store) => {
      const origins = new Map<string, AccountOrigin>()
      const now = <Found extends StoredUser | null>(user: Found): Found =>
        user && { ...user, origin: origins.get(user.id) ?? user.origin }
      return {
        findById: async (id) => now(await store.findById(id)),
        update: async (id, changes: UserChanges & { origin?: AccountOrigin }, ...rest) => {
          const user = await store.update(id, changes, ...rest)
          if (user && changes.origin) origins.set(id, changes.origin)
          return now(user)
        },
      }
    },
  ],
  'roles are appended': [
    'every read returns',
    (store) => ({
      update: async (id, changes, ...rest) => {
        const old = (await store.findById(id))?.roles ?? []
        const { roles } = changes
        return store.update(id, { ...changes, ...(roles && { roles: [...old, ...roles] }) }, ...rest)
      },
    }),
  ],
  'only persons are found by their username': [
    'law 37: a user of any kind',
    (store) => ({
      findByUsername: async (key) => {
        const user = await store.findByUsername(key)
        return user?.kind === 'person' ? user : null
      },
    }),
  ],
  'a list of roles is the record’s own': ['law 1: changing a result', handOutRoles],
  'close does not wait': ['law 29:', (store) => closesBadly(store, { waits: false })],
  'close works only once': ['law 29:', (store) => closesBadly(store, { twice: false })],
  'a closed store still works': ['law 29:', (store) => closesBadly(store, { rejects: false })],
  'closing fails': ['law 29:', () => ({ close: () => Promise.reject(new Error('closing failed')) })],
}

for (const [fault, [law, sabotage]] of Object.entries(sabotages)) {
  test(`detected by ${law}: ${fault}`, async () => {
    const cases = userStoreCases(() => {
      const store = createMemoryUserStore()
      return { ...store, ...sabotage(store) }
    })
    await breaksLaws(cases, law)
  })
}

test('a store that closes correctly passes all', async () => {
  const cases = userStoreCases(() => {
    const store = createMemoryUserStore()
    return closable(store, () => {})
  })
  const lines: string[] = []
  const { passed, failures, skipped } = await runCases(cases, (line) => lines.push(line))
  expect(failures).toEqual([])
  expect(passed + skipped.length).toBe(cases.length)
  expect(lines).toEqual([`${passed} of ${cases.length} laws hold; not checked: createMany, now, fail`])
})

function foreign(error?: unknown): never {
  throw new Error('SQLITE_CONSTRAINT', { cause: error })
}

function duplicate(field: 'username' | 'email') {
  return (error: unknown): never => {
    throw error instanceof DuplicateError ? new DuplicateError(field) : error
  }
}

function mapUsers(
  store: ListingUserStore,
  change: (user: StoredUser) => StoredUser,
): Partial<ListingUserStore> {
  const one = async (found: Promise<StoredUser | null>) => {
    const user = await found
    return user && change(user)
  }
  return {
    findById: (id) => one(store.findById(id)),
    findByUsername: (key) => one(store.findByUsername(key)),
    findByEmail: (key) => one(store.findByEmail(key)),
    list: async (page) => (await store.list(page)).map(change),
  }
}

async function forceUpdate(
  store: ListingUserStore,
  id: string,
  changes: Parameters<ListingUserStore['update']>[1],
) {
  const user = await store.findById(id)
  return user && store.update(id, changes, user.version)
}

function keepReferences(store: ListingUserStore): Partial<ListingUserStore> {
  const given = new Map<string, NewUser>()
  return {
    create: async (user) => {
      const created = await store.create(user)
      given.set(created.id, user)
      return created
    },
    findById: async (id) => {
      const user = await store.findById(id)
      return user && { ...user, fields: given.get(id)?.fields ?? user.fields }
    },
  }
}

function handOutReferences(store: ListingUserStore): Partial<ListingUserStore> {
  const handedOut = new Map<string, StoredUser>()
  return {
    findById: async (id) => {
      const user = handedOut.get(id) ?? (await store.findById(id))
      if (user) handedOut.set(id, user)
      return user
    },
  }
}

function handOutRoles(store: ListingUserStore): Partial<ListingUserStore> {
  const handedOut = new Map<string, readonly string[]>()
  return {
    async findById(id) {
      const user = await store.findById(id)
      if (user === null) return null
      const roles = handedOut.get(id) ?? user.roles
      handedOut.set(id, roles)
      return { ...user, roles }
    },
  }
}

function handOutCredentials(store: ListingUserStore): Partial<ListingUserStore> {
  const handedOut = new Map<string, StoredUser['credentials']>()
  return {
    async findById(id) {
      const user = await store.findById(id)
      if (user === null) return null
      const credentials = handedOut.get(id) ?? user.credentials
      handedOut.set(id, credentials)
      return { ...user, credentials }
    },
  }
}

function lower(text: string): string {
  return text.toLowerCase()
}

function reuseIds(store: ListingUserStore): Partial<ListingUserStore> {
  const inner = new Map<string, string>()
  return {
    create: async (user) => {
      const created = await store.create(user)
      const id = `${inner.size + 1}`
      inner.set(id, created.id)
      return { ...created, id }
    },
    delete: async (id) => {
      const innerId = inner.get(id)
      inner.delete(id)
      return innerId ? store.delete(innerId) : store.delete(id)
    },
  }
}

function checkThenWrite(): Partial<ListingUserStore> {
  const users: StoredUser[] = []
  return {
    create: async (user) => {
      if (users.some((other) => other.usernameKey === user.usernameKey)) throw new DuplicateError('username')
      await later()
      const created = { ...user, id: `${users.length}`, version: 1 }
      users.push(created)
      return created
    },
    list: async () => users,
  }
}

function checkVersionThenWrite(store: ListingUserStore): Partial<ListingUserStore> {
  return {
    update: async (id, changes, version) => {
      if ((await store.findById(id))?.version !== version) return null
      await later()
      return forceUpdate(store, id, changes)
    },
  }
}

function neverFreeNames(store: ListingUserStore): Partial<ListingUserStore> {
  const taken = new Set<string>()
  return {
    create: async (user) => {
      if (taken.has(`${user.usernameKey}`)) throw new DuplicateError('username')
      taken.add(`${user.usernameKey}`)
      return store.create(user)
    },
  }
}

function hideDeleted(store: ListingUserStore): Partial<ListingUserStore> {
  const deleted = new Set<string>()
  const shown = (user: StoredUser | null) => (user && deleted.has(user.id) ? null : user)
  return {
    delete: async (id) => {
      if (shown(await store.findById(id)) === null) return false
      deleted.add(id)
      return true
    },
    findById: async (id) => shown(await store.findById(id)),
    findByUsername: async (key) => shown(await store.findByUsername(key)),
    findByEmail: async (key) => shown(await store.findByEmail(key)),
    list: async (page) => (await store.list(page)).filter(shown),
  }
}

function matchByLike(store: ListingUserStore): Partial<ListingUserStore> {
  return {
    findByUsername: async (key) => {
      const exact = await store.findByUsername(key)
      const [first] = await store.list({ limit: 1 })
      return exact ?? (key === '%' && first ? first : null)
    },
  }
}

function cutFields(user: NewUser): NewUser {
  const { text } = user.fields
  return typeof text === 'string'
    ? { ...user, fields: { ...user.fields, text: `${text.split('\0')[0]}` } }
    : user
}

test('an argument rejected with a store’s own kind of error breaks a law', async () => {
  const cases = userStoreCases(() => {
    const store = createMemoryUserStore()
    return {
      ...store,
      delete: async (id: string) => (id ? store.delete(id) : Promise.reject(new TypeError('no id'))),
    }
  })
  const failures = await breaksLaws(cases, 'law 9:')
  expect(failures).toContainEqual(
    'delete(undefined) threw TypeError: no id instead of throwing InvalidArgumentError',
  )
})
