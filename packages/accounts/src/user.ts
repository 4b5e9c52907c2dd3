/** A value that survives JSON unchanged. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** The integrator's own fields of a user, by their names on the wire. */
export type UserFields = { [name: string]: JsonValue }

/** JSON Schema of an object, as the option `users.fields` takes it. */
export interface FieldsSchema {
  readonly type: 'object'
  /** JSON Schema of each field, by its name. */
  readonly properties: { readonly [name: string]: object }
  /** The names of those that nobody is created without. */
  readonly required?: readonly string[] | undefined
  /** The type of what it accepts, as @sinclair/typebox writes it on its schemas. */
  readonly static?: unknown
}

/**
 * The integrator's fields of a user. `Fields` is the type of the schema in the option `users.fields`, or the type of
 * the fields themselves. What a schema accepts is read from it: TypeBox made it, @sinclair/typebox or typebox, or it is
 * JSON Schema by hand, `as const`. Each field may be absent: a user from before it was declared does not have it.
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

/** What a schema accepts. By structure, since no library of schemas may come with the types of this one. */
type TypeOf<Schema> = Schema extends { readonly static: infer Type } | { readonly '~unsafe': infer Type }
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

/** One after the other, where a schema names several. */
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

/** None, where they are not told one by one. */
type RequiredOf<Schema> = Schema extends { readonly required: readonly (infer Name)[] }
  ? string extends Name
    ? never
    : Name
  : never

type Flat<Type> = { [Name in keyof Type]: Type[Name] }

/** A user as each request reads them. Never sent to a client as it is: see `ownUser` and `publicUser`. */
export interface User {
  /** Made by the store; opaque, of one canonical form, never given out again after a deletion. */
  id: string
  /** As the person typed it; `null` where there is none, which `users.names` may allow. */
  username: string | null
  /**
   * What `username` is compared by; unique among those that are not `null`. Made by the plugin, kept letter for letter
   * by the store. `null` exactly where `username` is; then there is an `emailKey`.
   */
  usernameKey: string | null
  /** As the person typed it, without white space around it; `null` where none was given. */
  email: string | null
  /** What `email` is compared by; unique among those that are not `null`. */
  emailKey: string | null
  /** What the password hasher returned. */
  passwordHash: string
  /** Whether the mailbox behind `email` was proven. */
  isVerified: boolean
  isStaff: boolean
  /** A user who is not active cannot log in, and is logged out at once. */
  isActive: boolean
  /** To the millisecond. */
  createdAt: Date
  lastLoginAt: Date | null
  /** When `email` was last changed with a link to undo it; `null` where it never was, or was undone. To the millisecond. */
  emailChangedAt: Date | null
  /** Copied into each session; a session whose copy differs is dead. */
  sessionEpoch: number
  /** Bound into each reset link; a link whose copy differs is dead. */
  resetEpoch: number
  /** Bound into each verification link; a link whose copy differs is dead. */
  verifyEpoch: number
  /** 1 at creation, one more at each update. What compare-and-swap compares. */
  version: number
  /** The integrator's own fields, kept as given. */
  fields: UserFields
  /**
   * The kinds of second factor that are on (`totp`, `passkey`): a login owes one of them. Empty where it owes none. What
   * each request asks is here, so that none reads the credentials.
   */
  factors: readonly string[]
}

/**
 * What an account keeps to prove somebody by: an authenticator app, a recovery code, a passkey. `kind` says which, and so
 * whose the other fields are. Whoever reads it can't log in with it: secrets are sealed or hashed.
 */
export interface Credential {
  kind: string
  [field: string]: JsonValue
}

/** A user as a user store keeps them: what each request reads, and what only a proof needs. */
export interface StoredUser extends User {
  /** Kept as given, in this order. */
  credentials: readonly Credential[]
  /** What somebody else calls this user: `passkey:<credential id>`, `oidc:<issuer>|<subject>`. Each is unique among all users. */
  identityKeys: readonly string[]
}

/** A `passwordHash` that no hasher verifies, as in a shadow file: nobody logs in until a new password is set. */
export const noPassword = '!'

/** Whether the account has a password to log in with. */
export function holdsPassword({ passwordHash }: Pick<User, 'passwordHash'>): boolean {
  return passwordHash !== noPassword
}

/** What a store is given to create a user: everything but what the store itself makes. */
export type NewUser = Omit<StoredUser, 'id' | 'version'>

/** A user who is created now, and as everybody begins where nothing else is said: without a password, and with no rights. */
export function freshUser(known: Pick<NewUser, 'username' | 'usernameKey'> & Partial<NewUser>): NewUser {
  return {
    email: null,
    emailKey: null,
    passwordHash: noPassword,
    isVerified: false,
    isStaff: false,
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
    ...known,
  }
}

/** What an update may change: a field that is absent or `undefined` stays as it is, `null` clears. */
export type UserChanges = {
  [Field in Exclude<keyof StoredUser, 'id' | 'version' | 'createdAt'>]?: StoredUser[Field] | undefined
}

/** The user as they will be. */
export function withChanges<Known extends User>(current: Known, changes: UserChanges): Known {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined)
  return { ...current, ...Object.fromEntries(given) }
}

/**
 * A user as the host's code sees it, in `request.user`: nothing in it is a secret.
 * `Fields` is the type of your own fields, or of the schema in the option `users.fields`.
 */
export interface AccountUser<Fields = undefined> {
  id: string
  /** `null` for an account without one. */
  username: string | null
  email: string | null
  isVerified: boolean
  isStaff: boolean
  isActive: boolean
  /** `false` for somebody who logs in by other means alone, and after a lock-down. */
  hasPassword: boolean
  createdAt: Date
  lastLoginAt: Date | null
  fields: FieldsOf<Fields>
}

/** A user as they see themselves over HTTP. Times are RFC 3339 in UTC. */
export type OwnUser = {
  id: string
  /** `null` for an account without one; absent where `users.names` is `'none'`. */
  username?: string | null
  email: string | null
  is_verified: boolean
  is_staff: boolean
  is_active: boolean
  has_password: boolean
  created_at: string
  last_login_at: string | null
} & UserFields

/** A user as others see them over HTTP; `username` as in the own view. */
export type PublicUser = { id: string; username?: string | null } & UserFields

/** The user as other code of the app sees them. */
export function accountUser(user: User): AccountUser {
  const { id, username, email, isVerified, isStaff, isActive, createdAt, lastLoginAt, fields } = user
  const hasPassword = holdsPassword(user)
  return { id, username, email, isVerified, isStaff, isActive, hasPassword, createdAt, lastLoginAt, fields }
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
    is_active: user.isActive,
    has_password: holdsPassword(user),
    created_at: timeText(user.createdAt),
    last_login_at: user.lastLoginAt && timeText(user.lastLoginAt),
  }
}

/** @param publicFields names of the own view that others may see too, beside `id` and `username` */
export function publicUser(user: User, publicFields: readonly string[]): PublicUser {
  const own = ownUser(user)
  const shown: PublicUser = { id: user.id, username: user.username }
  for (const name of publicFields) {
    const value = own[name]
    if (value !== undefined) shown[name] = value
  }
  return shown
}

/** How many texts of times are kept, some 100 bytes each. */
const keptTexts = 10_000
const texts = new Map<number, string>()

/**
 * The time as RFC 3339. It's remembered: the same users are shown again and again, and `toISOString` twice takes longer
 * than all else that makes an own view.
 */
function timeText(time: Date): string {
  const known = texts.get(time.getTime())
  if (known !== undefined) return known
  const text = time.toISOString()
  if (texts.size >= keptTexts) texts.clear()
  texts.set(time.getTime(), text)
  return text
}
