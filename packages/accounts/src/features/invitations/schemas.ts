import * as Type from '@sinclair/typebox'
import { email, newOwnerBody } from '../../http/input/schemas.js'
import { strictObject } from '../../http/input/strict-schema.js'
import { named } from '../../http/openapi/openapi-components.js'
import { linkReply } from '../../http/output/schemas.js'

/** Your own fields and roles come on top. */
export const inviteBody = strictObject({ email })
export const invitationParams = Type.Object({ pk: Type.String({ description: 'The id of an invitation' }) })

const time = Type.String({ format: 'date-time' })
export const invitationListReply = named(
  'InvitationList',
  Type.Object({
    results: Type.Array(
      named(
        'Invitation',
        Type.Object({
          id: Type.String(),
          email: Type.String(),
          fields: Type.Object({}, { additionalProperties: true, description: 'Custom fields that it gives' }),
          roles: Type.Optional(Type.Array(Type.String(), { description: 'Roles that it gives' })),
          inviter_id: Type.Union([Type.String(), Type.Null()], {
            description: 'Who invited; `null`: the app itself',
          }),
          invited_at: time,
          expires_at: time,
        }),
      ),
    ),
    next: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'URL of the next page' }),
  }),
)

/** For somebody who is logged in, none of the fields. */
export const acceptBody = strictObject(Type.Partial(newOwnerBody).properties)

/** Of somebody who logs in with something else than a password. */
export const choiceBody = strictObject(Type.Pick(acceptBody, ['username', 'profile']).properties)

export const invitationLinkReply = named(
  'ValidInvitation',
  Type.Object({
    ...linkReply.properties,
    email: Type.String(),
    username_required: Type.Boolean({ description: 'Whether a name must be chosen' }),
    login_required: Type.Boolean({
      description: 'Whether the address has a proven account: accept it logged in there, with an empty body',
    }),
    gives: Type.Object({
      fields: Type.Object({}, { additionalProperties: true, description: 'Custom fields' }),
      roles: Type.Optional(Type.Array(Type.String())),
    }),
    to: Type.Optional(
      Type.Object(
        {
          kind: Type.String({ description: 'Such as `organization`' }),
          name: Type.String(),
          roles: Type.Array(Type.String(), { description: 'Roles that it gives there' }),
        },
        { description: 'What it invites to besides an account; absent if to nothing else' },
      ),
    ),
    invited_by: Type.Union([Type.String(), Type.Null()], { description: 'The name of the inviter' }),
  }),
)
