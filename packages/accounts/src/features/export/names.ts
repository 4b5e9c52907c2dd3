import type { HostCall } from '../host.js'
import type { UserExport } from './export-user.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'export-user': 'me-export'
  }
  interface FeatureCalls {
    /**
     * All that is kept of a person, as GET /me/export/ has it, to answer a request for access; also of somebody who is
     * disabled. `null` if there is no such user.
     * @throws AccountsError ACCOUNTS_UNAVAILABLE, with nothing of what was found, if a feature can't say what it keeps
     */
    exportUser(userId: string, call?: HostCall): Promise<UserExport | null>
  }
}

declare module '../../options/limits.js' {
  interface AccountLimits {
    /** Exports of all that is kept of a user, per user: each reads from every store. Default 10 an hour. */
    exportMe: Limit
  }
}
