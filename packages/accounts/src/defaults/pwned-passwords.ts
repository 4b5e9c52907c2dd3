import { createHash } from 'node:crypto'
import type { PasswordCheck } from '../seams/password-check.js'
import { UnavailableError } from '../seams/store-errors.js'
import { shownUrl, webUrl } from '../web-url.js'

/** Options of `pwnedPasswords`. */
export interface PwnedPasswordsOptions {
  /** The base URL of ranges, which the five digits are appended to: a mirror, for example. Default: the public service. */
  url?: string | undefined
  /** Milliseconds that a response may take, 1 to 1000. Default 1000. */
  timeout?: number | undefined
}

const service = 'https://api.pwnedpasswords.com/range/'

/** Bytes. A range has some 80 kB with its padding. */
const longestResponse = 1024 * 1024

/**
 * Rejects passwords from known breaches, for the option `password.check`. Have I Been Pwned only learns the first five of
 * forty digits of the password's SHA-1, which about a thousand others share; responses are padded, so their length reveals
 * nothing. If the service doesn't respond within a second, the password is accepted.
 * @throws TypeError if an option is invalid
 */
export function pwnedPasswords({ url = service, timeout = 1000 }: PwnedPasswordsOptions = {}): PasswordCheck {
  if (webUrl(url) === null) throw new TypeError(`url must be an http(s) URL, got ${shownUrl(url)}`)
  if (!Number.isInteger(timeout) || timeout < 1 || timeout > 1000)
    throw new TypeError(`timeout must be a whole number of milliseconds from 1 to 1000, got ${timeout}`)

  const check = async (password: string): Promise<'breached' | null> => {
    // Breaches are indexed by SHA-1: it protects nothing here.
    const digest = createHash('sha1').update(password).digest('hex').toUpperCase()
    const rest = digest.slice(5)
    const range = await fetchRange(url + digest.slice(0, 5), timeout)
    return range.some(([suffix, count]) => suffix === rest && count > 0) ? 'breached' : null
  }
  return Object.assign(check, { failsOpen: true })
}

/** The suffixes of the digests in a range, and how often each was seen; padding has a count of 0. */
async function fetchRange(url: string, timeout: number): Promise<[suffix: string, count: number][]> {
  const response = await fetch(url, {
    headers: { 'add-padding': 'true', 'user-agent': 'fastify-accounts' },
    redirect: 'error',
    // Also covers the whole body.
    signal: AbortSignal.timeout(timeout),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new UnavailableError(`the range request failed with status ${response.status}`)
  }
  return (await readText(response)).split('\n').flatMap((line): [string, number][] => {
    if (line.trim() === '') return []
    const [, suffix = '', count = ''] = /^([0-9A-F]{35}):(\d+)\r?$/.exec(line) ?? []
    // A page that replaces the response, such as a proxy's, says nothing about passwords.
    if (suffix === '') throw new UnavailableError('the response is not a list of hashes')
    return [[suffix, Number(count)]]
  })
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > longestResponse) throw new UnavailableError('the response is too large')
    text += decoder.decode(chunk, { stream: true })
  }
  return text
}
