import { goodPassword } from '@fastify-accounts/test-support/app'
import type { LightMyRequestResponse as Response } from 'fastify'
import type { Service } from './service.js'

/** The two form fields for a new password. */
export const choice = (password: string) => ({ new_password: password, confirm_password: password })

/** Changes the password from `goodPassword` to this one. */
export function change(
  service: Service,
  cookie: string,
  password: string,
  changes: Record<string, unknown> = {},
): Promise<Response> {
  const body = { old_password: goodPassword, ...choice(password), ...changes }
  return service.send('POST', '/change-password/', body, { headers: { cookie } })
}

/** Which of these passwords log in. */
export async function passwordsThatWork(
  service: Service,
  passwords: readonly string[],
  username = 'alice',
): Promise<string[]> {
  const working: string[] = []
  for (const password of passwords) {
    const response = await service.send('POST', '/login/', { username, password })
    if (response.statusCode === 200) working.push(password)
    else if (response.statusCode !== 401)
      throw new Error(`unexpected status of a login: ${response.statusCode}`)
  }
  return working
}
