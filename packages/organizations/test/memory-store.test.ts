import { createMemoryOrganizationStore } from '@fastify-accounts/organizations/store'
import { organizationStoreCases } from '@fastify-accounts/testing/organizations'
import { describe, test } from 'vitest'

describe('the memory store', () => {
  for (const { name, run } of organizationStoreCases(createMemoryOrganizationStore)) test(name, run)
})
