/**
 * English, the reference for every other language: the same texts, each with the same {placeholders}. Plain
 * words, short sentences; a text about an account must be true of every account.
 */
export const en = {
  /** `message` of an error, by its code. */
  errors: {
    ACCOUNTS_INVALID_INPUT: 'Some fields are invalid.',
    ACCOUNTS_INVALID_LINK:
      'This link is invalid or has expired. If you wanted to reset your password, confirm your email address or accept an invitation, ask for a new link.',
    ACCOUNTS_INVALID_CREDENTIALS: 'Incorrect login details.',
    ACCOUNTS_INVALID_OR_NOT_VERIFIED:
      'Incorrect login details. If you’ve just signed up, confirm your email address first.',
    ACCOUNTS_SECOND_FACTOR_REQUIRED: 'Complete the second step of your login.',
    ACCOUNTS_INVALID_CODE: 'This code is wrong or has already been used.',
    ACCOUNTS_LOGIN_EXPIRED: 'This login is no longer valid. Start again.',
    ACCOUNTS_LOGIN_REQUIRED: 'Log in first.',
    ACCOUNTS_NOT_VERIFIED: 'Confirm the email address of this account first.',
    ACCOUNTS_DISABLED: 'This account is disabled.',
    ACCOUNTS_FORBIDDEN: 'You are not allowed to do this.',
    ACCOUNTS_CONFIRMATION_REQUIRED: 'Confirm that it’s you first.',
    ACCOUNTS_ENROLLMENT_REQUIRED: 'Turn on two-step verification first.',
    ACCOUNTS_CROSS_SITE: 'This request came from another site. Try again on this site.',
    ACCOUNTS_NOT_FOUND: 'Not found.',
    ACCOUNTS_METHOD_NOT_ALLOWED: 'Method not allowed.',
    ACCOUNTS_REQUEST_TIMEOUT: 'The request took too long to arrive. Try again.',
    ACCOUNTS_USERNAME_TAKEN: 'This username is taken.',
    ACCOUNTS_EMAIL_TAKEN: 'An account with this email address already exists.',
    ACCOUNTS_CONFLICT: 'This conflicts with the current state of the account. Reload and try again.',
    ACCOUNTS_THROTTLED: 'Too many attempts. Try again later.',
    ACCOUNTS_UNAVAILABLE: 'The service is temporarily unavailable. Try again shortly.',
  },
  /** `message` of an error with a `reason`: one group for each code. */
  reasons: {
    ACCOUNTS_INVALID_CREDENTIALS: {
      wrong_passkey: 'This passkey was not accepted. Try again.',
      changed_meanwhile: 'Your account was changed while you were logging in. Log in again.',
    },
    ACCOUNTS_SECOND_FACTOR_REQUIRED: {
      passkey: 'Use your passkey to finish logging in.',
      totp: 'Enter a code from your authenticator app to finish logging in.',
      passkey_or_totp: 'Use your passkey to finish logging in, or enter a code from your authenticator app.',
      recovery_code: 'Enter one of your recovery codes to finish logging in.',
    },
    ACCOUNTS_FORBIDDEN: {
      missing_permission: 'You don’t have permission to do this.',
      own_account: 'You can’t do this to your own account. Ask another member of staff.',
      sign_up_closed: 'You can’t sign up here. If you already have an account, log in to it.',
    },
    ACCOUNTS_CONFIRMATION_REQUIRED: {
      passkey: 'First confirm with your passkey.',
      passkey_or_email_code: 'First confirm with your passkey, or with a code sent to your email address.',
      totp: 'First confirm with a code from your authenticator app.',
      passkey_or_totp: 'First confirm with your passkey, or with a code from your authenticator app.',
      just_added: 'You’ve only just added this. Confirm with something older, or log in again.',
    },
    ACCOUNTS_NOT_FOUND: {
      no_password: 'Your account has no password.',
    },
    ACCOUNTS_CONFLICT: {
      changed_meanwhile: 'The account was changed at the same time. Reload and try again.',
      last_way_in: 'This is the only way to log in to your account. Add another one first.',
      limit_reached: 'You can’t add any more. Remove one first.',
      still_staff:
        'You can give others rights: ask another member of staff to remove yours before you delete your account.',
      refused_by_rule: 'A rule of this service doesn’t allow this change.',
    },
  },
  /** `message` of a field error, by its code. */
  fields: {
    required: 'This field is required.',
    invalid: 'This value is invalid.',
    unknown: 'Unknown field.',
    read_only: 'This field can’t be changed here.',
    too_short: 'This value is too short.',
    too_long: 'This value is too long.',
    too_common: 'This password is too easy to guess.',
    breached: 'This password has appeared in a data breach. Choose another one.',
    mismatch: 'The passwords don’t match.',
    incorrect: 'This password is wrong.',
    unchanged: 'The new password is the same as the old one.',
  },
  /** The same, with more detail. */
  details: {
    min_length: { one: 'At least {count} character.', other: 'At least {count} characters.' },
    max_length: { one: 'At most {count} character.', other: 'At most {count} characters.' },
    username_characters: 'Use only letters, digits and @.+-_',
    username_address: 'A username can be an email address only if it’s this account’s own.',
    username_reserved: 'This name is reserved.',
    email_ascii:
      'We can’t send email to addresses with accents or non-Latin letters before the @. Use another one.',
    email_unchanged: 'That’s already your email address.',
    fields_size: 'Together, these fields may take up at most {count} KiB.',
    factor_incorrect: 'This code is wrong or has already been used.',
    passkey_incorrect: 'This passkey was not accepted. Try again.',
    no_such_value: '“{value}” isn’t one of the possible values.',
    body_utf8: 'The body must be UTF-8.',
    body_bom: 'The body must not start with a byte order mark.',
    body_json: 'The body must be JSON.',
    body_form: 'The body must be percent-encoded UTF-8.',
    host_header: 'The request must have exactly one Host header.',
  },
  /** `detail` of a response. */
  responses: {
    confirm: 'We’ve emailed you a link to confirm your address.',
  },
  /** What was removed when an account was secured. */
  removed: {
    sentence:
      'This was removed, because someone else may have added it: {list}. If any of it was yours, set it up again once you’ve logged in.',
    passkeys: { one: '{count} passkey', other: '{count} passkeys' },
    apps: { one: '{count} authenticator app', other: '{count} authenticator apps' },
    recovery_codes: { one: '{count} recovery code', other: '{count} recovery codes' },
    identities: { one: '{count} login with another provider', other: '{count} logins with other providers' },
    api_keys: { one: '{count} API key', other: '{count} API keys' },
    remembered_devices: { one: '{count} remembered device', other: '{count} remembered devices' },
  },
  pages: {
    /** The title of the window if a form has errors. */
    faulty: 'Error: {title}',
    /** The link on a page that ends a flow. */
    onward: 'Continue to {site}',
    reset_form: {
      heading: 'Choose a new password',
      account: 'For the account {username}.',
      new_password: 'New password',
      confirm_password: 'Confirm new password',
      button: 'Set password',
    },
    new_owner: {
      username: 'Username',
      profile_heading: 'This is in the account. If it isn’t yours, remove it:',
      profile_label: 'Remove it',
    },
    change_form: {
      heading: 'Change your password',
      old_password: 'Current password',
      button: 'Change password',
    },
    changed: {
      heading: 'Your password has been changed',
      body: 'You’re still logged in here. All other devices have been logged out.',
    },
    /** Around a list of what will be removed, and of what was. */
    removes: {
      heading: 'This will also be removed, because someone else may have added it:',
      hint: 'If any of it is yours, you can set it up again afterwards.',
    },
    removed: {
      heading: 'This was removed, because someone else may have added it:',
      hint: 'If any of it was yours, set it up again once you’ve logged in.',
    },
    problem: {
      link: 'This link doesn’t work',
      login: 'You’re not logged in',
      throttled: 'Too many attempts',
      unavailable: 'Temporarily unavailable',
      failed: 'That didn’t work',
      unexpected: 'Something went wrong.',
      /** Below the fields at fault, where the page has no form to correct them. */
      ask: 'If you can’t correct this, contact {site}.',
    },
  },
  emails: {
    common: {
      /** How subjects name the site. Headings, below its name, leave that out. */
      sites: [' at {site}', ' for {site}', ' to {site}'],
      greeting: 'Hello {username},',
      /** Above all else. */
      code: 'Your code: {code}',
      /** Above the link's URL, written out. */
      otherwise: 'If the button doesn’t work, open this link:',
      /** In a notice: when it was, who did it, and from where. */
      time: 'When: {time}',
      device: 'Device: {device}',
      unknownDevice: 'unknown',
      from: 'Place: {place}',
      /** The beginning of an address, as in 192.0.2.x. */
      place: 'network {network}',
      byStaff: 'Done by: someone who manages accounts',
      byHost: 'Done by: us',
      /** In a notice that replaces several held-back ones. */
      heldBack: {
        one: 'We held this email back, because we had already sent you several like it.',
        other:
          'From then on, this happened {count} times. We held the later emails back and sent this one instead.',
      },
      heldBackOften:
        'From then on, this happened several times. We held the later emails back and sent this one instead.',
      /** In a notice that has no link. */
      withoutLink: 'If this wasn’t you, contact us now.',
      /** Why somebody gets a notice, unless it says so itself. */
      reason:
        'You received this email because it’s about the security of your account. These emails can’t be turned off.',
      /** In emails whose link secures the account, unless they say otherwise. */
      secure: {
        preheader: 'If this wasn’t you, secure your account.',
        invitation: 'If this wasn’t you, secure your account:',
        button: 'Secure my account',
        after: ['The link works for {duration}.'],
      },
    },
    'choose-password': {
      subject: 'Choose a new password at {site}',
      preheader: 'No earlier password of your account works anymore.',
      before: [
        'Your account has been secured. No earlier password works anymore, and everyone has been logged out.',
      ],
      invitation: 'To log in again, choose a new password:',
      button: 'Choose a new password',
      after: ['The link works once, for {duration}. After that, reset your password.'],
    },
    'account-exists': {
      subject: 'You already have an account at {site}',
      preheader: 'You can log in with it.',
      before: [
        'Someone, probably you, tried to sign up with this email address. It already belongs to the account {username}, so no new account was created.',
        'You can log in with that account.',
      ],
      invitation: 'If you can’t log in to it, choose a new password:',
      button: 'Choose a new password',
      after: [
        'The link works once, for {duration}.',
        'If this wasn’t you, you don’t need to do anything. Nothing has changed.',
      ],
      reason: 'You received this email because someone signed up with your address.',
    },
    'account-changed': {
      subject: 'Your account at {site} was changed',
      preheader: 'If you don’t know why, contact us.',
      before: ['The details of your account were changed.', 'If you don’t know why, contact us.'],
    },
    'account-deleted': {
      subject: 'Your account at {site} was deleted',
      preheader: 'This is permanent.',
      before: [
        'Your account was deleted. This is permanent, and you can no longer log in.',
        'If this was you, or you asked for it, you don’t need to do anything.',
        'If this wasn’t you, contact us now.',
      ],
      reason:
        'You received this email because the account with this email address was deleted. You won’t receive any more emails about it.',
    },
    'password-changed': {
      subject: 'Your password at {site} was changed',
      before: [
        'The password of your account was changed, and other devices have been logged out.',
        'If this was you, you don’t need to do anything.',
      ],
      invitation:
        'If this wasn’t you, someone else can log in to your account. Secure it, which also removes recently added ways to log in:',
      withoutLink: 'If this wasn’t you, someone else can log in to your account. Reset your password now.',
    },
    'password-added': {
      subject: 'A password was added to your account at {site}',
      before: [
        'A password was added to your account, and other devices have been logged out.',
        'If this was you, you don’t need to do anything.',
      ],
    },
    'password-removed': {
      subject: 'The password of your account at {site} was removed',
      before: [
        'The password of your account was removed, and other devices have been logged out. Your other ways to log in still work.',
        'If this was you, you don’t need to do anything.',
      ],
    },
    'factor-reset': {
      subject: 'A two-step verification method was removed at {site}',
      before: [
        'A two-step verification method of your account was removed when the account was recovered. If it was the only one, logging in no longer takes a second step.',
        'If this was you, or you asked for it, you don’t need to do anything.',
      ],
    },
    'new-device': {
      subject: 'New login to your account at {site}',
      before: [
        'Someone, probably you, logged in to your account from a new device.',
        'If this was you, you don’t need to do anything.',
      ],
      invitation:
        'If this wasn’t you, someone else can log in to your account. Log everyone out and set a new password:',
    },
  },
} as const
