import { expect } from 'vitest'
import { linkPath } from '../../packages/accounts/test/support/app.js'
import type { Service } from './service.js'

/** The path of a new reset link, read out of the mail. */
export const resetLink = (service: Service, email: string): Promise<string> =>
  mailedLink(service, '/forgot/', email)

/** The path of a new verification link, read out of the mail. */
export const verifyLink = (service: Service, email: string): Promise<string> =>
  mailedLink(service, '/user/v/', email)

async function mailedLink(service: Service, url: string, email: string): Promise<string> {
  const before = service.mails.length
  await service.send('POST', url, { email })
  await expect.poll(() => service.mails.length).toBe(before + 1)
  const [mail] = service.mails.slice(before)
  expect(mail?.to.address).toBe(email)
  return mail ? linkPath(mail) : ''
}

/** The same link with this token, or this id, in place of its own. */
export function forgedLink(link: string, forged: { uid64?: string; token?: string }): string {
  const parts = link.split('/')
  const [uid64 = '', token = ''] = parts.slice(-3)
  return [...parts.slice(0, -3), forged.uid64 ?? uid64, forged.token ?? token, ''].join('/')
}

/** The two parts of a link that can be forged. */
export function partsOf(link: string): { uid64: string; token: string } {
  const [uid64 = '', token = ''] = link.split('/').slice(-3)
  return { uid64, token }
}
