import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { urlOf } from '@fastify-accounts/test-support/adopt'
import { adopted, adoptedTablesHere, shapeOf } from '@fastify-accounts/test-support/adopted-tables'
import { makeDatabase, runSql } from '@fastify-accounts/test-support/databases'
import { root } from '@fastify-accounts/test-support/source'
import { expect, onTestFinished, test } from 'vitest'
import { migrationOf, runPrisma } from './variants.js'

const folder = join(root, 'examples/prisma')
const providers = { postgres: 'postgresql', mysql: 'mysql', sqlite: 'sqlite' }

test.each(await adoptedTablesHere())(
  'what is printed of $title: merged, it is valid and leaves nothing to change',
  async (each) => {
    const { engine, table, prisma, driver } = each
    const { database, before, after } = await adopted(each, 'prisma')
    onTestFinished(() => database.drop())
    const part = partIn(before)
    expect(partIn(after)).toBe(part)
    expect(after).not.toContain(`@@map("${table}")`)

    const place = join(folder, 'dist/adopted', `${engine}-${table}`)
    mkdirSync(place, { recursive: true })
    const file = join(place, 'schema.prisma')
    const head = `datasource db {\n provider = "${providers[engine]}"\n}\n`
    const check = (...models: string[]) => {
      writeFileSync(file, [head, ...models].join('\n'))
      runPrisma('validate', '--schema', file)
    }
    // Alone it would be the whole table.
    expect(() => check(part)).toThrow('This line is invalid')
    check(`model Model {\n${part}\n${prisma.lines}\n@@map("${table}")\n}`, prisma.others)
    // For MariaDB there is no such engine.
    if (engine === 'mysql') return
    // Prisma's engine for WebAssembly can't read a database of PostgreSQL: compare with what it creates.
    const other = await makeDatabase(driver)
    onTestFinished(() => other.drop())
    await runSql(other.place, ...migrationOf(engine, urlOf(other.place), file))
    expect(await shapeOf(database, table)).toEqual(await shapeOf(other, table))
  },
)

const partIn = (printed: string): string =>
  /\/\/ PARTIAL[\s\S]*?\n(?: .*\n|\n(?= ))+/.exec(printed)?.[0] ?? ''
