import { test } from 'vitest'
import { outboxCases } from '../../src/testing/index.js'
import { createStoreWithOutbox } from './store-with-outbox.js'

for (const { name, run } of outboxCases(createStoreWithOutbox)) test(name, run)
