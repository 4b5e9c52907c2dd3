/**
 * The building blocks for a feature in another package: see docs/guides/own-feature.md. Not yet stable: it
 * may change in any release.
 */

export { createDeadline } from '../adapters/deadline.js'
export { guard, guardCallback } from '../adapters/guard.js'
export type { Outage } from '../adapters/outages.js'
export { withoutValues } from '../adapters/scrub.js'
export type { DeletionDeps, DeletionPlan, Deps, InvitationTarget } from '../deps.js'
export { mailedName } from '../emails/harmless-text.js'
export { attributed, changedMeanwhile, fieldError, invalidInput } from '../errors.js'
export type { Events } from '../events/events.js'
export type { MountCore } from '../http/feature-core.js'
export { accountBody } from '../http/input/account-body.js'
export { accountInput } from '../http/input/account-input.js'
export { isChecked } from '../http/input/checkbox.js'
export { changeableOf, writableOf } from '../http/input/field-schemas.js'
export { checkbox, cursorQuery } from '../http/input/schemas.js'
export { linkRoutes } from '../http/link-routes.js'
export { named } from '../http/openapi/openapi-components.js'
export type { Handle, Input, MakePage, Result } from '../http/operation.js'
export { created, createdReplies } from '../http/output/created.js'
export { ownUserReply } from '../http/output/reply-schemas.js'
export { detailReply, noReply, removedViewReply } from '../http/output/schemas.js'
export type { FeaturePages, PageResult, PageRoute, PageVisit } from '../http/page-route.js'
export { type OperationFacts, type Route, route } from '../http/route.js'
export { shownName } from '../identifiers/account-name.js'
export { isReplacementName, replacementName } from '../identifiers/address-name.js'
export { newAddressFault, parseTypedEmail } from '../identifiers/email.js'
export { checkUsername } from '../identifiers/username.js'
export type { Translated } from '../languages/texts.js'
export { mayAdd } from '../logins/addition.js'
export { completing, confirming } from '../logins/asked-factors.js'
export type { Confirmation } from '../logins/confirmation.js'
export { type Factor, withoutFactor, withoutMisses } from '../logins/factor.js'
export { finishLogin, type Proof } from '../logins/finish-login.js'
export { knownDevice } from '../logins/known-device.js'
export type { OtherBeginning } from '../logins/other-beginning.js'
export { isMakersBrowser } from '../logins/own-browser.js'
export { ownerRefusal } from '../logins/owner-proof.js'
export { withSignUpHint } from '../logins/sign-up-hint.js'
export { waitingLogin } from '../logins/waiting-login.js'
export type { Who } from '../logins/who.js'
export { isKnownOwner } from '../notes.js'
export type { Brand } from '../options/brand.js'
export { dark as darkScheme, edgeOf, inkOn, light as lightScheme } from '../options/brand.js'
export { lostOnRestart } from '../options/checks.js'
export { can, isPrivileged } from '../options/privileges.js'
export { deriveKeys } from '../options/secret-keys.js'
export { escapeHtml } from '../pages/html.js'
export { buttonPage, endPage, page, withUsername } from '../pages/layout.js'
export type { PageContent, Problem } from '../pages/page-content.js'
export { formPage, passwordField, usernameForManagers } from '../pages/password-fields.js'
export type { Frame, PageTheme } from '../pages/theme.js'
export { tryPassword } from '../passwords/try-password.js'
export { createRequestSlot } from '../request-slot.js'
export { type Granted, nothingGranted } from '../seams/before.js'
export type { SeamMethods } from '../seams/methods.js'
export type { OperatedStore } from '../seams/operated-store.js'
export { isDuplicate } from '../seams/store-errors.js'
export type { Client } from '../sessions/client.js'
export type { NamedCookie } from '../sessions/named-cookie.js'
export { loginFollows } from '../sessions/session-effect.js'
export type { SpendOnce } from '../sessions/single-use.js'
export type { DeleteStored } from '../sessions/user-updates.js'
export { addressKey, deviceBudgetKey, loginLimits } from '../throttle/throttle.js'
export type { LinkParts, OpenedLink } from '../tokens/email-link.js'
export { createListCursor, type ListPosition, readPage } from '../tokens/list-cursor.js'
export { openSealed, seal } from '../tokens/seal.js'
export {
  accountUser,
  addedAt,
  freshUser,
  holdsPassword,
  noPassword,
  ownUser,
  type User,
  withChanges,
} from '../user.js'
export { admitSignUp } from '../users/admit-sign-up.js'
export { askSignUp } from '../users/ask-sign-up.js'
export { checkMayCreate } from '../users/check-may-create.js'
export {
  addressAlone,
  checkInput,
  newUser,
  type PasswordlessInput,
  storeUser,
} from '../users/create.js'
export { createOrPretend } from '../users/create-or-pretend.js'
export { createUser, type SignedUp } from '../users/create-user.js'
export { fieldChanges } from '../users/field-changes.js'
export { checkUsernameFree, isHeld } from '../users/free-lapsed.js'
export { findAccount, foundOrNull, isFound } from '../users/host-accounts.js'
export { type Acceptance, acceptAlong } from '../users/invitations/accept-along.js'
export { findAcceptances, type ProvenAddress } from '../users/invitations/ask-about.js'
export {
  canTakeEffect,
  type InvitationState,
  invitationState,
} from '../users/invitations/find-invitations.js'
export { giftOf, isExpired } from '../users/invitations/invitation.js'
export { withInvitations } from '../users/invitations/with-invitations.js'
export { ownRecord } from '../users/own-record.js'
export { askOwner, type OwnerChanges } from '../users/ownership/ask-owner.js'
export { hasMakersPassword, isUsed, ownershipOf } from '../users/ownership/states.js'
export { changesHands, type OwnershipEvent, ownershipChanges } from '../users/ownership/table.js'
export { showRemoved } from '../users/removed.js'
export { replaceUser } from '../users/replace.js'
export { isHiddenFromLogins } from '../users/visible.js'
export { compileFields, fieldsSizeFaults, fieldsWithin, isPlainText, noSuchValue } from '../validation.js'
export { isWebHost, isWebOrigin, shownUrl, webUrl } from '../web-url.js'
export type { FactorCore, Feature, FeatureCore, FeatureRoutes, ImportReader } from './feature.js'
export {
  type FeatureHost,
  type HostCall,
  type HostOperation,
  type HostOperations,
  hostCall,
  type Visitor,
  type Visitors,
} from './host.js'
export type { HostIdentities, HostIdentity, IdentityName } from './identities.js'
export { identityHost } from './identity-host.js'
export { mostOfAddress } from './invitations/invite.js'
export { invitationMail } from './invitations/invited/invitation-mail.js'
export { mailKey, sendAgain } from './invitations/invited/send-again.js'
export { inviterNameOf } from './invitations/invited/show-invitation.js'
export { storeInvitation } from './invitations/invited/store-invitation.js'
export { checkOpen } from './invitations/invited/with-invitation.js'
export { factorHost } from './second-factor/host.js'
export { staffResetRoutes } from './second-factor/routes/reset.js'
export type { DetailJson, LinkJson, MaybeTokens, NewUserJson, OwnUserJson, Performed } from './wire.js'
