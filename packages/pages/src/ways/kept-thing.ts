import type { PageVisit } from 'fastify-accounts/features'
import { byField, type Elsewhere, type FormState } from '../form-page.js'
import { html } from '../html.js'
import { linkButton, submit } from '../parts/buttons.js'
import { field, hidden } from '../parts/fields.js'
import type { Site } from '../site.js'
import type { View } from '../view.js'
import { visitorOf } from '../visitor.js'

/** Something on a list that its owner has named, such as a passkey or an app. */
export interface KeptThing {
  /** The name of the page that has the list: `account-passkeys`. */
  page: string
  /** The path of the list. */
  list: string
  /** Its name; `null` if it is no longer on the list. */
  nameOf(visit: PageVisit): Promise<string | null>
}

/** The longest name, in characters. */
const longest = 100

/** The form of a new name. */
export async function renaming(
  site: Site,
  visit: PageVisit,
  { typed, faults }: FormState,
  { page, list, nameOf }: KeptThing,
): Promise<View | Elsewhere> {
  const { say, texts } = visit.client.language
  const { way_pages: own, frame } = texts.pages
  const name = await nameOf(visit)
  if (name === null) return { elsewhere: site.pathOf(list) }
  const main = html`<form method="post">
${hidden(byField, visitorOf(visit).id)}
${field({ name: 'name', label: own.name, value: typed.name ?? name, maxLength: longest, autocomplete: 'off', faults })}
${submit(own.save)}
</form>
${linkButton(frame.cancel, site.pathOf(list), 'quiet')}`
  return { page: `${page}-rename`, kind: 'account', heading: say(own.rename_heading, { name }), main }
}

/** Asks before something is removed. */
export async function removing(
  site: Site,
  visit: PageVisit,
  { page, list, nameOf }: KeptThing,
  texts: { heading: string; about: string | readonly string[]; button: string },
): Promise<View | Elsewhere> {
  const { say, texts: all } = visit.client.language
  const name = await nameOf(visit)
  if (name === null) return { elsewhere: site.pathOf(list) }
  const main = html`${[texts.about].flat().map((line) => html`<p>${line}</p>`)}
<form method="post">
${hidden(byField, visitorOf(visit).id)}
${submit(texts.button, 'danger')}
</form>
${linkButton(all.pages.way_pages.keep, site.pathOf(list), 'quiet')}`
  return { page: `${page}-remove`, kind: 'account', heading: say(texts.heading, { name }), main }
}

/** What is gone already is removed as well. */
export async function removed(work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== 'ACCOUNTS_NOT_FOUND') throw error
  })
}
