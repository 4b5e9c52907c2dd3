/**
 * The building blocks for a feature in another package: see docs/guides/own-feature.md. Not yet stable: it
 * may change in any release.
 */

export { changeUser } from '../adapters/change-user.js'
export { createDeadline } from '../adapters/deadline.js'
export { guardCallback } from '../adapters/guard.js'
export type { Outage } from '../adapters/outages.js'
export { withoutValues } from '../adapters/scrub.js'
export { unlinked } from '../emails/unlinked-name.js'
export { about, fieldError, invalidInput } from '../errors.js'
export { shownName } from '../identifiers/account-name.js'
export { isReplacementName, replacementName } from '../identifiers/address-name.js'
export { checkUsername } from '../identifiers/username.js'
export type { Translated } from '../languages/texts.js'
export { mayAdd } from '../logins/addition.js'
export { type Factor, type FactorSource, withoutFactor, withoutMisses } from '../logins/factor.js'
export type { Proof } from '../logins/finish-login.js'
export { ownerRefusal } from '../logins/owner-proof.js'
export { showRemoved } from '../logins/removed.js'
export { deriveKeys } from '../options/secret-keys.js'
export { buttonPage, endPage, page, withUsername } from '../pages/layout.js'
export { passwordField, usernameForManagers } from '../pages/password-fields.js'
export type { PageTheme } from '../pages/theme.js'
export { tryPassword } from '../passwords/try-password.js'
export { currentLogin, knownUser, loggedInUser } from '../routes/access.js'
export { accountInput } from '../routes/account-input.js'
export { noteHandOver, noteReason, noteUser } from '../routes/audit.js'
export type { Confirmation } from '../routes/confirmation.js'
export { sendPage, wantsHtml } from '../routes/negotiation.js'
export { named } from '../routes/openapi-components.js'
export { detailReply, linkReply, noReply, ownUserReply, removedViewReply } from '../routes/reply-schemas.js'
export { inRequestLanguage, respondIn } from '../routes/request-language.js'
export {
  type AccountBody,
  accountBody,
  checkbox,
  isChecked,
  type LinkParams,
  linkParams,
} from '../routes/request-schemas.js'
export type { Operation, Route } from '../routes/route.js'
export { startSession, waitingLogin } from '../routes/start-session.js'
export { whileThere } from '../routes/while-there.js'
export { createUser } from '../services/create-user.js'
export { clientOf } from '../sessions/client.js'
export type { NamedCookie } from '../sessions/named-cookie.js'
export type { SpendOnce } from '../sessions/single-use.js'
export { addressKey, deviceBudgetKey, loginLimits } from '../throttle/throttle.js'
export type { LinkParts } from '../tokens/email-link.js'
export { openSealed, seal } from '../tokens/seal.js'
export { accountUser, noPassword, ownUser, type User, withChanges } from '../user.js'
export { firstProof } from '../users/change.js'
export { checkInput, insertUser, type PasswordlessInput } from '../users/create.js'
export { ownRecord } from '../users/own-record.js'
export { replaceUser } from '../users/replace.js'
export { plainProof } from '../users/unproven.js'
export { fieldsSizeFaults } from '../validation.js'
export { isWebHost, isWebOrigin, shownUrl, webUrl } from '../web-url.js'
export type { Feature, FeatureCore, FeatureRoutes, ImportReader } from './feature.js'
export { staffRoutes } from './second-factor/routes.js'
