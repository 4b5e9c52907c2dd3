/** A value that survives JSON unchanged. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** Your own fields of a user, by their names in JSON. */
export type UserFields = { [name: string]: JsonValue }

/** JSON Schema of an object, as the option `users.fields` takes it. */
export interface FieldsSchema {
  readonly type: 'object'
  /** JSON Schema of each field, by its name. */
  readonly properties: { readonly [name: string]: object }
  /** The names of required fields. */
  readonly required?: readonly string[] | undefined
  /** The type of what it accepts, as @sinclair/typebox writes it on its schemas. */
  readonly static?: unknown
}

/**
 * Your own fields of a user. `Fields` is the type of the schema in the option `users.fields`, or the type of the fields
 * themselves. Types are read from schemas made with TypeBox (@sinclair/typebox or typebox), or written by hand
 * `as const`. Each field may be absent: users created before it was declared don't have it.
 */
export type FieldsOf<Fields> = Fields extends undefined
  ? UserFields
  : Fields extends FieldsSchema
    ? TypeOf<Fields> extends infer Declared
      ? string extends keyof Declared
        ? UserFields
        : Partial<Declared>
      : never
    : Partial<Fields>

/** What a schema accepts. Matched structurally, so these types depend on no schema library. */
export type TypeOf<Schema> = Schema extends
  | { readonly static: infer Type }
  | { readonly '~unsafe': infer Type }
  ? Type
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly enum: readonly (infer Value)[] }
      ? Value
      : Schema extends
            | { readonly anyOf: readonly (infer Each)[] }
            | { readonly oneOf: readonly (infer Each)[] }
        ? TypeOf<Each>
        : Schema extends { readonly allOf: infer All }
          ? AllOf<All>
          : Schema extends { readonly type: infer Name }
            ? TypeNamed<Name extends readonly (infer Each)[] ? Each : Name, Schema>
            : JsonValue

/** Distributes over the types of a schema that names several. */
type TypeNamed<Name, Schema> = Name extends 'string'
  ? string
  : Name extends 'number' | 'integer'
    ? number
    : Name extends 'boolean'
      ? boolean
      : Name extends 'null'
        ? null
        : Name extends 'array'
          ? ItemsOf<Schema>
          : Name extends 'object'
            ? PropertiesOf<Schema>
            : JsonValue

type AllOf<All> = All extends readonly [infer First, ...infer Others]
  ? TypeOf<First> & AllOf<Others>
  : unknown

type ItemsOf<Schema> = Schema extends { readonly items: infer Items }
  ? Items extends readonly unknown[]
    ? { -readonly [At in keyof Items]: TypeOf<Items[At]> }
    : TypeOf<Items>[]
  : JsonValue[]

type PropertiesOf<Schema> = Schema extends { readonly properties: infer Properties }
  ? Flat<
      { -readonly [Name in Exclude<keyof Properties, RequiredOf<Schema>>]?: TypeOf<Properties[Name]> } & {
        -readonly [Name in Extract<keyof Properties, RequiredOf<Schema>>]: TypeOf<Properties[Name]>
      }
    >
  : Schema extends { readonly patternProperties: infer Patterns }
    ? { [name: string]: TypeOf<Patterns[keyof Patterns]> }
    : UserFields

/** None, if the names aren't literal types. */
type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? string extends Name
    ? never
    : Name
  : never

type Flat<Type> = { [Name in keyof Type]: Type[Name] }

/**
 * Who or what an account is for: a `person`; a `service`, which only API keys use and nobody logs in to; or
 * `unclaimed`, which keeps what somebody entered at a sign-up with an address that another account has. An unclaimed one
 * has no address and never gets one, nobody can log in to it, and it is listed nowhere.
 */
export type UserKind = 'person' | 'service' | 'unclaimed'

/**
 * Who created an account: `self`, the person at a sign-up; `staff`, over HTTP; `host`, the app's own code or a command;
 * `import`, the command of that name. Anyone can sign up, so only the others say that somebody else meant this person.
 */
export type AccountOrigin = 'self' | 'staff' | 'host' | 'import'

/** A user as requests read them. Never sent to a client like this: see `ownUser` and `publicUser`. */
export interface User {
  /** Made by the store; opaque, with one exact spelling, never reused after a deletion. */
  id: string
  kind: UserKind
  /** Set at creation, never changed. */
  origin: AccountOrigin
  /** As typed; `null` for an account without one, which `users.names` may allow. */
  username: string | null
  /**
   * For comparing usernames; unique, except `null`. Made by the plugin, stored byte for byte. `null` if and only if
   * `username` is; then there is an `emailKey`.
   */
  usernameKey: string | null
  /** As typed, without surrounding white space; `null` if none was given. */
  email: string | null
  /** For comparing addresses; unique, except `null`. */
  emailKey: string | null
  /** What the password hasher returned. */
  passwordHash: string
  /** Whether the user has verified `email`. */
  isVerified: boolean
  isStaff: boolean
  /** Names of roles, in order, which the option `roles` explains. Those that it doesn't name give nothing, and stay. */
  roles: readonly string[]
  /** An inactive user can't log in, and is logged out at once. */
  isActive: boolean
  /** To the millisecond. */
  createdAt: Date
  lastLoginAt: Date | null
  /** When `email` was last changed with a link to undo it; `null` if never, or undone. To the millisecond. */
  emailChangedAt: Date | null
  /** Copied into each session; a session with another value is invalid. */
  sessionEpoch: number
  /** Bound into each reset link; a link with another value is invalid. */
  resetEpoch: number
  /** Bound into each verification link; a link with another value is invalid. */
  verifyEpoch: number
  /** 1 at creation, plus one at each update; for compare-and-swap. */
  version: number
  /** Your own fields, stored as given. */
  fields: UserFields
  /**
   * The kinds of second factor that are on (`totp`, `passkey`), one of which a login requires; empty for none. Kept here
   * so that requests needn't read the credentials.
   */
  factors: readonly string[]
}

/**
 * A credential of an account: an authenticator app, a recovery code or a passkey. `kind` says which, and what the other
 * fields mean. Reading it isn't enough to log in, because secrets are sealed or hashed.
 */
export interface Credential {
  kind: string
  [field: string]: JsonValue
}

/** When a credential was added, in milliseconds since 1970; 0 if that isn't known, as of an imported one. */
export function addedAt(credential: Credential | null | undefined): number {
  const createdAt = credential?.createdAt
  return typeof createdAt === 'string' ? Date.parse(createdAt) : 0
}

/**
 * What the plugin notes of an account and is no credential: each note has a name. All of them together take at most
 * some tens of kilobytes, and let nobody in.
 */
export type UserNotes = { readonly [name: string]: JsonValue }

/** A user as stored, including what only logins and confirmations need. */
export interface StoredUser extends User {
  /** Stored as given, in this order. */
  credentials: readonly Credential[]
  /**
   * The user's ids elsewhere: `passkey:<credential id>`, `oidc:<issuer>|<subject>`, `key:<id>` of an API key. Each is unique
   * among all users; their order has no meaning.
   */
  identityKeys: readonly string[]
  /** Stored as given, as JSON; no name means anything to a store. */
  notes: UserNotes
}

/** A `passwordHash` that no hasher verifies, as in a shadow file: no password works until a new one is set. */
export const noPassword = '!'

/**
 * Replaces a missing user where cookies are read, which takes time that must not tell whether there is one. No browser is
 * marked for it: no account has an empty id, and a sign-up cookie for nobody has the `verifyEpoch` 0.
 */
export const nobody: Readonly<User> = {
  ...freshUser({ username: null, usernameKey: null }),
  id: '',
  isActive: false,
  createdAt: new Date(0),
  verifyEpoch: -1,
  version: 0,
}

/** Until when the latest change of the address can be undone, in milliseconds since 1970; 0 if none can. */
export function undoableUntil(
  { emailChangedAt }: Pick<User, 'emailChangedAt'>,
  undoLifetime: number,
): number {
  return emailChangedAt === null ? 0 : emailChangedAt.getTime() + undoLifetime
}

/** Whether the account has a password to log in with. */
export function holdsPassword({ passwordHash }: Pick<User, 'passwordHash'>): boolean {
  return passwordHash !== noPassword
}

/** A user to create: everything except what the store makes. */
export type NewUser = Omit<StoredUser, 'id' | 'version'>

/** A user created now with default values: by themselves, without a password and without rights. */
export function freshUser(facts: Pick<NewUser, 'username' | 'usernameKey'> & Partial<NewUser>): NewUser {
  return {
    kind: 'person',
    origin: 'self',
    email: null,
    emailKey: null,
    passwordHash: noPassword,
    isVerified: false,
    isStaff: false,
    roles: [],
    isActive: true,
    createdAt: new Date(),
    lastLoginAt: null,
    emailChangedAt: null,
    sessionEpoch: 0,
    resetEpoch: 0,
    verifyEpoch: 0,
    fields: {},
    factors: [],
    credentials: [],
    identityKeys: [],
    notes: {},
    ...facts,
  }
}

/** Changes of a user: absent and `undefined` leave a field alone, `null` clears it. */
export type UserChanges = {
  [Field in Exclude<keyof StoredUser, 'id' | 'version' | 'createdAt' | 'origin'>]?:
    | StoredUser[Field]
    | undefined
}

/** The user after the changes. */
export function withChanges<Known extends User>(current: Known, changes: UserChanges): Known {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...current, ...Object.fromEntries(entries) }
}

/**
 * A user as your app sees them, in `request.user`, without secrets.
 * `Fields` is the type of your own fields, or of the schema in the option `users.fields`.
 */
export interface AccountUser<Fields = undefined> {
  id: string
  /** `null` for an account without one. */
  username: string | null
  email: string | null
  isVerified: boolean
  isStaff: boolean
  /** What they permit, `app.accounts.can` tells. May have roles that the option no longer names. */
  roles: readonly string[]
  isActive: boolean
  /** `false` for users who only log in by other means, and after an account was secured. */
  hasPassword: boolean
  createdAt: Date
  lastLoginAt: Date | null
  fields: FieldsOf<Fields>
}

/** A user as they see themselves over HTTP. Times are RFC 3339 in UTC. */
export type OwnUser = {
  id: string
  /** `null` for an account without one; absent if `users.names` is `'none'`. */
  username?: string | null
  email: string | null
  is_verified: boolean
  is_staff: boolean
  /** Absent without the option `roles`. */
  roles?: string[]
  is_active: boolean
  has_password: boolean
  created_at: string
  last_login_at: string | null
} & UserFields

/** A user as others see them over HTTP; `username` as in the own view. */
export type PublicUser = { id: string; username?: string | null } & UserFields

/** The user as other code of the app sees them. */
export function accountUser(user: User): AccountUser {
  const { id, username, email, isVerified, isStaff, roles, isActive, createdAt, lastLoginAt, fields } = user
  const hasPassword = holdsPassword(user)
  return {
    ...{ id, username, email, isVerified, isStaff, roles, isActive, hasPassword },
    ...{ createdAt, lastLoginAt, fields },
  }
}

/** The user as they see themselves. */
export function ownUser(user: User): OwnUser {
  return {
    ...user.fields,
    id: user.id,
    username: user.username,
    email: user.email,
    is_verified: user.isVerified,
    is_staff: user.isStaff,
    roles: [...user.roles],
    is_active: user.isActive,
    has_password: holdsPassword(user),
    created_at: user.createdAt.toISOString(),
    last_login_at: user.lastLoginAt?.toISOString() ?? null,
  }
}

/** @param publicFields fields of the own view that others may see as well, besides `id` and `username` */
export function publicUser(user: User, publicFields: readonly string[]): PublicUser {
  const own = ownUser(user)
  const shown: PublicUser = { id: user.id, username: user.username }
  for (const name of publicFields) {
    const value = own[name]
    if (value !== undefined) shown[name] = value
  }
  return shown
}
