/**
 * A kit for the tests of an app, and conformance suites for adapters.
 *
 * @module testing
 */

export type {
  CheckedAccount,
  CountingHasher,
  Enquirer,
  EnquirersBrowser,
  HeldMailer,
  NoEnumerationOptions,
  NoEnumerationReport,
  SecondRequest,
} from './enumeration/enumeration-options.js'
export type { InjectableApp, InjectedResponse } from './enumeration/inject.js'
export { assertNoEnumeration, countHashes, holdMails } from './enumeration/no-enumeration.js'
export type { AnyApp } from './kit/any-app.js'
export { createCheapHasher } from './kit/cheap-hasher.js'
export { type HeldClock, holdClock } from './kit/hold-clock.js'
export {
  type LoginHeaders,
  logInAs,
  type TestLogin,
  type TestUser,
  type TokenHeaders,
} from './kit/log-in-as.js'
export { createMailbox, type Mailbox, type ReceivedMail } from './kit/mailbox.js'
export { type MountedAccounts, mountAccounts } from './kit/mount-accounts.js'
export { createTestOptions, type TestOptions } from './kit/test-options.js'
export { newActivityEntry } from './suites/activities.js'
export { activityStoreCases } from './suites/activity-store-cases.js'
export { type CaseReport, type ConformanceCase, runCases } from './suites/cases.js'
export { invitationStoreCases } from './suites/invitation-store-cases.js'
export { newInvitation } from './suites/invitations.js'
export { type DeliveredMail, type MailerHarness, mailerCases } from './suites/mailer-cases.js'
export { newPendingMail } from './suites/messages.js'
export type { OutageOptions } from './suites/outage.js'
export { outboxCases } from './suites/outbox-cases.js'
export type { OutboxCaseOptions } from './suites/outbox-unreadable.js'
export { type PasswordHasherCaseOptions, passwordHasherCases } from './suites/password-hasher-cases.js'
export { sessionStoreCases } from './suites/session-store-cases.js'
export { newSession } from './suites/sessions.js'
export { throttleStoreCases } from './suites/throttle-store-cases.js'
export { type TokenSignerCaseOptions, tokenSignerCases } from './suites/token-signer-cases.js'
export { type UserStoreCaseOptions, userStoreCases } from './suites/user-store-cases.js'
export { newUser } from './suites/users.js'
