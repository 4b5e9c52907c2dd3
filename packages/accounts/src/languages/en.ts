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
    ACCOUNTS_LOGIN_REQUIRED: 'Log in first.',
    ACCOUNTS_NOT_VERIFIED: 'The e-mail address of this account must be verified first.',
    ACCOUNTS_DISABLED: 'This account is disabled.',
    ACCOUNTS_FORBIDDEN: 'You are not allowed to do this.',
    ACCOUNTS_CONFIRMATION_REQUIRED: 'Confirm your password first.',
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
    email_unchanged: 'This is the address already.',
    fields_size: 'Together, these fields may take at most {count} KiB.',
    body_utf8: 'The body must be UTF-8.',
    body_bom: 'The body must not begin with a BOM.',
    body_json: 'The body must be JSON.',
    body_form: 'The body must be percent-encoded UTF-8.',
  },
  /** `detail` of an answer. */
  answers: {
    forgot: 'If there is an account with this address, a link to choose a new password is on its way.',
    reset_done: 'The password was changed.',
    confirm: 'A link to confirm the e-mail address is on its way.',
    resend: 'If an account waits for this address to be confirmed, a new link is on its way.',
    change_email: 'If the address can be used, a link to confirm it is on its way there.',
    email_changed: 'The e-mail address was changed.',
    email_undone: 'The change was undone. A link to choose a new password is on its way.',
    email_kept: 'The new email address stays. The link to undo the change no longer works.',
    email_released: 'The account does not use this email address.',
    not_me: 'Everybody is logged out. A link to choose a new password is on its way.',
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
    reset_done: {
      heading: 'Your password was changed',
      body: 'You can log in with the new password now. All devices that were logged in before are logged out.',
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
    verify: {
      heading: 'Confirm your e-mail address',
      body: 'Confirm that the account {username} is yours, and that it may use this e-mail address.',
      button: 'Confirm',
      otherwise: 'If you did not make this account, close this page.',
    },
    verified: {
      heading: 'Your e-mail address is confirmed',
      body: 'The account {username} is ready: you can log in now.',
    },
    email_change: {
      heading: 'Use this e-mail address',
      body: 'The account {username} will use the address {email} from now on.',
      button: 'Use this address',
      otherwise: 'If the account is not yours, close this page.',
    },
    email_changed: {
      heading: 'Your e-mail address was changed',
      body: 'The account {username} uses the address {email} now.',
    },
    email_undo: {
      heading: 'Undo the change of your email address',
      body: 'If you didn’t change the email address of the account {username}, click below. We’ll change it back to {email}, log everyone out, disable the current password and email you a link to set a new one.',
      button: 'Secure my account',
      otherwise: 'If you changed the address yourself, close this page. Nothing changes.',
      keep: 'I changed it myself, and want this link to stop working',
    },
    email_undone: {
      heading: 'The change was undone',
      body: 'The account {username} uses the address {email} again. You’ve been logged out on all devices. We’ve emailed a link to set a new password to that address.',
    },
    email_keep: {
      heading: 'Keep the new email address',
      body: 'If you changed the email address of the account {username} yourself, or gave the account away, click below. The link that undoes the change will stop working, and nobody can take the account back with the address {email}.',
      button: 'Keep the new address',
      otherwise: 'If you didn’t change it, don’t click. Go back and secure your account.',
    },
    email_kept: {
      heading: 'The new email address stays',
      body: 'The account {username} can no longer be taken back with the address {email}.',
    },
    email_release: {
      heading: 'Release this email address',
      body: 'If the account {username} isn’t yours, click below. We’ll take the address {email} off it, and the account can’t use it unless you confirm it again.',
      button: 'Release this address',
      otherwise: 'If the account is yours, close this page. Nothing changes.',
    },
    email_released: {
      heading: 'Your email address is released',
      body: 'The account {username} doesn’t use the address {email}.',
    },
    not_me: {
      heading: 'Secure your account',
      body: 'If you didn’t log in to the account {username}, someone else knows its password. Click below: we’ll log everyone out, disable the current password and email you a link to set a new one.',
      button: 'Secure my account',
      otherwise: 'If it was you, close this page. Nothing changes.',
    },
    not_me_done: {
      heading: 'You’ve been logged out on all devices',
      body: 'The old password of the account {username} no longer works. We’ve emailed you a link to set a new one.',
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
    'reset-password': {
      subject: 'Reset your password at {site}',
      /** What a mailbox shows beside the subject. */
      preheader: 'The link works once, for {duration}.',
      /** Paragraphs; one that speaks of a fact which the mail does not have is left out. */
      before: ['Somebody, probably you, asked for a new password for your account {username} at {site}.'],
      /** Stands above the button, and only with it. */
      invitation: 'Choose one here:',
      button: 'Choose a new password',
      after: [
        'The link works once, for {duration}.',
        'If it was not you, there is nothing to do: your password stays as it is.',
      ],
      reason: 'You get this mail because a new password was asked for with your address at {site}.',
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
    'verify-email': {
      subject: 'Confirm your e-mail address at {site}',
      preheader: 'One click, and your account {username} is ready.',
      before: ['An account named {username} was made at {site} with this e-mail address.'],
      invitation: 'If it is yours, confirm the address:',
      button: 'Confirm my address',
      after: [
        'The link works for {duration}.',
        'If it is not yours, do not open the link: without it the address stays unconfirmed.',
      ],
      reason: 'You get this mail because your address was given for a new account at {site}.',
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
    'change-email': {
      subject: 'Confirm your new e-mail address at {site}',
      preheader: 'One click, and the account {username} uses this address.',
      before: ['The account {username} at {site} asks to use this e-mail address from now on.'],
      invitation: 'If the account is yours, confirm the address:',
      button: 'Use this address',
      after: [
        'The link works once, for {duration}.',
        'If the account is not yours, do not open the link: without it nothing changes.',
      ],
      /** A second link, in the text of the mail. */
      release: {
        invitation: 'Not your account? If the address was confirmed by mistake, take it off the account:',
        label: 'Release this address',
      },
      reason: 'You get this mail because your address was given for an account at {site}.',
    },
    'email-changed': {
      subject: 'The e-mail address of your account at {site} was changed',
      preheader: 'If it was not you, read on.',
      before: [
        'Your account {username} at {site} no longer uses this email address. Emails about it no longer come here.',
        'If this was you, you don’t need to do anything.',
      ],
      invitation:
        'If it wasn’t you, secure your account: we’ll change the address back, log everyone out and email you a link to set a new password.',
      button: 'Secure my account',
      after: [
        'The link works once, for {duration}.',
        'If you got such a mail with a link shortly before, that link undoes this change too.',
      ],
      reason:
        'You get this mail because your account at {site} had this e-mail address. It cannot be turned off.',
    },
    'email-taken': {
      subject: 'Your e-mail address is in use at {site}',
      preheader: 'The account {username} has it.',
      before: [
        'Somebody, probably you, wanted to use this e-mail address for another account at {site}. The account {username} has it already, and an address belongs to one account.',
        'If it was you, log in as {username}, or give that account another address first.',
        'If it was not you, there is nothing to do: nothing was changed.',
      ],
      reason: 'You get this mail because your address was given for an account at {site}.',
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
