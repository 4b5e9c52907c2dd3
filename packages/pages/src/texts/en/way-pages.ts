export const way_pages = {
  passkey_use: 'Use a passkey',
  passkey_or_key_use: 'Use a passkey or security key',
  passkey_sign_up: 'Sign up with a passkey',
  passkey_failed: 'No passkey was used: the request was canceled, timed out, or found no passkey.',
  passkey_unknown: 'This passkey doesn’t belong to an account here. Try again, or log in another way.',
  passkey_taken: 'This device already has a passkey for your account.',
} as const
