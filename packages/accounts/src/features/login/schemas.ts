import * as Type from '@sinclair/typebox'
import { checkbox, password } from '../../http/input/schemas.js'
import { strictObject, text } from '../../http/input/strict-schema.js'
import { maxEmailLength } from '../../identifiers/email.js'

// As long as an address may be.
const login = (description: string, example?: string) =>
  strictObject({
    username: text(maxEmailLength, description, example),
    password,
    remember: Type.Optional(checkbox),
  })

export const byUsername = login('The username')
export const byEmail = login('The email address of the account', 'ada@example.org')
export const byEither = login('The username, or the email address of the account')
