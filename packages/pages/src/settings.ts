import type { LayoutParts } from './frame/layout-parts.js'

/** The option of the feature. */
export interface PagesOptions {
  /**
   * Draws the whole document of each page, so it is in the frame of your site. Called for each page; synchronous. Its scripts
   * never run on pages of links, codes and resets. Default: our own frame.
   */
  layout?: (parts: LayoutParts) => string
  /** Where people land who log in (`in`) and who have logged out (`out`): paths of the site. Default: /account/ and /logged-out/. */
  landing?: { in?: string; out?: string }
}

/** @throws Error with one line that names an option that doesn't exist */
export function checkNames({ landing = {}, ...options }: PagesOptions): void {
  if (typeof landing !== 'object' || landing === null) fail('landing', 'must be an object')
  for (const name of Object.keys(options)) if (name !== 'layout') fail(name, 'is not an option')
  for (const name of Object.keys(landing))
    if (name !== 'in' && name !== 'out') fail(`landing.${name}`, 'is not an option')
}

/** @throws Error with one line that names the option */
export function fail(option: string, reason: string): never {
  throw new Error(`@fastify-accounts/pages: ${option} ${reason}`)
}
