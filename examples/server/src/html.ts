/** HTML that is safe to send: what `html` made, and nothing else. */
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

/** A template whose values are escaped, in elements and in quoted attributes; only HTML that it made itself is not. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(sourceOf)))
}

function sourceOf(value: Value): string {
  if (value === null) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.join('')
  return String(value).replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
