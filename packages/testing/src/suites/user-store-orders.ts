import type { User, UserOrder, UserStore } from 'fastify-accounts'
import { show } from './checks.js'

/** The store's own order, and those it declares, in both directions. */
export function ordersOf({ listsBy = [] }: UserStore): (UserOrder | undefined)[] {
  const declared = (['createdAt', 'usernameKey'] as const).filter((by) => listsBy.includes(by))
  return [undefined, ...declared.flatMap((by) => [{ by }, { by, descending: true }])]
}

export function told(order: UserOrder | undefined): string {
  return order === undefined ? "in the store's own order" : `in the order ${show(order)}`
}

export function time(seconds: number): Date {
  return new Date(Date.UTC(2026, 0, 1, 12, 0, seconds, 123))
}

export function ids(users: (User | undefined)[]): (string | undefined)[] {
  return users.map((user) => user?.id)
}
