/**
 * What a feature of another package is made of: see docs/guides/own-feature.md. Not yet stable: it may change in any
 * release.
 */
export type { Deps } from '../deps.js'
export type { MailFacts, MailTable } from '../emails/mail-facts.js'
export type { MailDetails } from '../emails/pending-mail.js'
export type { PostOffice } from '../emails/post-office.js'
export { about, fieldError, invalidInput } from '../errors.js'
export type { Language } from '../languages/languages.js'
export type { Text, Translated } from '../languages/texts.js'
export { type Factor, type FactorSource, withoutFactor, withoutMisses } from '../logins/factor.js'
export { finishLogin, type LoginSource, type Proof } from '../logins/finish-login.js'
export { factorState, type PendingLogin, type PendingLogins } from '../logins/pending-login.js'
export { deriveKeys } from '../options/secret-keys.js'
export { escapeHtml } from '../pages/html.js'
export { endPage, page, withUsername } from '../pages/layout.js'
export type { PageTheme } from '../pages/theme.js'
export { type Access, knownLogin, knownUser, loggedInUser, requireConfirmed } from '../routes/access.js'
export { noteReason, noteUser } from '../routes/audit.js'
export { accountInput } from '../routes/creation.js'
export { sendPage, wantsHtml } from '../routes/negotiation.js'
export { inRequestLanguage, speak } from '../routes/request-language.js'
export type { Operation, Route } from '../routes/route.js'
export {
  type AccountBody,
  accountBody,
  detailReply,
  type LinkParams,
  linkParams,
  linkReply,
  noReply,
  ownUserReply,
} from '../routes/schemas.js'
export { markDevice, type Pending, startSession, waitingLogin } from '../routes/start-session.js'
export { whileThere } from '../routes/while-there.js'
export { createUser } from '../services/create-user.js'
export { clientOf } from '../sessions/client.js'
export type { NamedCookie } from '../sessions/named-cookie.js'
export type { SpendOnce } from '../sessions/single-use.js'
export type { EmailLinks, LinkParts } from '../tokens/email-link.js'
export { openSealed, seal } from '../tokens/seal.js'
export type { Vault } from '../tokens/vault.js'
export { accountUser, holdsPassword, noPassword, ownUser, type User } from '../user.js'
export { changeUser } from '../users/change.js'
export { checkInput, type PasswordlessInput } from '../users/create.js'
export type {
  Feature,
  FeatureCore,
  FeatureRoutes,
  ImportReader,
  LinkFacts,
  OptionalMethod,
} from './feature.js'
export { newRecoveryCodes, recoveryCode } from './second-factor/factors/recovery-codes.js'
