// A process in which Kysely is the newer version, with the dialects that it brings along, and this package is what
// was built. Prints what `migrate` and the conformance suites found, a line of JSON for each database.
import { register } from 'node:module'

register('./newer-kysely-hooks.mjs', import.meta.url)
const { PGlite } = await import('@electric-sql/pglite')
const { runCases, sessionStoreCases, userStoreCases } = await import('fastify-accounts/testing')
const { Kysely, PGliteDialect, SqliteDialect, sql } = await import('kysely')
const { default: Libsql } = await import('libsql')
const { createKyselySessionStore, createKyselyUserStore, migrate } = await import('../../dist/index.js')

const dialects = {
  libsql: new SqliteDialect({ database: new Libsql(':memory:') }),
  PGlite: new PGliteDialect({ pglite: new PGlite() }),
}
const columns = { users: { username: 'login', created_at: 'made' }, sessions: { epoch: 'era' } }

for (const [name, dialect] of Object.entries(dialects)) {
  const db = new Kysely({ dialect })
  const migrations = [await migrate(db, { columns }), await migrate(db, { columns })]
  const empty = async () => {
    await sql`delete from accounts_users`.execute(db)
    await sql`delete from accounts_identities`.execute(db)
    await sql`delete from accounts_sessions`.execute(db)
    return { db, columns }
  }
  const silent = () => {}
  const users = await runCases(
    userStoreCases(async () => createKyselyUserStore(await empty())),
    silent,
  )
  const sessions = await runCases(
    sessionStoreCases(async () => createKyselySessionStore(await empty())),
    silent,
  )
  await sql`insert into accounts_migrations values ('0002_later_breaking', '2030-01-01T00:00:00.000Z')`.execute(
    db,
  )
  const refusal = await migrate(db, { columns }).catch(String)
  await db.destroy()
  console.log(JSON.stringify({ name, migrations, users, sessions, refusal }))
}
