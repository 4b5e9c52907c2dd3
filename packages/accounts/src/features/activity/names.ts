import type { HostCall } from '../host.js'
import type { HostActivity } from './host.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    'list-activity': 'activity'
  }
  interface FeatureCalls {
    /**
     * One page of what has happened to an account, the newest first: at most 50. `next` is the `cursor` of the page after it,
     * and `null` on the last one. `null` if there is no such account.
     * @throws AccountsError ACCOUNTS_INVALID_INPUT; Error without the option `activity`
     */
    listActivity(
      userId: string,
      query?: { cursor?: string | undefined },
      call?: HostCall,
    ): Promise<{ activity: HostActivity[]; next: string | null } | null>
  }
}
