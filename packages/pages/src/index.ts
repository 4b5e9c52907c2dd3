import type { Feature } from 'fastify-accounts/features'
import { entranceOf } from './entrance-of.js'
import { createFrame } from './frame/frame.js'
import { hostPages } from './host.js'
import { warnOfEnglish } from './languages.js'
import './names.js'
import { routesOf } from './routes.js'
import type { PagesOptions } from './settings.js'
import { createSite } from './site.js'
import { de } from './texts/de/index.js'
import { en } from './texts/en/index.js'
import { fr } from './texts/fr/index.js'

export type { LayoutParts } from './frame/layout-parts.js'
export type { HostPages, PageName } from './host.js'
export type { PagesOptions } from './settings.js'

/**
 * Pages: a feature of fastify-accounts, for its option `features`. Browsers get pages to log in, sign up and manage an account,
 * and a guard leads them there; what isn't on has no page. JSON clients see no change.
 * @throws Error with one line that names the option
 */
export function pages(options: PagesOptions = {}): Feature {
  return {
    name: 'pages',
    texts: { en, de, fr },
    hasSpareTexts: true,
    cookies: ['flash', 'language', 'welcomed', 'return', 'way', 'once'],
    enables: { loginOnProof: true },
    host: (core) => ({ hooks: () => ({ pages: hostPages(core) }) }),
    pages(core, facts) {
      const site = createSite(core, options, facts)
      warnOfEnglish(site)
      return {
        frame: createFrame(site),
        routes: routesOf(site),
        entrance: (refusal, next) => entranceOf(site, refusal, next),
      }
    },
  }
}
