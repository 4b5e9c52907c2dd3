import type { AccountsError } from 'fastify-accounts'
import type { Client } from 'fastify-accounts/features'

/** What a refusal says to people; of too many attempts, also how long to wait. */
export function refusalText(
  { say, duration, texts }: Client['language'],
  { code, message, retryAfter }: AccountsError,
): string {
  if (code !== 'ACCOUNTS_THROTTLED' || retryAfter === undefined) return message
  return say(texts.pages.entrance_pages.throttled, { time: duration(Math.ceil(retryAfter / 60)) })
}
