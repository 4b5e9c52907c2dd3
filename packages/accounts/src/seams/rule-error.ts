import { STATUS_CODES } from 'node:http'
import { markError } from '../copies.js'

/** A text, or one by language tag, of which the first is the default: `{ en: 'Closed.', de: 'Geschlossen.' }`. */
export type RuleText = string | Readonly<Record<string, string>>

/** What is wrong with one field, as in responses. */
interface RuleFault {
  field: string
  code: 'invalid'
  message: string
}

const ownCode = /^(?!ACCOUNTS_|FST_)[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$/

/**
 * Thrown by a rule of `before` to refuse. The response has its status, code and text, as JSON or as a page. Below
 * `fields`, texts say what is wrong with single fields, by their names over HTTP.
 * @throws TypeError with one line if the code isn't like `MYAPP_CLOSED`, the status not from 400 to 499, or a text missing
 */
export class RuleError extends Error {
  static {
    markError(RuleError, 'RuleError')
  }

  override readonly name = 'RuleError'
  /** Yours: capitals, digits and underscores, not beginning with `ACCOUNTS_` or `FST_`. */
  readonly code: string
  /** 400 to 499. Default 403; 400 with `fields`. */
  readonly statusCode: number
  readonly fields: RuleFault[] | undefined
  readonly #message: RuleText
  readonly #fields: Readonly<Record<string, RuleText>> | undefined

  constructor(
    code: string,
    details: {
      message: RuleText
      statusCode?: number | undefined
      fields?: Readonly<Record<string, RuleText>> | undefined
      cause?: unknown
    },
    /** For the text: a BCP 47 tag. Default: the first text. */
    language?: string,
  ) {
    if (typeof code !== 'string' || !ownCode.test(code))
      throw new TypeError('the code of a RuleError must be like MYAPP_CLOSED, and neither ACCOUNTS_ nor FST_')
    // Not all apps are typed.
    const checked: Partial<typeof details> = Object(details)
    const { message, fields, statusCode = fields === undefined ? 403 : 400, cause } = checked
    if (!Number.isInteger(statusCode) || statusCode < 400 || statusCode > 499)
      throw new TypeError(`the status of the RuleError ${code} must be from 400 to 499`)
    if (!isText(message)) throw new TypeError(`the RuleError ${code} must have a message, ${textOr}`)
    for (const [field, text] of Object.entries(fields ?? {}))
      if (!isText(text)) throw new TypeError(`fields.${field} of the RuleError ${code} must be ${textOr}`)
    super(textIn(message, language), cause === undefined ? undefined : { cause })
    this.code = code
    this.statusCode = statusCode
    this.#message = message
    this.#fields = fields
    this.fields =
      fields &&
      Object.entries(fields).map(([field, text]) => ({
        field,
        code: 'invalid',
        message: textIn(text, language),
      }))
  }

  /** The same error with the texts of this language. */
  in(language: string): RuleError {
    const { code, statusCode, cause } = this
    return new RuleError(code, { message: this.#message, statusCode, fields: this.#fields, cause }, language)
  }

  /** The body of the response. */
  toJSON(): object {
    const { statusCode, code, message, fields } = this
    const error = STATUS_CODES[statusCode] ?? 'Error'
    return { statusCode, code, error, message, ...(fields && { fields }) }
  }
}

const textOr = "a text or one by language tag, such as { en: 'Closed.' }"

function isText(text: unknown): text is RuleText {
  const texts = typeof text === 'string' ? [text] : Object.values(Object(text))
  return texts.length > 0 && texts.every((each) => typeof each === 'string' && each !== '')
}

/** The text of a language, or else of its primary one: `de` for `de-AT`. */
function textIn(text: RuleText, language = ''): string {
  if (typeof text === 'string') return text
  const [primary = ''] = language.split('-')
  const found = [language, primary].find((tag) => Object.hasOwn(text, tag))
  return (found === undefined ? Object.values(text)[0] : text[found]) ?? ''
}
