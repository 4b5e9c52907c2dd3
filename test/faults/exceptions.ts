/** Calls whose failure leaves the answer as it is, each with the reason. Whatever is not here must be a 503. */
export interface Exception {
  branches: RegExp
  /** Calls, as `users.findById#2`. */
  sites: RegExp
  /** Whether the answer does not wait for the call. A mail may be given up then, which is an event. */
  isAfterAnswer?: boolean
  reason: string
}

export const exceptions: readonly Exception[] = [
  {
    branches:
      /^(forgot|resend|create .* to be confirmed|reset|change-password|remove-password|change-email|email-confirm|email-undo|not-me)/,
    sites: /^mailer\.send/,
    isAfterAnswer: true,
    reason: 'mails leave after the answer, and are tried again',
  },
  {
    branches: /^(forgot|resend|create .* to be confirmed)/,
    sites: /^(signer\.sign|throttle\.increment#2)/,
    isAfterAnswer: true,
    reason: 'links are made after the answer, so that its time does not tell who has an account',
  },
  {
    branches: /^create .* to be confirmed with an address that has an account/,
    sites: /^users\.findByEmail/,
    isAfterAnswer: true,
    reason: 'the owner of the address is looked up after the answer',
  },
  {
    branches: /^(change-password, to|remove-password|change-email|email-confirm|email-undo|not-me)/,
    sites: /^signer\.sign/,
    isAfterAnswer: true,
    reason: 'links are made after the answer',
  },
  {
    branches: /^(reset|email-confirm|email-undo|not-me)$/,
    sites: /^users\.findById#2/,
    isAfterAnswer: true,
    reason: 'whom a mail is about is looked up when it goes out',
  },
  {
    branches:
      /^(reset while|(change-password|change-password, to a first one|remove-password|change-email)$)/,
    sites: /^users\.findById#3/,
    isAfterAnswer: true,
    reason: 'likewise; who is logged in was asked twice, before the body and after it',
  },
  {
    branches: /^(change|remove)-password while/,
    sites: /^users\.findById#4/,
    isAfterAnswer: true,
    reason: 'likewise',
  },
  {
    branches: /^create .* to be confirmed$/,
    sites: /^users\.findById/,
    isAfterAnswer: true,
    reason: 'likewise',
  },
  {
    branches: /^(forgot|resend)/,
    sites: /^users\.findByEmail#2/,
    isAfterAnswer: true,
    reason: 'who has the address is looked up when the mail goes out',
  },
  {
    branches: /^change-email/,
    sites: /^(users\.findByEmail|throttle\.increment#[12])/,
    isAfterAnswer: true,
    reason: 'who has the address is found out after the answer, so that its time does not tell',
  },
  {
    branches: /^(reset|change-password|remove-password)( while|$)/,
    sites: /^throttle\.increment#2/,
    isAfterAnswer: true,
    reason: 'notices are counted when they go out',
  },
  {
    branches: /^change-password, to a first one/,
    sites: /^throttle\.increment#3/,
    isAfterAnswer: true,
    reason: 'likewise',
  },
  {
    branches: /^me after a while/,
    sites: /^sessions\.touch/,
    reason: 'who is logged in is known; that the visit is not noted is not worth an outage',
  },
  {
    branches: /^me with a dead session/,
    sites: /^sessions\.delete/,
    reason: 'a dead session opens nothing, whether its row is there or not',
  },
  {
    branches: /^login with too many sessions/,
    sites: /^sessions\.(listByUser|delete)/,
    reason: 'the login stands; that a user has a session too many is not worth an outage',
  },
  {
    branches:
      /^(reset|email-undo|not-me|setPassword|updateUser|endUserSessions|disable somebody|log somebody out)/,
    sites: /^sessions\.deleteByUser/,
    reason: 'the epoch has ended the sessions; their rows open nothing',
  },
  {
    branches: /^(reset|setPassword)/,
    sites: /^throttle\.clear/,
    isAfterAnswer: true,
    reason: 'the password is set, whether or not old attempts are forgotten',
  },
  {
    branches: /^reset with two passwords in a browser/,
    sites: /#2$/,
    reason: 'the fault of the form is told, without the form',
  },
  {
    branches: /^change-password/,
    sites: /^sessions\.((delete|deleteByUser|create)#|find#3)/,
    reason: 'the password is changed; to say anything else would be a lie (FLT-07)',
  },
  {
    branches: /^remove-password/,
    sites: /^sessions\.((delete|deleteByUser|create)#|find#2)/,
    reason: 'likewise: the password is removed',
  },
  {
    branches: /^delete oneself/,
    sites: /^sessions\.(find#2|delete#)/,
    isAfterAnswer: true,
    reason: 'the row went with the user; the cookie is cleared without waiting for it to go once more',
  },
  {
    branches: /^delete/,
    sites: /^sessions\.delete/,
    reason: 'the user is gone; sessions of nobody open nothing',
  },
]
