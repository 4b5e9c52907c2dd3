/**
 * English, and what every other language has: the same texts, each with the same {placeholders}. Plain words, short
 * sentences; what a text says of an account must be true of every account.
 */
export const en = {
  /** `message` of an error, by its code. */
  errors: {
    ACCOUNTS_INVALID_INPUT: 'The request has fields that cannot be accepted.',
    ACCOUNTS_INVALID_LINK:
      'This link is not valid, or no longer. If it was to choose a password or to confirm an address, ask for a new one.',
    ACCOUNTS_INVALID_CREDENTIALS: 'The username, email address or password is wrong.',
    ACCOUNTS_SECOND_FACTOR_REQUIRED: 'Enter a code from your authenticator app, or another second factor.',
    ACCOUNTS_INVALID_CODE: 'This code is wrong, or has been used.',
    ACCOUNTS_LOGIN_EXPIRED: 'This login took too long. Start again.',
    ACCOUNTS_LOGIN_REQUIRED: 'Log in first.',
    ACCOUNTS_NOT_VERIFIED: 'The e-mail address of this account must be verified first.',
    ACCOUNTS_DISABLED: 'This account is disabled.',
    ACCOUNTS_FORBIDDEN: 'You are not allowed to do this.',
    ACCOUNTS_CONFIRMATION_REQUIRED: 'Confirm that it is you first.',
    ACCOUNTS_ENROLLMENT_REQUIRED: 'Set up a second factor first.',
    ACCOUNTS_CROSS_SITE:
      'This request comes from another site. If that site is yours, add its origin to the option trustedOrigins.',
    ACCOUNTS_NOT_FOUND: 'There is nothing here with this id.',
    ACCOUNTS_METHOD_NOT_ALLOWED: 'This path does not take this method.',
    ACCOUNTS_USERNAME_TAKEN: 'This username is taken.',
    ACCOUNTS_EMAIL_TAKEN: 'There is an account with this e-mail address already.',
    ACCOUNTS_CONFLICT: 'This conflicts with the current state of the account. Reload and try again.',
    ACCOUNTS_THROTTLED: 'Too many tries. Wait a while.',
    ACCOUNTS_UNAVAILABLE: 'The service cannot answer at the moment. Try again shortly.',
  },
  /** `message` of a field's fault, by its code. */
  fields: {
    required: 'This field is required.',
    invalid: 'This value is not valid.',
    unknown: 'There is no such field.',
    too_short: 'This value is too short.',
    too_long: 'This value is too long.',
    too_common: 'This password is too easy to guess.',
    breached: 'This password has appeared in a data breach. Choose another one.',
    mismatch: 'The two passwords differ.',
    incorrect: 'This password is wrong.',
    unchanged: 'The new password is the old one.',
  },
  /** The same, where more can be said. */
  details: {
    min_length: { one: 'At least {count} character.', other: 'At least {count} characters.' },
    max_length: { one: 'At most {count} character.', other: 'At most {count} characters.' },
    username_characters: 'Letters, digits and the signs @.+-_ only.',
    username_address: 'A username may be an e-mail address only if it is that of the same account.',
    username_reserved: 'This name is reserved.',
    staff_deletes_itself:
      'You’re staff: ask another member of staff to remove your staff rights before you delete your account.',
    email_unchanged: 'This is the address already.',
    fields_size: 'Together, these fields may take at most {count} KiB.',
    factor_incorrect: 'This code is wrong, or has been used.',
    passkey_incorrect: 'This passkey was not accepted. Try again.',
    body_utf8: 'The body must be UTF-8.',
    body_bom: 'The body must not begin with a BOM.',
    body_json: 'The body must be JSON.',
    body_form: 'The body must be percent-encoded UTF-8.',
  },
  /** `detail` of an answer. */
  answers: {
    confirm: 'A link to confirm the e-mail address is on its way.',
  },
  pages: {
    /** The title of the window where a form has faults. */
    faulty: 'Error: {title}',
    /** The link at the end of a page with nothing left to do on it. */
    onward: 'Continue to {site}',
    reset_form: {
      heading: 'Choose a new password',
      account: 'For the account {username}.',
      new_password: 'New password',
      confirm_password: 'New password, again',
      button: 'Set the password',
    },
    change_form: {
      heading: 'Change your password',
      old_password: 'Current password',
      button: 'Change the password',
    },
    changed: {
      heading: 'Your password was changed',
      body: 'You are still logged in here. All other devices are logged out.',
    },
    problem: {
      link: 'This link does not work',
      login: 'You are not logged in',
      throttled: 'Too many tries',
      unavailable: 'Not available at the moment',
      failed: 'This did not work',
      unexpected: 'Something went wrong.',
    },
  },
  emails: {
    common: {
      greeting: 'Hello {username},',
      /** Above the address of the link, written out. */
      otherwise: 'If the button does not work, open this address:',
      /** In a notice that replaces several which were held back. */
      heldBack:
        'This happened more often than we emailed you: we held the later emails back, and this one replaces them.',
    },
    'choose-password': {
      subject: 'Choose a new password at {site}',
      preheader: 'The old one no longer opens your account {username}.',
      before: [
        'Your account {username} at {site} was locked by a link in a mail to you: the old password no longer opens it, and everybody is logged out.',
      ],
      invitation: 'To log in again, choose a new password:',
      button: 'Choose a new password',
      after: ['The link works once, for {duration}. After that, use “forgotten password” at {site}.'],
      reason:
        'You get this mail because the password of your account at {site} was made void. It cannot be turned off.',
    },
    'account-exists': {
      subject: 'You already have an account at {site}',
      preheader: 'You can log in with the account {username}.',
      before: [
        'Somebody, probably you, tried to sign up at {site} with this e-mail address. There is an account with it already, named {username}, so no second one was made.',
        'You can log in with it.',
      ],
      invitation: 'If you do not know its password, choose a new one:',
      button: 'Choose a new password',
      after: [
        'The link works once, for {duration}.',
        'If it was not you, there is nothing to do: nothing was changed.',
      ],
      reason: 'You get this mail because your address was given for a new account at {site}.',
    },
    'account-changed': {
      subject: 'Your account at {site} was changed',
      preheader: 'Someone who manages accounts at {site} changed it.',
      before: [
        'Someone who manages accounts at {site} changed the details of your account. Your username is {username}.',
        'To see what your account looks like now, log in. If you don’t know why it was changed, ask {site}.',
      ],
      reason:
        'You get this mail because the details of your account at {site} were changed. It cannot be turned off.',
    },
    'password-changed': {
      subject: 'Your password at {site} was changed',
      preheader: 'If it was not you, read on.',
      before: [
        'The password of your account {username} at {site} was just changed, and other devices were logged out.',
        'If it was you, there is nothing to do.',
        'If it was not you, somebody else may know your password: use “forgotten password” at {site} at once to choose a new one.',
      ],
      reason:
        'You get this mail because the password of your account at {site} was changed. It cannot be turned off.',
    },
    'password-added': {
      subject: 'A password was added to your account at {site}',
      preheader: 'If this wasn’t you, secure your account.',
      before: [
        'Your account {username} at {site} now has a password, and other devices were logged out.',
        'If this was you, you don’t need to do anything.',
      ],
      invitation: 'If this wasn’t you, secure your account:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You get this mail because a password was added to your account at {site}. It cannot be turned off.',
    },
    'password-removed': {
      subject: 'The password of your account at {site} was removed',
      preheader: 'If this wasn’t you, secure your account.',
      before: [
        'The password of your account {username} at {site} was just removed, and other devices were logged out. Your other ways to log in still work.',
        'If this was you, you don’t need to do anything.',
      ],
      invitation: 'If this wasn’t you, secure your account:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason:
        'You get this mail because the password of your account at {site} was removed. It cannot be turned off.',
    },
    'new-device': {
      subject: 'New login to your account at {site}',
      preheader: 'If it was not you, read on.',
      before: [
        'Somebody, probably you, logged in to your account {username} at {site} from a device that was not known.',
        'The device: {device}.',
        'If it was you, there is nothing to do.',
      ],
      invitation: 'If it wasn’t you, someone else knows your password. Log everyone out and set a new one:',
      button: 'Secure my account',
      after: ['The link works for {duration}.'],
      reason: 'You get this mail because of a login to your account at {site}. It cannot be turned off.',
    },
  },
} as const
