import type { User } from '../user.js'

/** Whether accounts have usernames, as the option `users.names` says. */
interface Names {
  readonly names: 'required' | 'optional' | 'none'
}

/** The username to show; `null` if there is none, or if names are off, because an import may add some. */
export function shownName({ names }: Names, { username }: Pick<User, 'username'>): string | null {
  return names === 'none' ? null : username
}

/** What its owner knows an account by: the username, or else the address. Never shown to others. */
export function ownersName(options: Names, user: Pick<User, 'username' | 'email'>): string | null {
  return shownName(options, user) ?? user.email
}
