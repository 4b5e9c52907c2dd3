import * as Type from '@sinclair/typebox'
import { named } from '../../http/openapi-components.js'
import { checkbox } from '../../http/schemas/requests.js'

export const codeBody = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 64,
      format: 'text',
      description: 'The code from the email, in any case, with or without the dash',
      examples: ['ABCD-EFGH'],
    }),
    remember: Type.Optional(checkbox),
  },
  { additionalProperties: false },
)
export const shownReply = named(
  'LoginCode',
  Type.Object({
    code: Type.String(),
    same_browser: Type.Boolean({
      description: 'Whether this browser requested the code, so that a POST logs in',
    }),
  }),
)
export const confirmationCode = Type.String({
  minLength: 1,
  maxLength: 64,
  format: 'text',
  description:
    'The code from the email, for an account that has a login passkey, or nothing else to confirm with',
  examples: ['ABCD-EFGH'],
})
