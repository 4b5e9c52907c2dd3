import type { PageRoute } from 'fastify-accounts/features'
import { html, nothing } from '../html.js'
import { linkButton } from '../parts/buttons.js'
import { empty, rows } from '../parts/rows.js'
import { showing } from '../showing.js'
import type { Site } from '../site.js'
import { type Activity, activityRow } from './activity-row.js'

/** What has happened to an account, the newest first; no page without the option `activity`. */
export function activityPages(site: Site): PageRoute[] {
  if (!site.has('activity')) return []
  return [
    {
      path: '/account/activity/',
      access: 'logged-in',
      async show(visit) {
        const { language } = visit.client
        const { frame, account_pages: own } = language.texts.pages
        const { cursor } = visit.query
        const query = typeof cursor === 'string' ? { cursor } : {}
        const { results, next } = (await visit.perform('listActivity', { query })).body as {
          results: Activity[]
          next: string | null
        }
        const list =
          results.length === 0
            ? empty(own.no_activity)
            : rows(
                null,
                results.map((entry) => activityRow(site, language, entry)),
              )
        const further = next === null ? null : new URL(next).searchParams.get('cursor')
        const older =
          further === null
            ? nothing
            : linkButton(own.older, site.pathOf('/account/activity/', { cursor: further }), 'quiet')
        return showing(site, visit, {
          ...{ page: 'account-activity', kind: 'account', heading: own.activity },
          main: html`${list}
${older}`,
          back: { to: site.pathOf('/account/'), label: frame.back },
        })
      },
    },
  ]
}
