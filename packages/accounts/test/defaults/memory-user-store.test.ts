import { userStoreCases } from '@fastify-accounts/testing'
import { test } from 'vitest'
import { createMemoryUserStore } from '../../src/defaults/memory-user-store.js'

for (const { name, run } of userStoreCases(createMemoryUserStore)) test(name, run)
