import type { AccountsError } from 'fastify-accounts'
import type { Site } from './site.js'

const pages: Partial<Record<AccountsError['code'], string>> = {
  ACCOUNTS_LOGIN_REQUIRED: '/login/',
  ACCOUNTS_CONFIRMATION_REQUIRED: '/confirm/',
  ACCOUNTS_ENROLLMENT_REQUIRED: '/enroll/',
}

/**
 * Where somebody gets in who was refused; `null` for a refusal that nothing mends.
 * @param next the path that they asked for
 */
export function entranceOf(site: Site, { code, factors }: AccountsError, next: string): string | null {
  const page = pages[code]
  if (page === undefined) return null
  return site.pathOf(page, { next: site.nextOf(next), factors: factors?.join(',') })
}
