import * as Type from '@sinclair/typebox'

const text = (maxLength: number, description: string) =>
  Type.String({ minLength: 1, maxLength, format: 'text', description })
const appName = text(100, 'What its owner calls it')
export const totpBody = Type.Object(
  {
    code: text(64, 'What the app shows'),
    token: text(2048, 'From the step before'),
    name: Type.Optional(appName),
  },
  { additionalProperties: false },
)
export const appBody = Type.Object({ name: appName }, { additionalProperties: false })
export const appReply = Type.Object({
  id: Type.String(),
  name: Type.String(),
  created_at: Type.String({ format: 'date-time' }),
  last_used_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
})
export const totpReply = Type.Object({
  secret: Type.String({ description: 'Base32, to be typed' }),
  uri: Type.String({ description: 'otpauth://, what the QR code holds' }),
  qr_svg: Type.String({ description: 'The QR code as SVG' }),
  token: Type.String({ description: 'For the step behind' }),
})
export const factorsBody = Type.Object(
  { passkeys: Type.Boolean({ description: 'Whether a passkey is asked for behind a password' }) },
  { additionalProperties: false },
)
export const codesReply = Type.Object({
  recovery_codes: Type.Array(Type.String(), { description: 'Shown this once; empty where older ones stay' }),
})
export const factorsReply = Type.Object({
  totp: Type.Boolean(),
  passkeys: Type.Boolean(),
  recovery_codes_left: Type.Integer(),
  required: Type.Boolean({ description: 'Whether this user must have a second factor' }),
  apps: Type.Array(appReply, { description: 'Authenticator apps, oldest first' }),
  remembered_devices: Type.Array(
    Type.Object({
      id: Type.String(),
      created_at: Type.String({ format: 'date-time' }),
      expires_at: Type.String({ format: 'date-time' }),
      browser: Type.Union([Type.String(), Type.Null()]),
      system: Type.Union([Type.String(), Type.Null()]),
    }),
    { description: 'Where no factor is asked for, newest first' },
  ),
})
