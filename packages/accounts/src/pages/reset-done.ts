import { page } from './layout.js'

export function resetDonePage(): string {
  return page(
    'Your password was changed',
    '<p>You can log in with the new password now. All devices that were logged in before are logged out.</p>',
  )
}
