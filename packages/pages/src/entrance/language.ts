import type { PageRoute } from 'fastify-accounts/features'
import { pageCookie } from '../cookie.js'
import type { Site } from '../site.js'

/** Seconds: a year. */
const lifetime = 365 * 24 * 3600

/** Keeps which language was chosen in this browser. */
export function languagePage(site: Site): PageRoute {
  const { options } = site.core
  const chosen = pageCookie(site.core, 'language')
  return {
    path: '/language/',
    access: 'anyone',
    show: () => ({ redirect: site.landing.in }),
    submit({ client, body }) {
      const language = options.languages.all.find(({ tag }) => tag === body.language)
      if (language !== undefined) chosen.write(client, language.tag, lifetime)
      return { redirect: site.nextOf(body.next) ?? site.landing.in }
    },
  }
}
