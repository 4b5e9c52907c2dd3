import { AccountsError } from 'fastify-accounts'
import type { PageRoute } from 'fastify-accounts/features'
import { formPage } from '../form-page.js'
import { type Html, html, nothing, trusted } from '../html.js'
import { buttonForm, submit } from '../parts/buttons.js'
import { hidden } from '../parts/fields.js'
import { paragraph } from '../parts/notes.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { readOf } from '../ways/operations.js'
import { twoStepPath } from '../ways/two-step.js'

/** For somebody who must have a second step and has none yet: which one to set up. */
export function enrollPage(site: Site): PageRoute {
  const ways = ['app' as const, ...(site.has('passkeys') ? (['passkey'] as const) : [])]
  const pages = { app: `${twoStepPath}app/`, passkey: `${twoStepPath}passkeys/` }
  return formPage(site, {
    path: '/enroll/',
    access: 'owner',
    isOpenToEnroll: true,
    async view(visit) {
      const { sign_up_pages: own, frame } = visit.client.language.texts.pages
      const next = site.nextOf(visit.query.next)
      if (visitorOf(visit).factors.length > 0) return { elsewhere: next ?? site.landing.in }
      const { required } = await readOf(visit, 'showFactors')
      const texts = {
        app: [own.app, own.app_hint],
        passkey: [own.passkey, own.passkey_hint],
      } as const
      const cards = ways.map((way, at) => card(way, texts[way], at === 0))
      const main = html`${paragraph(required ? own.enroll_body : own.enroll_offer)}
<form method="post">
${next === null ? nothing : hidden('next', next)}
${cards.length > 1 && html`<fieldset><legend>${own.enroll_choose}</legend>${cards}</fieldset>`}
${submit(own.go_on)}
</form>
${buttonForm({ label: frame.log_out, kind: 'link', to: site.pathOf('/logout/') })}`
      return { page: 'enroll', kind: 'form', heading: own.enroll, main }
    },
    act(visit, { way, next }) {
      if (visit.who === null) throw new AccountsError('ACCOUNTS_LOGIN_REQUIRED')
      const chosen = ways.find((each) => each === way) ?? 'app'
      return { to: site.pathOf(pages[chosen], { next: site.nextOf(next) }) }
    },
  })
}

function card(way: string, [label, hint]: readonly [string, string], isChosen: boolean): Html {
  return html`<div data-part="card">
<label class="check"><input type="radio" name="way" value="${way}" aria-describedby="${way}-hint"${isChosen && trusted(' checked')}> ${label}</label>
<div id="${way}-hint"><p class="hint">${hint}</p></div>
</div>`
}
