import type { PageRoute } from 'fastify-accounts/features'
import { html } from '../html.js'
import { submit } from '../parts/buttons.js'
import { select } from '../parts/choices.js'
import { hidden } from '../parts/fields.js'
import { nameOfLanguage } from '../parts/languages.js'
import { showing } from '../showing.js'
import type { Site } from '../site.js'

/** Chooses the language of this browser; no page where there is only one. */
export function languagePages(site: Site): PageRoute[] {
  const { all } = site.core.options.languages
  if (all.length < 2) return []
  return [
    {
      path: '/account/language/',
      access: 'logged-in',
      show(visit) {
        const { tag, texts } = visit.client.language
        const { frame, account_pages: own } = texts.pages
        const choices = all.map((each) => ({ value: each.tag, label: nameOfLanguage(each.tag) }))
        const facts = { name: 'language', label: own.language, hint: own.language_hint }
        const main = html`<form method="post" action="${site.pathOf('/language/')}">
${hidden('next', site.pathOf('/account/'))}
${select({ ...facts, value: tag, choices, isRequired: true, faults: [] })}
${submit(own.save)}
</form>`
        return showing(site, visit, {
          ...{ page: 'account-language', kind: 'account', heading: own.language, main },
          back: { to: site.pathOf('/account/'), label: frame.back },
        })
      },
    },
  ]
}
