import {
  createMemoryUserStore,
  type ListingUserStore as Store,
  type StoredUser,
  type UserKind,
  type UserListQuery,
  type UserPosition,
  type UserSearch,
} from 'fastify-accounts'
import { userStoreCases } from '../../src/index.js'
import {
  detects,
  foreign,
  given,
  type Mistake,
  type Mutations,
  remembers,
  result,
  without,
} from './mutations.js'

type Fault = Mistake<Store, 'list'>
type Filters = NonNullable<UserListQuery['where']>

/** Another query runs. */
const asks = (other: (query: UserListQuery) => UserListQuery): Fault => given(other)
const filters = (other: (where: Filters) => Filters): Fault =>
  asks(({ where = {}, ...query }) => ({ ...query, where: other(where) }))
/** One part of the query hides another. */
const replaces = (isThere: (query: UserListQuery) => unknown, name: keyof Filters): Fault =>
  asks((query) => (isThere(query) ? { ...query, where: { ...query.where, [name]: undefined } } : query))
/** All users are read, and some of them returned. */
const picks =
  (choose: (users: StoredUser[], query: UserListQuery) => StoredUser[], ...ignored: string[]): Fault =>
  (call) =>
  async (query) =>
    choose(await call({ ...without(query, ...ignored), limit: 1000 }), query)
/** A filter is applied once the page was read. */
const filtersLate =
  (name: keyof Filters, matches: (user: StoredUser, wanted: unknown) => boolean): Fault =>
  (call) =>
  async ({ where = {}, ...query }) =>
    (await call({ ...query, where: without(where, name) })).filter(
      (user) => where[name] === undefined || matches(user, where[name]),
    )
const isUsed = ({ isVerified, lastLoginAt }: StoredUser) => isVerified || lastLoginAt !== null
/** Something else is use. */
const takesForUse =
  (counts: (user: StoredUser) => boolean): Fault =>
  (call) =>
  async ({ where: { isUsed, ...where } = {}, limit, ...query }) =>
    (await call({ ...query, where, limit: 1000 }))
      .filter((user) => isUsed === undefined || isUsed === counts(user))
      .slice(0, limit)
/** Another search than it should be. */
const searchBy =
  (matches: (user: StoredUser, search: UserSearch) => boolean): Fault =>
  (call) =>
  async ({ search, limit, ...query }) => {
    if (search === undefined) return call({ ...query, limit })
    return (await call({ ...query, limit: 1000 })).filter((user) => matches(user, search)).slice(0, limit)
  }
/** Another search, but in texts of the right fields. */
const searchTexts = (matches: (value: string, text: string) => boolean): Fault =>
  searchBy(({ fields }, { fields: names, text }) =>
    names.some((name) => typeof fields[name] === 'string' && matches(`${fields[name]}`, text)),
  )
const lower = (text: string) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
const has = (value: unknown, text: string) => lower(`${value}`).includes(lower(text))
const plain = (text: string) => text.normalize('NFD').replace(/\p{Mark}/gu, '')
const isLike = (value: string, text: string) => {
  const wildcards: Record<string, string> = { '%': '.*', _: '.' }
  const pattern = [...lower(text)].map((letter) => wildcards[letter] ?? letter.replace(/\W/u, '\\$&'))
  return new RegExp(pattern.join(''), 's').test(lower(value))
}
/** Takes the prefix for something else than it is. */
const misread =
  (matches: (key: string, prefix: string) => boolean, isSorted = true): Fault =>
  (call) =>
  async ({ prefix, limit, after }) => {
    if (prefix === undefined) return call({ limit, after })
    const key = prefix.usernameKey === undefined ? 'emailKey' : 'usernameKey'
    const of = (place: UserPosition) => Buffer.from(place[key] ?? '')
    const users = await call({ limit: 1000 })
    const sorted = isSorted ? users.sort((one, other) => Buffer.compare(of(one), of(other))) : users
    const found = sorted.filter((user) => user[key] !== null && matches(user[key], prefix[key] ?? ''))
    const from = after === undefined ? 0 : found.findIndex(({ id }) => id === after.id) + 1
    return found.slice(from, from + limit)
  }
const isPrefix = (key: string, prefix: string) => key.startsWith(prefix)
const indexOf = (users: StoredUser[], after: UserPosition | undefined) =>
  users.findIndex(({ id }) => id === after?.id)

const mutations: Mutations<Store> = {
  'law 21: the list is in one order': {
    list: {
      'there is none': result((users) => users.reverse()),
      'there is no limit': asks(({ after }) => ({ limit: 1000, after })),
      'a page repeats the last user of the one before': picks((users, { limit, after }) => {
        const start = Math.max(indexOf(users, after), 0)
        return users.slice(start, start + limit)
      }, 'after'),
    },
  },
  'law 21: a page has exactly its limit': {
    list: {
      'it ends after a hundred': asks((page) => ({ ...page, limit: Math.min(page.limit, 100) })),
      'it is filtered after it was cut':
        (call) =>
        async ({ where, ...page }) => {
          // The next page, if all of this one are filtered out.
          for (let after = page.after; ; ) {
            const cut: StoredUser[] = await call({ ...page, ...(after && { after }) })
            const wanted = await call({ ...page, limit: 1000, ...(where && { where }) })
            const found = cut.filter(({ id }) => wanted.some((user) => user.id === id))
            if (found.length > 0 || cut.length === 0) return found
            after = cut.at(-1)
          }
        },
    },
  },
  'law 21: pages of one': {
    list: {
      'one row is left out': result((users) => users.filter((_, index) => index !== 6)),
      'a page continues after the time alone': picks(
        (users, { limit, after }) =>
          users.filter((user) => !after || user.createdAt > after.createdAt).slice(0, limit),
        'after',
      ),
    },
  },
  'law 21: an order is by': {
    list: {
      'every order is the default': asks((page) => without(page, 'order')),
      'none is descending': asks(({ order, ...page }) => ({
        ...page,
        ...(order && { order: { by: order.by } }),
      })),
    },
  },
  'law 21: a made-up position': {
    list: {
      'the error is another': (call) => async (page) =>
        page.after?.id === '%' ? Promise.reject(foreign()) : call(page),
    },
  },
  'law 22: a position stays valid': {
    list: {
      'it must be an existing user': picks((users, { limit, after }) => {
        const start = indexOf(users, after) + 1
        return users.slice(start, start + limit)
      }, 'after'),
    },
  },
  'law 22: under inserts, deletions and changes': {
    list: {
      'pages have an offset': (call) => {
        let offset = 0
        return async ({ limit, after }) => {
          offset = after === undefined ? 0 : offset + limit
          return (await call({ limit: 1000 })).slice(offset, offset + limit)
        }
      },
    },
  },
  'law 23:': { list: { 'none is null': result((users) => (users.length > 0 ? users : (null as never))) } },
  'law 24:': {
    list: {
      'a prefix matches anywhere': misread((key, prefix) => key.includes(prefix)),
      'a prefix matches only the whole key': misread((key, prefix) => key === prefix),
      'a prefix has wildcards': misread(
        (key, prefix) =>
          isPrefix(key, prefix) || (/[%_]$/.test(prefix) && isPrefix(key, prefix.slice(0, -1))),
      ),
      'a prefix is case-insensitive': misread((key, prefix) => isPrefix(key, prefix.toLowerCase())),
      'a prefix is ignored': misread(() => true),
      'addresses are not searched': result((users, { prefix }) =>
        prefix?.emailKey === undefined ? users : [],
      ),
      'a prefix has the order of creation': misread(isPrefix, false),
    },
  },
  'law 25:': {
    list: {
      'flags are ignored': asks((page) => without(page, 'where')),
      'a flag of false is ignored': filters((where) =>
        Object.fromEntries(Object.entries(where).filter(([, value]) => value === true)),
      ),
      'flags are applied after the page was read': filtersLate(
        'isStaff',
        (user, wanted) => user.isStaff === wanted,
      ),
    },
  },
  'law 38: every store': {
    list: {
      'the kind is ignored': filters((where) => without(where, 'kind')),
      'without a kind only persons are listed': filters((where) => ({ kind: 'person', ...where })),
      'the kind is applied after the page was read': filtersLate(
        'kind',
        ({ kind }, wanted) => kind === wanted,
      ),
      'a position must be of the kind that is listed': picks((users, { limit, after }) => {
        const start = indexOf(users, after) + 1
        return users.slice(start, start + limit)
      }, 'after'),
    },
    several: {
      'the kind is that of the creation': (store) => {
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
      },
    },
  },
  'law 38: every store lists the users who': {
    list: {
      'use is ignored': filters((where) => without(where, 'isUsed')),
      'use of false is ignored': filters(({ isUsed, ...where }) => ({ ...where, ...(isUsed && { isUsed }) })),
      'only a verified address is use': takesForUse(({ isVerified }) => isVerified),
      'only a login is use': takesForUse(({ lastLoginAt }) => lastLoginAt !== null),
      'use takes both': takesForUse(({ isVerified, lastLoginAt }) => isVerified && lastLoginAt !== null),
      'use is applied after the page was read': filtersLate(
        'isUsed',
        (user, wanted) => isUsed(user) === wanted,
      ),
    },
  },
  'law 38: whatever': {
    list: {
      'the kind replaces use': replaces(({ where }) => where?.kind, 'isUsed'),
      'use replaces flags': filters(({ kind, isUsed, ...flags }) =>
        isUsed === undefined ? { kind, ...flags } : { kind, isUsed },
      ),
      'a prefix replaces use': replaces(({ prefix }) => prefix, 'isUsed'),
      'an order replaces use': replaces(({ order }) => order, 'isUsed'),
      'flags replace the kind': replaces(({ where = {} }) => Object.keys(where).length > 1, 'kind'),
      'a prefix replaces the kind': replaces(({ prefix }) => prefix, 'kind'),
      'an order replaces the kind': replaces(({ order }) => order, 'kind'),
      'search replaces the other filters': asks((query) =>
        query.search ? { ...query, where: {}, prefix: undefined } : query,
      ),
    },
  },
  'law 39: search finds': {
    list: {
      'it is ignored': asks((query) => without(query, 'search')),
      'it finds whole texts': searchTexts((value, text) => lower(value) === lower(text)),
      'it finds beginnings': searchTexts((value, text) => lower(value).startsWith(lower(text))),
      'it is LIKE': searchTexts(isLike),
      'it has stars': searchTexts((value, text) => text.split('*').every((part) => has(value, part))),
      'a backslash is an escape': searchTexts((value, text) => has(value, text.replace(/\\(.)/g, '$1'))),
      'it reads JSON': searchTexts((value, text) => has(JSON.stringify(value), text)),
      'it reads the first line': searchTexts((value, text) => has(value.split('\n')[0], text)),
      'it is trimmed': searchTexts((value, text) => has(value, text.trim())),
    },
  },
  'law 39: search ignores the case': {
    list: {
      'it minds it': searchTexts((value, text) => value.includes(text)),
      'of all letters': searchTexts((value, text) => value.toLowerCase().includes(text.toLowerCase())),
      'accents as well': searchTexts((value, text) => has(plain(value), plain(text))),
    },
  },
  'law 39: search only reads': {
    list: {
      'numbers and lists are texts': searchBy((user, { fields, text }) =>
        fields.some((name) => has(user.fields[name], text)),
      ),
      'texts within lists and objects': searchBy((user, { fields, text }) =>
        fields.some((name) => has(JSON.stringify(user.fields[name] ?? ''), text)),
      ),
      'all fields': searchBy(({ fields }, { text }) =>
        Object.values(fields).some((value) => typeof value === 'string' && has(value, text)),
      ),
      'the names of fields': searchBy(({ fields }, { text }) => has(JSON.stringify(fields), text)),
      'the user’s own properties': searchBy((user, { fields, text }) =>
        fields.some((name) => {
          const value: unknown = user.fields[name] ?? Reflect.get(user, name)
          return typeof value === 'string' && has(value, text)
        }),
      ),
    },
  },
  'law 39: each of several': {
    list: {
      'the first is searched': asks(({ search, ...query }) => ({
        ...query,
        ...(search && { search: { ...search, fields: search.fields.slice(0, 1) } }),
      })),
      'all must have the text': searchBy((user, { fields, text }) =>
        fields.every((name) => has(user.fields[name], text)),
      ),
      'they are joined': searchBy((user, { fields, text }) =>
        has(fields.map((name) => user.fields[name]).join(' '), text),
      ),
      'a user is found once per field':
        (call) =>
        async ({ search, ...query }) => {
          if (search === undefined) return call(query)
          const pages = search.fields.map((name) => call({ ...query, search: { ...search, fields: [name] } }))
          return (await Promise.all(pages)).flat()
        },
    },
  },
  'law 39: pages': {
    list: {
      'it is applied after the page was read':
        (call) =>
        async ({ search, ...query }) => {
          const ids = new Set((await call({ limit: 1000, search })).map(({ id }) => id))
          return (await call(query)).filter(({ id }) => ids.has(id))
        },
      'it gives up after a hundred users': (call) => async (query) => {
        const ids = new Set((await call({ ...without(query, 'search'), limit: 100 })).map(({ id }) => id))
        return (await call(query)).filter(({ id }) => !query.search || ids.has(id))
      },
      'it forgets the order': asks((query) => (query.search ? without(query, 'order') : query)),
      'it forgets the position': asks((query) => (query.search ? without(query, 'after') : query)),
    },
  },
  'law 39: search sees': {
    list: {
      'it remembers what it found': (call) => {
        const find = remembers((_: unknown, query: UserListQuery) => call(query))
        return (query) => find(query.search?.text, query)
      },
    },
  },
}
detects<Store>((mutate) => userStoreCases(() => mutate(createMemoryUserStore())), mutations)
