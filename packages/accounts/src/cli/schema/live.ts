/** A column as a database has it; its type and default are in the words of the engine. */
export interface LiveColumn {
  name: string
  type: string
  isNullable: boolean
  default: string | null
}

/** A table as @fastify-accounts/kysely reads it; see there. */
export interface LiveTable {
  columns: readonly LiveColumn[]
  indexes: readonly {
    name: string
    /** `null` for what is no whole column. */
    columns: readonly (string | null)[]
    isUnique: boolean
    isPrimary: boolean
    isConstraint: boolean
  }[]
}
