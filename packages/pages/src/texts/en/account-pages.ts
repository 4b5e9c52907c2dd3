export const account_pages = {
  password: 'Password',
  old_password: 'Current password',
  new_password: 'New password',
  change_password: 'Change password',
  set_password: 'Set password',
  password_changed: 'Password changed. We logged out your other devices.',
} as const
