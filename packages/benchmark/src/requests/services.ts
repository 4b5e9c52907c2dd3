import type { ServiceName } from './names.js'
import type { Service } from './service.js'

/** The service with each name. Loaded one at a time, so a server's memory is its own. */
export async function loadService(name: ServiceName): Promise<Service> {
  switch (name) {
    case 'bare':
      return (await import('./services/bare.js')).bare
    case 'accounts-memory':
      return (await import('./services/fastify-accounts.js')).accountsMemory
    case 'accounts-sqlite':
      return (await import('./services/fastify-accounts.js')).accountsSqlite
    case 'accounts-sqlite-features':
      return (await import('./services/fastify-accounts.js')).accountsSqliteFeatures
    case 'accounts-postgres':
      return (await import('./services/fastify-accounts.js')).accountsPostgres
    case 'accounts-redis-postgres':
      return (await import('./services/fastify-accounts.js')).accountsRedisPostgres
    case 'by-hand-memory':
      return (await import('./services/by-hand.js')).byHandMemory
    case 'by-hand-sqlite':
      return (await import('./services/by-hand.js')).byHandSqlite
    case 'by-hand-redis-postgres':
      return (await import('./services/by-hand.js')).byHandRedisPostgres
    case 'better-auth-sqlite':
      return (await import('./services/better-auth.js')).betterAuthSqlite
    case 'better-auth-sqlite-cached':
      return (await import('./services/better-auth.js')).betterAuthSqliteCached
    case 'better-auth-postgres':
      return (await import('./services/better-auth.js')).betterAuthPostgres
    case 'better-auth-postgres-cached':
      return (await import('./services/better-auth.js')).betterAuthPostgresCached
  }
}
