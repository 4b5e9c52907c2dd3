import type { Site } from '../site.js'

/** Characters of a path that a provider leads back to, so it fits into its cookie with the origin. */
const longest = 900

/** The path of a page that a provider leads back to: without where somebody goes on, if that is too long. */
export function backFrom(
  site: Site,
  page: string,
  query: Readonly<Record<string, string | null>> & { next: string | null },
): string {
  const to = site.pathOf(page, query)
  return to.length <= longest ? to : site.pathOf(page, { ...query, next: null })
}
