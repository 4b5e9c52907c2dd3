// Written from the routes of the plugin: `npm run routes`.

import type { FieldsOf, UserFields } from 'fastify-accounts'
import type { DetailJson, LinkJson, MaybeTokens, OwnUserJson, Performed } from 'fastify-accounts/features'

declare module 'fastify-accounts' {
  interface FeatureOperations<Fields = undefined> {
    logInWith(input: {
      params: { provider: string }
      body?: Partial<{ next: string; remember: boolean }> & UserFields
    }): Performed<200, { location: string }>
    logInWithCallback(input: { params: { provider: string } }): Performed<202, DetailJson>
    logInWithFormPost(input: {
      params: { provider: string }
      body?: {
        code?: string
        state?: string
        iss?: string
        error?: string
        error_description?: string
        user?: string
      }
    }): Performed<303, undefined>
    checkIdentity(input: { params: LinkJson }): Performed<200, { valid: boolean }>
    confirmIdentity(input: {
      params: LinkJson
    }): Performed<200, OwnUserJson<FieldsOf<Fields>> & MaybeTokens> | Performed<202, DetailJson>
    showClaim(): Performed<
      200,
      { provider: string; email: string; created_at: string; has_password: boolean }
    >
    claimAccount(input?: {
      body?: { password?: string; start_afresh?: boolean | 'on' | 'true' | 'false' }
    }): Performed<200, OwnUserJson<FieldsOf<Fields>> & MaybeTokens> | Performed<202, DetailJson>
    confirmWith(input: {
      params: { provider: string }
      body?: { next?: string }
    }): Performed<200, { location: string }>
    listIdentities(): Performed<
      200,
      {
        results: {
          id: string
          provider: string | null
          label: string | null
          created_at: string | null
          last_used_at: string | null
        }[]
      }
    >
    addIdentity(input: {
      params: { id: string }
      body?: { next?: string }
    }): Performed<200, { location: string }>
    removeIdentity(input: { params: { id: string } }): Performed<204, undefined>
    logInWithToken(input: {
      params: { provider: string }
      body: { id_token: string; nonce: string; user?: string; remember?: boolean } & UserFields
    }): Performed<200, OwnUserJson<FieldsOf<Fields>> & MaybeTokens> | Performed<202, DetailJson>
    addIdentityWithToken(input: {
      params: { id: string }
      body: { id_token: string; nonce: string; user?: string }
    }): Performed<204, undefined>
    confirmWithToken(input: {
      params: { provider: string }
      body: { id_token: string; nonce: string; user?: string }
    }): Performed<204, undefined> | Performed<200, Required<MaybeTokens>>
    showAppLogin(input: {
      params: { provider: string }
      query?: { redirect_uri: string; code_challenge: string; code_challenge_method: 'S256'; state: string }
    }): Performed<200, { provider: string }>
    startAppLogin(input: {
      params: { provider: string }
      query?: { redirect_uri: string; code_challenge: string; code_challenge_method: 'S256'; state: string }
    }): Performed<200, { location: string }>
    showAppLink(input: {
      params: { provider: string }
      query?: { redirect_uri: string; code_challenge: string; code_challenge_method: 'S256'; state: string }
    }): Performed<200, { provider: string }>
    startAppLink(input: {
      params: { provider: string }
      query?: { redirect_uri: string; code_challenge: string; code_challenge_method: 'S256'; state: string }
    }): Performed<200, { location: string }>
    showAppConfirmation(input: {
      params: { provider: string }
      query?: { redirect_uri: string; code_challenge: string; code_challenge_method: 'S256'; state: string }
    }): Performed<200, { provider: string }>
    startAppConfirmation(input: {
      params: { provider: string }
      query?: { redirect_uri: string; code_challenge: string; code_challenge_method: 'S256'; state: string }
    }): Performed<200, { location: string }>
    logInWithAppCode(input: {
      body: { code: string; code_verifier: string }
    }): Performed<200, OwnUserJson<FieldsOf<Fields>> & MaybeTokens>
    addIdentityWithAppCode(input: {
      params: { provider: string }
      body: { code: string; code_verifier: string }
    }): Performed<204, undefined>
    confirmWithAppCode(input: {
      params: { provider: string }
      body: { code: string; code_verifier: string }
    }): Performed<204, undefined> | Performed<200, Required<MaybeTokens>>
  }
}
