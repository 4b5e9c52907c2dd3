import { invitationStoreCases } from '@fastify-accounts/testing'
import { test } from 'vitest'
import { createMemoryInvitationStore } from '../../src/defaults/memory-invitation-store.js'

for (const { name, run } of invitationStoreCases(createMemoryInvitationStore)) test(name, run)
