/** Every service, by its name in the command, with its title on the page. */
export const titles = {
  bare: 'bare Fastify',
  'accounts-memory': 'fastify-accounts, memory',
  'accounts-sqlite': 'fastify-accounts, SQLite',
  'accounts-sqlite-features': 'fastify-accounts with features that nobody uses, SQLite',
  'accounts-sqlite-tokens': 'fastify-accounts by token, SQLite',
  'accounts-sqlite-keys': 'fastify-accounts by API key, SQLite',
  'accounts-postgres': 'fastify-accounts, PostgreSQL',
  'accounts-postgres-tokens': 'fastify-accounts by token, PostgreSQL',
  'accounts-redis-postgres': 'fastify-accounts, Redis + PostgreSQL',
  'accounts-redis-postgres-tokens': 'fastify-accounts by token, Redis + PostgreSQL',
  'by-hand-memory': 'by hand, memory',
  'by-hand-sqlite': 'by hand, SQLite',
  'by-hand-sqlite-jwt': 'by hand with @fastify/jwt, SQLite',
  'by-hand-redis-postgres': 'by hand, Redis + PostgreSQL',
  'by-hand-postgres-jwt': 'by hand with @fastify/jwt, PostgreSQL',
  'better-auth-sqlite': 'better-auth, SQLite',
  'better-auth-sqlite-cached': 'better-auth, SQLite, cookie cache',
  'better-auth-sqlite-bearer': 'better-auth, SQLite, bearer plugin',
  'better-auth-postgres': 'better-auth, PostgreSQL',
  'better-auth-postgres-cached': 'better-auth, PostgreSQL, cookie cache',
  'better-auth-postgres-bearer': 'better-auth, PostgreSQL, bearer plugin',
} as const

export type ServiceName = keyof typeof titles
export const serviceNames = Object.keys(titles) as ServiceName[]

/** The API of a service: those by hand, and the bare routes, have the same paths as ours. */
export type Family = 'accounts' | 'better-auth'
export const familyOf = (service: ServiceName): Family =>
  service.startsWith('better-auth') ? 'better-auth' : 'accounts'

/** Whether its clients send tokens in the Authorization header, and no cookies. */
export const usesTokens = (service: ServiceName): boolean => /-(tokens|jwt|bearer)$/.test(service)

/** Whether its clients are programs with API keys. */
export const usesKeys = (service: ServiceName): boolean => service.endsWith('-keys')
