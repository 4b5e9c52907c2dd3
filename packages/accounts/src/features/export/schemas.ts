import * as Type from '@sinclair/typebox'
import { named } from '../../http/openapi/openapi-components.js'

export const userExportReply = named(
  'UserExport',
  Type.Object(
    {
      exported_at: Type.String({ format: 'date-time' }),
      account: Type.Object({}, { additionalProperties: true, description: 'The account itself' }),
      features: Type.Object(
        {},
        { additionalProperties: true, description: 'What each feature keeps, by its name' },
      ),
    },
    { description: 'All that is kept of a person, without secrets. Features may add to it in any release' },
  ),
)
