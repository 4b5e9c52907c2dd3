import * as Type from '@sinclair/typebox'
import { password } from '../../http/input/schemas.js'
import { strictObject } from '../../http/input/strict-schema.js'

/** The password, or a new one; factors come on top. */
export const passwordOrNew = strictObject(
  {
    password: Type.Optional(password),
    new_password: Type.Optional(password),
    confirm_password: Type.Optional(password),
  },
  // One of several proofs is enough, so the example has one.
  { examples: [{ password: 'seven-green-lanterns' }] },
)
