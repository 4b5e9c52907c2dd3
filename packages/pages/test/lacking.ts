import { formsOf, leadsOn } from './forms.js'
import { attributeOf, type Shown, textOf } from './pages-app.js'

/** What of a page nobody could read or use, such as a button without a text. */
export function lackingIn(page: Shown): string[] {
  const { status, html, response } = page
  if (status >= 500) return [`${status}`]
  if (!String(response.headers['content-type']).startsWith('text/html')) return []
  const shown = html.replace(/<(style|script)\b[\s\S]*?<\/\1>/g, '')
  return [
    ...valuesIn(shown),
    ...emptyIn(shown),
    ...withoutLabel(shown),
    ...danglingIn(shown),
    ...(leadsOn(page) ? [] : ['leads nowhere']),
    ...formsOf(page).flatMap(({ button }) => (button === '' ? ['a form without a button'] : [])),
  ]
}

/** What a program writes where it has no text. */
const valuesIn = (html: string): string[] =>
  [...html.matchAll(/.{0,30}(?:\b(?:undefined|null|NaN|Invalid Date)\b|\[object).{0,20}/g)].map(
    ([text]) => text,
  )

/** Of these, each has a text: that of a picture counts. */
const named = ['title', 'h1', 'h2', 'a', 'button', 'label', 'legend', 'summary', 'li', 'p', 'time', 'bdi']

/** Stays empty until a script writes there, or a page has none of what it lists. */
const mayBeEmpty = /class="fault" role="alert"/

function emptyIn(html: string): string[] {
  const elements = named.flatMap((tag) =>
    [...html.matchAll(new RegExp(`<${tag}(?=[ >])([^>]*)>([\\s\\S]*?)</${tag}>`, 'g'))]
      .filter(([, own = '', inside = '']) => !mayBeEmpty.test(own) && textOf(withAlt(inside)) === '')
      .map(([element]) => `nothing in ${element}`),
  )
  const parts = ['row-label', 'row-value', 'fixed', 'notice', 'empty', 'badge'].flatMap((part) =>
    [...html.matchAll(new RegExp(`data-part="${part}"[^>]*>\\s*</`, 'g'))].map(() => `nothing in ${part}`),
  )
  const attributes = [
    ...html.matchAll(/<[^>]* (?:href|action|alt|src|srcset|id|name|aria-label|for)=""[^>]*>/g),
  ]
  const lists = [...html.matchAll(/<(ul|ol|dl|select|section)[^>]*>\s*<\/\1>/g)]
  return [...elements, ...parts, ...[...attributes, ...lists].map(([tag]) => `nothing in ${tag}`)]
}

const withAlt = (html: string): string => html.replace(/<img[^>]* alt="([^"]*)"[^>]*>/g, ' $1 ')

/** Fields that no label names, and labels of no field. */
function withoutLabel(html: string): string[] {
  const fields = [...html.matchAll(/<(?:input|select|textarea)\b([^>]*)>/g)]
    .map(([, attributes = '']) => attributes)
    .filter((attributes) => attributeOf(attributes, 'type') !== 'hidden' && !/ hidden/.test(attributes))
  const around = [...html.matchAll(/<label[^>]*>[\s\S]*?<\/label>/g)].map(([label]) => label)
  const labeled = new Set([...html.matchAll(/<label[^>]* for="([^"]*)"/g)].map(([, id = '']) => id))
  const ids = new Set(fields.map((attributes) => attributeOf(attributes, 'id')))
  return [
    ...fields
      .filter((attributes) => {
        const id = attributeOf(attributes, 'id')
        return !(id !== undefined && labeled.has(id)) && !around.some((label) => label.includes(attributes))
      })
      .map((attributes) => `no label for${attributes}`),
    ...[...labeled].filter((id) => !ids.has(id)).map((id) => `no field for the label of ${id}`),
    ...around.filter((label) => !/ for="|<input/.test(label)).map((label) => `no field for ${label}`),
  ]
}

/** Ids that are there twice, and references to none. */
function danglingIn(html: string): string[] {
  const ids = [...html.matchAll(/<[^>]* id="([^"]*)"/g)].map(([, id = '']) => id)
  const wanted = [...html.matchAll(/(?:aria-describedby="|href="#)([^"]*)"/g)].map(([, id = '']) => id)
  return [
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `twice: ${id}`),
    ...wanted.filter((id) => !ids.includes(id)).map((id) => `nothing has the id ${id}`),
  ]
}
