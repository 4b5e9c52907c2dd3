import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient } from '@libsql/client'
import { afterAll } from 'vitest'

const folder = await mkdtemp(join(tmpdir(), 'drizzle-store-'))
const clients: Client[] = []
let files = 0

afterAll(async () => {
  for (const client of clients) client.close()
  await rm(folder, { recursive: true, force: true })
})

/** A new database with the table as the old application created it. */
export async function oldDatabase(): Promise<{ url: string; client: Client }> {
  const url = `file:${join(folder, `customers-${++files}.db`)}`
  const client = createClient({ url, timeout: 500 })
  clients.push(client)
  // Fewer disk flushes: the suite writes thousands of times.
  await client.execute('PRAGMA journal_mode = WAL')
  await run(client, 'customers.sql')
  return { url, client }
}

export async function run(client: Client, file: string): Promise<void> {
  await client.executeMultiple(await readFile(new URL(`../sql/${file}`, import.meta.url), 'utf8'))
}

/** The same with the columns that accounts need, and no customers. */
export async function emptyDatabase(): Promise<{ url: string; client: Client }> {
  const database = await oldDatabase()
  await run(database.client, 'accounts.sql')
  return database
}
