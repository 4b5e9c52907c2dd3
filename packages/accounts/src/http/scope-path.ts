import type { FastifyInstance } from 'fastify'

/** Where a scope's routes are. Fastify joins `/api/` and `/login/` as `/api/login/`. */
export function scopePath({ prefix }: Pick<FastifyInstance, 'prefix'>): string {
  return prefix.replace(/\/$/, '')
}
