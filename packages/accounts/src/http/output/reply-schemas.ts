import type { TObject } from '@sinclair/typebox'
import { withoutDefaults } from '../../options/field-checks.js'
import type { ResolvedOptions } from '../../options/resolve.js'
import type { FieldsSchema } from '../../user.js'
import { propertiesOf, withOptional } from '../input/field-schemas.js'
import { named } from '../openapi/openapi-components.js'
import { exampleOf } from '../openapi/openapi-examples.js'
import { identityReplies, ownView, rolesView, userPage } from './schemas.js'

/** The options that decide what users are shown with. */
type ViewOptions = Pick<ResolvedOptions, 'fields' | 'names' | 'roles'>

/** Schema of the user as they see themselves. */
export function ownUserReply(options: ViewOptions): TObject {
  const identity: TObject = identityReplies[options.names]
  const { required = [] } = options.roles === undefined ? ownView : rolesView
  const ours = withOptional(identity, viewOf(options))
  return named('User', { ...ours, required: [...(identity.required ?? []), ...required] })
}

/** What users see of themselves, besides their id and name. */
function viewOf({ fields, roles }: ViewOptions): FieldsSchema['properties'] {
  const ours: TObject = roles === undefined ? ownView : rolesView
  return { ...ours.properties, ...withoutDefaults(propertiesOf(fields)) }
}

export function publicUserReply(options: ViewOptions, publicFields: readonly string[]): TObject {
  const shown = Object.entries(viewOf(options)).filter(([name]) => publicFields.includes(name))
  return withOptional(identityReplies[options.names], Object.fromEntries(shown))
}

/** For a user in one of the two views, which says itself what it contains. */
export function shownUserReply(options: ViewOptions, publicFields: readonly string[]): TObject {
  const shown = publicUserReply(options, publicFields)
  const { required = [] } = shown
  const description = 'Only the user, and who may see details, get every field'
  return named('PublicUser', {
    ...ownUserReply(options),
    required,
    description,
    examples: [exampleOf(shown)],
  })
}

export function userListReply(publicUser: TObject): TObject {
  const { results } = userPage.properties
  return withOptional(userPage, { results: { ...results, items: publicUser } })
}
