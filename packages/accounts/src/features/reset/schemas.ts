import * as Type from '@sinclair/typebox'
import { named } from '../../http/openapi-components.js'
import { linkReply } from '../../http/schemas/replies.js'
import { checkbox, newPassword } from '../../http/schemas/requests.js'
import { strictObject, text } from '../../http/strict-schema.js'
import { maxTypedCode } from '../../identifiers/typed-code.js'

/** With and without API keys, which a reset offers to end. */
export const resetBodies = {
  keys: strictObject({ ...newPassword.properties, end_api_keys: Type.Optional(checkbox) }),
  noKeys: newPassword,
}
const code = text(maxTypedCode, 'The code from the email, in any case, with or without the dash', 'ABCD-EFGH')
/** The same with the code. */
export const resetCodeBodies = {
  keys: strictObject({ code, ...resetBodies.keys.properties }),
  noKeys: strictObject({ code, ...newPassword.properties }),
}
export const resetLinkReplies = {
  keys: named(
    'ValidResetLink',
    Type.Object({
      ...linkReply.properties,
      api_keys: Type.Array(Type.String(), { description: 'Names of the API keys that would go on working' }),
    }),
  ),
  noKeys: linkReply,
}
