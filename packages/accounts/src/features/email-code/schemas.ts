import * as Type from '@sinclair/typebox'
import { checkbox, emailedCode, profile } from '../../http/input/schemas.js'
import { strictObject, text } from '../../http/input/strict-schema.js'
import { named } from '../../http/openapi/openapi-components.js'
import { maxTypedCode } from '../../identifiers/typed-code.js'

export const codeBody = strictObject({
  code: emailedCode,
  remember: Type.Optional(checkbox),
  profile: Type.Optional(profile),
})
export const shownReply = named(
  'LoginCode',
  Type.Object({
    code: Type.String(),
    same_browser: Type.Boolean({
      description: 'Whether this browser requested the code, so that a POST logs in',
    }),
  }),
)
export const confirmationCode = text(
  maxTypedCode,
  'The code from the email, for an account that has a login passkey, or nothing else to confirm with',
  'ABCD-EFGH',
)
