import { pgTable, text } from 'drizzle-orm/pg-core'
import type { Alongside } from 'fastify-accounts'
import type { Transaction } from './database.js'
import { accountsUsers } from './tables.js'

/** A table of the app's own. */
export const workspaces = pgTable('workspaces', {
  userId: text('user_id')
    .primaryKey()
    .references(() => accountsUsers.id, { onDelete: 'cascade' }),
  name: text('name').notNull(),
})

/** Each user gets a workspace, in the transaction that creates them. */
export const workspaceOfUser: Alongside<Transaction> = {
  async created(tx, { id }) {
    await tx.insert(workspaces).values({ userId: id, name: 'My workspace' })
  },
}
