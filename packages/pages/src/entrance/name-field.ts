import type { Site } from '../site.js'

interface NameField {
  label: 'username' | 'username_only' | 'email'
  type: 'text' | 'email'
  /** The text for a wrong login. */
  wrong: 'wrong' | 'wrong_username' | 'wrong_email'
}

/** What people log in by here. */
export function nameField({ core }: Site): NameField {
  const { byUsername, byEmail } = core.options.login
  if (!byUsername) return { label: 'email', type: 'email', wrong: 'wrong_email' }
  return byEmail
    ? { label: 'username', type: 'text', wrong: 'wrong' }
    : { label: 'username_only', type: 'text', wrong: 'wrong_username' }
}
