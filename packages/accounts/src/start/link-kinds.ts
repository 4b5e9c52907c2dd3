import type { LinkKind } from '../emails/mail-links.js'
import type { LinkFacts, SubjectDeps } from '../features/feature.js'
import type { RouteUrls } from '../http/route-urls.js'
import { fail, isLoopback } from '../options/checks.js'
import type { ResolvedOptions } from '../options/resolve.js'
import type { LinkState, Purpose } from '../tokens/email-link.js'
import { isWebOrigin } from '../web-url.js'
import type { PublicBases } from './public-bases.js'

type Links = Readonly<Record<Purpose, LinkFacts>>

/**
 * For each purpose: where links lead, how long they are valid, and what they depend on. They lead to the
 * routes, or to their replacements in the option `links.pages`.
 */
export function linkKindsOf(
  links: Links,
  options: ResolvedOptions,
  bases: PublicBases,
  where: RouteUrls,
  deps: SubjectDeps,
): Record<Purpose, LinkKind & LinkState & { audience: string }> {
  function urlOf(name: string, facts: Readonly<Record<string, string>>): string | undefined {
    const page = options.links.pages[name]
    if (page !== undefined)
      return page.replaceAll(/\{(\w+)\}/g, (_, fact) => encodeURIComponent(facts[fact] ?? ''))
    const { email, ...parts } = facts
    const url = where.url(name, parts)
    return url && email !== undefined ? `${url}?${new URLSearchParams({ email })}` : url
  }
  const kindOf = (facts: LinkFacts): LinkKind & LinkState & { audience: string } => {
    const { route, mount = 'auth', lifetime, begin, isAboutAddress, subject } = facts
    return {
      ...facts,
      subject: subject && { idOf: subject.idOf, find: (id) => subject.find(id, deps) },
      audience: bases[mount],
      lifetime: typeof lifetime === 'number' ? lifetime : lifetime(options),
      begin: (user) => begin?.(user) ?? null,
      url(parts, { address, variant }) {
        const name = typeof route === 'string' ? route : route[variant ?? 'user']
        return urlOf(name, { ...parts, ...(isAboutAddress && { email: address }) })
      },
    }
  }
  const kinds = Object.entries(links).map(([purpose, facts]) => [purpose, kindOf(facts)])
  return Object.fromEntries(kinds) as ReturnType<typeof linkKindsOf>
}

/** The routes that emails link to, and the parameters of their links. */
function carriedBy(links: Links): Map<string, string[]> {
  const carried = Object.values<LinkFacts>(links).flatMap(({ route, isAboutAddress }) => {
    const names = typeof route === 'string' ? [route] : Object.values(route)
    // The address that it is about.
    const facts = ['uid64', 'token', ...(isAboutAddress ? ['email'] : [])]
    return names.map((name) => [name, facts] as const)
  })
  return new Map(carried)
}

/**
 * Stops the start if a page of `links.pages` would never be linked to, lacks a parameter of its link, or is
 * in a place that must not get tokens.
 */
export function checkLinkPages(links: Links, options: ResolvedOptions, where: RouteUrls): void {
  const carried = carriedBy(links)
  const mailed = [...carried.keys()].filter((name) => name in where.index())
  for (const [name, page] of Object.entries(options.links.pages)) {
    const option = `links.pages.${name}`
    if (!mailed.includes(name)) {
      fail(option, `is not a route that emails link to; those are: ${mailed.join(', ')}`)
    }
    const wanted = carried.get(name) ?? []
    const placeholders = Array.from(page.matchAll(/\{(\w+)\}/g), ([, fact = '']) => fact)
    if (placeholders.toSorted().join() !== wanted.toSorted().join()) {
      const all = wanted.map((fact) => `{${fact}}`).join(', ')
      fail(option, `must have ${all}, each once, and no other placeholder`)
    }
    checkOrigin(option, new URL(page), options)
  }
}

function checkOrigin(option: string, page: URL, { origin, brand, trustedOrigins }: ResolvedOptions): void {
  const origins = new Set([
    origin,
    ...(brand.url === null ? [] : [new URL(brand.url).origin]),
    ...trustedOrigins.filter(isWebOrigin),
  ])
  if (!origins.has(page.origin)) {
    fail(
      option,
      `must be on the origin of baseUrl or brand.url, or on one of trustedOrigins, since its links carry tokens: ${[...origins].join(', ')}`,
    )
  }
  if (process.env.NODE_ENV === 'production' && page.protocol === 'http:' && !isLoopback(page)) {
    fail(option, 'must be https in production, since its links carry tokens')
  }
}
