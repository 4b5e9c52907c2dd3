import type { RowCount } from './rows.js'

export function countOf(count: RowCount): number {
  return Number(count ?? 0)
}

export function isAny(count: RowCount): boolean {
  return countOf(count) > 0
}
