import {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  openSqlite,
} from '@fastify-accounts/kysely'

export const db = openSqlite(':memory:')
await migrate(db)
export const userStore = createKyselyUserStore({ db })
export const sessionStore = createKyselySessionStore({ db, userStore })
