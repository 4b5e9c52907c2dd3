/** The wire format, as described in docs/routes.md. A type test keeps it equal to the server's schemas. */

/** Any fields; the service's option `users.fields` as a type. */
export type AnyFields = object

/** A user as they see themselves, and as staff see every user. Times are RFC 3339 in UTC. */
export type OwnUser<Fields extends AnyFields = object> = {
  id: string
  /** `null` for an account without one; absent if the service has no names. */
  username?: string | null
  email: string | null
  is_verified: boolean
  is_staff: boolean
  /** Absent if the service has no roles. */
  roles?: string[]
  is_active: boolean
  has_password: boolean
  created_at: string
  last_login_at: string | null
} & Partial<Fields>

/** A user as others see them: the service's option `users.publicFields` decides which other fields it has. */
export type PublicUser<Fields extends AnyFields = object> = {
  id: string
  username?: string | null
} & Partial<OwnUser<Fields>>

/** Body of a login. */
export interface Credentials {
  /** The username or the email address of the account, whichever the service allows. */
  username: string
  password: string
  /** Whether the cookie outlives the browser. Default: `false`. */
  remember?: boolean
}

/** One session of the logged-in user. */
export interface Session {
  /** Not the cookie, and not usable as one. */
  id: string
  created_at: string
  last_seen_at: string
  expires_at: string
  /** What its user calls the device; `null` for sessions of a browser. */
  name: string | null
  browser: string | null
  system: string | null
  ip: string | null
  /** Whether it is the session of this call. */
  current: boolean
}

/** All that is kept of a person, without secrets. */
export interface UserExport {
  /** RFC 3339, in UTC. */
  exported_at: string
  /** The account itself. */
  account: Record<string, unknown>
  /** What each feature keeps, by its name. */
  features: Record<string, unknown>
}

/** A new address that awaits confirmation, and until when; both `null` if there is none. */
export interface EmailChange {
  email: string | null
  /** RFC 3339, in UTC. */
  expires_at: string | null
}

/** The sessions of the user. */
export interface SessionList {
  results: Session[]
}

/**
 * The fields of a new user. `email` is optional if no confirmation is required; `username` if the service accepts
 * an `email` instead, or has no names. Both passwords are optional together, with an `email`, if people can log in
 * other than with a password.
 */
export type NewUser<Fields extends AnyFields = object> = {
  username?: string
  password?: string
  /** The same again. */
  confirm_password?: string
  email?: string
  /** From those who may grant them. */
  roles?: string[]
} & Fields

/** A new password, typed twice. */
export interface NewPassword {
  new_password: string
  /** The same again. */
  confirm_password: string
}

/** Body of a password change. */
export interface PasswordChange extends NewPassword {
  /** Not for an account without one, which gets its first. */
  old_password?: string
}

/** The two parts of an emailed link: `/reset/{uid64}/{token}/`. */
export interface Link {
  uid64: string
  token: string
}

/** The parts of a link about an address: `/email/{uid64}/{token}/?email=…`. */
export interface EmailLink extends Link {
  /** As in the link. */
  email: string
}

/** What users may change about themselves; `null` removes an optional field. */
export type ProfileChange<Fields extends AnyFields = object> = { username?: string | null } & {
  [Name in keyof Fields]?: Fields[Name] | (undefined extends Fields[Name] ? null : never)
}

/** What staff may change about a user; omitted fields stay unchanged. */
export type UserChange<Fields extends AnyFields = object> = ProfileChange<Fields> & {
  email?: string
  is_active?: boolean
  is_staff?: boolean
  /** All roles that the user has from then on. */
  roles?: string[]
  is_verified?: boolean
}

/** What happened, in words. */
export interface Detail {
  detail: string
}

/** The new password of somebody who may not have made the account. */
export interface NewOwner extends NewPassword {
  /** Where accounts have names. */
  username?: string
  /** Whether what the maker of the account entered stays: its username and fields. Default: `keep`. */
  profile?: 'keep' | 'drop'
}

/** What confirms a login: the password, a code of an app or a recovery code, a passkey's response, or an emailed code. */
export type Confirmation =
  | { password: string }
  | { code: string }
  | { response: object }
  | { email_code: string }

/** What completes a login after ACCOUNTS_SECOND_FACTOR_REQUIRED. */
export type SecondFactor = ({ code: string } | { response: object }) & { remember_device?: boolean }

/** Response to a verification link. */
export interface Verification {
  valid: boolean
  verified: boolean
  username?: string | null
}

/** Query of a list of users. */
export interface UserQuery {
  /** 1 to `users.pageSize`, by default 100. Default 50. */
  limit?: number
  /** Where the page starts: `cursorOf` of the previous page. */
  cursor?: string
  /** The start of a username; for staff, of an email address as well. */
  search?: string
  /** For staff, in an app with `users.searchFields`: `fields` searches these for a text anywhere in them. Default: `names`. */
  search_in?: 'names' | 'fields'
  /** For staff: only users who are active, or only others; the same for the next two. */
  is_active?: boolean
  is_staff?: boolean
  is_verified?: boolean
  /** With a minus, in descending order. Default: `created_at`. Not with a search in names, which lists by these. */
  order?: UserOrder
  /** For staff: `own` shows each user as they see themselves. Default: `public`. */
  view?: 'public' | 'own'
}

/** Order of a list of users. */
export type UserOrder = 'created_at' | '-created_at' | 'username' | '-username'

/** A user as a query of the list shows them. */
export type ListedUser<Query extends UserQuery, Fields extends AnyFields = object> = Query extends {
  view: 'own'
}
  ? OwnUser<Fields>
  : PublicUser<Fields>

/** One page of a list of users. */
export interface UserPage<Fields extends AnyFields = object, Query extends UserQuery = UserQuery> {
  results: ListedUser<Query, Fields>[]
  /** The address of the next page; `null` on the last. */
  next: string | null
}

/** The routes that are mounted, by their names. */
export type RouteIndex = Record<string, { methods: string[]; href: string }>

/** An authenticator app of the logged-in user. */
export interface TotpApp {
  /** For `renameTotpApp` and `removeTotpApp`. */
  id: string
  name: string
  created_at: string
  last_used_at: string | null
}

/** Which second factors are on. */
export interface Factors {
  totp: boolean
  passkeys: boolean
  recovery_codes_left: number
  /** Whether this user must have one. */
  required: boolean
  /** Oldest first. Times are RFC 3339 in UTC. */
  apps: TotpApp[]
  /** Devices that skip the second factor, newest first. Times are RFC 3339 in UTC. */
  remembered_devices: {
    id: string
    created_at: string
    expires_at: string
    browser: string | null
    system: string | null
  }[]
  /** What was removed when the account was secured, until its owner sets something up again; for a month. */
  removed: RemovedFactors | null
}

/** How many passkeys, authenticator apps, recovery codes, logins with other providers and API keys were removed. */
export interface Removed {
  passkeys: number
  apps: number
  recovery_codes: number
  identities: number
  api_keys: number
  /** Devices that skipped the second factor. */
  remembered_devices: number
}

/** What its owner can set up again. */
export interface RemovedFactors extends Omit<Removed, 'remembered_devices'> {
  /** RFC 3339 in UTC. */
  removed_at: string
}

/** The data to set up an authenticator app. */
export interface TotpSetup {
  /** Base32, for typing. */
  secret: string
  /** The content of the QR code. */
  uri: string
  /** The QR code as SVG. */
  qr_svg: string
  /** For `confirmTotp`. */
  token: string
}

/** Shown once; empty if existing ones are kept. */
export interface RecoveryCodes {
  recovery_codes: string[]
}

/** An API key, without what lets a program in. Times are RFC 3339 in UTC. */
export interface ApiKey {
  id: string
  name: string
  scopes: string[]
  /** What it is for alone, as its creator named it; `null` for everything. */
  resource: string | null
  created_at: string
  expires_at: string
  /** The day in UTC, as in `2026-11-26`; `null` if it was never used. */
  last_used_on: string | null
}

/** A new one. */
export interface NewApiKey extends ApiKey {
  /** Shown only this once. */
  key: string
}

/** The keys of an account, oldest first, and what keys can be allowed to do. */
export interface ApiKeyList {
  results: ApiKey[]
  scopes: { name: string; description: string | null }[]
}

/** What a new key may do, and for how many seconds; 90 days by default, or as the service says. */
export interface ApiKeyRequest {
  name: string
  scopes: string[]
  expires_in?: number
  /** What it is for alone, such as the id of an organization: at most 255 characters. Default: everything. */
  resource?: string
}

/** An account that only programs use. */
export interface Service {
  id: string
  username: string
  created_at: string
}

/** A page of service accounts. */
export interface ServiceList {
  results: Service[]
  /** The address of the next page; `null` on the last. */
  next: string | null
}

/** Whom to invite, and what they get. */
export interface InvitationRequest<Fields extends AnyFields = object> {
  email: string
  fields?: Partial<Fields>
  /** From those who may grant them. */
  roles?: string[]
}

/** An open invitation. Times are RFC 3339 in UTC. */
export interface Invitation<Fields extends AnyFields = object> {
  /** For `resendInvitation` and `withdrawInvitation`. */
  id: string
  email: string
  fields: Partial<Fields>
  /** Absent if the service has no roles. */
  roles?: string[]
  /** Who invited; `null`: the app itself. */
  inviter_id: string | null
  invited_at: string
  expires_at: string
}

/** What a valid link is about. */
export interface ValidInvitation<Fields extends AnyFields = object> {
  valid: boolean
  email: string
  /** Whether a username must be chosen. */
  username_required: boolean
  /** Whether the address has a proven account: accept it logged in there, with an empty body. */
  login_required: boolean
  gives: {
    fields: Partial<Fields>
    /** Absent if the service has no roles. */
    roles?: string[]
  }
  /** What it invites to besides an account, such as an `organization`; absent if to nothing else. */
  to?: { kind: string; name: string; roles: string[] }
  /** The username of the inviter; `null` if they have none, or the app itself invited. */
  invited_by: string | null
}

/** Open invitations, fifty a page or fewer. */
export interface InvitationList<Fields extends AnyFields = object> {
  results: Invitation<Fields>[]
  /** The address of the next page; `null` on the last. */
  next: string | null
}

/** An organization, as its members and staff see it. */
export interface Organization {
  id: string
  /** Its name in URLs: 2 to 63 lowercase letters, digits and dashes. */
  slug: string
  name: string
  /** The service's own fields. */
  fields: Record<string, unknown>
  /** RFC 3339, in UTC. */
  created_at: string
  /** How many members it has. */
  members: number
  /** Your own roles there; none for staff. */
  roles: string[]
  /** What they permit; `org:*` is everything. */
  permissions: string[]
}

/** Body that creates an organization. */
export interface NewOrganization {
  name: string
  /** 2 to 63 lowercase letters, digits and dashes. */
  slug: string
  /** The service's own fields. */
  fields?: Record<string, unknown>
}

/** What changes of an organization; omitted fields stay unchanged. */
export type OrganizationChange = Partial<NewOrganization>

/** An organization in the list of staff, without what somebody is there. */
export type ListedOrganization = Omit<Organization, 'roles' | 'permissions'>

/** A page of all organizations, the oldest first. */
export interface OrganizationList {
  results: ListedOrganization[]
  /** The address of the next page; `null` on the last. */
  next: string | null
}

/** An organization that the logged-in user belongs to. */
export interface OwnOrganization {
  id: string
  slug: string
  name: string
  roles: string[]
  /** What the roles permit there; `org:*` is everything. */
  permissions: string[]
  /** RFC 3339, in UTC. */
  since: string
}

/** A page of them, the oldest first. */
export interface OwnOrganizationList {
  results: OwnOrganization[]
  /** The address of the next page; `null` on the last. */
  next: string | null
}

/** A member of an organization. */
export interface OrganizationMember {
  user_id: string
  /** `service`: an account that only programs use. */
  kind: 'person' | 'service'
  username: string | null
  email: string | null
  roles: string[]
  /** RFC 3339, in UTC. */
  since: string
}

/** Body that makes somebody a member. */
export interface NewMember {
  user_id: string
  /** At least one. */
  roles: string[]
}

/** Body that changes a member. */
export interface MemberChange {
  /** All roles that the member has from then on, at least one. */
  roles: string[]
}

/** A page of members, the oldest first. */
export interface OrganizationMemberList {
  results: OrganizationMember[]
  /** The address of the next page; `null` on the last. */
  next: string | null
}

/** Whom to invite to an organization, and with which roles, at least one. */
export interface MemberInvitationRequest {
  email: string
  roles: string[]
}

/** An open invitation to an organization. Times are RFC 3339 in UTC. */
export interface MemberInvitation {
  /** For `resendMemberInvitation` and `withdrawMemberInvitation`. */
  id: string
  email: string
  roles: string[]
  /** Who invited; `null`: the app itself. */
  inviter_id: string | null
  invited_at: string
  expires_at: string
}

/** A page of them. */
export interface MemberInvitationList {
  results: MemberInvitation[]
  /** The address of the next page; `null` on the last. */
  next: string | null
}

/** An invitation to an organization that waits for the logged-in user. Times are RFC 3339 in UTC. */
export interface OwnInvitation {
  /** For `acceptOwnInvitation` and `declineInvitation`. */
  id: string
  organization: { id: string; name: string }
  roles: string[]
  /** The username of the inviter; `null` if they have none, or the app itself invited. */
  invited_by: string | null
  invited_at: string
  expires_at: string
}

/** A page of them. */
export interface OwnInvitationList {
  results: OwnInvitation[]
  /** The address of the next page; `null` on the last. */
  next: string | null
}

/** Something that has happened to the account. */
export interface Activity {
  id: string
  /** The type of the event, such as `user.password_changed`. */
  type: string
  /** RFC 3339, in UTC. */
  at: string
  /** `request`: the person, or somebody who was not logged in; `staff`: another user; otherwise the service itself. */
  actor: 'request' | 'staff' | 'host' | 'command' | 'plugin'
  /** Browser and system of a request, such as `Firefox, Linux`. */
  device: string | null
  /** Network of a request, such as `192.0.2.0/24`. */
  network: string | null
  /** What the event tells. */
  data: object
}

/** What has happened to the account, fifty a page. */
export interface ActivityList {
  results: Activity[]
  /** The address of the next page; `null` on the last. */
  next: string | null
}

/** The tokens of a response. Lifetimes are in seconds. */
export interface Tokens {
  access_token: string
  token_type: 'Bearer'
  expires_in: number
  /** Absent in the response to a request that changed how to log in without the header `Accounts-Refresh`. */
  refresh_token?: string
  refresh_expires_in?: number
}

/** The response to a refresh. */
export interface OnlyTokens {
  tokens: Required<Tokens>
}
