import * as Type from '@sinclair/typebox'
import { strictObject, text } from '../../http/input/strict-schema.js'
import { named } from '../../http/openapi/openapi-components.js'

/** Longer than ours ever are. */
const maxTokenLength = 512

export const refreshBody = strictObject({ refresh_token: text(maxTokenLength, 'The newest refresh token') })
export const revokeBody = strictObject({ token: text(maxTokenLength, 'Any token of the session') })
export const revokeReply = named('RevokedToken', Type.Object({}))
