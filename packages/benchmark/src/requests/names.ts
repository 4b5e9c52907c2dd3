/** Every service, by its name in the command, with its title on the page. */
export const titles = {
  bare: 'bare Fastify',
  'accounts-memory': 'fastify-accounts, memory',
  'accounts-sqlite': 'fastify-accounts, SQLite',
  'accounts-sqlite-features': 'fastify-accounts with second factor and passkeys, SQLite',
  'accounts-postgres': 'fastify-accounts, PostgreSQL',
  'accounts-redis-postgres': 'fastify-accounts, Redis + PostgreSQL',
  'by-hand-memory': 'by hand, memory',
  'by-hand-sqlite': 'by hand, SQLite',
  'by-hand-redis-postgres': 'by hand, Redis + PostgreSQL',
  'better-auth-sqlite': 'better-auth, SQLite',
  'better-auth-sqlite-cached': 'better-auth, SQLite, cookie cache',
  'better-auth-postgres': 'better-auth, PostgreSQL',
  'better-auth-postgres-cached': 'better-auth, PostgreSQL, cookie cache',
} as const

export type ServiceName = keyof typeof titles
export const serviceNames = Object.keys(titles) as ServiceName[]

/** The API of a service: those by hand, and the bare routes, have the same paths as ours. */
export type Family = 'accounts' | 'better-auth'
export const familyOf = (service: ServiceName): Family =>
  service.startsWith('better-auth') ? 'better-auth' : 'accounts'
