import * as Type from '@sinclair/typebox'
import { optionalPassword, password } from '../../http/input/schemas.js'
import { strictObject } from '../../http/input/strict-schema.js'

export const passwordPair = strictObject({ password, confirm_password: password })
/** Where the address alone will do. */
export const optionalPair = strictObject({
  password: Type.Optional(optionalPassword),
  confirm_password: Type.Optional(optionalPassword),
})
