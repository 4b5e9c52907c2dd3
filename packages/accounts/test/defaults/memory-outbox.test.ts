import { createStoreWithOutbox } from '@fastify-accounts/test-support/store-with-outbox'
import { outboxCases } from '@fastify-accounts/testing'
import { test } from 'vitest'

for (const { name, run } of outboxCases(createStoreWithOutbox)) test(name, run)
