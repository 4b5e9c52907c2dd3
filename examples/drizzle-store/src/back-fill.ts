import { eq, sql } from 'drizzle-orm'
import type { LibSQLDatabase } from 'drizzle-orm/libsql'
import { parseEmail, usernameKey } from 'fastify-accounts'
import { customers } from './customers.js'

/** Customer ids by outcome. */
export interface BackFillReport {
  /** Now have an account, or a key for their address. */
  filled: number[]
  /** Have no account: the login is empty, or differs from another customer's only in case or Unicode form. */
  withoutAccount: number[]
  /** Have an account without an address: the email is invalid, or another customer also has it. */
  withoutAddress: number[]
}

/**
 * Gives existing customers the keys that accounts are found by, in one transaction. It is idempotent: run it again
 * after resolving the reported cases, or while the old application still creates customers.
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

/** The keys that only one customer has, by customer id. */
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
