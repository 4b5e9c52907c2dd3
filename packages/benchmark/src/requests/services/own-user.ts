const text = { type: 'string' }
const flag = { type: 'boolean' }

/** What every service but better-auth returns to users about themselves. */
export const ownUserSchema = {
  type: 'object',
  properties: {
    id: text,
    username: text,
    email: { type: 'string', nullable: true },
    is_verified: flag,
    is_staff: flag,
    is_active: flag,
    created_at: text,
    last_login_at: { type: 'string', nullable: true },
  },
}
