import * as Type from '@sinclair/typebox'
import { password } from '../../http/input/schemas.js'
import { strictObject } from '../../http/input/strict-schema.js'

/** The password; factors come on top. One proof is enough, so the example has one. */
export const passwordBody = strictObject(
  { password: Type.Optional(password) },
  { examples: [{ password: 'seven-green-lanterns' }] },
)
