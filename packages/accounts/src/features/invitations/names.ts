import type { HostCall } from '../host.js'
import type { HostInvitation } from './host.js'
import type { InvitationInput } from './invite.js'
import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    invite: true
    'list-invitations': true
    'resend-invitation': true
    'withdraw-invitation': true
    'accept-invitation': true
  }
  interface FeatureCalls {
    /**
     * Invites an address, as POST /invitations/ does. `null` if it has an account, whose owner is emailed unless it is
     * disabled. Beyond `invitationMails` no email is sent, and the last link stays valid.
     * @throws AccountsError ACCOUNTS_INVALID_INPUT, ACCOUNTS_CONFLICT; Error without `invitations()`
     */
    invite(input: InvitationInput, call?: HostCall): Promise<HostInvitation | null>
    /**
     * One page of open invitations: at most 50, maybe fewer. `next` is the `cursor` of the page after it, and `null` on
     * the last one.
     * @throws AccountsError ACCOUNTS_INVALID_INPUT; Error without `invitations()`, or if the user store can't list users
     */
    listInvitations(
      query?: { cursor?: string | undefined },
      call?: HostCall,
    ): Promise<{ invitations: HostInvitation[]; next: string | null }>
    /**
     * Sends an invitation again, with a new link; the earlier one ends. Resolves to whether there was one.
     * @throws AccountsError ACCOUNTS_CONFLICT; ACCOUNTS_THROTTLED if the address has had too many emails (`invitationMails`);
     * Error without `invitations()`
     */
    resendInvitation(invitationId: string, call?: HostCall): Promise<boolean>
    /**
     * Withdraws an invitation, whose link stops working at once. Resolves to whether there was one.
     * @throws AccountsError ACCOUNTS_CONFLICT; Error without `invitations()`
     */
    withdrawInvitation(invitationId: string, call?: HostCall): Promise<boolean>
  }
  interface FeatureLinks {
    invitation: true
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
    /** Invitations sent, for the first time or again, per inviter. Default 50 an hour. */
    invite: Limit
    /** Emails about invitations per address; beyond it the response stays the same and no email is sent. Default 5 a day. */
    invitationMails: Limit
  }
}
