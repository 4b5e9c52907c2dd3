import type { FeatureCore } from 'fastify-accounts/features'
import { createFlashes, type Flashes } from './flash.js'
import { createLayout, type Layout } from './frame/layout.js'
import { stylesheetSource } from './frame/stylesheet.js'
import { checkedNext } from './next.js'
import { type SealedAddresses, sealedAddresses } from './sealed-address.js'
import { checkNames, fail, type PagesOptions } from './settings.js'
import { createShownOnce, type ShownOnce } from './shown-once.js'
import { type KeptValues, keptValues } from './sign-up/kept-values.js'
import { createReturns, type Returns } from './sign-up/return.js'

/** What all pages of a mount share. */
export interface Site {
  readonly core: FeatureCore
  readonly settings: PagesOptions
  readonly flashes: Flashes
  readonly addresses: SealedAddresses
  readonly signUps: KeptValues
  readonly returns: Returns
  readonly once: ShownOnce
  /** The site's own frame; `null` for ours. */
  readonly layout: Layout | null
  /** The style sheet of the site, for policies; `null` without one. */
  readonly stylesheet: string | null
  /**
   * The path of a page, as browsers see it.
   * @param page `/account/email/`
   * @param query those without a value are left out
   */
  pathOf(page: string, query?: Readonly<Record<string, string | null | undefined>>): string
  /** A path of the site that `next` names; `null` if it names none. */
  nextOf(value: unknown): string | null
  /** Paths: where people land who log in, and who have logged out. */
  readonly landing: { in: string; out: string }
  /** Whether a feature is on. */
  has(feature: string): boolean
  /** What a feature tells pages; nothing if it tells nothing or is off. Its package says what is in it. */
  factsOf<Facts extends object>(feature: string): Partial<Facts>
}

/** @throws Error with one line that names the option */
export function createSite(
  core: FeatureCore,
  settings: PagesOptions,
  facts: ReadonlyMap<string, object>,
): Site {
  checkNames(settings)
  const { origin } = core.options
  const base = new URL(core.base).pathname.replace(/\/$/, '')
  const pathOf: Site['pathOf'] = (page, query = {}) => {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) if (value != null) search.set(name, value)
    return base + page + (search.size === 0 ? '' : `?${search}`)
  }
  function landingOf(way: 'in' | 'out', page: string): string {
    const own = settings.landing?.[way]
    if (own === undefined) return pathOf(page)
    return checkedNext(own, origin) ?? fail(`landing.${way}`, `must be a path of the site, got ${own}`)
  }
  const nextOf: Site['nextOf'] = (value) => checkedNext(value, origin)
  const addresses = sealedAddresses(core)
  return {
    core,
    settings,
    flashes: createFlashes(core),
    addresses,
    signUps: keptValues(addresses),
    returns: createReturns(core, nextOf),
    once: createShownOnce(core),
    layout: createLayout(settings, core),
    stylesheet: stylesheetSource(core.options),
    pathOf,
    nextOf,
    landing: { in: landingOf('in', '/account/'), out: landingOf('out', '/logged-out/') },
    has: (feature) => core.features.has(feature),
    factsOf: (feature) => facts.get(feature) ?? {},
  }
}
