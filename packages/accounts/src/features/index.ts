/**
 * What a feature of another package is made of: see docs/guides/own-feature.md. Not yet stable: it may change in any
 * release.
 */
export { about } from '../errors.js'
export type { Translated } from '../languages/texts.js'
export { type Factor, type FactorSource, withoutFactor, withoutMisses } from '../logins/factor.js'
export type { Proof } from '../logins/finish-login.js'
export { deriveKeys } from '../options/secret-keys.js'
export { endPage, page, withUsername } from '../pages/layout.js'
export { knownUser, loggedInUser } from '../routes/access.js'
export { noteReason, noteUser } from '../routes/audit.js'
export { accountInput } from '../routes/creation.js'
export { sendPage, wantsHtml } from '../routes/negotiation.js'
export { inRequestLanguage, speak } from '../routes/request-language.js'
export type { Route } from '../routes/route.js'
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
export { startSession, waitingLogin } from '../routes/start-session.js'
export { createUser } from '../services/create-user.js'
export { clientOf } from '../sessions/client.js'
export type { NamedCookie } from '../sessions/named-cookie.js'
export type { SpendOnce } from '../sessions/single-use.js'
export { accountUser, ownUser, type User } from '../user.js'
export { changeUser } from '../users/change.js'
export { checkInput, type PasswordlessInput } from '../users/create.js'
export type { Feature, FeatureCore, FeatureRoutes, ImportReader } from './feature.js'
