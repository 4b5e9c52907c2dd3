import type { en } from './texts.js'

declare module '../../feature-names.js' {
  interface FeatureActions {
    invite: true
    'list-invitations': true
    'resend-invitation': true
    'withdraw-invitation': true
    'accept-invitation': true
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
