import * as Type from '@sinclair/typebox'
import { named } from 'fastify-accounts/features'

/** An id or a slug. */
export const organizationParams = Type.Object({
  organization: Type.String({ description: 'The id or the slug of an organization' }),
})

export const slug = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$',
  description: '2 to 63 lowercase letters, digits and dashes, as in URLs',
  examples: ['acme'],
})

export const organizationName = Type.String({
  minLength: 1,
  maxLength: 200,
  format: 'text',
  examples: ['Acme'],
})

/** Fields of the app come on top. */
export const newOrganizationBody = Type.Object(
  { name: organizationName, slug },
  { additionalProperties: false },
)

export const organizationReply = named(
  'Organization',
  Type.Object({
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    fields: Type.Object({}, { additionalProperties: true, description: 'Custom fields' }),
    created_at: Type.String({ format: 'date-time' }),
    members: Type.Integer({ description: 'How many members it has' }),
    roles: Type.Array(Type.String(), { description: 'Your own roles there; none for staff of the app' }),
    permissions: Type.Array(Type.String(), { description: 'What they permit; `org:*` is everything' }),
  }),
)
