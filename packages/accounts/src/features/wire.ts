// Written from the routes of the plugin: `npm run routes`.

/** Any fields; the service's option `users.fields` as a type. */
export type AnyFields = object

/** What an operation returns. */
export interface Performed<Status extends number, Body> {
  status: Status
  body: Body
}

/** Of a session that begins or goes on, where the client keeps tokens. */
export interface MaybeTokens {
  tokens?: TokensJson
}

export interface ActivityJson {
  id: string
  type: string
  at: string
  actor: 'request' | 'staff' | 'host' | 'command' | 'plugin'
  device: string | null
  network: string | null
  data: object
}

export interface ActivityListJson {
  results: ActivityJson[]
  next: string | null
}

export interface ApiKeyJson {
  id: string
  name: string
  scopes: string[]
  resource: string | null
  created_at: string
  expires_at: string
  last_used_on: string | null
}

export interface ApiKeyListJson {
  results: ApiKeyJson[]
  scopes: { name: string; description: string | null }[]
}

export interface ApiKeyRequestJson {
  name: string
  scopes: string[]
  expires_in?: number
  resource?: string
}

export type ConfirmationJson =
  | { password: string }
  | { code: string }
  | { response: object }
  | { email_code: string }

export interface CredentialsJson {
  username: string
  password: string
  remember?: boolean
}

export interface DetailJson {
  detail: string
}

export interface EmailChangeJson {
  email: string | null
  expires_at: string | null
}

export interface FactorsJson {
  totp: boolean
  passkeys: boolean
  recovery_codes_left: number
  required: boolean
  apps: TotpAppJson[]
  remembered_devices: {
    id: string
    created_at: string
    expires_at: string
    browser: string | null
    system: string | null
  }[]
  removed: RemovedFactorsJson | null
}

export interface InvitationJson<Fields extends AnyFields = object> {
  id: string
  email: string
  fields: Partial<Fields>
  roles?: string[]
  inviter_id: string | null
  invited_at: string
  expires_at: string
}

export interface InvitationListJson<Fields extends AnyFields = object> {
  results: InvitationJson<Fields>[]
  next: string | null
}

export interface InvitationRequestJson<Fields extends AnyFields = object> {
  email: string
  fields?: Partial<Fields>
  roles?: string[]
}

export interface LinkJson {
  uid64: string
  token: string
}

export type ListedUserJson<Query extends UserQueryJson, Fields extends AnyFields = object> = Query extends {
  view: 'own'
}
  ? OwnUserJson<Fields>
  : PublicUserJson<Fields>

export interface NewApiKeyJson extends ApiKeyJson {
  key: string
}

export interface NewOwnerJson extends NewPasswordJson {
  username?: string
  profile?: 'keep' | 'drop'
}

export interface NewPasswordJson {
  new_password: string
  confirm_password: string
}

export type NewUserJson<Fields extends AnyFields = object> = {
  username?: string
  password?: string
  confirm_password?: string
  email?: string
  roles?: string[]
} & Fields

export interface OnlyTokensJson {
  tokens: Required<TokensJson>
}

export type OwnUserJson<Fields extends AnyFields = object> = {
  id: string
  username?: string | null
  email: string | null
  is_verified: boolean
  is_staff: boolean
  roles?: string[]
  is_active: boolean
  has_password: boolean
  created_at: string
  last_login_at: string | null
} & Partial<Fields>

export interface PasswordChangeJson extends NewPasswordJson {
  old_password?: string
}

export type ProfileChangeJson<Fields extends AnyFields = object> = { username?: string | null } & {
  [Name in keyof Fields]?: Fields[Name] | (undefined extends Fields[Name] ? null : never)
}

export type PublicUserJson<Fields extends AnyFields = object> = {
  id: string
  username?: string | null
} & Partial<OwnUserJson<Fields>>

export interface RecoveryCodesJson {
  recovery_codes: string[]
}

export interface RemovedJson {
  passkeys: number
  apps: number
  recovery_codes: number
  identities: number
  api_keys: number
  remembered_devices: number
}

export interface RemovedFactorsJson extends Omit<RemovedJson, 'remembered_devices'> {
  removed_at: string
}

export type RouteIndexJson = Record<string, { methods: string[]; href: string }>

export type SecondFactorJson = ({ code: string } | { response: object }) & { remember_device?: boolean }

export interface ServiceJson {
  id: string
  username: string
  created_at: string
}

export interface ServiceListJson {
  results: ServiceJson[]
  next: string | null
}

export interface SessionJson {
  id: string
  created_at: string
  last_seen_at: string
  expires_at: string
  name: string | null
  browser: string | null
  system: string | null
  ip: string | null
  current: boolean
}

export interface SessionListJson {
  results: SessionJson[]
}

export interface TokensJson {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  refresh_token?: string
  refresh_expires_in?: number
}

export interface TotpAppJson {
  id: string
  name: string
  created_at: string
  last_used_at: string | null
}

export interface TotpSetupJson {
  secret: string
  uri: string
  qr_svg: string
  token: string
}

export type UserChangeJson<Fields extends AnyFields = object> = ProfileChangeJson<Fields> & {
  email?: string
  is_active?: boolean
  is_staff?: boolean
  roles?: string[]
  is_verified?: boolean
}

export interface UserExportJson {
  exported_at: string
  account: Record<string, unknown>
  features: Record<string, unknown>
}

export type UserOrderJson = 'created_at' | '-created_at' | 'username' | '-username'

export interface UserPageJson<
  Fields extends AnyFields = object,
  Query extends UserQueryJson = UserQueryJson,
> {
  results: ListedUserJson<Query, Fields>[]
  next: string | null
}

export interface UserQueryJson {
  limit?: number
  cursor?: string
  search?: string
  search_in?: 'names' | 'fields'
  is_active?: boolean
  is_staff?: boolean
  is_verified?: boolean
  order?: UserOrderJson
  view?: 'public' | 'own'
}

export interface ValidInvitationJson<Fields extends AnyFields = object> {
  valid: boolean
  email: string
  username_required: boolean
  login_required: boolean
  gives: {
    fields: Partial<Fields>
    roles?: string[]
  }
  to?: { kind: string; name: string; roles: string[] }
  invited_by: string | null
}

export interface VerificationJson {
  valid: boolean
  verified: boolean
  username?: string | null
}
