import type { User } from '../user.js'

/** Whether accounts have usernames, as the option `users.names` says. */
interface Names {
  readonly names: 'required' | 'optional' | 'none'
}

/** The username to show of an account; `null` where it has none, or where names are off: an import may bring some. */
export function shownName({ names }: Names, { username }: Pick<User, 'username'>): string | null {
  return names === 'none' ? null : username
}

/** What the owner of an account knows it by: its name, or else its address. Never for the eyes of others. */
export function ownersName(options: Names, user: Pick<User, 'username' | 'email'>): string | null {
  return shownName(options, user) ?? user.email
}
