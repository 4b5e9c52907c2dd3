/** HTML that is safe to send, made by `html` only. */
export class Html {
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  toString(): string {
    return this.#source
  }
}

type Value = string | number | Html | readonly Html[] | null

/** A template that escapes values, in elements and quoted attributes, except HTML that it made itself. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(sourceOf)))
}

function sourceOf(value: Value): string {
  if (value === null) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.join('')
  return String(value).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
