import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { strictObject, text } from '../../http/input/strict-schema.js'
import { named } from '../../http/openapi/openapi-components.js'
import { longestLife, longestName, longestResource, mostScopes, shortestLife } from './settings.js'

export const newKeyBody = strictObject({
  name: text(longestName, 'For its owner to recognize it'),
  scopes: Type.Array(text(64, 'One of the scopes in the list'), {
    minItems: 1,
    maxItems: mostScopes,
    description: 'What it may do',
  }),
  expires_in: Type.Optional(
    Type.Integer({
      minimum: shortestLife / 1000,
      maximum: longestLife / 1000,
      description: 'Seconds until it expires, at most 365 days; 90 days by default, or as the app says',
    }),
  ),
  resource: Type.Optional(
    text(longestResource, 'What it is for alone, such as the id of an organization; everything by default'),
  ),
})
/** Checked. */
export type NewKeyBody = Static<typeof newKeyBody>

const time = Type.String({ format: 'date-time' })
const shown = {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(Type.String()),
  resource: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: 'What it is for alone, as its creator named it',
  }),
  created_at: time,
  expires_at: time,
  last_used_on: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date',
    examples: ['2026-11-26'],
    description: 'The day in UTC',
  }),
}
const listedKey = named('ApiKey', Type.Object(shown))
/** As its owner sees it. */
export type ListedApiKey = Static<typeof listedKey>

export const newKeyReply = named(
  'NewApiKey',
  Type.Object({ key: Type.String({ description: 'Shown only this once' }), ...shown }),
)
export const keyListReply = named(
  'ApiKeyList',
  Type.Object({
    results: Type.Array(listedKey, { description: 'Oldest first, including expired ones' }),
    scopes: Type.Array(
      named(
        'ApiKeyScope',
        Type.Object({
          name: Type.String(),
          description: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
        }),
      ),
      { description: 'What keys can be allowed to do' },
    ),
  }),
)

export const keyParams = Type.Object({ id: Type.String({ description: 'From the list' }) })
export const serviceParams = Type.Object({ pk: Type.String({ description: 'The id of a service account' }) })
export const serviceKeyParams = Type.Object({ ...serviceParams.properties, ...keyParams.properties })

export const newServiceBody = strictObject({ username: text(150, 'Letters, digits and @ . + - _') })
const service = { id: Type.String(), username: Type.String(), created_at: time }
export const serviceReply = named('Service', Type.Object(service))
export const serviceListReply = named(
  'ServiceList',
  Type.Object({
    results: Type.Array(serviceReply),
    next: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'URL of the next page' }),
  }),
)
