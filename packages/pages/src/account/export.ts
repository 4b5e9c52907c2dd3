import type { PageRoute } from 'fastify-accounts/features'
import { html } from '../html.js'
import { linkButton } from '../parts/buttons.js'
import { showing } from '../showing.js'
import type { Site } from '../site.js'

const filePath = '/account/export/file/'

/** Tells what an export has, and leads to it. */
export function exportPage(site: Site): PageRoute {
  return {
    path: '/account/export/',
    access: 'confirmed',
    show(visit) {
      const { frame, account_pages: own } = visit.client.language.texts.pages
      const main = html`<p>${own.export_body}</p>
<p>${own.export_format}</p>
${linkButton(own.download, site.pathOf(filePath))}`
      return showing(site, visit, {
        ...{ page: 'account-export', kind: 'account', heading: own.export, main },
        back: { to: site.pathOf('/account/'), label: frame.back },
      })
    },
  }
}

/** The export itself, as a file that the browser saves. */
export function exportFile(site: Site): PageRoute {
  return {
    path: filePath,
    access: 'confirmed',
    async show(visit) {
      const { body } = await visit.perform('exportMe')
      const { host } = new URL(site.core.options.origin)
      const name = `${host.replace(/[^a-z0-9.-]/gi, '-')}-account.json`
      return { file: `${JSON.stringify(body, null, 2)}\n`, name, type: 'application/json' }
    },
  }
}
