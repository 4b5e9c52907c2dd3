import { password } from '../../http/schemas/requests.js'
import { strictObject } from '../../http/strict-schema.js'

export const passwordPair = strictObject({ password, confirm_password: password })
