import * as Type from '@sinclair/typebox'
import { named } from 'fastify-accounts/features'
import { longestName, slugForm } from './organization/check-organization.js'

/** An id or a slug. */
export const organizationParams = Type.Object({
  organization: Type.String({ description: 'The id or the slug of an organization' }),
})

export const slug = Type.String({
  pattern: slugForm,
  description: '2 to 63 lowercase letters, digits and dashes, as in URLs',
  examples: ['acme'],
})

export const organizationName = Type.String({
  minLength: 1,
  maxLength: longestName,
  format: 'text',
  examples: ['Acme'],
})

/** Own fields come on top. */
export const newOrganizationBody = Type.Object(
  { name: organizationName, slug },
  { additionalProperties: false },
)

export const organizationChangesBody = Type.Object(
  { name: Type.Optional(organizationName), slug: Type.Optional(slug) },
  { additionalProperties: false },
)

const roleNames = Type.Array(Type.String(), { description: 'Names of roles' })
const next = Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'URL of the next page' })
const textOrNull = Type.Unsafe<string | null>({ type: ['string', 'null'] })
const ownFields = Type.Object({}, { additionalProperties: true, description: 'Custom fields' })

export const organizationReply = named(
  'Organization',
  Type.Object({
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    fields: ownFields,
    created_at: Type.String({ format: 'date-time' }),
    members: Type.Integer({ description: 'How many members it has' }),
    roles: Type.Array(Type.String(), { description: 'Your own roles there; none for staff of the app' }),
    permissions: Type.Array(Type.String(), { description: 'What they permit; `org:*` is everything' }),
  }),
)

export const organizationListReply = named(
  'OrganizationList',
  Type.Object({
    results: Type.Array(
      named(
        'ListedOrganization',
        Type.Object({
          id: Type.String(),
          slug: Type.String(),
          name: Type.String(),
          fields: ownFields,
          created_at: Type.String({ format: 'date-time' }),
          members: Type.Integer({ description: 'How many members it has' }),
        }),
      ),
    ),
    next,
  }),
)

export const ownOrganizationReply = named(
  'OwnOrganization',
  Type.Object({
    id: Type.String(),
    slug: Type.String(),
    name: Type.String(),
    roles: roleNames,
    permissions: Type.Array(Type.String(), { description: 'What they permit; `org:*` is everything' }),
    since: Type.String({ format: 'date-time' }),
  }),
)

export const ownOrganizationListReply = named(
  'OwnOrganizationList',
  Type.Object({ results: Type.Array(ownOrganizationReply), next }),
)

/** The path of one member. */
export const memberParams = Type.Object({
  organization: Type.String({ description: 'The id or the slug of an organization' }),
  user: Type.String({ description: 'The id of a member' }),
})

export const memberReply = named(
  'OrganizationMember',
  Type.Object({
    user_id: Type.String(),
    kind: Type.Unsafe<'person' | 'service'>({ type: 'string', enum: ['person', 'service'] }),
    username: textOrNull,
    email: textOrNull,
    roles: roleNames,
    since: Type.String({ format: 'date-time' }),
  }),
)

export const memberListReply = named(
  'OrganizationMemberList',
  Type.Object({ results: Type.Array(memberReply), next }),
)

/** `withRoles` says which there are. */
const rolesWith = (description: string) =>
  Type.Array(Type.String(), { minItems: 1, uniqueItems: true, description, examples: [['member']] })

const givenRoles = rolesWith('All roles that the member has from then on')

export const newMemberBody = Type.Object(
  { user_id: Type.String({ minLength: 1, maxLength: 255, format: 'text' }), roles: givenRoles },
  { additionalProperties: false },
)

export const memberChangesBody = Type.Object({ roles: givenRoles }, { additionalProperties: false })

export const memberInvitationBody = Type.Object(
  {
    email: Type.String({
      minLength: 1,
      maxLength: 508,
      format: 'text',
      description: 'One plain email address',
    }),
    roles: rolesWith('Roles that the invitation gives; a member keeps their own'),
  },
  { additionalProperties: false },
)

/** The path of one invitation to an organization. */
export const memberInvitationParams = Type.Object({
  organization: Type.String({ description: 'The id or the slug of an organization' }),
  pk: Type.String({ description: 'The id of an invitation' }),
})

export const ownInvitationParams = Type.Object({
  pk: Type.String({ description: 'The id of an invitation' }),
})

export const memberInvitationListReply = named(
  'MemberInvitationList',
  Type.Object({
    results: Type.Array(
      named(
        'MemberInvitation',
        Type.Object({
          id: Type.String(),
          email: Type.String(),
          roles: roleNames,
          inviter_id: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'Who invited; `null`: the app itself',
          }),
          invited_at: Type.String({ format: 'date-time' }),
          expires_at: Type.String({ format: 'date-time' }),
        }),
      ),
    ),
    next,
  }),
)

export const ownInvitationListReply = named(
  'OwnInvitationList',
  Type.Object({
    results: Type.Array(
      named(
        'OwnInvitation',
        Type.Object({
          id: Type.String(),
          organization: Type.Object({ id: Type.String(), name: Type.String() }),
          roles: roleNames,
          invited_by: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            description: 'The name of the inviter; `null` if they have none, or for the app itself',
          }),
          invited_at: Type.String({ format: 'date-time' }),
          expires_at: Type.String({ format: 'date-time' }),
        }),
      ),
    ),
    next,
  }),
)
