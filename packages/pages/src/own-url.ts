import type { PageRoute, PageVisit } from 'fastify-accounts/features'

/**
 * A page whose visits have a URL of this site, as it leads back there: a client may send a whole one, of any origin, in its
 * request line (RFC 9112 section 3.2.2).
 */
export function withOwnUrl({ show, submit, ...route }: PageRoute): PageRoute {
  return {
    ...route,
    show: (visit) => show(here(visit)),
    ...(submit && { submit: (visit) => submit(here(visit)) }),
  }
}

function here(visit: PageVisit): PageVisit {
  if (visit.url.startsWith('/')) return visit
  const url = visit.url.replace(/^[^/?]*\/\/[^/?]*/, '').replace(/^\/*/, '/')
  return { ...visit, url }
}
