import * as Type from '@sinclair/typebox'
import { newPassword, password } from '../../http/schemas/requests.js'
import { strictObject } from '../../http/strict-schema.js'

export const changePasswordBody = strictObject({
  // An account without a password has none to give.
  old_password: Type.Optional(password),
  ...newPassword.properties,
})
