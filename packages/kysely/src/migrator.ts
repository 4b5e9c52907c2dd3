import type { Migrator } from 'kysely'

/**
 * Kysely's migrator, of whichever version the host has: 0.28 exports it with all else, 0.29 from a module of its own,
 * and neither knows the other's way.
 */
export async function loadMigrator(): Promise<typeof Migrator> {
  const everything: object = await import('kysely')
  if ('Migrator' in everything) return everything.Migrator as typeof Migrator
  // Not written out as a literal, because the compiler would look for it in 0.28.
  const own: string = 'kysely/migration'
  return (await import(own)).Migrator
}
