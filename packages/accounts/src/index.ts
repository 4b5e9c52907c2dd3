/**
 * The plugin, its default adapters, and the types of its options and adapter interfaces.
 *
 * @module plugin
 */

import './features/names.js'

export { createConsoleMailer } from './defaults/console-mailer.js'
export { createHmacSigner } from './defaults/hmac-signer.js'
export { createMemoryActivityStore } from './defaults/memory-activity-store.js'
export { createMemoryInvitationStore } from './defaults/memory-invitation-store.js'
export { createMemorySessionStore } from './defaults/memory-session-store.js'
export { createMemoryThrottleStore } from './defaults/memory-throttle-store.js'
export { createMemoryUserStore } from './defaults/memory-user-store.js'
export { type PwnedPasswordsOptions, pwnedPasswords } from './defaults/pwned-passwords.js'
export { createScryptHasher } from './defaults/scrypt-hasher.js'
export type { MailFailure } from './emails/retries.js'
export {
  AccountsError,
  type ErrorBody,
  type ErrorCode,
  type ErrorReason,
  errorTable,
  type FieldError,
  type FieldErrorCode,
} from './errors.js'
export type {
  FeatureActions,
  FeatureCalls,
  FeatureErrors,
  FeatureEvents,
  FeatureLinks,
  FeatureMails,
  FeatureOperations,
  FeatureTexts,
  LinkRouteName,
  RouteName,
} from './feature-names.js'
export type { HostActivity } from './features/activity/host.js'
export type { CreatedApiKey, HostApiKey, HostService } from './features/api-keys/host.js'
export { type ApiKeysOptions, apiKeys } from './features/api-keys/index.js'
export type { HostApiKeyInput } from './features/api-keys/keys/new-key.js'
export type { HostCall } from './features/host.js'
export type { HostIdentity, IdentityName } from './features/identities.js'
export type { HostInvitation } from './features/invitations/host.js'
export { type InvitationsOptions, invitations } from './features/invitations/index.js'
export type { InvitationInput } from './features/invitations/invite.js'
export { type SecondFactorOptions, secondFactor } from './features/second-factor/index.js'
export type { FactorsReset } from './features/second-factor/reset-user-factors.js'
export { defaultLimits } from './features/shipped.js'
export { type TokensOptions, tokens } from './features/tokens/index.js'
export type { AuditAction, AuditEvent } from './http/guard/audit.js'
export { limitPipelining } from './http/guard/limit-pipelining.js'
export { lingeringClose } from './http/guard/lingering-close.js'
export type { AnyReply, AnyRequest } from './http/input/any-request.js'
export { frameworkErrors } from './http/output/framework-errors.js'
export { maskedRequest } from './http/output/log-serializers.js'
export { type EmailAddress, parseEmail } from './identifiers/email.js'
export { usernameKey } from './identifiers/username.js'
export type { SomeTexts, WholeTexts as Texts } from './languages/texts.js'
export { defaultAuthorize } from './options/default-authorize.js'
export type { AccountLimits, IpLimits, Limit, Limits } from './options/limits.js'
export type {
  AccountsFeature,
  AccountsOptions,
  AuthOptions,
  Authorize,
  RightsChange,
  UsersOptions,
} from './options/options.js'
export type { PermissionOf, RoleOf, Roles, UserPermission } from './options/roles.js'
export { userPermissions } from './options/roles.js'
export { escapeHtml } from './pages/html.js'
export type {
  ActivityActor,
  ActivityEntry,
  ActivityListQuery,
  ActivityStore,
} from './seams/activity-store.js'
export { type Alongside, type AlongsideCalls, AlongsideError, alongsideCalls } from './seams/alongside.js'
export type {
  BeforeRules,
  ClientFacts,
  EmailChange,
  LoginAttempt,
  RuleContext,
  SignUpAttempt,
  SignUpGrant,
  SignUpMethod,
} from './seams/before.js'
export { assertInTime, callBefore, callDeadline } from './seams/call-deadline.js'
export { closable } from './seams/closable.js'
export type {
  EmailContent,
  EmailFacts,
  EmailLayout,
  EmailParts,
  EmailTemplate,
  EmailTemplates,
  OwnEmail,
  OwnEmails,
} from './seams/email-templates.js'
export type {
  AccountEvent,
  EventActor,
  EventData,
  EventHandler,
  EventType,
  PendingEvents,
  Subscriber,
} from './seams/events.js'
export type {
  Invitation,
  InvitationChanges,
  InvitationListQuery,
  InvitationStore,
} from './seams/invitation-store.js'
export type { AnyMailKind, Mail, Mailer, MailKind } from './seams/mailer.js'
export type { DeadMessage, Outbox, OutboxEntry, PendingMail, PendingMessage } from './seams/outbox.js'
export type { PasswordCheck, PasswordFault } from './seams/password-check.js'
export type { PasswordHasher } from './seams/password-hasher.js'
export { RuleError, type RuleText } from './seams/rule-error.js'
export type {
  Session,
  SessionChanges,
  SessionDetails,
  SessionState,
  SessionStore,
  SessionUpdate,
  UpdateWithSessions,
} from './seams/session-store.js'
export {
  assertText,
  ContendedError,
  DuplicateError,
  InvalidArgumentError,
  RefusedError,
  type StoreError,
  UnavailableError,
} from './seams/store-errors.js'
export type {
  ColumnDescription,
  ColumnType,
  IndexDescription,
  TableDescription,
} from './seams/tables.js'
export type { ThrottleStore } from './seams/throttle-store.js'
export { linkPurposes, type TokenClaims, type TokenContext, type TokenSigner } from './seams/token-signer.js'
export type {
  ImportedUser,
  ImportOutcome,
  ListAbility,
  ListingUserStore,
  UserFilter,
  UserListQuery,
  UserOrder,
  UserPosition,
  UserPrefix,
  UserSearch,
  UserStore,
} from './seams/user-store.js'
export type { DeliveredTokens } from './sessions/client.js'
export type {
  Accounts,
  AccountsEvents,
  AccountsHook,
  HostLogin,
  MailData,
} from './start/accounts.js'
export type { EventsHealth } from './start/events-health.js'
export type {
  AccountsHealth,
  ClockHealth,
  HasherHealth,
  OutboxHealth,
  PartHealth,
} from './start/health.js'
export type { PasswordLink } from './start/host/create-password-link.js'
export type { HostCreation, NewUserInput } from './start/host/create-user-by-host.js'
export type { UserQuery } from './start/host/find-user.js'
export type { HostSession } from './start/host/list-sessions-by-host.js'
export type { UserListInput } from './start/host/list-users-by-host.js'
export type { SecureInput, UserSecured } from './start/host/secure-user-by-host.js'
export type { UserUpdate } from './start/host/update-user-by-host.js'
export { default, default as accounts } from './start/plugin.js'
export type {
  AccountOrigin,
  AccountUser,
  Credential,
  FieldsOf,
  FieldsSchema,
  JsonValue,
  NewUser,
  OwnUser,
  PublicUser,
  StoredUser,
  User,
  UserChanges,
  UserFields,
  UserKind,
  UserNotes,
} from './user.js'
export type { UserFlags } from './users/change.js'
export type { CreateUserInput } from './users/create.js'
