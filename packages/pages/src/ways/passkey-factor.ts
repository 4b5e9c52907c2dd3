import type { PageRoute } from 'fastify-accounts/features'
import { byField, formPage } from '../form-page.js'
import { html, nothing } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { hidden } from '../parts/fields.js'
import { paragraph } from '../parts/notes.js'
import type { ShownOnce } from '../shown-once.js'
import type { Site } from '../site.js'
import { visitorOf } from '../visitor.js'
import { type BodyOf, passkeysOf, readOf } from './operations.js'
import { addPasskey } from './passkey-parts.js'
import { recoveryCodesPath } from './recovery-codes.js'
import { twoStepPath } from './two-step.js'

const path = `${twoStepPath}passkeys/`

/** Turns passkeys on or off as a second factor. Somebody who has none adds one here, which is turned on at once. */
export function passkeyFactorPage(site: Site, once: ShownOnce): PageRoute {
  return formPage(site, {
    path,
    access: 'owner',
    isOpenToEnroll: true,
    async view(visit, { typed }) {
      const { language } = visit.client
      const { way_pages: own, frame } = language.texts.pages
      const next = site.nextOf(visit.query.next ?? typed.next)
      const [factors, { results }] = await Promise.all([readOf(visit, 'showFactors'), passkeysOf(visit)])
      const isOn = factors.passkeys
      const place = { language, kind: 'primary', label: own.factor_add, use: 'factor' } as const
      const confirm = site.pathOf('/confirm/', { next: site.pathOf(path, { next }) })
      const add = results.length === 0 ? addPasskey(site, { ...place, confirm }) : null
      const about =
        add !== null ? own.factor_add_about : isOn ? own.factor_turn_off_about : own.factor_turn_on_about
      const main = html`${paragraph(about)}
${isOn && !factors.totp ? paragraph(own.factor_turn_off_last) : nothing}
<form method="post">
${hidden(byField, visitorOf(visit).id)}
${next === null ? nothing : hidden('next', next)}
${hidden('passkeys', isOn ? 'off' : 'on')}
${add === null ? submit(isOn ? own.turn_off : own.turn_on, isOn ? 'danger' : 'primary') : add.markup}
</form>
${linkButton(frame.cancel, site.pathOf(twoStepPath), 'quiet')}
${
  add === null
    ? nothing
    : html`<p data-passkey-missing hidden>${own.passkeys_unsupported}</p>
<noscript><p>${own.passkeys_need_script}</p></noscript>`
}`
      return {
        ...{ page: 'account-two-step-passkeys', kind: 'account', heading: own.factor_heading, main },
        ...(add !== null && { script: add.script }),
      }
    },
    async act(visit, { passkeys, next }) {
      const { way_pages: own } = visit.client.language.texts.pages
      const isOn = passkeys === 'on'
      const { body } = await visit.perform('changeFactors', { body: { passkeys: isOn } })
      const { recovery_codes } = body as BodyOf<'changeFactors'>
      const notice = isOn ? own.two_step_on : own.factor_turned_off
      if (recovery_codes.length === 0) return { to: site.nextOf(next) ?? site.pathOf(twoStepPath), notice }
      once.write(visit, recoveryCodesPath, recovery_codes)
      return { to: site.pathOf(recoveryCodesPath, { next: site.nextOf(next) }), notice }
    },
  })
}
