// Written from the routes of the plugin: `npm run routes`.

import type { FieldsOf, UserFields } from '../user.js'
import type {
  ActivityListJson,
  ApiKeyListJson,
  ApiKeyRequestJson,
  ConfirmationJson,
  CredentialsJson,
  DetailJson,
  EmailChangeJson,
  FactorsJson,
  InvitationListJson,
  InvitationRequestJson,
  LinkJson,
  MaybeTokens,
  NewApiKeyJson,
  NewOwnerJson,
  NewUserJson,
  OnlyTokensJson,
  OwnUserJson,
  PasswordChangeJson,
  Performed,
  ProfileChangeJson,
  PublicUserJson,
  RecoveryCodesJson,
  RemovedJson,
  RouteIndexJson,
  SecondFactorJson,
  ServiceJson,
  ServiceListJson,
  SessionListJson,
  TotpAppJson,
  TotpSetupJson,
  UserChangeJson,
  UserExportJson,
  UserPageJson,
  UserQueryJson,
  ValidInvitationJson,
  VerificationJson,
} from './wire.js'

declare module '../feature-names.js' {
  interface FeatureOperations<Fields = undefined> {
    logIn(input: { body: CredentialsJson }): Performed<200, OwnUserJson<FieldsOf<Fields>> & MaybeTokens>
    logOut(): Performed<204, undefined>
    changePassword(input: {
      body: PasswordChangeJson
    }): Performed<204, undefined> | Performed<200, Required<MaybeTokens>>
    removePassword(): Performed<204, undefined> | Performed<200, Required<MaybeTokens>>
    showMe(): Performed<200, OwnUserJson<FieldsOf<Fields>>>
    updateMe(input: {
      body: ProfileChangeJson<FieldsOf<Fields>>
    }): Performed<200, OwnUserJson<FieldsOf<Fields>>>
    deleteMe(): Performed<204, undefined>
    exportMe(): Performed<200, UserExportJson>
    confirm(input: {
      body: ConfirmationJson
    }): Performed<204, undefined> | Performed<200, Required<MaybeTokens>>
    requestPasswordReset(input: { body: { email: string } }): Performed<202, DetailJson>
    resetPasswordWithCode(input: { body: NewOwnerJson & { code: string } }): Performed<204, undefined>
    checkResetLink(input: {
      params: LinkJson
    }): Performed<
      200,
      { valid: boolean; asks_username?: true; profile?: { username?: string }; api_keys: string[] }
    >
    resetPassword(input: { params: LinkJson; body: NewOwnerJson }): Performed<204, undefined>
    changeEmail(input: { body: { email: string } }): Performed<202, DetailJson>
    showEmailChange(): Performed<200, EmailChangeJson>
    cancelEmailChange(): Performed<204, undefined>
    checkEmailChange(input: {
      params: LinkJson
      query: { email: string }
    }): Performed<200, { valid: boolean }>
    confirmEmailChange(input: { params: LinkJson; query: { email: string } }): Performed<200, DetailJson>
    checkEmailUndo(input: {
      params: LinkJson
      query: { email: string }
    }): Performed<200, { valid: boolean; removes?: RemovedJson }>
    undoEmailChange(input: {
      params: LinkJson
      query: { email: string }
    }): Performed<200, { detail: string; removed?: RemovedJson }>
    checkEmailKeep(input: { params: LinkJson; query: { email: string } }): Performed<200, { valid: boolean }>
    keepEmailChange(input: { params: LinkJson; query: { email: string } }): Performed<200, DetailJson>
    checkEmailRelease(input: {
      params: LinkJson
      query: { email: string }
    }): Performed<200, { valid: boolean }>
    releaseEmail(input: { params: LinkJson; query: { email: string } }): Performed<200, DetailJson>
    listSessions(): Performed<200, SessionListJson>
    endSession(input: { params: { id: string } }): Performed<204, undefined>
    endOtherSessions(): Performed<204, undefined>
    checkLoginReport(input: { params: LinkJson }): Performed<200, { valid: boolean; removes?: RemovedJson }>
    reportLogin(input: { params: LinkJson }): Performed<200, { detail: string; removed?: RemovedJson }>
    requestConfirmationCode(): Performed<202, DetailJson>
    requestLoginCode(input: { body: { email: string } }): Performed<202, DetailJson>
    logInWithCode(input: {
      body: { code: string; remember?: boolean | 'on' | 'true' | 'false'; profile?: 'keep' | 'drop' }
    }): Performed<200, OwnUserJson<FieldsOf<Fields>> & MaybeTokens>
    showLoginCode(input: { params: LinkJson }): Performed<200, { code: string; same_browser: boolean }>
    logInWithCodeLink(input: {
      params: LinkJson
    }): Performed<200, OwnUserJson<FieldsOf<Fields>> & MaybeTokens>
    listActivity(input?: { query?: { cursor?: string } }): Performed<200, ActivityListJson>
    logInWithSecondFactor(input: {
      body: SecondFactorJson
    }): Performed<200, OwnUserJson<FieldsOf<Fields>> & MaybeTokens>
    showFactors(): Performed<200, FactorsJson>
    changeFactors(input: { body: { passkeys: boolean } }): Performed<200, RecoveryCodesJson & MaybeTokens>
    startTotp(): Performed<200, TotpSetupJson>
    confirmTotp(input: {
      body: { code: string; token: string; name?: string }
    }): Performed<200, RecoveryCodesJson & MaybeTokens>
    removeTotp(): Performed<204, undefined>
    renameTotpApp(input: { params: { id: string }; body: { name: string } }): Performed<200, TotpAppJson>
    removeTotpApp(input: { params: { id: string } }): Performed<204, undefined>
    removeRememberedDevice(input: { params: { id: string } }): Performed<204, undefined>
    renewRecoveryCodes(): Performed<200, RecoveryCodesJson>
    refreshTokens(input: { body: { refresh_token: string } }): Performed<200, OnlyTokensJson>
    revokeToken(input: { body: { token: string } }): Performed<200, object>
    listApiKeys(): Performed<200, ApiKeyListJson>
    createApiKey(input: { body: ApiKeyRequestJson }): Performed<201, NewApiKeyJson>
    removeApiKey(input: { params: { id: string } }): Performed<204, undefined>
    listUsers(input?: { query?: UserQueryJson }): Performed<200, UserPageJson<FieldsOf<Fields>>>
    showUser(input: { params: { pk: string } }): Performed<200, PublicUserJson<FieldsOf<Fields>>>
    updateUser(input: {
      params: { pk: string }
      body: UserChangeJson<FieldsOf<Fields>>
    }): Performed<200, PublicUserJson<FieldsOf<Fields>>>
    endUserSessions(input: { params: { pk: string } }): Performed<204, undefined>
    deleteUser(input: { params: { pk: string } }): Performed<204, undefined>
    createUser(input: {
      body: NewUserJson<FieldsOf<Fields> & UserFields>
    }): Performed<201, OwnUserJson<FieldsOf<Fields>>> | Performed<202, DetailJson>
    signUp(input: {
      body: NewUserJson<FieldsOf<Fields> & UserFields>
    }): Performed<201, OwnUserJson<FieldsOf<Fields>>> | Performed<202, DetailJson>
    verifyUserByGet(input: { params: LinkJson }): Performed<200, VerificationJson>
    verifyUser(input: { params: LinkJson }): Performed<200, VerificationJson>
    verifyUserWithPassword(input: {
      params: LinkJson
      body: { password: string }
    }): Performed<200, VerificationJson>
    verifyUserWithPasskey(input: {
      params: LinkJson
      body: { response: object }
    }): Performed<200, VerificationJson>
    verifyUserWithNewPassword(input: {
      params: LinkJson
      body: NewOwnerJson
    }): Performed<200, VerificationJson>
    resendUserVerification(input: { body: { email: string } }): Performed<202, DetailJson>
    verifySignupByGet(input: { params: LinkJson }): Performed<200, VerificationJson>
    verifySignup(input: { params: LinkJson }): Performed<200, VerificationJson>
    verifySignupWithPassword(input: {
      params: LinkJson
      body: { password: string }
    }): Performed<200, VerificationJson>
    verifySignupWithPasskey(input: {
      params: LinkJson
      body: { response: object }
    }): Performed<200, VerificationJson>
    verifySignupWithNewPassword(input: {
      params: LinkJson
      body: NewOwnerJson
    }): Performed<200, VerificationJson>
    resendSignupVerification(input: { body: { email: string } }): Performed<202, DetailJson>
    resetUserFactors(input: { params: { pk: string } }): Performed<204, undefined>
    listServices(input?: { query?: { cursor?: string } }): Performed<200, ServiceListJson>
    createService(input: { body: { username: string } }): Performed<201, ServiceJson>
    deleteService(input: { params: { pk: string } }): Performed<204, undefined>
    listServiceApiKeys(input: { params: { pk: string } }): Performed<200, ApiKeyListJson>
    createServiceApiKey(input: {
      params: { pk: string }
      body: ApiKeyRequestJson
    }): Performed<201, NewApiKeyJson>
    removeServiceApiKey(input: { params: { pk: string; id: string } }): Performed<204, undefined>
    listInvitations(input?: {
      query?: { cursor?: string }
    }): Performed<200, InvitationListJson<FieldsOf<Fields>>>
    invite(input: { body: InvitationRequestJson<FieldsOf<Fields>> }): Performed<202, DetailJson>
    resendInvitation(input: { params: { pk: string } }): Performed<204, undefined>
    withdrawInvitation(input: { params: { pk: string } }): Performed<204, undefined>
    checkInvitation(input: { params: LinkJson }): Performed<200, ValidInvitationJson<FieldsOf<Fields>>>
    acceptInvitation(input: { params: LinkJson; body?: Partial<NewOwnerJson> }): Performed<200, DetailJson>
    acceptInvitationWithPasskeyOptions(input: {
      params: LinkJson
      body?: { username?: string; profile?: 'keep' | 'drop' }
    }): Performed<200, object>
    acceptInvitationWithPasskey(input: {
      params: LinkJson
      body: { username?: string; profile?: 'keep' | 'drop'; response: object }
    }): Performed<200, DetailJson>
    listRoutes(): Performed<200, RouteIndexJson>
  }
}
