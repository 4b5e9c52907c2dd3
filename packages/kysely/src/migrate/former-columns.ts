import type { TableDescription } from 'fastify-accounts'

/** Columns of earlier versions, which `migrate` leaves to their processes. */
export const formerColumns: Partial<Record<TableDescription['holds'], readonly string[]>> = {
  sessions: ['confirmed_generation', 'retired_by'],
}
