import {
  assertText,
  createMemoryUserStore,
  DuplicateError,
  type ImportedUser,
  type ImportOutcome,
  type ListingUserStore,
  type NewUser,
  type StoredUser,
} from 'fastify-accounts'

export type StoreWithImport = ListingUserStore &
  Required<Pick<ListingUserStore, 'createMany' | 'findByIdentity'>>

/** The store in memory with a correct `createMany`. */
export function createStoreWithImport(): StoreWithImport {
  const store = createMemoryUserStore()
  /** Maps an imported id to that of the underlying store. */
  const inner = new Map<string, string>()
  const shown = (user: StoredUser): StoredUser => {
    const [id = user.id] = [...inner].find(([, beneath]) => beneath === user.id) ?? []
    return { ...user, id }
  }
  const one = async (found: Promise<StoredUser | null> | undefined) => {
    const user = await found
    return user ? shown(user) : null
  }
  const outer = {
    ...store,
    findById: (id: string) => one(store.findById(inner.get(id) ?? id)),
    findByUsername: (key: string) => one(store.findByUsername(key)),
    findByEmail: (key: string) => one(store.findByEmail(key)),
    findByIdentity: (key: string) => one(store.findByIdentity?.(key)),
    list: async (page) => (await store.list(page)).map(shown),
    update: (id, ...given) => one(store.update(inner.get(id) ?? id, ...given)),
    delete: (id, ...given) => store.delete(inner.get(id) ?? id, ...given),
  } satisfies ListingUserStore

  const holders = async ({ usernameKey, emailKey, identityKeys }: NewUser) => ({
    username: usernameKey === null ? null : await outer.findByUsername(usernameKey),
    email: emailKey === null ? null : await outer.findByEmail(emailKey),
    identity: (await Promise.all(identityKeys.map(outer.findByIdentity))).find(Boolean) ?? null,
  })

  async function keep({ id, ...user }: ImportedUser): Promise<ImportOutcome> {
    const holder = id === undefined ? null : await outer.findById(id)
    if (holder) return { taken: 'id', holder }
    try {
      const created = await store.create(user)
      if (id !== undefined) inner.set(id, created.id)
      return { id: id ?? created.id }
    } catch (error) {
      if (!(error instanceof DuplicateError)) throw error
      const holder = (await holders(user))[error.field]
      if (!holder) throw error
      return { taken: error.field, holder }
    }
  }
  return {
    ...outer,
    async createMany(users) {
      for (const { id, usernameKey, emailKey } of users) {
        for (const text of [id ?? 'none', usernameKey, emailKey ?? 'none']) assertText('a user', text)
      }
      const outcomes: ImportOutcome[] = []
      for (const user of users) outcomes.push(await keep(user))
      return outcomes
    },
  }
}
