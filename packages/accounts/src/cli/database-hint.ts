/** Advice for database errors, by the codes of PostgreSQL and MySQL, and by the text of SQLite. */
const hints: { codes: string[]; text?: RegExp; hint: string }[] = [
  {
    // Wrong password; unknown role, or none that may connect from here.
    codes: ['28P01', '28000', 'ER_ACCESS_DENIED_ERROR', 'ER_ACCESS_DENIED_NO_PASSWORD_ERROR'],
    hint: 'the database refused the login: check its user and password',
  },
  {
    // The URL that `init` writes for none.
    codes: [],
    text: /set-database-url\.invalid/,
    hint: 'set DATABASE_URL',
  },
  {
    codes: ['3D000', 'ER_BAD_DB_ERROR'],
    hint: 'the database does not exist: create it, or correct its name',
  },
  {
    codes: ['42501', 'ER_DBACCESS_DENIED_ERROR', 'ER_TABLEACCESS_DENIED_ERROR'],
    hint: "the database's user lacks a right: grant it",
  },
  {
    codes: ['42P01', 'ER_NO_SUCH_TABLE'],
    text: /no such table/i,
    hint: 'create the tables with npx fastify-accounts migrate',
  },
]

/** A hint for the user of a command; `null` for an error unrelated to the database setup. */
export function databaseHint(error: unknown): string | null {
  for (
    let each = error, depth = 0;
    each instanceof Object && depth < 8;
    each = Reflect.get(each, 'cause'), depth += 1
  ) {
    const { code, message } = each as { code?: unknown; message?: unknown }
    const found = hints.find(({ codes, text }) => codes.includes(String(code)) || text?.test(String(message)))
    if (found !== undefined) return found.hint
  }
  return null
}
