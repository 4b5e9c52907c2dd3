import { test } from 'vitest'
import { createMemoryUserStore } from '../../src/defaults/memory-user-store.js'
import { userStoreCases } from '../../src/testing/index.js'

for (const { name, run } of userStoreCases(createMemoryUserStore)) test(name, run)
