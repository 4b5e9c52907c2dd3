import { password } from '../../http/input/schemas.js'
import { strictObject } from '../../http/input/strict-schema.js'

export const passwordBody = strictObject({ password })
/** The field of a factor comes on top. */
export const factorBody = strictObject({})
