import type { TableDescription } from '../../index.js'
import { type Command, configOption, textOf, UsageError } from '../command.js'
import { describedBy, findProject, kyselyPackage } from '../project.js'
import { partAsSql } from '../schema/adopt.js'
import { type Dialect, dialectOf, dialects, titles } from '../schema/dialect.js'
import { toDrizzle } from '../schema/drizzle.js'
import { splitExisting } from '../schema/existing.js'
import type { TablePart } from '../schema/part.js'
import { toPrisma } from '../schema/prisma.js'
import { toSql } from '../schema/sql.js'
import { storesOfFeatures } from '../stores-of-features.js'

interface Format {
  title: string
  comment: string
  print(tables: readonly TableDescription[], dialect: Dialect, parts: readonly TablePart[]): string[]
}

const formats: Partial<Record<string, Format>> = {
  prisma: { title: 'models of Prisma', comment: '//', print: toPrisma },
  drizzle: { title: 'tables of Drizzle', comment: '//', print: toDrizzle },
  sql: {
    title: 'SQL',
    comment: '--',
    print: (tables, dialect, parts) => [
      ...parts.flatMap((part) => partAsSql(part, dialect)),
      ...toSql(tables, dialect),
    ],
  },
}

export const schema: Command = {
  name: 'schema',
  summary: 'print the tables for Prisma, Drizzle or SQL migrations',
  positionals: { text: Object.keys(formats).join('|'), count: 1 },
  options: {
    dialect: {
      type: 'string',
      value: dialects.join('|'),
      description: 'the database; by default as in DATABASE_URL',
    },
    ...configOption,
  },
  async run({ cwd, values, positionals: [name = ''] }) {
    const format = Object.hasOwn(formats, name) ? formats[name] : undefined
    if (format === undefined)
      throw new UsageError(`schema prints ${Object.keys(formats).join(', ')}, got ${name}`)
    const dialect = dialectOf(textOf(values, 'dialect'), process.env.DATABASE_URL)
    const { whose, tables, isProject } = await tablesOf(cwd, textOf(values, 'config'))
    const { whole, parts } = isProject
      ? await splitExisting(cwd, tables, dialect)
      : { whole: tables, parts: [] }
    const title = `The tables of ${whose} on ${titles[dialect]}, as ${format.title}: npx fastify-accounts schema ${name}`
    const lines = [`${format.comment} ${title}`, ...format.print(whole, dialect, parts)]
    return { lines, data: { dialect, tables, text: lines.map((line) => `${line}\n`).join('') } }
  },
}

const tableStores = '@fastify-accounts/table-stores'

/**
 * Those that the app's stores need; without a config, those of the package that is installed.
 * @throws Error of one line
 */
async function tablesOf(
  cwd: string,
  config: string | undefined,
): Promise<{ whose: string; tables: readonly TableDescription[]; isProject: boolean }> {
  const project = await findProject({ cwd, config })
  if (project !== null) {
    try {
      const { sessionStore, invitationStore, activity } = project.options
      const ofFeatures = storesOfFeatures(project.options).map(([, store]) => store)
      const stores = [project.userStore, sessionStore, invitationStore, activity, ...ofFeatures]
      const tables = stores.flatMap((store) => store?.tables?.() ?? [])
      if (tables.length > 0) return { whose: `the stores in ${project.source}`, tables, isProject: true }
    } finally {
      await project.close()
    }
  }
  for (const name of project === null ? [kyselyPackage, tableStores] : [tableStores]) {
    const tables = await describedBy(name, cwd)
    if (tables !== null) return { whose: name, tables, isProject: false }
  }
  throw new Error(`no stores on tables: npm install ${tableStores}, or ${kyselyPackage}`)
}
