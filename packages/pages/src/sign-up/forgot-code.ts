import type { PageRoute } from 'fastify-accounts/features'
import { formPage } from '../form-page.js'
import { html, nothing } from '../html.js'
import { submit } from '../parts/buttons.js'
import { accountName, checkbox, field, secret } from '../parts/fields.js'
import type { Site } from '../site.js'
import { sentTo } from './forgot.js'

/** Sets a new password with the emailed code. */
export function forgotCodePage(site: Site): PageRoute {
  const { options, hasApiKeys } = site.core
  return formPage(site, {
    path: '/forgot/code/',
    access: 'anyone-known',
    isOpenToEnroll: true,
    isEntrance: true,
    view(visit, { typed, faults }) {
      const { say, texts } = visit.client.language
      const { sign_up_pages: own, reset_keys } = texts.pages
      const { to } = visit.query
      const email = site.addresses.open(to, 'reset')
      if (email === null)
        return { elsewhere: site.pathOf('/forgot/', { next: site.nextOf(visit.query.next) }) }
      const { minLength } = options.password
      const hint = say(texts.details.min_length, { count: minLength })
      const { intro, again } = sentTo(site, visit, { email, to: String(to), text: own.forgot_code_sent })
      const main = html`${intro}
<form method="post">
${field({ name: 'code', label: own.code, hint: own.code_hint, autocomplete: 'one-time-code', faults })}
${accountName(email)}
${secret({ name: 'new_password', label: own.new_password, kind: 'new', minLength, hint, faults })}
${hasApiKeys ? checkbox({ name: 'end_api_keys', label: reset_keys.keys_label, isChecked: typed.end_api_keys !== undefined }) : nothing}
${submit(own.set)}
</form>
${again}`
      return { page: 'forgot-code', kind: 'link', heading: own.reset, main }
    },
    async act(visit, { code = '', new_password = '', end_api_keys }) {
      await visit.perform('resetPasswordWithCode', {
        body: {
          ...{ code, new_password, confirm_password: new_password },
          ...(end_api_keys !== undefined && { end_api_keys: true }),
        },
      })
      const next = site.nextOf(visit.query.next)
      const { reset_done } = visit.client.language.texts.responses
      return { to: site.pathOf('/login/', { next }), notice: reset_done }
    },
  })
}
