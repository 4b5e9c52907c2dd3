import type { FeatureHost } from 'fastify-accounts/features'
import { createHooks } from './hooks.js'
import { invitationCalls } from './host/invitation-calls.js'
import { memberCalls } from './host/member-calls.js'
import { organizationCalls } from './host/organization-calls.js'
import type { Parts } from './parts.js'

/** What the feature adds to `app.accounts`. */
export function organizationHost(parts: Parts): FeatureHost {
  return {
    calls: {
      organizations: { ...organizationCalls(parts), ...memberCalls(parts), ...invitationCalls(parts) },
    },
    hooks: (visitors) => ({ organizations: createHooks(parts, visitors) }),
  }
}
