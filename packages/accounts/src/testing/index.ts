export * from '../kit/index.js'
export { type CaseReport, type ConformanceCase, runCases } from './cases.js'
export type {
  CheckedAccount,
  CountingHasher,
  Enquirer,
  EnquirersBrowser,
  HeldMailer,
  NoEnumerationOptions,
  NoEnumerationReport,
  SecondRequest,
} from './enumeration-options.js'
export type { InjectableApp, InjectedResponse } from './inject.js'
export { type DeliveredMail, type MailerHarness, mailerCases } from './mailer-cases.js'
export { newPendingMail } from './messages.js'
export { assertNoEnumeration, countHashes, holdMails } from './no-enumeration.js'
export type { OutageOptions } from './outage.js'
export { outboxCases } from './outbox-cases.js'
export type { OutboxCaseOptions } from './outbox-unreadable.js'
export { type PasswordHasherCaseOptions, passwordHasherCases } from './password-hasher-cases.js'
export { sessionStoreCases } from './session-store-cases.js'
export { newSession } from './sessions.js'
export { throttleStoreCases } from './throttle-store-cases.js'
export { type TokenSignerCaseOptions, tokenSignerCases } from './token-signer-cases.js'
export { userStoreCases } from './user-store-cases.js'
export { newUser } from './users.js'
