import type { FieldError } from 'fastify-accounts'
import type { PageRoute, PageVisit } from 'fastify-accounts/features'
import { byField, formPage } from '../form-page.js'
import { type Html, html } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { select } from '../parts/choices.js'
import { copyable } from '../parts/copyable.js'
import { below, checkbox, field, hidden } from '../parts/fields.js'
import { paragraph } from '../parts/notes.js'
import type { ShownOnce } from '../shown-once.js'
import type { Site } from '../site.js'
import type { Typed } from '../typed.js'
import { visitorOf } from '../visitor.js'
import { apiKeysPath } from './api-keys.js'
import { type BodyOf, readOf } from './operations.js'

type Scopes = BodyOf<'listApiKeys'>['scopes']

const createdPath = `${apiKeysPath}created/`
/** Seconds. */
const day = 24 * 3600
/** What a key may be made for, in days, besides the app's own default. */
const choices = [7, 30, 90, 365]
/** Of the boxes of scopes, each of which is a field of its own. */
const prefix = 'scope.'

/** Creates a key. */
export function newApiKeyPage(site: Site, once: ShownOnce): PageRoute {
  const { lifetime = 90 * day * 1000 } = site.factsOf<{ lifetime: number }>('api-keys')
  const usual = Math.max(1, Math.round(lifetime / 1000 / day))
  const lives = [...new Set([...choices, usual])].sort((one, other) => one - other)
  return formPage(site, {
    path: `${apiKeysPath}new/`,
    access: 'owner',
    async view(visit, { typed, faults }) {
      const { say, texts } = visit.client.language
      const { way_pages: own, frame } = texts.pages
      const { scopes } = await readOf(visit, 'listApiKeys')
      const main = html`<form method="post">
${hidden(byField, visitorOf(visit).id)}
${field({ name: 'name', label: own.name, value: typed.name, hint: own.api_key_name_hint, maxLength: 100, autocomplete: 'off', faults })}
${scopeBoxes(own.api_key_scopes, scopes, typed, faults)}
${select({
  ...{ name: 'expires_in', label: own.api_key_expiry, isRequired: true, faults },
  value: typed.expires_in ?? String(usual),
  choices: lives.map((count) => ({ value: String(count), label: say(own.days, { count }) })),
})}
${submit(own.api_key_create)}
</form>
${linkButton(frame.cancel, site.pathOf(apiKeysPath), 'quiet')}`
      return { page: 'account-api-keys-new', kind: 'account', heading: own.api_key_new, main }
    },
    async act(visit, typed) {
      const { name = '', expires_in } = typed
      const scopes = Object.keys(typed)
        .filter((each) => each.startsWith(prefix))
        .map((each) => each.slice(prefix.length))
      const { body } = await visit.perform('createApiKey', {
        body: { name, scopes, expires_in: Number(expires_in ?? usual) * day },
      })
      once.write(visit, createdPath, [(body as BodyOf<'createApiKey'>).key])
      return { to: site.pathOf(createdPath) }
    },
  })
}

function scopeBoxes(label: string, scopes: Scopes, typed: Typed, faults: readonly FieldError[]): Html {
  const fault = faults.find((each) => each.field === 'scopes')
  const boxes = scopes.map(({ name, description }) =>
    checkbox({
      name: prefix + name,
      label: description === null ? name : `${description} (${name})`,
      isChecked: typed[prefix + name] === 'on' || scopes.length === 1,
    }),
  )
  return html`<fieldset data-part="choices" id="scopes" tabindex="-1"${fault !== undefined && html` aria-describedby="scopes-fault"`}>
<legend>${label}</legend>
${boxes}
${below('scopes', undefined, fault)}
</fieldset>`
}

/** Shows a new key, until its owner says that it is copied. */
export function createdApiKeyPage(site: Site, once: ShownOnce): PageRoute {
  return formPage(site, {
    path: createdPath,
    access: 'logged-in',
    view(visit: PageVisit) {
      const { way_pages: own } = visit.client.language.texts.pages
      const [key] = once.read(visit, createdPath)
      if (key === undefined) return { elsewhere: site.pathOf(apiKeysPath) }
      const main = html`${paragraph(own.api_key_once)}
${copyable('key', key)}
${paragraph(own.api_key_curl)}
${copyable('curl', `curl -H "Authorization: Bearer ${key}" ${site.core.options.origin}/`)}
<form method="post">
${hidden(byField, visitorOf(visit).id)}
${submit(own.api_key_done)}
</form>`
      const heading = own.api_key_created
      return { page: 'account-api-keys-created', kind: 'account', isSecret: true, heading, main }
    },
    act(visit) {
      once.clear(visit.client)
      return { to: site.pathOf(apiKeysPath) }
    },
  })
}
