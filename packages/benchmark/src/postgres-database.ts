import { randomUUID } from 'node:crypto'
import pg from 'pg'

const server = process.env.ACCOUNTS_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
export const postgresLimits = { connectionTimeoutMillis: 3000, query_timeout: 60_000 }

/** The benchmark's own database, on the server where the tests look for PostgreSQL. */
export async function createPostgresDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `accounts_benchmark_${randomUUID().replaceAll('-', '')}`
  await administer(`CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(`DROP DATABASE ${name} WITH (FORCE)`) }
}

async function administer(command: string): Promise<void> {
  const client = new pg.Client({ connectionString: server, ...postgresLimits })
  await client.connect()
  try {
    await client.query(command)
  } finally {
    await client.end()
  }
}
