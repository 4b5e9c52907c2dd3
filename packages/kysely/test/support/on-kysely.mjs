// An app and the built package on one version of Kysely. Arguments: `newer` for the newer of two; databases on servers,
// as JSON: { pg: url, mysql2: url }, either of which may be absent; `full`, or each law runs on only one of the
// databases, with one of the versions. Prints the results of `migrate` and the conformance suites, one line of JSON per
// database.
import { register } from 'node:module'

const [version, servers, depth] = process.argv.slice(2)
if (version === 'newer') register('./newer-kysely-hooks.mjs', import.meta.url)
const { PGlite } = await import('@electric-sql/pglite')
const { outboxCases, runCases, sessionStoreCases, userStoreCases } = await import('@fastify-accounts/testing')
const kysely = await import('kysely')
const { default: Libsql } = await import('libsql')
const {
  createKyselySessionStore,
  createKyselyUserStore,
  migrate,
  mysqlDialect,
  postgresDialect,
  sqliteDialect,
} = await import('../../dist/index.js')

const { CamelCasePlugin, Kysely, SqliteDialect, sql } = kysely
const { pg: postgresUrl, mysql2: mysqlUrl } = JSON.parse(servers)

async function pgliteDialect() {
  if (version === 'newer') return new kysely.PGliteDialect({ pglite: new PGlite() })
  const { PGliteDialect } = await import('kysely-pglite-dialect')
  return new PGliteDialect(new PGlite())
}

const dialects = {
  "SQLite by Kysely's own dialect": () => new SqliteDialect({ database: new Libsql(':memory:') }),
  sqliteDialect: () => sqliteDialect(new Libsql(':memory:')),
  PGlite: pgliteDialect,
  ...(postgresUrl && {
    async postgresDialect() {
      const { default: pg } = await import('pg')
      return postgresDialect(new pg.Pool({ connectionString: postgresUrl }))
    },
  }),
  ...(mysqlUrl && {
    async mysqlDialect() {
      const { createPool } = await import('mysql2')
      return mysqlDialect(createPool({ uri: mysqlUrl }))
    },
  }),
}
/** The schema that holds the migrations table. */
const schemas = { PGlite: 'public', postgresDialect: 'public' }

const setUps = Object.keys(dialects).flatMap((name) => [`${name}, older`, `${name}, newer`])

for (const [name, open] of Object.entries(dialects)) {
  // The stores ignore the app's plugins.
  const db = new Kysely({ dialect: await open(), plugins: [new CamelCasePlugin()] })
  const naming = {
    columns: { users: { username: 'login', created_at: 'made' }, sessions: { epoch: 'era' } },
    tables: { migrations: name in schemas ? `${schemas[name]}.steps` : 'steps' },
  }
  const migrations = [await migrate(db, naming), await migrate(db, naming)]
  const options = async () => {
    for (const table of ['users', 'identities', 'sessions', 'outbox']) {
      await sql`delete from ${sql.table(`accounts_${table}`)}`.execute(db)
    }
    return { db, ...naming }
  }
  const userStore = async () => createKyselyUserStore(await options())
  const sessionStore = async () => {
    const given = await options()
    return createKyselySessionStore({ ...given, userStore: createKyselyUserStore(given) })
  }
  const passed = []
  const failures = []
  for (const cases of [userStoreCases(userStore), outboxCases(userStore), sessionStoreCases(sessionStore)]) {
    const tried = cases.filter(
      (_, n) => depth === 'full' || setUps[n % setUps.length] === `${name}, ${version}`,
    )
    const report = await runCases(tried, () => {})
    passed.push(report.passed)
    failures.push(...report.failures)
  }
  await sql`insert into steps values ('0002_later_breaking', '2030-01-01T00:00:00.000Z')`.execute(db)
  const refusal = await migrate(db, naming).catch(String)
  await db.destroy()
  console.log(JSON.stringify({ name, migrations, passed, failures, refusal }))
}
