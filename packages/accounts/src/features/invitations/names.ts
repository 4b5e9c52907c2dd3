import type { HostCall } from '../host.js'
import type { HostInvitation } from './host.js'
import type { InvitationInput } from './invite.js'
import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    invite: 'invitations'
    'list-invitations': 'invitations'
    'resend-invitation': 'invitation-send'
    'withdraw-invitation': 'invitation-detail'
    'accept-invitation': 'invitation' | 'invitation-passkey-options' | 'invitation-passkey'
  }
  interface FeatureCalls {
    /**
     * Invites an address, as POST /invitations/ does. A second time it replaces what your code invited the address to, with a new
     * link; invitations by users stay.
     * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_CONFLICT; ACCOUNTS_THROTTLED if your code has emailed the address
     * too often (`invitationMails`); Error without `invitations()`
     */
    invite(input: InvitationInput, call?: HostCall): Promise<HostInvitation>
    /**
     * One page of open invitations, the oldest first: at most 50, maybe fewer. `next` is the `cursor` of the page after it, and
     * `null` on the last one.
     * @throws AccountsError ACCOUNTS_INVALID_INPUT; Error without `invitations()`
     */
    listInvitations(
      query?: { cursor?: string | undefined },
      call?: HostCall,
    ): Promise<{ invitations: HostInvitation[]; next: string | null }>
    /**
     * Sends an invitation again, with a new link; the earlier one ends. Resolves to whether there was one.
     * @throws AccountsError ACCOUNTS_CONFLICT if it is being accepted; ACCOUNTS_THROTTLED if its inviter has emailed the address too
     * often (`invitationMails`); Error without `invitations()`
     */
    resendInvitation(invitationId: string, call?: HostCall): Promise<boolean>
    /**
     * Withdraws an invitation, which can't take effect afterwards. Resolves to whether there was one.
     * @throws AccountsError ACCOUNTS_CONFLICT if it is being accepted; Error without `invitations()`
     */
    withdrawInvitation(invitationId: string, call?: HostCall): Promise<boolean>
  }
  interface FeatureLinks {
    invitation: 'invitation'
  }
  interface FeatureMails {
    invitation: true
    'invitation-known': true
  }
  interface FeatureTexts {
    invitations: typeof en
  }
}

declare module '../../options/limits.js' {
  interface AccountLimits {
    /** Invitations per inviter. Default 50 an hour. */
    invite: Limit
    /** Invitations sent again per user. Default 100 an hour. */
    resendInvitation: Limit
    /** Emails of invitations that somebody sends to an address. Default 5 a day. */
    invitationMails: Limit
  }
}
