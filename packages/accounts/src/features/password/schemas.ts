import * as Type from '@sinclair/typebox'
import { newPassword, password } from '../../http/input/schemas.js'
import { strictObject } from '../../http/input/strict-schema.js'

export const changePasswordBody = strictObject({
  // An account without a password has none to give.
  old_password: Type.Optional(password),
  ...newPassword.properties,
})
