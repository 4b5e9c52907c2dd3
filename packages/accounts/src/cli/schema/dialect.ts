import { UsageError } from '../command.js'

/** The family of a database. MariaDB is `mysql`. */
export type Dialect = (typeof dialects)[number]

export const dialects = ['postgres', 'mysql', 'sqlite'] as const

const protocols: Partial<Record<string, Dialect>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  file: 'sqlite',
  sqlite: 'sqlite',
  libsql: 'sqlite',
}

/**
 * The dialect that the command line names, or that of a database's URL.
 * @throws UsageError
 */
export function dialectOf(name: string | undefined, url: string | undefined): Dialect {
  if (name !== undefined) {
    const found = dialects.find((dialect) => dialect === name)
    if (found === undefined) throw new UsageError(`--dialect must be ${dialects.join(', ')}, got ${name}`)
    return found
  }
  const found = dialectOfUrl(url)
  if (found === undefined)
    throw new UsageError(`pass --dialect with ${dialects.join(', ')}, or set DATABASE_URL`)
  return found
}

export function dialectOfUrl(url: string | undefined): Dialect | undefined {
  const [, protocol = ''] = /^(?:prisma\+)?([a-z]+):/.exec(url ?? '') ?? []
  return protocols[protocol]
}

/** As people write it. */
export const titles: Record<Dialect, string> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL or MariaDB',
  sqlite: 'SQLite',
}
