import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { byField, type FormState, formPage } from '../form-page.js'
import { html } from '../html.js'
import { buttonForm, submit } from '../parts/buttons.js'
import { copyable } from '../parts/copyable.js'
import { field, hidden } from '../parts/fields.js'
import { paragraph } from '../parts/notes.js'
import type { ShownOnce } from '../shown-once.js'
import type { Site } from '../site.js'
import type { Typed } from '../typed.js'
import type { View } from '../view.js'
import { visitorOf } from '../visitor.js'
import type { BodyOf } from './operations.js'
import { recoveryCodesPath } from './recovery-codes.js'
import { twoStepPath } from './two-step.js'

const path = `${twoStepPath}app/`
const codePath = `${path}code/`

/** The first page: what it takes, then the QR code. It is made anew each time: nothing is stored before the first code. */
export function scanPage(site: Site): PageRoute {
  return formPage(site, {
    path,
    access: 'owner',
    isOpenToEnroll: true,
    view(visit, { typed }) {
      const { way_pages: own } = visit.client.language.texts.pages
      const fields = fieldsOf(site, visit, visit.query.next ?? typed.next)
      const main = html`${paragraph(own.app_about)}
${buttonForm({ label: own.continue, kind: 'primary', to: site.pathOf(path), fields })}`
      return { page: 'account-two-step-app', kind: 'account', heading: own.app_heading, main }
    },
    async act(visit, { next }) {
      const { way_pages: own } = visit.client.language.texts.pages
      const { body } = await visit.perform('startTotp')
      const { secret, uri, qr_svg, token } = body as BodyOf<'startTotp'>
      const image = `data:image/svg+xml;base64,${Buffer.from(qr_svg).toString('base64')}`
      const fields = { ...fieldsOf(site, visit, next), setup: token }
      const main = html`${paragraph(own.scan_about)}
<p data-part="qr"><img src="${image}" alt="${own.scan_alt}" width="220" height="220"></p>
<p data-part="touch"><a href="${uri}">${own.scan_here}</a></p>
${paragraph(own.scan_key)}
${copyable('key', secret.replace(/.{4}(?=.)/g, '$& '), secret)}
${buttonForm({ label: own.continue, kind: 'primary', to: site.pathOf(codePath), fields })}`
      return {
        page: 'account-two-step-app',
        kind: 'account',
        isSecret: true,
        heading: own.scan_heading,
        main,
      }
    },
  })
}

/** The second page: the first code, which turns the app on. What the page before it has made comes with its form. */
export function firstCodePage(site: Site, once: ShownOnce): PageRoute {
  return formPage(site, {
    path: codePath,
    access: 'owner',
    isOpenToEnroll: true,
    view(visit, state) {
      const { setup } = state.typed
      return setup === undefined ? { elsewhere: site.pathOf(path) } : codeForm(site, visit, setup, state)
    },
    async act(visit, typed) {
      const { code, setup, next } = typed
      if (setup === undefined) return { to: site.pathOf(path) }
      if (code === undefined) return codeForm(site, visit, setup, { typed, faults: [] })
      const { way_pages: own } = visit.client.language.texts.pages
      const { body } = await visit.perform('confirmTotp', { body: { code, token: setup } })
      const { recovery_codes } = body as BodyOf<'confirmTotp'>
      if (recovery_codes.length === 0)
        return { to: site.nextOf(next) ?? site.pathOf(twoStepPath), notice: own.app_added }
      once.write(visit, recoveryCodesPath, recovery_codes)
      return { to: site.pathOf(recoveryCodesPath, { next: site.nextOf(next) }), notice: own.two_step_on }
    },
  })
}

function codeForm(
  site: Site,
  visit: PageVisit,
  setup: string,
  state: Pick<FormState, 'typed' | 'faults'>,
): View {
  const { way_pages: own } = visit.client.language.texts.pages
  const { typed, faults } = state
  const fields = fieldsOf(site, visit, typed.next)
  const facts = {
    ...({ page: 'account-two-step-code', kind: 'account', isSecret: true } as const),
    heading: own.code_heading,
  }
  if (faults.some((each) => each.field === 'token')) {
    const again = buttonForm({ label: own.start_again, kind: 'primary', to: site.pathOf(path), fields })
    return { ...facts, main: again, notice: { tone: 'fault', text: own.set_up_expired } }
  }
  const main = html`${paragraph(own.code_about)}
<form method="post" action="${site.pathOf(codePath)}">
${Object.entries({ ...fields, setup }).map(([name, value]) => hidden(name, value))}
${field({ name: 'code', label: own.code, autocomplete: 'one-time-code', inputMode: 'numeric', hasFocus: true, faults })}
${submit(own.turn_on)}
</form>
${buttonForm({ label: own.start_again, kind: 'link', to: site.pathOf(path), fields })}`
  return { ...facts, main }
}

/** What each form of these pages carries. */
function fieldsOf(site: Site, visit: PageVisit, next: unknown): Typed {
  const checked = site.nextOf(next)
  return { [byField]: visitorOf(visit).id, ...(checked !== null && { next: checked }) }
}
