// Written from the routes of the plugin: `npm run routes`.

import type { FieldsOf, UserFields } from 'fastify-accounts'
import type { DetailJson, MaybeTokens, NewUserJson, OwnUserJson, Performed } from 'fastify-accounts/features'

declare module 'fastify-accounts' {
  interface FeatureOperations<Fields = undefined> {
    addPasskeyOptions(input?: {
      body?: { use?: 'login' | 'factor'; mediation?: 'conditional' }
    }): Performed<200, object>
    addPasskey(input: { body: { response: object; name?: string } }): Performed<
      201,
      {
        id: string
        credential_id: string
        name: string
        use: 'login' | 'factor'
        created_at: string
        last_used_at: string | null
        synced: boolean
      }
    >
    listPasskeys(): Performed<
      200,
      {
        results: {
          id: string
          credential_id: string
          name: string
          use: 'login' | 'factor'
          created_at: string
          last_used_at: string | null
          synced: boolean
        }[]
        removed: {
          removed_at: string
          passkeys: number
          apps: number
          recovery_codes: number
          identities: number
          api_keys: number
        } | null
      }
    >
    renamePasskey(input: { params: { id: string }; body: { name: string } }): Performed<
      200,
      {
        id: string
        credential_id: string
        name: string
        use: 'login' | 'factor'
        created_at: string
        last_used_at: string | null
        synced: boolean
      }
    >
    removePasskey(input: { params: { id: string } }): Performed<204, undefined>
    confirmOptions(): Performed<200, object>
    logInWithPasskeyOptions(input?: { body?: { use?: 'login' | 'factor' } }): Performed<200, object>
    logInWithPasskey(input: {
      body: { response: object; remember?: boolean | 'on' | 'true' | 'false' }
    }): Performed<200, OwnUserJson<FieldsOf<Fields>> & MaybeTokens>
    signUpWithPasskeyOptions(input: {
      body: NewUserJson<FieldsOf<Fields> & UserFields>
    }): Performed<200, object>
    signUpWithPasskey(input: {
      body: NewUserJson<FieldsOf<Fields> & UserFields> & { response: object }
    }): Performed<201, OwnUserJson<FieldsOf<Fields>> & MaybeTokens> | Performed<202, DetailJson>
  }
}
