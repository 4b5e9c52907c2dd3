import type { TProperties } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { checkbox, emailedCode as code, newOwnerBody } from '../../http/input/schemas.js'
import { strictObject } from '../../http/input/strict-schema.js'
import { named } from '../../http/openapi/openapi-components.js'
import { linkReply } from '../../http/output/schemas.js'

/** With the API keys, which a reset offers to end, where there are any. */
export const resetBody = strictObject({ ...newOwnerBody.properties, end_api_keys: Type.Optional(checkbox) })
/** The same with the code. */
export const resetCodeBody = strictObject({ code, ...resetBody.properties })

const profile = (properties: TProperties) =>
  Type.Optional(
    Type.Object(properties, {
      additionalProperties: true,
      description:
        'What the maker of the account entered, which may be somebody else. Absent if nothing, or once its address is proven',
    }),
  )
const asks_username = Type.Optional(
  Type.Literal(true, {
    description:
      'Present if the username goes, because somebody else may have chosen it, so the form should ask for one',
  }),
)
const api_keys = Type.Array(Type.String(), { description: 'Names of the API keys that would keep working' })
const reply = (properties: TProperties) =>
  named('ValidResetLink', Type.Object({ ...linkReply.properties, ...properties, api_keys }))
/** By `users.names`, and likewise. */
export const resetLinkReplies = {
  named: reply({ asks_username, profile: profile({ username: Type.Optional(Type.String()) }) }),
  unnamed: reply({ profile: profile({}) }),
}
