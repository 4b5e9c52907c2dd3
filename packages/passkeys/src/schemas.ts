import type { Static, TSchema, TUnsafe } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { checkbox, named, removedViewReply } from 'fastify-accounts/features'
import type { PasskeyUse } from './passkey.js'

const strict = { additionalProperties: false }
const nullable = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]))
// An id must fit a user store's key, which is longer than authenticators need.
const base64 = (maxLength: number) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern: '^[\\w+/=\\s-]+$',
    description: 'base64url; base64 and padding are accepted',
  })

/** Browsers may add properties; ours appear once. Native apps leave some out: see response.ts. */
const credential = {
  id: base64(1000),
  rawId: nullable(Type.String({ maxLength: 1000 })),
  type: nullable(Type.String({ maxLength: 20 })),
}

/** The result of `navigator.credentials.create()`, as `toJSON()` writes it. */
export const attestation = named(
  'PasskeyAttestation',
  Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: base64(4096),
      attestationObject: base64(8192),
      transports: nullable(
        Type.Array(Type.Union([Type.String({ maxLength: 100 }), Type.Null()]), { maxItems: 16 }),
      ),
    }),
  }),
)
/** Of a sign-up, before and after the browser has asked for the passkey. */
export const noProof = Type.Object({})
export const signUpProof = Type.Object({ response: attestation })
export type AttestationBody = Static<typeof attestation>

/** The result of `navigator.credentials.get()`, as `toJSON()` writes it. */
export const assertion = named(
  'PasskeyAssertion',
  Type.Object({
    ...credential,
    response: Type.Object({
      clientDataJSON: base64(4096),
      authenticatorData: base64(4096),
      signature: base64(2048),
      userHandle: nullable(Type.String({ maxLength: 200 })),
    }),
  }),
)
export type AssertionBody = Static<typeof assertion>

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  format: 'text',
  description: 'The name its owner gave it',
})
export const addBody = Type.Object({ response: attestation, name: Type.Optional(name) }, strict)
const use = (values: readonly PasskeyUse[], description: string) =>
  Type.Object({ use: Type.Optional(Type.Unsafe<PasskeyUse>({ enum: values, description })) }, strict)
const addOptions = 'login: logs in by itself. factor: only together with another proof'
const mediation = Type.Unsafe<'conditional'>({
  enum: ['conditional'],
  description:
    'For `navigator.credentials.create()` with this mediation: a password manager adds the passkey without asking. Only with use login',
})
const adding = (values: readonly PasskeyUse[]) =>
  Type.Object({ ...use(values, addOptions).properties, mediation: Type.Optional(mediation) }, strict)
/** With features that accept a passkey together with another proof, and without. */
export const addOptionsBodies = {
  withFactors: adding(['login', 'factor']),
  alone: adding(['login']),
}
export const loginOptionsBody = use(
  ['login', 'factor'],
  'login: to log in with it. factor: to complete a pending login. Default: factor if a pending login requires a passkey',
)
export const renameBody = Type.Object({ name }, strict)
export const loginBody = Type.Object({ response: assertion, remember: Type.Optional(checkbox) }, strict)
export const passkeyParams = Type.Object({ id: Type.String({ description: 'From the list' }) })

const time = Type.String({ format: 'date-time' })
const maybeTime: TUnsafe<string | null> = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'date-time',
})
export const passkeyReply = named(
  'Passkey',
  Type.Object({
    id: Type.String(),
    credential_id: Type.String({ description: 'The credential id, base64url' }),
    name: Type.String(),
    use: Type.Union([Type.Literal('login'), Type.Literal('factor')]),
    created_at: time,
    last_used_at: maybeTime,
    synced: Type.Boolean({ description: "Whether it is synced to the owner's other devices" }),
  }),
)
export const passkeyListReply = named(
  'PasskeyList',
  Type.Object({ results: Type.Array(passkeyReply), removed: removedViewReply }),
)

/** Passed to the browser unchanged: the WebAuthn specification defines the content. */
export const optionsReply = named(
  'PasskeyOptions',
  Type.Object({}, { additionalProperties: true, description: 'For the browser' }),
)
