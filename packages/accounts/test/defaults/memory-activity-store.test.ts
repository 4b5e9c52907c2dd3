import { activityStoreCases } from '@fastify-accounts/testing'
import { test } from 'vitest'
import { createMemoryActivityStore } from '../../src/defaults/memory-activity-store.js'

for (const { name, run } of activityStoreCases(createMemoryActivityStore)) test(name, run)
