import { eq, sql } from 'drizzle-orm'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { parseEmail, usernameKey } from 'fastify-accounts'
import { customers } from './customers.js'

/** What the back-fill did, and which cases need a decision. Customer ids. */
export interface BackFillReport {
  /** Have an account now, or a key for their address. */
  filled: number[]
  /** Have no account: the login is empty, or another customer's but for case or form. */
  withoutAccount: number[]
  /** Have an account without an address: the mail cannot be read, or is another customer's too. */
  withoutAddress: number[]
}

/**
 * Gives the customers from before the keys that accounts are found by. All or nothing, and nothing twice: it may run
 * again, after a report was acted on, or while the application still makes customers by itself.
 */
export async function backFill(db: LibSQLDatabase): Promise<BackFillReport> {
  return db.transaction(async (tx) => {
    const rows = await tx.select().from(customers)
    const names = uniqueKeys(rows, (row) => usernameKey(row.username))
    const addresses = uniqueKeys(rows, (row) => parseEmail(row.email ?? '')?.emailKey)
    const report: BackFillReport = { filled: [], withoutAccount: [], withoutAddress: [] }
    for (const { id, email, ...row } of rows) {
      const isAccount = row.usernameKey !== null || row.emailKey !== null
      if (isAccount && (email === null || row.emailKey !== null)) continue
      const key = names.get(id)
      const emailKey = addresses.get(id)
      if (key === undefined) report.withoutAccount.push(id)
      else if (email !== null && emailKey === undefined) report.withoutAddress.push(id)
      if (key === undefined || (isAccount && emailKey === undefined)) continue
      const version = sql`${customers.version} + 1`
      await tx.update(customers).set({ usernameKey: key, emailKey, version }).where(eq(customers.id, id))
      report.filled.push(id)
    }
    return report
  })
}

/** The keys that one customer has and no other, by the customer's id. */
function uniqueKeys<Row extends { id: number }>(
  rows: Row[],
  keyOf: (row: Row) => string | undefined,
): Map<number, string> {
  const holders = new Map<string, number[]>()
  for (const row of rows) {
    const key = keyOf(row)
    if (key) holders.set(key, [...(holders.get(key) ?? []), row.id])
  }
  return new Map([...holders].flatMap(([key, ids]) => (ids.length === 1 ? ids.map((id) => [id, key]) : [])))
}
