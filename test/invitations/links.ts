import { goodPassword } from '@fastify-accounts/test-support/app'
import { vi } from 'vitest'
import type { Service } from './service.js'

/** What somebody chooses who accepts. */
export const choice = (username: string) => ({
  username,
  new_password: goodPassword,
  confirm_password: goodPassword,
})

/** The path of the link in the last email of one of these kinds. */
export async function mailed({ mails }: Service, email: string, kinds: readonly string[]): Promise<string> {
  const mail = await vi.waitUntil(
    () => mails.findLast(({ kind, to }) => kinds.includes(kind) && to.address === email),
    60_000,
  )
  return new URL(/http\S+/.exec(mail.text)?.[0] ?? '').pathname
}
