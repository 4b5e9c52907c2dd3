/** What goes over the wire, as docs/routes.md has it. A type test keeps it equal to the schemas of the server. */

/** Any fields; what stands in the option `users.fields` of the service, as a type. */
export type AnyFields = object

/** A user as they see themselves, and as staff see everybody. Times are RFC 3339 in UTC. */
export type OwnUser<Fields extends AnyFields = object> = {
  id: string
  username: string
  email: string | null
  is_verified: boolean
  is_staff: boolean
  is_active: boolean
  created_at: string
  last_login_at: string | null
} & Partial<Fields>

/** A user as others see them: what else is in it is up to the option `users.publicFields` of the service. */
export type PublicUser<Fields extends AnyFields = object> = { id: string; username: string } & Partial<
  OwnUser<Fields>
>

export interface Credentials {
  /** The username, or the email address of the account, as the service lets. */
  username: string
  password: string
  /** Whether the cookie outlives the browser. Default: `false`. */
  remember?: boolean
}

/** One session of whoever is logged in. */
export interface Session {
  /** Not the cookie, and of no use as one. */
  id: string
  created_at: string
  last_seen_at: string
  expires_at: string
  browser: string | null
  system: string | null
  ip: string | null
  /** Whether it is the session of this very call. */
  current: boolean
}

export interface SessionList {
  results: Session[]
}

/** The fields of a new user. `email` may be left out where no confirmation is required. */
export type NewUser<Fields extends AnyFields = object> = {
  username: string
  password: string
  /** The same again. */
  confirm_password: string
  email?: string
} & Fields

export interface NewPassword {
  new_password: string
  /** The same again. */
  confirm_password: string
}

export interface PasswordChange extends NewPassword {
  old_password: string
}

/** The two parts of a link in a mail: `/reset/{uid64}/{token}/`. */
export interface Link {
  uid64: string
  token: string
}

/** The parts of a link about an address: `/email/{uid64}/{token}/?email=…`. */
export interface EmailLink extends Link {
  /** As the link says it. */
  email: string
}

/** What people may change of themselves; `null` takes away a field that may be absent. */
export type ProfileChange<Fields extends AnyFields = object> = { username?: string } & {
  [Name in keyof Fields]?: Fields[Name] | (undefined extends Fields[Name] ? null : never)
}

/** What staff decide about a user; what is left out stays as it is. */
export interface UserFlags {
  is_active?: boolean
  is_staff?: boolean
}

/** What happened, in words. */
export interface Detail {
  detail: string
}

export interface Verification {
  valid: boolean
  verified: boolean
  username: string
}

export interface UserQuery {
  /** 1 to 100. Default 50. */
  limit?: number
  /** Where the page begins: `cursorOf` of the page before. */
  cursor?: string
  /** How a username begins; for staff, an e-mail address too. */
  search?: string
}

export interface UserPage<Fields extends AnyFields = object> {
  results: PublicUser<Fields>[]
  /** The address of the next page; `null` on the last. */
  next: string | null
}

/** The routes that are mounted, by their names. */
export type RouteIndex = Record<string, { methods: string[]; href: string }>
