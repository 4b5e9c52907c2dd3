import { attributeOf, fieldsOf, type Shown, textOf } from './pages-app.js'

/** A form in the main part of a page. */
export interface Form {
  /** The text of its button. */
  button: string
  html: string
  /** What somebody types or chooses in it that a page may show again. */
  typed: { name: string; kind: 'text' | 'choice'; value: string }[]
  /** Of all fields that somebody fills in, secrets included. */
  names: string[]
}

/** Those that work without a script: with a button that sends them. */
export function formsOf({ html }: Pick<Shown, 'html'>): Form[] {
  const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(html) ?? []
  return [...main.matchAll(/<form[^>]*>([\s\S]*?)<\/form>/g)].flatMap(([, inside = '']) => {
    const [, label] = /<button(?![^>]*type="button")[^>]*>([\s\S]*?)<\/button>/.exec(inside) ?? []
    if (label === undefined) return []
    const texts = [
      ...[...inside.matchAll(/<input([^>]*)>/g)].map(([, tag = '']) => tag).filter(isTyped),
      ...[...inside.matchAll(/<textarea([^>]*)>/g)].map(([, tag = '']) => tag),
    ].map((tag) => ({ name: attributeOf(tag, 'name') ?? '', kind: 'text' as const, value: odd }))
    return [
      {
        button: textOf(label),
        html: inside,
        typed: [...texts, ...boxesOf(inside), ...selectsOf(inside)].filter(({ name }) => !isSecret(name)),
        names: namesIn(inside),
      },
    ]
  })
}

/** What nobody's name or address is, for all fields: too long, and with what must be escaped. */
const odd = `Zoë "<b>" & ${'x'.repeat(400)}`

const isSecret = (name: string): boolean => /password|code|response|token/.test(name)

function isTyped(tag: string): boolean {
  const type = attributeOf(tag, 'type') ?? 'text'
  const isOther = ['hidden', 'password', 'checkbox', 'radio'].includes(type)
  return !isOther && attributeOf(tag, 'name') !== undefined && !/ readonly/.test(tag)
}

/** Of the fields that aren't hidden. */
const namesIn = (inside: string): string[] =>
  [...inside.matchAll(/<(?:input|textarea|select)([^>]*)>/g)].flatMap(([, tag = '']) => {
    const name = attributeOf(tag, 'name')
    return name === undefined || attributeOf(tag, 'type') === 'hidden' ? [] : [name]
  })

function boxesOf(inside: string) {
  const boxes = [...inside.matchAll(/<input([^>]*)>/g)]
    .map(([, tag = '']) => tag)
    .filter((tag) => ['checkbox', 'radio'].includes(attributeOf(tag, 'type') ?? ''))
  return boxes.map((tag) => ({
    name: attributeOf(tag, 'name') ?? '',
    kind: 'choice' as const,
    value: attributeOf(tag, 'value') ?? 'on',
  }))
}

function selectsOf(inside: string) {
  return [...inside.matchAll(/<select([^>]*)>([\s\S]*?)<\/select>/g)].map(([, tag = '', options = '']) => ({
    name: attributeOf(tag, 'name') ?? '',
    kind: 'choice' as const,
    value: [...options.matchAll(/<option value="([^"]*)"/g)].at(-1)?.[1] ?? '',
  }))
}

/** Whether a page leads on: by a link or a button in its main part. */
export const leadsOn = ({ html }: Pick<Shown, 'html'>): boolean => /<main[\s\S]*<(?:a|button)[ >]/.test(html)

/** What of a form is still in the page after it was refused: the names of what isn't. */
export function lostIn(page: Shown, { button, typed }: Form): string[] {
  const again = formsOf(page).find((each) => each.button === button)
  if (again === undefined) return ['the form']
  const values = fieldsOf(again.html)
  return typed
    .filter(({ name, value }) => !values.some((each) => each[0] === name && each[1] === value))
    .map(({ name }) => name)
}
