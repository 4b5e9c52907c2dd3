/** Calls whose failure doesn't change the response, each with the reason. Any other failure must be a 503. */
export interface Exception {
  branches: RegExp
  /** Calls, such as `users.findById#2`. */
  sites: RegExp
  /** Whether the response doesn't wait for the call. A mail may then be given up, which emits an event. */
  isAfterResponse?: boolean
  /** Only where a user and their sessions are two writes: in one write, the call comes before it. */
  isApart?: boolean
  /** Only if the store comes back: what the response does wait for comes later. */
  isPassing?: boolean
  reason: string
}

export const exceptions: readonly Exception[] = [
  {
    branches:
      /^(forgot|resend|create .* to be confirmed|reset|verify with a new password|change-password|remove-password|change-email|email-confirm|email-undo|not-me|secureUser|updateUser by the host, an? (username|address)|mail by the host)/,
    sites: /^mailer\.send/,
    isAfterResponse: true,
    reason: 'mails are sent after the response, and retried',
  },
  {
    branches: /^(forgot|resend|create .* to be confirmed)/,
    sites: /^(signer\.sign|throttle\.increment#[23])/,
    isAfterResponse: true,
    reason: 'links are made after the response, so its timing reveals no accounts',
  },
  {
    branches: /^create .* to be confirmed with an address that has an account/,
    sites: /^users\.findByEmail#1/,
    isAfterResponse: true,
    isPassing: true,
    reason: 'a free address is 202 by then; storing the sign-up comes later',
  },
  {
    branches: /^create .* to be confirmed with an address that has an account/,
    sites: /^users\.findByEmail#[2-9]/,
    isAfterResponse: true,
    reason: 'the owner of the address is looked up after the response',
  },
  {
    branches:
      /^(reset|verify with a new password|change-password|remove-password|change-email|email-confirm|email-undo|not-me|secureUser|updateUser by the host, an address)/,
    sites: /^signer\.sign/,
    isAfterResponse: true,
    reason: 'links are made after the response',
  },
  {
    branches:
      /^(reset( by a link of the host)?|verify with a new password .*|email-confirm|email-undo|not-me|secureUser by the host|updateUser by the host, an? (username|address)|mail by the host)$/,
    sites: /^users\.findById#2/,
    isAfterResponse: true,
    reason: 'the user is looked up when the mail is sent',
  },
  {
    branches: /^(reset while|(change-password(,.*)?|remove-password)$)/,
    sites: /^users\.findById#3/,
    isAfterResponse: true,
    reason: 'the same; the session was already checked twice, before and after the body',
  },
  {
    branches: /^updateUser by the host, an address/,
    sites: /^(users\.findById#3|throttle\.increment)/,
    isAfterResponse: true,
    reason: 'the same, for the emails to both addresses, which are counted when they are sent',
  },
  {
    branches: /^((change|remove)-password while|change-email$)/,
    sites: /^users\.findById#4/,
    isAfterResponse: true,
    reason: 'the same; a change of the address reads the credentials as well',
  },
  {
    branches: /^create .* to be confirmed$/,
    sites: /^users\.findById/,
    isAfterResponse: true,
    reason: 'the same',
  },
  {
    branches: /^create .* to be confirmed$/,
    sites: /^users\.(update|findByEmail)/,
    reason: 'the user is created; what only takes the time of a taken address is not worth a 503',
  },
  {
    branches: /^(forgot|resend)/,
    sites: /^users\.findByEmail#2/,
    isAfterResponse: true,
    reason: 'the owner of the address is looked up when the mail is sent',
  },
  {
    branches: /^change-email/,
    sites: /^(users\.findByEmail|throttle\.increment#[12])/,
    isAfterResponse: true,
    reason: 'the owner of the address is looked up after the response, so its timing reveals nothing',
  },
  {
    branches: /^login on a known device/,
    sites: /^throttle\.(increment#2|decrement)/,
    isAfterResponse: true,
    isPassing: true,
    reason: 'the response does not wait for it; the request then stays counted by its client address',
  },
  {
    branches: /^(reset( while|$)|reset by|verify with a new password)/,
    sites: /^throttle\.increment#2/,
    isAfterResponse: true,
    reason: 'notices are counted when they are sent',
  },
  {
    branches: /^remove-password( while|$)/,
    sites: /^throttle\.increment#1/,
    isAfterResponse: true,
    reason: 'the same',
  },
  {
    branches: /^change-password( while|,|$)/,
    sites: /^throttle\.increment#4/,
    isAfterResponse: true,
    reason: 'the same',
  },
  {
    branches: /^(confirm|change-password) with the wrong password/,
    sites: /^throttle\.decrement/,
    isAfterResponse: true,
    reason:
      'the response does not wait for it; the account then has one hash fewer that goes before those of strangers',
  },
  {
    branches: /^login on a known device with the wrong password/,
    sites: /^throttle\.decrement#2/,
    isAfterResponse: true,
    reason: 'the same; the first gives back the attempt of the client address',
  },
  {
    branches: /^me after a while/,
    sites: /^sessions\.touch/,
    reason: 'the user is known; failing to record the visit is not worth a 503',
  },
  {
    branches: /^login with too many sessions/,
    sites: /^sessions\.(listByUser|delete)/,
    reason: 'the login succeeded; one session too many is not worth a 503',
  },
  {
    branches:
      /^(reset|verify with a (new|first) password|email-undo|not-me|setPassword|updateUser|endUserSessions|secureUser|disable a user|log a user out)/,
    sites: /^sessions\.deleteByUser/,
    reason: 'the epoch has ended the sessions; their rows give no access',
  },
  {
    branches: /^(reset|verify with a (new|first) password|setPassword)/,
    sites: /^throttle\.clear/,
    isAfterResponse: true,
    reason: 'the password is set, whether or not the old attempts are cleared',
  },
  {
    branches: /^(reset with mismatched passwords|verify with a wrong password) in a browser/,
    sites: /^(users|signer)\..*#2$/,
    reason: 'the error in the form is reported, without the form',
  },
  {
    branches: /^(email-undo|not-me|secureUser)/,
    sites: /^invitations\.list#2/,
    isAfterResponse: true,
    reason: 'what the account invited while it was being secured is withdrawn after the response',
  },
  {
    branches: /^change-password/,
    sites: /^sessions\.(change|deleteByUser)#/,
    isApart: true,
    reason: 'the password is changed, and the response must say so (FLT-07)',
  },
  {
    branches: /^remove-password/,
    sites: /^sessions\.(change|deleteByUser)#/,
    isApart: true,
    reason: 'the same: the password is removed',
  },
  {
    branches: /^delete/,
    sites: /^sessions\.delete/,
    reason: 'the user is deleted; sessions without a user give no access',
  },
]
