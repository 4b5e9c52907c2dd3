import { accesses } from '../http/guard/access.js'
import type { Route } from '../http/route.js'
import type { Confirmation } from '../logins/confirmation.js'
import type { Factor } from '../logins/factor.js'
import { fail } from '../options/checks.js'
import type { Limits } from '../options/limits.js'
import type { FeatureRoutes } from './feature.js'

/** What one feature adds over HTTP. */
export interface Additions {
  /** The name of the feature. */
  feature: string
  routes: FeatureRoutes
  factors: readonly Factor[]
  confirmations: readonly Confirmation[]
}

/** The fields of the core beside those of factors and confirmations. */
const coreFields = ['password', 'remember_device']
/** Documents under /.well-known/ of the plugin itself. */
const coreDocuments = ['change-password']

/**
 * Checks what features add over HTTP, once it is made: no name means two things, and what a route names exists.
 * Links in emails and the options `paths` and `links.pages` find a route by its name, so another route of that name would
 * receive their tokens.
 * @throws Error with one line that names the option
 */
export function checkRoutes(additions: readonly Additions[], limits: Readonly<Limits>): void {
  const places = new Map<string, string>()
  const taken = {
    operation: new Set<string>(),
    field: new Set(coreFields),
    document: new Set(coreDocuments),
  }
  for (const { feature, routes, factors, confirmations } of additions) {
    const alreadyBrought = (what: string, name: string): never =>
      fail('features', `has ${feature}, which brings the ${what} ${name}, and so does another`)
    const bring = (what: keyof typeof taken, name: string): void => {
      if (taken[what].has(name)) alreadyBrought(what, name)
      taken[what].add(name)
    }
    for (const mount of ['auth', 'users'] as const) {
      for (const route of routes[mount] ?? []) {
        const { name } = route
        const place = `${mount} ${route.path}`
        // The methods of one path share its name, whichever feature each is of.
        if ((places.get(name) ?? place) !== place) alreadyBrought('route', name)
        places.set(name, place)
        bring('operation', route.operation.id)
        checkRoute(feature, route, limits)
      }
    }
    for (const { field } of [...factors, ...confirmations]) bring('field', field)
    for (const name of Object.keys(routes.wellKnown ?? {})) bring('document', name)
  }
}

function checkRoute(
  feature: string,
  { name, access, action, budget }: Route,
  limits: Readonly<Limits>,
): void {
  if (!accesses.includes(access))
    fail('features', `has ${feature}, whose route ${name} must say who may call it: ${accesses.join(', ')}`)
  if (!action) fail('features', `has ${feature}, whose route ${name} must name an action for the audit trail`)
  if (budget !== null && !Object.hasOwn(limits, String(budget)))
    fail('features', `has ${feature}, which lacks the limit ${budget} of its route ${name}`)
}
