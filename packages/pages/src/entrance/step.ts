import { AccountsError } from 'fastify-accounts'
import type { PageVisit } from 'fastify-accounts/features'
import type { Outcome } from '../form-page.js'
import type { Site } from '../site.js'
import { type Way, wayIn } from './last-way.js'

/** Where a login goes on from one page to the next. */
export interface Step {
  /** A path of the site; `null` for the landing. */
  next: string | null
  /** The way of the first step. */
  way: Way
}

/** As the query of a page says. */
export function stepOf(site: Site, { query }: Pick<PageVisit, 'query'>, fallback: Way): Step {
  return { next: site.nextOf(query.next), way: wayIn(query.way) ?? fallback }
}

/** Where a login has led that is complete. There it shows whether the browser has kept the cookie. */
export function landed(site: Site, { next, way }: Step): string {
  return site.pathOf('/login/', { in: way, next })
}

export function secondStep(site: Site, { next, way }: Step): string {
  return site.pathOf('/login/second-factor/', { way, next })
}

/** Lands, or goes on to the second factor that the account has. */
export async function loggingIn(site: Site, step: Step, login: Promise<unknown>): Promise<Outcome> {
  try {
    await login
  } catch (error) {
    if (!(error instanceof AccountsError && error.code === 'ACCOUNTS_SECOND_FACTOR_REQUIRED')) throw error
    return { to: secondStep(site, step) }
  }
  return { to: landed(site, step) }
}
