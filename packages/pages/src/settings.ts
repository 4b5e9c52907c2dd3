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

/** @throws Error with one line that names the option */
export function fail(option: string, reason: string): never {
  throw new Error(`@fastify-accounts/pages: ${option} ${reason}`)
}
