import * as Type from '@sinclair/typebox'
import { checkbox, emailedCode as code, newPassword } from '../../http/input/schemas.js'
import { strictObject } from '../../http/input/strict-schema.js'
import { named } from '../../http/openapi/openapi-components.js'
import { linkReply } from '../../http/output/schemas.js'

/** With and without API keys, which a reset offers to end. */
export const resetBodies = {
  keys: strictObject({ ...newPassword.properties, end_api_keys: Type.Optional(checkbox) }),
  noKeys: newPassword,
}
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
