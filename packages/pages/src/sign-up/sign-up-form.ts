import type { PageVisit } from 'fastify-accounts/features'
import { backFrom } from '../entrance/back-from.js'
import type { FormState } from '../form-page.js'
import { type Html, html, nothing } from '../html.js'
import { submit } from '../parts/buttons.js'
import { field, hidden, secret } from '../parts/fields.js'
import { or } from '../parts/notes.js'
import { ownFields } from '../parts/own-fields.js'
import { providerButtons } from '../parts/provider-buttons.js'
import { withPart } from '../parts/with-part.js'
import type { Site } from '../site.js'
import { needsEmail } from './needs-email.js'

/** Providers, and the form for everybody else. */
export function signUpForm(
  site: Site,
  visit: PageVisit,
  { typed, faults }: FormState,
  next: string | null,
): Html {
  const { core } = site
  const { options } = core
  const { language } = visit.client
  const { say, texts } = language
  const own = texts.pages.sign_up_pages
  const providers = providerButtons(site, visit, {
    next: (name) => backFrom(site, '/signup/', { in: `with-${name}`, next }),
  })
  const isByCode = core.hasOtherWays && options.login.emailCode !== false
  const { minLength } = options.password
  const logIn = html`<a href="${site.pathOf('/login/', { next })}">${texts.pages.frame.log_in}</a>`
  return html`${providers}${providers.length > 0 && or(own.or)}
<form method="post">
${next === null ? nothing : hidden('next', next)}
${emailField(site, visit, { typed, faults })}
${usernameField(site, visit, { typed, faults })}
${ownFields(options.fields, { typed, faults }, language)}
${ownFields(options.signUp.fields, { typed, faults }, language)}
${secret({ name: 'password', label: own.password, kind: 'new', minLength, hint: say(texts.details.min_length, { count: minLength }), faults })}
${submit(own.create)}
${isByCode && submitAnyway(own.codes, { name: 'way', value: 'codes' })}
</form>
${legalLine(site, visit)}
<p>${withPart(language, own.have_account, 'log_in', logIn)}</p>`
}

type Shown = Pick<FormState, 'typed' | 'faults'>

/** Of the address, which is what password managers keep where there are no usernames. */
function emailField({ core: { options } }: Site, { client }: PageVisit, { typed, faults }: Shown): Html {
  const { say, texts } = client.language
  const { email, optional } = texts.pages.sign_up_pages
  const isRequired = needsEmail(options)
  // Where usernames are optional, too, one of both is needed; and codes need one.
  const isMissing = faults.some((fault) => fault.field === 'email' && fault.code === 'required')
  const isOptional = !isRequired && !isMissing && options.names !== 'optional'
  return field({
    ...{ name: 'email', type: 'email', value: typed.email, isRequired, faults },
    label: isOptional ? say(optional, { label: email }) : email,
    autocomplete: options.names === 'none' ? 'username' : 'email',
  })
}

function usernameField({ core: { options } }: Site, { client }: PageVisit, { typed, faults }: Shown): Html {
  if (options.names === 'none') return nothing
  const { say, texts } = client.language
  const { username, optional } = texts.pages.sign_up_pages
  const isRequired = options.names === 'required'
  return field({
    ...{ name: 'username', value: typed.username, autocomplete: 'username', isRequired, faults },
    label: isRequired ? username : say(optional, { label: username }),
  })
}

/** A button of a form that doesn't need all of its fields. */
const submitAnyway = (label: string, { name, value }: { name: string; value: string }): Html =>
  html`<button data-part="button" data-kind="link" name="${name}" value="${value}" formnovalidate>${label}</button>`

function legalLine({ core }: Site, { client: { language } }: PageVisit): Html {
  const { terms, privacy } = core.options.brand.links
  const own = language.texts.pages.sign_up_pages
  const link = (label: string, to: string) => html`<a href="${to}">${label}</a>`
  const lines = [
    terms !== null && withPart(language, own.accept_terms, 'terms', link(own.terms, terms)),
    privacy !== null && withPart(language, own.see_privacy, 'privacy', link(own.privacy, privacy)),
  ].filter((line) => line !== false)
  return lines.length === 0 ? nothing : html`<p class="hint" data-part="legal">${lines}</p>`
}
