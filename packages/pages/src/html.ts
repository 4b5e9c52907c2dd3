import { escapeHtml } from 'fastify-accounts/features'

/** HTML that is safe to send: made by `html`, or by the core, which escapes what it is given. */
export class Html {
  readonly #source: string

  constructor(source: string) {
    this.#source = source
  }

  toString(): string {
    return this.#source
  }
}

type Value = string | number | Html | readonly Html[] | null | false

/** A template that escapes its values, in elements and quoted attributes, except HTML. `null` and `false` are left out. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(String.raw({ raw: parts }, ...values.map(sourceOf)))
}

function sourceOf(value: Value): string {
  if (value === null || value === false) return ''
  if (value instanceof Html) return value.toString()
  if (typeof value === 'object') return value.join('\n')
  return escapeHtml(String(value))
}

/** HTML of the core. */
export const trusted = (source: string): Html => new Html(source)

export const nothing = new Html('')
