import { isError } from '../adapters/is-error.js'

/**
 * The error to log for what a rule threw. One with a status from 400 to 499 may be meant as a refusal, or come from a
 * service that the rule asked, and say nothing about who asks. So it never refuses, and the log says what does.
 * @param rule such as `before.signUp`
 * @param refuse how the rule refuses
 */
export function noRefusal(rule: string, thrown: unknown, refuse: string): unknown {
  const { statusCode } = Object(thrown)
  if (!(statusCode >= 400 && statusCode <= 499)) return thrown
  const what = isError(thrown) ? thrown.name : 'an object'
  const text = `${rule} threw ${what} with statusCode ${statusCode}, which isn't a refusal; to refuse, ${refuse}`
  return new TypeError(text, { cause: thrown })
}
