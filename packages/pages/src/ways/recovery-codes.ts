import { type PageRoute, type PageVisit, shownName } from 'fastify-accounts/features'
import { byField, formPage } from '../form-page.js'
import { html, nothing } from '../html.js'
import { submit } from '../parts/buttons.js'
import { hidden } from '../parts/fields.js'
import { dayOf } from '../parts/moments.js'
import { paragraph } from '../parts/notes.js'
import type { ShownOnce } from '../shown-once.js'
import type { Site } from '../site.js'
import type { View } from '../view.js'
import { visitorOf } from '../visitor.js'
import { type BodyOf, readOf } from './operations.js'
import { twoStepPath } from './two-step.js'

export const recoveryCodesPath = '/account/recovery-codes/'

/** Recovery codes: shown once they are made, and made anew. */
export function recoveryCodesPage(site: Site, once: ShownOnce): PageRoute {
  return formPage(site, {
    path: recoveryCodesPath,
    // Without a proof: codes are shown to whom made them, and new ones need one.
    access: 'logged-in',
    isOpenToEnroll: true,
    async view(visit) {
      const codes = once.read(visit, recoveryCodesPath)
      if (codes.length > 0) return shownCodes(site, visit, codes)
      const { say, texts } = visit.client.language
      const { way_pages: own, frame } = texts.pages
      const { totp, passkeys, recovery_codes_left: count } = await readOf(visit, 'showFactors')
      if (!totp && !passkeys) return { elsewhere: site.pathOf(twoStepPath) }
      const main = html`${paragraph(say(own.codes_left, { count }))}
${paragraph(own.codes_replace)}
<form method="post">
${hidden(byField, visitorOf(visit).id)}
${submit(own.codes_make)}
</form>`
      return {
        ...{ page: 'account-recovery-codes', kind: 'account', heading: own.recovery_codes, main },
        back: { to: site.pathOf('/account/'), label: frame.back },
      }
    },
    async act(visit, { saved, next }) {
      if (saved !== undefined) {
        once.clear(visit.client)
        return { to: site.nextOf(next) ?? site.pathOf(twoStepPath) }
      }
      const { body } = await visit.perform('renewRecoveryCodes')
      once.write(visit, recoveryCodesPath, (body as BodyOf<'renewRecoveryCodes'>).recovery_codes)
      return { to: site.pathOf(recoveryCodesPath) }
    },
  })
}

function shownCodes(site: Site, visit: PageVisit, codes: readonly string[]): View {
  const { way_pages: own } = visit.client.language.texts.pages
  const next = site.nextOf(visit.query.next)
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(fileOf(site, visit, codes))}`
  const name = `${own.codes_file}-${new URL(site.core.options.origin).hostname}.txt`
  const main = html`${paragraph(own.codes_save)}
<ul data-part="codes" data-copy aria-label="${own.codes_list}">
${codes.map((each) => html`<li><code>${each}</code></li>`)}
</ul>
<a data-part="button" data-kind="quiet" href="${file}" download="${name}">${own.codes_download}</a>
<form method="post">
${hidden(byField, visitorOf(visit).id)}
${next === null ? nothing : hidden('next', next)}
${submit(own.codes_saved, 'primary', { name: 'saved', value: 'on' })}
</form>`
  const heading = own.recovery_codes
  return { page: 'account-recovery-codes', kind: 'account', isSecret: true, heading, main }
}

/** Says of which account at which site they are, and since when. */
function fileOf(site: Site, visit: PageVisit, codes: readonly string[]): string {
  const { language } = visit.client
  const { brand, origin } = site.core.options
  const user = visitorOf(visit)
  const account = shownName(site.core.options, user) ?? user.email
  const { recovery_codes, codes_save } = language.texts.pages.way_pages
  const about = [
    `${brand.name} (${origin})`,
    ...(account === null ? [] : [account]),
    dayOf(site, language, new Date().toISOString()),
  ]
  return [recovery_codes, ...about, '', codes_save, '', ...codes, ''].join('\n')
}
