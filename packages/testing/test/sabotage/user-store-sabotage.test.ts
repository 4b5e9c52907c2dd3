import { times } from '@fastify-accounts/test-support/depth'
import { closesBadly, later } from '@fastify-accounts/test-support/sabotage'
import {
  type AccountOrigin,
  closable,
  createMemoryUserStore,
  DuplicateError,
  type ImportOutcome,
  type NewUser,
  type StoredUser,
  type UserChanges,
  type UserStore,
} from 'fastify-accounts'
import { expect, test } from 'vitest'
import { newUser, runCases, userStoreCases } from '../../src/index.js'
import { failing } from './failing.js'
import {
  aborts,
  detects,
  each,
  fails,
  forEach,
  foreign,
  given,
  goesOn,
  hides,
  type Mistake,
  type Mistakes,
  type Mutations,
  ofText,
  overdue,
  rarely,
  remembers,
  result,
  second,
  whenever,
  without,
} from './mutations.js'
import { createStoreInSteps, type StepFault } from './store-in-steps.js'
import { createStoreWithImport, type StoreWithImport as Store } from './store-with-import.js'

const broken = (mutate: (store: Store) => Store) => userStoreCases(() => mutate(createStoreWithImport()))
const writes = ['create', 'createMany', 'update', 'delete'] as const
const runs = times({ quick: 3, full: 20 })
const lowercase = ofText((text) => text.toLowerCase())
/** A duplicate, but of this key. */
const duplicate = (field: 'username' | 'email') => (error: unknown) =>
  error instanceof DuplicateError ? new DuplicateError(field) : error
/** What the loser of a race gets if both win. */
const lost = (user: object | null) => ({ ...user, id: 'lost', version: 2 }) as StoredUser
/** If the user is rejected as a duplicate, one in twenty of these keys is taken all the same. */
const twoWinners =
  <Call extends Store['create'] | Store['update']>(
    keyOf: (user: Partial<NewUser>) => string | null | undefined,
  ) =>
  (call: Call, _: Store, isRare = rarely()): Call =>
    ((...all: Parameters<Call>) =>
      (call as (...all: unknown[]) => Promise<unknown>)(...all).catch((error) => {
        const user = all.find((one) => typeof one === 'object') as Partial<NewUser>
        if (error instanceof DuplicateError && isRare(keyOf(user))) return lost(user)
        throw error
      })) as unknown as Call
/** Every lookup and list shows users so. */
const shown =
  (change: (user: StoredUser) => StoredUser): Mistakes<Store> =>
  (store) => {
    const one = result<Store['findById']>((user) => user && change(user))
    return {
      findById: one(store.findById),
      findByUsername: one(store.findByUsername),
      findByEmail: one(store.findByEmail),
      list: async (page) => (await store.list(page)).map(change),
    }
  }
const wholeSeconds = (time: Date) => new Date(Math.floor(Number(time) / 1000) * 1000)
/** The user has a list that the record has as well. */
const handsOut =
  (name: 'roles' | 'credentials' | 'notes'): Mistake<Store, 'findById'> =>
  (call, _, known = new Map<string, StoredUser>()) =>
    result<Store['findById']>((user, id) => {
      if (user === null) return null
      const record = known.get(id) ?? user
      known.set(id, record)
      return { ...user, [name]: record[name] }
    })(call)

/** Writes over whatever version is there. */
const overwrites = async (store: Store, id: string, changes: UserChanges) => {
  const user = await store.findById(id)
  return user && store.update(id, changes, user.version)
}
const looksThenWrites: Mistake<Store, 'update'> = (_, store) => async (id, changes, version) => {
  if ((await store.findById(id))?.version !== version) return null
  await later()
  return overwrites(store, id, changes)
}

const mutations: Mutations<Store> = {
  'every read returns': {
    create: {
      'the version is 0': result((user) => ({ ...user, version: 0 })),
      'there is no id': result((user) => ({ ...user, id: '' })),
    },
    update: {
      ...forEach(['credentials', 'factors', 'notes', 'kind', 'roles'], (name) =>
        second<Store['update']>((changes) => without(changes, name)),
      ),
      ...forEach(
        ['credentials', 'roles', 'fields', 'notes'],
        (name: 'credentials' | 'roles' | 'fields' | 'notes'): Mistake<Store, 'update'> =>
          (call, store) =>
          async (id, changes, ...rest) => {
            const [old, now]: unknown[] = [(await store.findById(id))?.[name], changes[name]]
            const both = Array.isArray(old)
              ? [...old, ...((now ?? []) as [])]
              : { ...Object(old), ...Object(now) }
            return call(id, now ? { ...changes, [name]: both } : changes, ...rest)
          },
      ),
      'no notes are no change': second((changes) =>
        Object.keys(changes.notes ?? {}).length === 0 ? without(changes, 'notes') : changes,
      ),
      'notes that are absent are cleared': second((changes) => ({ notes: {}, ...changes })),
      'undefined clears': second((changes) =>
        'lastLoginAt' in changes ? { ...changes, lastLoginAt: changes.lastLoginAt ?? null } : changes,
      ),
      'null leaves': second((changes) =>
        Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== null)),
      ),
      'everyone is changed': (call, store) => async (id, changes, version) => {
        const updated = await call(id, changes, version)
        const { passwordHash } = updated ?? {}
        for (const other of passwordHash ? await store.list({ limit: 1000 }) : [])
          if (other.id !== id) await call(other.id, { passwordHash }, other.version)
        return updated
      },
    },
    several: { 'the version stays': shown((user) => ({ ...user, version: 1 })) },
  },
  'keeps the origin': {
    several: {
      'updates can change it': (store) => {
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
    },
  },
  'law 1: changing an argument': {
    several: {
      'they are stored by reference': (store) => {
        const known = new Map<string, NewUser>()
        return {
          create: result<Store['create']>((created, user) => {
            known.set(created.id, user)
            return created
          })(store.create),
          findById: result<Store['findById']>(
            (user, id) => user && { ...user, fields: known.get(id)?.fields ?? user.fields },
          )(store.findById),
        }
      },
    },
  },
  'law 1: changing a result': {
    findById: {
      'it is the record itself': remembers,
      'its roles are the record’s': handsOut('roles'),
      'its credentials are the record’s': handsOut('credentials'),
      'its notes are the record’s': handsOut('notes'),
    },
  },
  'law 2: an id is never': {
    several: {
      'they count up from the last user': (store) => {
        const inner = new Map<string, string>()
        return {
          create: async (user) => {
            const created = await store.create(user)
            inner.set(`${inner.size + 1}`, created.id)
            return { ...created, id: `${inner.size}` }
          },
          delete: async (id) => {
            const beneath = inner.get(id) ?? id
            inner.delete(id)
            return store.delete(beneath)
          },
        }
      },
    },
  },
  'law 2: only the canonical form': { findById: { 'in any case': given((key) => lowercase(key)) } },
  'simultaneous creations': {
    several: {
      'names are checked before the write': () => {
        const users: StoredUser[] = []
        return {
          create: async (user) => {
            if (users.some((other) => other.usernameKey === user.usernameKey))
              throw new DuplicateError('username')
            await later()
            const created = { ...user, id: `${users.length}`, version: 1 }
            users.push(created)
            return created
          },
          list: async () => users,
        }
      },
    },
  },
  'simultaneous creations of a username': {
    create: { 'one in twenty has two winners': twoWinners(({ usernameKey }) => usernameKey) },
  },
  'simultaneous creations of an email': {
    create: { 'one in twenty has two winners': twoWinners(({ emailKey }) => emailKey) },
  },
  'law 3:': {
    create: {
      'a taken name updates its owner': (call, store) => (user) =>
        call(user).catch(async (error) => {
          const holder = await store.findByUsername(user.usernameKey ?? '')
          return holder ?? Promise.reject(error)
        }),
    },
  },
  'law 3: exactly one of 20': {
    update: {
      'identities are checked before the write': (call, store) => async (id, changes, version) => {
        for (const key of changes.identityKeys ?? [])
          if (await store.findByIdentity(key)) throw new DuplicateError('identity')
        await later()
        const changed = await call(id, { ...changes, identityKeys: undefined }, version)
        return changed && { ...changed, identityKeys: changes.identityKeys ?? [] }
      },
      'one name in twenty has two winners': twoWinners(({ usernameKey }) => usernameKey),
      'one identity in twenty has two winners': twoWinners(({ identityKeys }) => identityKeys?.[0]),
    },
  },
  'law 4: a taken username': {
    create: { 'the error is another': fails(foreign), 'it is always the name': fails(duplicate('username')) },
  },
  'law 36: a taken identity': { create: { 'it is always the name': fails(duplicate('username')) } },
  'law 4: an update to a taken key': { update: { 'it is always the address': fails(duplicate('email')) } },
  'law 4: a rejected creation': {
    create: {
      'it leaves a user without an address': (call, store) => async (user) => {
        const { email, emailKey } = user
        const created = await call({ ...user, email: null, emailKey: null })
        return (await store.update(created.id, { email, emailKey }, 1)) ?? created
      },
    },
  },
  'law 4: a user keeps': {
    create: {
      'a released name stays taken': (call) => {
        const taken = new Set<string>()
        return async (user) => {
          if (taken.has(`${user.usernameKey}`)) throw new DuplicateError('username')
          taken.add(`${user.usernameKey}`)
          return call(user)
        }
      },
    },
    several: {
      'a deletion leaves the name taken': (store) => {
        const deleted = new Set<string>()
        const there = (user: StoredUser | null) => (user && deleted.has(user.id) ? null : user)
        return {
          delete: async (id) => {
            const isThere = there(await store.findById(id)) !== null
            deleted.add(id)
            return isThere
          },
          findById: async (id) => there(await store.findById(id)),
          findByUsername: async (key) => there(await store.findByUsername(key)),
          findByEmail: async (key) => there(await store.findByEmail(key)),
          list: async (page) => (await store.list(page)).filter(there),
        }
      },
    },
  },
  'law 5: many users': {
    create: {
      'one has no address': (call, store) => async (user) => {
        const isTaken = (await store.list({ limit: 1000 })).some((other) => other.emailKey === null)
        if (user.emailKey === null && isTaken) throw new DuplicateError('email')
        return call(user)
      },
    },
  },
  'law 6:': {
    findByUsername: { 'in any case': given((key) => lowercase(key)) },
    findByEmail: { 'ignores white space': given(ofText((text) => text.trimEnd() || text)) },
  },
  'law 7:': {
    findByUsername: {
      'is LIKE': (call, store) => async (key) =>
        (await call(key)) ?? (key === '%' ? ((await store.list({ limit: 1 }))[0] ?? null) : null),
    },
  },
  'law 8:': { findById: { 'nobody is an error': result((user) => user ?? Promise.reject(foreign())) } },
  'law 9:': {
    findByUsername: { 'keys may be of any type': hides(null) },
    delete: { 'the error is of its own kind': fails(() => new TypeError('no id')) },
  },
  'law 10: emoji': {
    several: {
      'they are replaced': shown((user) => ({
        ...user,
        username: `${user.username}`.replace(/\p{Emoji_Presentation}/gu, '?'),
      })),
    },
  },
  'law 10: NUL': {
    create: {
      'it ends texts': given((user) => {
        const { text } = user.fields
        return typeof text === 'string'
          ? { ...user, fields: { ...user.fields, text: `${text.split('\0')[0]}` } }
          : user
      }),
      'the error is another': fails(foreign),
    },
  },
  'law 11: longer values': {
    create: {
      'names are cut': given((user) => ({ ...user, username: `${user.username}`.slice(0, 1000) })),
    },
  },
  'law 12:': {
    several: {
      'milliseconds are lost': shown((user) => ({ ...user, createdAt: wholeSeconds(user.createdAt) })),
      'they are texts': shown((user) => ({ ...user, createdAt: user.createdAt.toISOString() as never })),
    },
  },
  'law 13: update at another version': {
    update: {
      'the version is ignored': (_, store) => (id, changes) => overwrites(store, id, changes),
      'a taken name is a duplicate': (call) => async (id, changes, version) => {
        if (changes.usernameKey === 'taken') throw new DuplicateError('username')
        return call(id, changes, version)
      },
    },
  },
  'law 14: exactly one of 100': {
    update: {
      'the version is checked before the write': looksThenWrites,
      'one version in twenty has two winners': (call, store) => async (id, changes, version) =>
        (await call(id, changes, version)) ?? (version % 20 === 0 ? lost(await store.findById(id)) : null),
    },
  },
  'law 14: of two updates': {
    update: {
      'the version is checked before the write': looksThenWrites,
      'one code in twenty is used twice': (call, _, isRare = rarely()) =>
        result<Store['update']>((user, id, changes) => user ?? (isRare(id) ? lost(changes) : null))(call),
    },
  },
  'law 15: updating a deleted user': {
    update: {
      'it is created': (call, store) => async (id, changes, version) =>
        (await call(id, changes, version)) ??
        ((await store.findById(id)) ? null : store.create(newUser(changes as Partial<NewUser>))),
    },
  },
  'law 15: a deletion stands': {
    update: {
      'one in twenty leaves its new name':
        (call, store, isRare = rarely()) =>
        async (id, changes, version) => {
          await null
          const { usernameKey } = changes
          const updated = await call(id, changes, version)
          if (!updated && usernameKey && !(await store.findById(id)) && isRare(usernameKey))
            await store.create(newUser({ usernameKey })).catch(() => {})
          return updated
        },
    },
    several: {
      'a name changed meanwhile is left': (store) => {
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
    },
  },
  'law 18: delete says': { delete: { 'always yes': result((isDeleted) => isDeleted || true) } },
  'law 18: exactly one of 20': {
    delete: {
      'it looks before it deletes': (call, store) => async (id) => {
        const found = await store.findById(id)
        await later()
        await call(id)
        return found !== null
      },
      'one in twenty has two winners':
        (call, _, isRare = rarely()) =>
        async (...all) =>
          (await call(...all)) || isRare(all[0]),
    },
  },
  'law 18: delete with a version': { delete: { 'it is ignored': (call) => (id) => call(id) } },
  'law 18: of a change and a deletion': {
    delete: {
      'the version is checked before': (call, store) => async (id, _messages, _successor, version) => {
        const found = await store.findById(id)
        if (found === null || (version ?? found.version) !== found.version) return false
        await later()
        return call(id)
      },
    },
  },
  'law 20:': {
    findByUsername: {
      'writes are seen late': (call) => {
        let stale: StoredUser | null = null
        return result<Store['findById']>((fresh) => {
          const before = stale
          stale = fresh
          return fresh && before
        })(call)
      },
    },
  },
  'law 29:': {
    several: {
      'close does not wait': (store) => closesBadly(store, { waits: false }),
      'close works only once': (store) => closesBadly(store, { twice: false }),
      'a closed store still works': (store) => closesBadly(store, { rejects: false }),
      'closing fails': () => ({ close: () => Promise.reject(new Error('closing failed')) }),
    },
  },
  'law 36: the identities of a deleted user': {
    several: {
      'they stay taken': (store) => {
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
    },
  },
  'law 36: identities are compared': { findByIdentity: { 'in any case': given((key) => lowercase(key)) } },
  'law 37: a user of any kind': {
    findByUsername: { 'only persons are found': result((user) => (user?.kind === 'person' ? user : null)) },
  },
  'law 27: a call after its deadline': {
    ...forEach(writes, () => ({ 'is made': whenever })),
    several: { 'the error is another': each(writes, aborts) },
  },
  'keeps users unchanged': {
    createMany: {
      'given ids are ignored': given((users) => users.map(({ id: _, ...user }) => user)),
      'the results are in another order': result((outcomes) => outcomes.toReversed()),
      'only the first is stored': (call) => async (users) => {
        const [first] = await call(users.slice(0, 1))
        return users.map(() => first ?? { id: 'none' })
      },
      ...Object.fromEntries(
        Object.entries({ sessionEpoch: 0, kind: 'person', origin: 'self', roles: [] }).map(
          ([name, value]): [string, Mistake<Store, 'createMany'>] => [
            `${name} becomes ${JSON.stringify(value)}`,
            given((users) => users.map((user) => ({ ...user, [name]: value }))),
          ],
        ),
      ),
      'none is an error': (call) => async (users) =>
        users.length > 0 ? call(users) : Promise.reject(new Error('none')),
    },
    several: {
      'arguments are stored by reference': (store) => {
        const known = new Map<string, NewUser>()
        return {
          createMany: async (users) => {
            const outcomes = await store.createMany(users)
            for (const [at, outcome] of outcomes.entries())
              if ('id' in outcome && users[at]) known.set(outcome.id, users[at])
            return outcomes
          },
          findById: result<Store['findById']>(
            (user, id) => user && { ...user, fields: known.get(id)?.fields ?? user.fields },
          )(store.findById),
        }
      },
    },
  },
  'keeps 500 users': {
    createMany: {
      'it ends after a hundred': (call) => async (users) => {
        const outcomes = await call(users.slice(0, 100))
        return users.map((_, index) => outcomes[index] ?? { id: `${index}` })
      },
      'outcomes are sorted as text': result((outcomes) =>
        Object.keys(outcomes)
          .toSorted()
          .map((index) => outcomes[Number(index)] ?? { id: index }),
      ),
    },
  },
  'skips users': {
    createMany: {
      'one duplicate fails all': result((outcomes) =>
        outcomes.some((each) => 'taken' in each) ? Promise.reject(new DuplicateError('username')) : outcomes,
      ),
      'it is always the name': result((outcomes) =>
        outcomes.map((each) => ('taken' in each ? { ...each, taken: 'username' as const } : each)),
      ),
      'the holder is the rejected user': result((outcomes, users) =>
        outcomes.map((each, at) =>
          'taken' in each ? { ...each, holder: { ...users[at], id: '', version: 1 } as StoredUser } : each,
        ),
      ),
      'existing users are replaced': (call, store) => async (users) => {
        for (const { usernameKey } of users) {
          const there = usernameKey && (await store.findByUsername(usernameKey))
          if (there) await store.delete(there.id)
        }
        return call(users)
      },
    },
  },
  'keeps nobody': {
    createMany: {
      'users before the invalid one are stored': (call) => async (users) => {
        const outcomes: ImportOutcome[] = []
        for (const user of users) outcomes.push(...(await call([user])))
        return outcomes
      },
      'the invalid one is skipped': given((users) => users.filter(({ id }) => id !== '')),
    },
  },
  'simultaneous imports': {
    createMany: {
      // Two imports both find the usernames free; the later one fails.
      'it looks before it writes': (call, store) => async (users) => {
        const there = await Promise.all(
          users.map(({ usernameKey }) => usernameKey && store.findByUsername(usernameKey)),
        )
        await later()
        const outcomes = await call(users)
        if (outcomes.some((each, at) => 'taken' in each && each.taken === 'username' && !there[at]))
          throw new DuplicateError('username')
        return outcomes
      },
    },
  },
}
detects(broken, mutations)

detects<Store>(
  broken,
  {
    'law 27: a call whose': {
      ...forEach(writes, () => ({ 'rejects at its deadline, but goes on': goesOn })),
      several: { 'calls reject after they have written': each(writes, overdue) },
    },
  },
  { runs },
)

/** What a store may make of an outage, and what the law says of it. */
detects<Store>(
  (mutate) => {
    const { fail, over } = failing()
    return userStoreCases(() => mutate(over(createStoreWithImport())), { fail })
  },
  {
    'null instead of': { findByEmail: { 'nobody is found': hides(null) } },
    'undefined instead of': { list: { 'the list is empty': hides([]) } },
    'a change returned null': { update: { 'the version differs': hides(null) } },
    'a change returned false': { delete: { 'nobody is found': hides(false) } },
    'threw DuplicateError': {
      create: { 'the username is taken': fails(() => new DuplicateError('username')) },
    },
    'an error with values': {
      create: { 'the error has the hash': fails((_, { passwordHash }) => new Error(`'${passwordHash}'`)) },
    },
  },
  { law: 'law 26:' },
)

const steps: Record<StepFault, string> = {
  'a rename writes over whatever is there': 'law 15: a deletion stands, whatever update has begun',
  'identities are written over whatever version is there': 'law 14: of two updates',
  'an update checks identities, then inserts them': 'law 3: of two who take an identity',
  'a creation checks identities, then inserts them': 'law 3: of two who take an identity',
}
for (const [fault, law] of Object.entries(steps))
  detects<UserStore>(
    () => userStoreCases(() => createStoreInSteps(fault as StepFault)),
    { [law]: { several: { [`in steps, ${fault}`]: () => ({}) } } },
    { runs },
  )

test.each([
  ['imports', createStoreWithImport],
  ['works in steps', createStoreInSteps],
])('a store that %s correctly passes all', async (_, create) => {
  expect((await runCases(userStoreCases(create), () => undefined)).failures).toEqual([])
})

test('a store that closes correctly passes all', async () => {
  const cases = userStoreCases(() => closable(createMemoryUserStore(), () => {}))
  const lines: string[] = []
  const { passed, failures, skipped } = await runCases(cases, (line) => lines.push(line))
  expect(failures).toEqual([])
  expect(passed + skipped.length).toBe(cases.length)
  expect(lines).toEqual([`${passed} of ${cases.length} laws hold; not checked: createMany, now, fail`])
})

detects<Store>(
  broken,
  {
    'delete(undefined) threw TypeError: no id instead of throwing InvalidArgumentError': {
      delete: {
        'an error of its own':
          (call) =>
          (id, ...rest) =>
            id ? call(id, ...rest) : Promise.reject(new TypeError('no id')),
      },
    },
  },
  { law: 'law 9:' },
)

/** One of two handles on the same data doesn't know what the other one does. */
const twoHandles = (other: (store: Store) => Partial<Store>) => () =>
  userStoreCases(() => {
    const store = createStoreWithImport()
    return [store, { ...store, ...other(store) }]
  })
detects<Store>(
  twoHandles((store) => {
    const find = remembers(store.findByEmail)
    return { findByEmail: async (key) => structuredClone(await find(key)) }
  }),
  { 'law 20:': { several: { 'one of two handles remembers': () => ({}) } } },
)
detects<Store>(
  () =>
    userStoreCases(() => {
      const store = createStoreWithImport()
      const handle = (): Store => {
        const own = new Set<string | null>()
        return {
          ...store,
          create: (user) =>
            store.create(user).catch((error) => {
              if (own.has(user.usernameKey) || !user.usernameKey?.startsWith('a-')) throw error
              own.add(user.usernameKey)
              return lost(user)
            }),
        }
      }
      return [handle(), handle()]
    }),
  {
    'simultaneous creations of a username': {
      several: { 'each of two handles serializes its own': () => ({}) },
    },
  },
)
