import { and, type Column, eq, isNull, type SQL } from 'drizzle-orm'

/** Whether a row has all these values; `undefined` is any, `null` is null. */
export function equals(table: object, values: object): SQL | undefined {
  const columns = table as Record<string, Column>
  return and(
    ...Object.entries(values).map(([name, value]) => {
      const column = columns[name]
      if (column === undefined || value === undefined) return undefined
      return value === null ? isNull(column) : eq(column, value)
    }),
  )
}
