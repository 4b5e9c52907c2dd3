import type { OperatedStore, SeamMethods } from 'fastify-accounts/features'
import type { OrganizationStore } from './organization-store.js'

/** What every organization store has, and what the feature calls of it. */
export const organizationStoreMethods = {
  required: {
    create: 'writes',
    find: 'reads',
    findFor: 'reads',
    list: 'reads',
    listMembers: 'reads',
    listOfUser: 'reads',
    countOfUser: 'reads',
    write: 'writes',
  },
  optional: {},
} as const satisfies SeamMethods<OrganizationStore, keyof OperatedStore>

/** The same of `withUsers`. */
export const withUsersMethods = {
  required: { delete: 'writes' },
  optional: {},
} as const satisfies SeamMethods<NonNullable<OrganizationStore['withUsers']>>
