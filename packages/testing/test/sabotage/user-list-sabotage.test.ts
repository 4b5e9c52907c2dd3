import { breaksLaws } from '@fastify-accounts/test-support/sabotage'
import {
  createMemoryUserStore,
  type ListingUserStore,
  type StoredUser,
  type UserKind,
  type UserListQuery,
  type UserPosition,
  type UserSearch,
} from 'fastify-accounts'
import { test } from 'vitest'
import { userStoreCases } from '../../src/index.js'

type Fault = (store: ListingUserStore) => Partial<ListingUserStore>

/** Memory stores with one fault each in their list, and the law that must detect it. */
const sabotages: Record<string, [law: string, fault: Fault]> = {
  'a prefix matches anywhere': ['law 24:', misread((key, prefix) => key.includes(prefix))],
  'a prefix matches only the whole key': ['law 24:', misread((key, prefix) => key === prefix)],
  'a prefix has wildcards': [
    'law 24:',
    misread(
      (key, prefix) =>
        key.startsWith(prefix) || (/[%_]$/.test(prefix) && key.startsWith(prefix.slice(0, -1))),
    ),
  ],
  'a prefix is case-insensitive': ['law 24:', misread((key, prefix) => key.startsWith(prefix.toLowerCase()))],
  'a prefix is ignored': ['law 24:', misread(() => true)],
  'addresses are not searched': [
    'law 24:',
    (store) => ({
      list: ({ prefix, ...page }) =>
        prefix?.emailKey === undefined ? store.list({ ...page, prefix }) : Promise.resolve([]),
    }),
  ],
  'a prefix has the order of creation': ['law 24:', misread((key, prefix) => key.startsWith(prefix), false)],
  'the list has no order': [
    'law 21: the list is in one order',
    (store) => ({ list: async (page) => (await store.list(page)).reverse() }),
  ],
  'the list ignores the limit': [
    'law 21: the list is in one order',
    (store) => ({ list: ({ after }) => store.list({ limit: 1000, after }) }),
  ],
  'a page ends after a hundred': [
    'law 21: a page has exactly its limit',
    (store) => ({ list: (page) => store.list({ ...page, limit: Math.min(page.limit, 100) }) }),
  ],
  'a page is filtered after it was cut': [
    'law 21: a page has exactly its limit',
    (store) => ({
      async list({ where, ...page }) {
        const found: StoredUser[] = []
        // The next page, if all of this one are filtered out.
        for (let after = page.after; ; ) {
          const cut = (await store.list({ ...page, ...(after && { after }) })) as StoredUser[]
          const isWanted = await store.list({ ...page, limit: 1000, ...(where && { where }) })
          found.push(...cut.filter(({ id }) => isWanted.some((user) => user.id === id)))
          after = cut.at(-1)
          if (found.length > 0 || cut.length === 0) return found
        }
      },
    }),
  ],
  'the list omits a row': [
    'law 21: pages of one',
    (store) => ({ list: async (page) => (await store.list(page)).filter((_, index) => index !== 6) }),
  ],
  'a page continues after the time alone': [
    'law 21: pages of one',
    (store) => ({
      list: async ({ limit, after }) => {
        const users = await store.list({ limit: 1000 })
        return users.filter((user) => !after || user.createdAt > after.createdAt).slice(0, limit)
      },
    }),
  ],
  'a page repeats the last user of the previous one': [
    'law 21: the list is in one order',
    (store) => ({
      list: async ({ limit, after }) => {
        const users = await store.list({ limit: 1000 })
        const start = users.findIndex((user) => user.id === after?.id)
        return users.slice(Math.max(start, 0), Math.max(start, 0) + limit)
      },
    }),
  ],
  'a cursor must be an existing user': [
    'law 22: a position stays valid',
    (store) => ({
      list: async ({ limit, after }) => {
        const users = await store.list({ limit: 1000 })
        return users.slice(users.findIndex((user) => user.id === after?.id) + 1).slice(0, limit)
      },
    }),
  ],
  'pages use an offset': ['law 22: under inserts, deletions and changes', pagesByOffset],
  'every order is the default': [
    'law 21: an order is by',
    (store) => ({ list: ({ order: _, ...page }) => store.list(page) }),
  ],
  'no order is descending': [
    'law 21: an order is by',
    (store) => ({
      list: ({ order, ...page }) => store.list({ ...page, ...(order && { order: { by: order.by } }) }),
    }),
  ],
  'flags are ignored': ['law 25:', (store) => ({ list: ({ where: _, ...page }) => store.list(page) })],
  'a flag of false is ignored': [
    'law 25:',
    (store) => ({
      list: ({ where = {}, ...page }) =>
        store.list({
          ...page,
          where: Object.fromEntries(Object.entries(where).filter(([, value]) => value === true)),
        }),
    }),
  ],
  'flags are applied after the page was read': [
    'law 25:',
    (store) => ({
      list: async ({ where = {}, ...page }) => {
        const found = await store.list(page)
        return found.filter((user) => where.isStaff === undefined || user.isStaff === where.isStaff)
      },
    }),
  ],
  'an invalid cursor throws a foreign error': [
    'law 21: a made-up position',
    (store) => ({ list: async (page) => (page.after?.id === '%' ? foreign() : store.list(page)) }),
  ],
  'an empty list is null': [
    'law 23:',
    (store) => ({
      list: async (page) => {
        const users = await store.list(page)
        return users.length > 0 ? users : (null as unknown as StoredUser[])
      },
    }),
  ],
  'the flag of an invitation is ignored': [
    'law 25:',
    lists(({ where: { isInvited: _, ...where } = {}, ...query }) => ({ ...query, where })),
  ],
  'the flag of an invitation is reversed': [
    'law 25:',
    lists(({ where: { isInvited, ...where } = {}, ...query }) => ({
      ...query,
      where: { ...where, ...(isInvited !== undefined && { isInvited: !isInvited }) },
    })),
  ],
  'the kind is ignored': [
    'law 38: every store',
    lists(({ where: { kind: _, ...where } = {}, ...query }) => ({ ...query, where })),
  ],
  'without a kind only persons are listed': [
    'law 38: every store',
    lists((query) => ({ ...query, where: { kind: 'person', ...query.where } })),
  ],
  'the kind is applied after the page was read': [
    'law 38: every store',
    (store) => ({
      list: async ({ where: { kind, ...where } = {}, ...query }) =>
        (await store.list({ ...query, where })).filter((user) => kind === undefined || user.kind === kind),
    }),
  ],
  'a position must be of the kind that is listed': [
    'law 38: every store',
    (store) => ({
      list: async ({ after, limit, ...query }) => {
        const users = await store.list({ ...query, limit: 1000 })
        const start = users.findIndex((user) => user.id === after?.id)
        return users.slice(start + 1, start + 1 + limit)
      },
    }),
  ],
  'a user is listed under the kind of their creation': ['law 38: every store', listsOldKinds],
  'use is ignored': [
    'law 38: every store lists the users who',
    lists(({ where: { isUsed: _, ...where } = {}, ...query }) => ({ ...query, where })),
  ],
  'use of false is ignored': [
    'law 38: every store lists the users who',
    lists(({ where: { isUsed, ...where } = {}, ...query }) => ({
      ...query,
      where: { ...where, ...(isUsed && { isUsed }) },
    })),
  ],
  'only a verified address is use': [
    'law 38: every store lists the users who',
    lists(({ where: { isUsed: isVerified, ...where } = {}, ...query }) => ({
      ...query,
      where: { ...where, ...(isVerified !== undefined && { isVerified }) },
    })),
  ],
  'only a login is use': [
    'law 38: every store lists the users who',
    listsUsed(({ lastLoginAt }) => lastLoginAt !== null),
  ],
  'use takes a verified address and a login': [
    'law 38: every store lists the users who',
    listsUsed(({ isVerified, lastLoginAt }) => isVerified && lastLoginAt !== null),
  ],
  'use is applied after the page was read': [
    'law 38: every store lists the users who',
    (store) => ({
      list: async ({ where: { isUsed, ...where } = {}, ...query }) =>
        (await store.list({ ...query, where })).filter(
          ({ isVerified, lastLoginAt }) =>
            isUsed === undefined || isUsed === (isVerified || lastLoginAt !== null),
        ),
    }),
  ],
  'the kind replaces use': [
    'law 38: whatever',
    lists(({ where: { isUsed, ...where } = {}, ...query }) => ({
      ...query,
      where: where.kind ? where : { ...where, isUsed },
    })),
  ],
  'use replaces flags': [
    'law 38: whatever',
    lists(({ where: { kind, isUsed, ...flags } = {}, ...query }) => ({
      ...query,
      where: isUsed === undefined ? { kind, ...flags } : { kind, isUsed },
    })),
  ],
  'a prefix replaces use': [
    'law 38: whatever',
    lists((query) => (query.prefix ? { ...query, where: { ...query.where, isUsed: undefined } } : query)),
  ],
  'an order replaces use': [
    'law 38: whatever',
    lists((query) => (query.order ? { ...query, where: { ...query.where, isUsed: undefined } } : query)),
  ],
  'flags replace the kind': [
    'law 38: whatever',
    lists(({ where: { kind, ...where } = {}, ...query }) => ({
      ...query,
      where: Object.keys(where).length === 0 && kind ? { kind } : where,
    })),
  ],
  'a prefix replaces the kind': [
    'law 38: whatever',
    lists((query) => (query.prefix ? { ...query, where: { ...query.where, kind: undefined } } : query)),
  ],
  'search replaces the other filters': [
    'law 38: whatever',
    lists((query) => (query.search ? { ...query, where: {}, prefix: undefined } : query)),
  ],
  'an order replaces the kind': [
    'law 38: whatever',
    lists((query) => (query.order ? { ...query, where: { ...query.where, kind: undefined } } : query)),
  ],
  'search is ignored': ['law 39: search finds', lists(({ search: _, ...query }) => query)],
  'search finds whole texts': [
    'law 39: search finds',
    searchTexts((value, text) => lower(value) === lower(text)),
  ],
  'search finds the beginnings of texts': [
    'law 39: search finds',
    searchTexts((value, text) => lower(value).startsWith(lower(text))),
  ],
  'search is LIKE': ['law 39: search finds', searchTexts(isLike)],
  'search has stars': [
    'law 39: search finds',
    searchTexts((value, text) =>
      lower(text)
        .split('*')
        .every((part) => lower(value).includes(part)),
    ),
  ],
  'a backslash in the search is an escape': [
    'law 39: search finds',
    searchTexts((value, text) => lower(value).includes(lower(text.replace(/\\(.)/g, '$1')))),
  ],
  'search reads JSON': [
    'law 39: search finds',
    searchTexts((value, text) => lower(JSON.stringify(value)).includes(lower(text))),
  ],
  'search reads the first line': [
    'law 39: search finds',
    searchTexts((value, text) => lower(value.split('\n')[0] ?? '').includes(lower(text))),
  ],
  'search is trimmed': [
    'law 39: search finds',
    searchTexts((value, text) => lower(value).includes(lower(text.trim()))),
  ],
  'search is case-sensitive': [
    'law 39: search ignores the case',
    searchTexts((value, text) => value.includes(text)),
  ],
  'search ignores the case of all letters': [
    'law 39: search ignores the case',
    searchTexts((value, text) => value.toLowerCase().includes(text.toLowerCase())),
  ],
  'search ignores accents': [
    'law 39: search ignores the case',
    searchTexts((value, text) => lower(plain(value)).includes(lower(plain(text)))),
  ],
  'search reads numbers and lists as texts': [
    'law 39: search only reads',
    searchBy(({ fields }, search) =>
      search.fields.some((name) => lower(`${fields[name]}`).includes(lower(search.text))),
    ),
  ],
  'search reads texts within lists and objects': [
    'law 39: search only reads',
    searchBy(({ fields }, search) =>
      search.fields.some((name) => lower(JSON.stringify(fields[name] ?? '')).includes(lower(search.text))),
    ),
  ],
  'search reads all fields': [
    'law 39: search only reads',
    searchBy(({ fields }, { text }) =>
      Object.values(fields).some((value) => typeof value === 'string' && lower(value).includes(lower(text))),
    ),
  ],
  'search reads the names of fields': [
    'law 39: search only reads',
    searchBy(({ fields }, { text }) => lower(JSON.stringify(fields)).includes(lower(text))),
  ],
  'search reads the user’s own properties': [
    'law 39: search only reads',
    searchBy((user, search) =>
      search.fields.some((name) => {
        const value: unknown = user.fields[name] ?? Reflect.get(user, name)
        return typeof value === 'string' && lower(value).includes(lower(search.text))
      }),
    ),
  ],
  'search reads the first of several fields': [
    'law 39: each of several',
    lists(({ search, ...query }) => ({
      ...query,
      ...(search && { search: { ...search, fields: search.fields.slice(0, 1) } }),
    })),
  ],
  'search wants the text in all fields': [
    'law 39: each of several',
    searchBy(({ fields }, search) =>
      search.fields.every((name) => lower(`${fields[name]}`).includes(lower(search.text))),
    ),
  ],
  'search joins the fields': [
    'law 39: each of several',
    searchBy(({ fields }, search) =>
      lower(search.fields.map((name) => fields[name]).join(' ')).includes(lower(search.text)),
    ),
  ],
  'search finds a user once per field': [
    'law 39: each of several',
    (store) => ({
      list: async ({ search, ...query }) => {
        if (search === undefined) return store.list(query)
        const pages = search.fields.map((name) =>
          store.list({ ...query, search: { ...search, fields: [name] } }),
        )
        return (await Promise.all(pages)).flat()
      },
    }),
  ],
  'search is applied after the page was read': [
    'law 39: pages',
    (store) => ({
      list: async ({ search, ...query }) => {
        const ids = new Set((await store.list({ limit: 1000, search })).map(({ id }) => id))
        return (await store.list(query)).filter(({ id }) => ids.has(id))
      },
    }),
  ],
  'search gives up after a hundred users': [
    'law 39: pages',
    (store) => ({
      list: async ({ search, limit, ...query }) => {
        const ids = new Set((await store.list({ ...query, limit: 100 })).map(({ id }) => id))
        if (search === undefined) return store.list({ ...query, limit })
        return (await store.list({ ...query, search, limit })).filter(({ id }) => ids.has(id))
      },
    }),
  ],
  'search forgets the order': [
    'law 39: pages',
    lists(({ order, ...query }) => ({ ...query, ...(!query.search && { order }) })),
  ],
  'search forgets the position': [
    'law 39: pages',
    lists(({ after, ...query }) => ({ ...query, ...(!query.search && { after }) })),
  ],
  'search remembers what it found': [
    'law 39: search sees',
    (store) => {
      const found = new Map<string, Promise<StoredUser[]>>()
      return {
        list: (query) => {
          const users = found.get(`${query.search?.text}`) ?? store.list(query)
          found.set(`${query.search?.text}`, users)
          return users
        },
      }
    },
  ],
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

/** Runs another query than it is asked for. */
function lists(other: (query: UserListQuery) => UserListQuery): Fault {
  return (store) => ({ list: (query) => store.list(other(query)) })
}

/** Takes something else for use. */
function listsUsed(counts: (user: StoredUser) => boolean): Fault {
  return (store) => ({
    async list({ where: { isUsed, ...where } = {}, limit, ...query }) {
      const all = await store.list({ ...query, where, limit: 1000 })
      return all.filter((user) => isUsed === undefined || isUsed === counts(user)).slice(0, limit)
    },
  })
}

/** Another search than it should be. */
function searchBy(matches: (user: StoredUser, search: UserSearch) => boolean): Fault {
  return (store) => ({
    list: async ({ search, limit, ...query }) => {
      if (search === undefined) return store.list({ ...query, limit })
      const all = await store.list({ ...query, limit: 1000 })
      return all.filter((user) => matches(user, search)).slice(0, limit)
    },
  })
}

/** Another search, but in texts of the right fields. */
function searchTexts(matches: (value: string, text: string) => boolean): Fault {
  return searchBy(({ fields }, search) =>
    search.fields.some((name) => {
      const value = fields[name]
      return typeof value === 'string' && matches(value, search.text)
    }),
  )
}

function lower(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Without accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{Mark}/gu, '')
}

function isLike(value: string, text: string): boolean {
  const wildcards: Record<string, string> = { '%': '.*', _: '.' }
  const pattern = [...lower(text)].map((letter) => wildcards[letter] ?? letter.replace(/\W/u, '\\$&'))
  return new RegExp(pattern.join(''), 's').test(lower(value))
}

/** Takes the prefix for something else than it is. */
function misread(matches: (key: string, prefix: string) => boolean, isSorted = true): Fault {
  return (store) => ({
    list: async ({ prefix, limit, after }) => {
      if (prefix === undefined) return store.list({ limit, after })
      const key = prefix.usernameKey === undefined ? 'emailKey' : 'usernameKey'
      const of = (place: UserPosition) => Buffer.from(place[key] ?? '')
      const users = await store.list({ limit: 1000 })
      const sorted = isSorted ? users.sort((one, other) => Buffer.compare(of(one), of(other))) : users
      const found = sorted.filter((user) => user[key] !== null && matches(user[key], prefix[key] ?? ''))
      const from = after === undefined ? 0 : found.findIndex(({ id }) => id === after.id) + 1
      return found.slice(from, from + limit)
    },
  })
}

function pagesByOffset(store: ListingUserStore): Partial<ListingUserStore> {
  let offset = 0
  return {
    list: async ({ limit, after }) => {
      offset = after === undefined ? 0 : offset + limit
      return (await store.list({ limit: 1000 })).slice(offset, offset + limit)
    },
  }
}

function listsOldKinds(store: ListingUserStore): Partial<ListingUserStore> {
  const kinds = new Map<string, UserKind>()
  return {
    async create(user) {
      const created = await store.create(user)
      kinds.set(created.id, user.kind)
      return created
    },
    async list({ where: { kind, ...where } = {}, limit, ...query }) {
      const all = await store.list({ ...query, where, limit: 1000 })
      return all.filter(({ id }) => kind === undefined || kinds.get(id) === kind).slice(0, limit)
    },
  }
}

function foreign(): never {
  throw new Error('SQLITE_CONSTRAINT')
}
