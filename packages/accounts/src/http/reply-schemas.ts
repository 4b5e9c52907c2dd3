import type { TObject } from '@sinclair/typebox'
import { withoutDefaults } from '../options/field-checks.js'
import type { FieldsSchema } from '../user.js'
import { type Names, propertiesOf, withOptional } from './field-schemas.js'
import { named } from './openapi-components.js'
import { exampleOf } from './openapi-examples.js'
import { identityReplies, ownView, userPage } from './schemas/replies.js'

/** Schema of the user as they see themselves. */
export function ownUserReply(fields: FieldsSchema | undefined, names: Names): TObject {
  const identity: TObject = identityReplies[names]
  const ours = withOptional(identity, { ...ownView.properties, ...withoutDefaults(propertiesOf(fields)) })
  return named('User', { ...ours, required: [...(identity.required ?? []), ...(ownView.required ?? [])] })
}

export function publicUserReply(
  fields: FieldsSchema | undefined,
  publicFields: readonly string[],
  names: Names,
): TObject {
  const shown = Object.entries({ ...ownView.properties, ...withoutDefaults(propertiesOf(fields)) }).filter(
    ([name]) => publicFields.includes(name),
  )
  return withOptional(identityReplies[names], Object.fromEntries(shown))
}

/** For a user in one of the two views, which says itself what it contains. */
export function shownUserReply(
  fields: FieldsSchema | undefined,
  publicFields: readonly string[],
  names: Names,
): TObject {
  const shown = publicUserReply(fields, publicFields, names)
  const { required = [] } = shown
  const description = 'Only staff and the user get every field'
  return named('PublicUser', {
    ...ownUserReply(fields, names),
    required,
    description,
    examples: [exampleOf(shown)],
  })
}

export function userListReply(publicUser: TObject): TObject {
  const { results } = userPage.properties
  return withOptional(userPage, { results: { ...results, items: publicUser } })
}
