/** What each role permits: docs/guides/roles.md. Staff give them on their page. */
export const roles = {
  support: ['users:read', 'users:disable'],
  operator: ['status:read'],
} as const

/** The same, for people. */
export const roleTexts: Readonly<Record<keyof typeof roles, string>> = {
  support: 'See all users, disable them and log them out',
  operator: 'See the state of the server',
}
