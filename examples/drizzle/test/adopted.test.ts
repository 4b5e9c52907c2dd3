import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { urlOf } from '@fastify-accounts/test-support/adopt'
import {
  type AdoptedTable,
  adopted,
  adoptedTablesHere,
  shapeOf,
} from '@fastify-accounts/test-support/adopted-tables'
import { checkTypes } from '@fastify-accounts/test-support/check-types'
import { makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { root } from '@fastify-accounts/test-support/source'
import * as kit from 'drizzle-kit/api'
import { expect, onTestFinished, test } from 'vitest'
import { migration } from './variants.js'

const modules = { postgres: 'pg-core', mysql: 'mysql-core', sqlite: 'sqlite-core' }

/** The app's model with what was printed. */
const merged = ({ engine, table, drizzle }: AdoptedTable) => `
import { sql } from 'drizzle-orm'
import { ${drizzle.uses} } from 'drizzle-orm/${modules[engine]}'
import { accountsUsersColumns, accountsUsersIndexes } from './printed.js'

export const model = ${drizzle.make}('${table}', { ${drizzle.columns} ...accountsUsersColumns }, (table) => [
  ${drizzle.keys} ...accountsUsersIndexes(table),
])
export const unused = sql
${drizzle.others}
`

test.each(await adoptedTablesHere())(
  'what is printed of $title: merged, it compiles and leaves nothing to change',
  async (each) => {
    const { engine, table, driver } = each
    const { database, before, after } = await adopted(each, 'drizzle')
    onTestFinished(() => database.drop())
    const folder = join(root, 'examples/drizzle/dist/adopted', `${engine}-${table}`)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'printed.ts'), before)
    writeFileSync(join(folder, 'model.ts'), merged(each))
    writeFileSync(join(folder, 'later.ts'), after)
    checkTypes(folder)
    expect(partIn(after)).toBe(partIn(before))
    // The table is not there as a whole.
    expect(after).not.toContain(`able(\n  '${table}'`)

    const model = await import(/* @vite-ignore */ join(folder, 'model.ts'))
    if (engine === 'mysql') {
      // drizzle-kit takes MariaDB's types and defaults for changes, whatever the model is: compare with what it creates.
      const other = await makeDatabase(driver)
      onTestFinished(() => other.drop())
      await runSql(other.place, ...(await migration(engine, model)))
      expect(await shapeOf(database, table)).toEqual(await shapeOf(other, table))
    } else expect(await pushed(engine, urlOf(database.place), model)).toEqual([])
  },
)

const partIn = (printed: string) => /\/\/ PARTIAL[\s\S]*?\n\]\n/.exec(printed)?.[0]

/** What `drizzle-kit push` would run. */
async function pushed(engine: 'postgres' | 'sqlite', url: string, model: Record<string, unknown>) {
  switch (engine) {
    case 'postgres': {
      const { drizzle } = await import('drizzle-orm/node-postgres')
      const db = drizzle(url)
      const { statementsToExecute } = await kit.pushSchema(model, db)
      await db.$client.end()
      return statementsToExecute
    }
    case 'sqlite': {
      const { drizzle } = await import('drizzle-orm/libsql')
      const db = drizzle(url)
      const { statementsToExecute } = await kit.pushSQLiteSchema(model, db)
      db.$client.close()
      return statementsToExecute
    }
  }
}
