import type { Client } from 'fastify-accounts/features'

/** "Chrome on Linux", as far as the client said. */
export function deviceName(
  { say, texts }: Client['language'],
  { name, browser, system }: { name?: string | null; browser: string | null; system: string | null },
): string {
  const { device, unknown_device } = texts.pages.account_pages
  if (name != null) return name
  if (browser !== null && system !== null) return say(device, { browser, system })
  return browser ?? system ?? unknown_device
}
