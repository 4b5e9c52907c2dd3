import { linkPath } from '@fastify-accounts/test-support/app'
import type { Mail, MailKind } from 'fastify-accounts'
import { expect } from 'vitest'
import type { Service } from './service.js'

/** The path of a new reset link, read from the email. */
export const resetLink = (service: Service, email: string): Promise<string> =>
  mailedLink(service, '/forgot/', 'reset-password', email)

/** The path of a new verification link, read from the email. */
export const verifyLink = (service: Service, email: string): Promise<string> =>
  mailedLink(service, '/user/v/', 'verify-email', email)

async function mailedLink(service: Service, url: string, kind: MailKind, email: string): Promise<string> {
  const links = () =>
    service.mails.filter((mail) => mail.kind === kind && mail.to.address === email).map(linkPath)
  const before = links().length
  await service.send('POST', url, { email })
  await expect.poll(() => links().length).toBe(before + 1)
  return links().at(-1) ?? ''
}

/** The same link with another token or id. */
export function forgedLink(link: string, forged: { uid64?: string; token?: string }): string {
  const parts = link.split('/')
  const [uid64 = '', token = ''] = parts.slice(-3)
  return [...parts.slice(0, -3), forged.uid64 ?? uid64, forged.token ?? token, ''].join('/')
}

/** The parts of a link that can be forged. */
export function partsOf(link: string): { uid64: string; token: string } {
  const [uid64 = '', token = ''] = link.split('/').slice(-3)
  return { uid64, token }
}

/** The path and query of the link to release an address, in the email to it. */
export function releaseLink({ text, html }: Mail): string {
  const [url = ''] = /https?:\/\/\S+\/email\/release\/\S+/.exec(text) ?? []
  if (!html.includes(`href="${url.replace('&', '&#38;')}"`))
    throw new Error('the link is missing from the HTML part')
  const { pathname, search } = new URL(url)
  return pathname + search
}
