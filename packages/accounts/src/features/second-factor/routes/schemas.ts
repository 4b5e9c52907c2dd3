import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { checkbox } from '../../../http/input/schemas.js'
import { strictObject, text } from '../../../http/input/strict-schema.js'
import { named } from '../../../http/openapi/openapi-components.js'
import { removedViewReply } from '../../../http/output/schemas.js'
import { maxTypedCode } from '../../../identifiers/typed-code.js'

const appName = text(100, 'The name its owner gave it')
/** Factors come on top. */
export const secondStepBody = strictObject({ remember_device: Type.Optional(checkbox) })
export const totpBody = strictObject({
  code: text(maxTypedCode, 'What the app shows'),
  token: text(2048, 'From the step before'),
  name: Type.Optional(appName),
})
export const appBody = strictObject({ name: appName })
export const appReply = named(
  'TotpApp',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    last_used_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
  }),
)
/** An authenticator app as shown to its owner. Times are RFC 3339 in UTC. */
export type ListedApp = Static<typeof appReply>
export const totpReply = named(
  'TotpSetup',
  Type.Object({
    secret: Type.String({ description: 'Base32, for typing in' }),
    uri: Type.String({ description: 'otpauth://, the content of the QR code' }),
    qr_svg: Type.String({ description: 'The QR code as SVG' }),
    token: Type.String({ description: 'For the confirm step' }),
  }),
)
export const factorsBody = strictObject({
  passkeys: Type.Boolean({ description: 'Require a passkey after the password' }),
})
export const codesReply = named(
  'RecoveryCodes',
  Type.Object({
    recovery_codes: Type.Array(Type.String(), {
      description: 'Shown only this once; empty if older codes stay valid',
    }),
  }),
)
const rememberedDevice = named(
  'RememberedDevice',
  Type.Object({
    id: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    expires_at: Type.String({ format: 'date-time' }),
    browser: Type.Union([Type.String(), Type.Null()]),
    system: Type.Union([Type.String(), Type.Null()]),
  }),
)
export const factorsReply = named(
  'Factors',
  Type.Object({
    totp: Type.Boolean(),
    passkeys: Type.Boolean(),
    recovery_codes_left: Type.Integer(),
    required: Type.Boolean({ description: 'Whether this user must have a second factor' }),
    apps: Type.Array(appReply, { description: 'Authenticator apps, oldest first' }),
    remembered_devices: Type.Array(rememberedDevice, {
      description: 'Devices that skip the second factor, newest first',
    }),
    removed: removedViewReply,
  }),
)
/** A user's own factors, as shown to them. */
export type FactorsView = Static<typeof factorsReply>
