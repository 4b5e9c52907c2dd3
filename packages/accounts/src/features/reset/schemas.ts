import type { TProperties } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { checkbox, emailedCode as code, newOwnerBodies } from '../../http/input/schemas.js'
import { strictObject } from '../../http/input/strict-schema.js'
import { named } from '../../http/openapi/openapi-components.js'
import { linkReply } from '../../http/output/schemas.js'

const endKeys = { end_api_keys: Type.Optional(checkbox) }
const { named: choice, unnamed: unnamedChoice } = newOwnerBodies

/** By `users.names`; with and without API keys, which a reset offers to end. */
export const resetBodies = {
  named: { keys: strictObject({ ...choice.properties, ...endKeys }), noKeys: choice },
  unnamed: { keys: strictObject({ ...unnamedChoice.properties, ...endKeys }), noKeys: unnamedChoice },
}
/** The same with the code. */
export const resetCodeBodies = {
  named: {
    keys: strictObject({ code, ...resetBodies.named.keys.properties }),
    noKeys: strictObject({ code, ...choice.properties }),
  },
  unnamed: {
    keys: strictObject({ code, ...resetBodies.unnamed.keys.properties }),
    noKeys: strictObject({ code, ...unnamedChoice.properties }),
  },
}

const profile = (properties: TProperties) =>
  Type.Optional(
    Type.Object(properties, {
      additionalProperties: true,
      description:
        'What the maker of the account entered, which may be somebody else. Absent if nothing, or once its address is proven',
    }),
  )
const unnamedReply = { ...linkReply.properties, profile: profile({}) }
const namedReply = {
  ...linkReply.properties,
  asks_username: Type.Optional(
    Type.Literal(true, {
      description:
        'Present if the username goes, because somebody else may have chosen it, so the form should ask for one',
    }),
  ),
  profile: profile({ username: Type.Optional(Type.String()) }),
}
const api_keys = Type.Array(Type.String(), { description: 'Names of the API keys that would go on working' })
const replies = (reply: TProperties) => ({
  keys: named('ValidResetLink', Type.Object({ ...reply, api_keys })),
  noKeys: named('ValidResetLink', Type.Object(reply)),
})
/** By `users.names`, and likewise. */
export const resetLinkReplies = { named: replies(namedReply), unnamed: replies(unnamedReply) }
