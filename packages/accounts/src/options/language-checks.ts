import { faultsOf, isWhole, overlay } from '../languages/catalogue.js'
import { createLanguages, type Languages, sharedTexts } from '../languages/languages.js'
import type { SomeTexts } from '../languages/texts.js'
import { type Check, type Context, fail, isObject } from './checks.js'

/** Texts by language tag. A language that isn't shipped must be complete, so emails don't mix two languages. */
export const texts: Check<Readonly<Record<string, SomeTexts>>> = (value, option, { catalogue }) => {
  if (!isObject(value)) fail(option, 'must be an object of texts by language tag')
  for (const [tag, whole] of Object.entries(value)) {
    if (canonical(tag) !== tag) fail(`${option}.${tag}`, 'must be named by a BCP 47 tag such as es or pt-BR')
    if (!isObject(whole)) fail(`${option}.${tag}`, 'must be an object')
    const { own_fields = {}, ...some } = whole as { own_fields?: unknown }
    checkFieldTexts(own_fields, `${option}.${tag}.own_fields`)
    const isShipped = Object.hasOwn(sharedTexts, tag)
    // Features may have texts in a language that the core lacks.
    const all = isShipped ? some : overlay(catalogue[tag] ?? {}, some)
    // A whole translation also has the texts of features that are off, and a misspelled one is missing under its name.
    const more = !isShipped || isWhole(catalogue.en, all)
    const [first, ...others] = faultsOf(catalogue.en, all, { complete: !isShipped, more })
    if (first !== undefined) {
      const rest = others.length === 0 ? '' : `, and ${others.length} more`
      fail(`${option}.${tag}`, `is invalid: ${first}${rest}`)
    }
  }
  return value
}

/** Texts of own fields: any name, as the option that declares it may be of a feature. */
function checkFieldTexts(fields: unknown, option: string): void {
  if (!isObject(fields)) fail(option, 'must be an object of texts by field name')
  for (const [name, own] of Object.entries(fields)) {
    if (!isObject(own)) fail(`${option}.${name}`, 'must be an object with title, description or enum')
    const { title, description, enum: choices = {}, ...others } = own
    const [unknown] = Object.keys(others)
    if (unknown !== undefined) fail(`${option}.${name}.${unknown}`, 'is not a known text')
    const texts = [title, description, ...Object.values(Object(choices))]
    if (!isObject(choices) || !texts.every((each) => each === undefined || typeof each === 'string'))
      fail(`${option}.${name}`, 'must have texts only')
  }
}

/** Language tags, the preferred one first; each has texts, shipped or in `languages.texts`. */
export const offered: Check<readonly string[]> = (value, option, { siblings }) => {
  if (!Array.isArray(value) || value.length === 0 || new Set(value).size < value.length)
    fail(option, 'must be a list of distinct language tags, preferred first')
  const tags = withTexts(siblings)
  const unknown = value.findIndex((tag) => !tags.includes(tag))
  if (unknown >= 0)
    fail(option, `names a language without texts: ${String(value[unknown])}; there are: ${tags.join(', ')}`)
  return [...value]
}

/** The tags of all languages that have texts. */
export function withTexts({ texts }: { readonly texts?: unknown }): string[] {
  return [...new Set([...Object.keys(sharedTexts), ...Object.keys(texts ?? {})])]
}

/** The languages in use: each offered one has every text, including those of features. */
export function languagesOf(
  { offered, texts }: { offered: readonly string[]; texts: Readonly<Record<string, SomeTexts>> },
  { catalogue, complete }: Pick<Context, 'catalogue' | 'complete'>,
): Languages {
  for (const tag of offered) {
    // The app's own texts have been checked, and take none away.
    if (complete.includes(tag)) continue
    const [first] = faultsOf(catalogue.en, overlay(catalogue[tag] ?? {}, texts[tag] ?? {}), {
      complete: true,
      more: true,
    })
    if (first !== undefined)
      fail(
        'features',
        `has one without texts in ${tag}: ${first}; add them in languages.texts.${tag}, or leave ${tag} out of languages.offered`,
      )
  }
  return createLanguages(offered, catalogue, texts)
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}
