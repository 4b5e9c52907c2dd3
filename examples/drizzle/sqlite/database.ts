import { createClient, type ResultSet } from '@libsql/client'
import { drizzle } from 'drizzle-orm/libsql'

/** Opens a file. Transactions take turns: one that waited for another of this process would block both. */
export function openDatabase(url: string) {
  const client = createClient({ url, timeout: 200 })
  const db = drizzle(client)
  let last: Promise<unknown> = Promise.resolve()
  return {
    db,
    transaction<Result>(run: (tx: Transaction) => Promise<Result>): Promise<Result> {
      const next = last.then(() => db.transaction(run, { behavior: 'immediate' }))
      last = next.catch(() => undefined)
      return next
    },
    async close() {
      await last
      client.close()
    },
  }
}

export type Database = ReturnType<typeof openDatabase>
export type Transaction = Parameters<Parameters<ReturnType<typeof drizzle>['transaction']>[0]>[0]

/** How many rows a statement found. */
export const countOf = ({ rowsAffected }: ResultSet) => rowsAffected
