import { faultsOf } from '../languages/catalogue.js'
import { en } from '../languages/en.js'
import { createLanguages, type Languages, shippedTexts } from '../languages/languages.js'
import { checkKeys, fail } from './checks.js'
import type { AccountsOptions } from './options.js'

/**
 * Checks the option `languages` and puts its defaults in. A language that is not shipped must be complete: half a
 * mail in another language helps nobody.
 * @throws Error with one line that names the option
 */
export function checkLanguages(given: NonNullable<AccountsOptions['languages']>): Languages {
  checkKeys('languages', given, ['offered', 'texts'])
  const texts = given.texts ?? {}
  if (typeof texts !== 'object' || texts === null || Array.isArray(texts))
    fail('languages.texts', 'must be an object of texts by language tag')
  for (const [tag, some] of Object.entries(texts)) {
    const option = `languages.texts.${tag}`
    if (canonical(tag) !== tag) fail(option, 'must be named by a BCP 47 tag such as es or pt-BR')
    const [first, ...others] = faultsOf(en, some, { complete: !Object.hasOwn(shippedTexts, tag) })
    if (first !== undefined)
      fail(option, `is not right: ${first}${others.length === 0 ? '' : `, and ${others.length} more`}`)
  }

  const known = [...new Set([...Object.keys(shippedTexts), ...Object.keys(texts)])]
  const offered = given.offered ?? known
  if (!Array.isArray(offered) || offered.length === 0 || new Set(offered).size < offered.length)
    fail('languages.offered', 'must be a list of different language tags, the preferred first')
  for (const tag of offered) {
    if (!known.includes(tag))
      fail(
        'languages.offered',
        `names a language that has no texts: ${String(tag)}; there are: ${known.join(', ')}`,
      )
  }
  return createLanguages(offered, texts)
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}
