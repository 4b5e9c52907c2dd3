import { type Host, secret } from '@fastify-accounts/test-support/app'
import { maskedRequest } from 'fastify-accounts'

/** The logs of all services of a case, at level trace, and the secrets that it used. */
export interface CaseLog {
  /** Options for Fastify; the case's own logger gets every line as well. */
  server(own?: Host['server']): NonNullable<Host['server']>
  secrets: Secrets
  /** The distinct lines so far. */
  text(): string
  /** Records the status of a response. */
  responded(statusCode: number): void
  /** @throws Error if the log contains a secret, or an error although no request failed */
  check(): void
}

type Kind = 'password' | 'cookie' | 'token' | 'hash' | 'secret'

/** Everything that must not be logged. */
export interface Secrets {
  add(kind: Kind, value: unknown): void
  /** The fields of a body, parsed or not, or of a query string, with `password` in their names. */
  addFields(fields: unknown): void
  /** A Cookie or Set-Cookie header. */
  addCookies(header: unknown): void
  /** The tokens of the links in a text. */
  addLinks(text: string): void
  /** Tokens and API keys of ours in a header or a body. */
  addTokens(text: unknown): void
  all(): string[]
}

/** Shorter values occur in any text. */
const shortest = 8
/** Names of cookies, routes and fields are no secrets, even if a case uses them as a password. */
const harmless = /^(change-|confirm_)?password$/i
/** Errors logged although the request succeeds; each line begins so. */
const notInResponse = [
  'accounts: gave up on an email',
  'accounts: the mailer is unavailable: ',
  'accounts: a listener of an event threw',
]

export function createCaseLog(): CaseLog {
  const lines = new Set<string>()
  const kinds = new Map<string, Kind>([[secret, 'secret']])
  let failed = false

  const secrets: Secrets = {
    add(kind, value) {
      if (typeof value !== 'string' || value.length < shortest || harmless.test(value)) return
      const url = encoded(value)
      const spellings = [value, url, url.replaceAll('%20', '+'), JSON.stringify(value).slice(1, -1)]
      for (const each of spellings) kinds.set(each, kind)
    },
    addFields(fields) {
      for (const [name, value] of pairsOf(fields)) if (/password/i.test(name)) secrets.add('password', value)
    },
    addCookies(header) {
      for (const pair of [header].flat().flatMap((each) => String(each ?? '').split('; '))) {
        const value = pair.slice(pair.indexOf('=') + 1)
        if (value.length < 20) continue // attributes, and values made up by a test
        secrets.add('cookie', value)
        // The session id is useless without its signature, but doesn't belong in a log either.
        secrets.add('cookie', decoded(value).split('.')[0])
      }
    },
    addLinks(text) {
      for (const [url] of text.matchAll(/https?:\/\/[^\s"<]+/g)) {
        const last = url.split('/').at(-2) ?? ''
        if (last.length > 30) secrets.add('token', last)
      }
    },
    addTokens(text) {
      if (typeof text !== 'string') return
      for (const [token] of text.matchAll(/fa[rt]?_[\w.-]{40,}/g)) {
        secrets.add('token', token)
        // The session id is useless without its signature, but doesn't belong in a log either.
        secrets.add('token', token.slice(4).split('.')[0])
      }
    },
    all: () => [...kinds.keys()],
  }

  function write(line: string): void {
    // Most lines repeat; the parts that vary are no secrets.
    lines.add(line.replace(/"(time|reqId|responseTime|remotePort)":("req-\w+"|[\d.]+)/g, '"$1":0'))
  }

  const text = (): string => [...lines].join('')

  return {
    secrets,
    text,
    responded(statusCode) {
      failed ||= statusCode >= 500
    },
    server(own = {}) {
      const logger = typeof own.logger === 'object' ? own.logger : {}
      const stream = 'stream' in logger ? logger.stream : undefined
      return {
        ...own,
        logger: {
          // As docs/deployment.md asks the host to.
          serializers: { req: maskedRequest },
          ...logger,
          level: 'trace',
          stream: {
            write(line: string) {
              write(line)
              stream?.write(line)
            },
          },
        },
      }
    },
    check() {
      const all = text()
      for (const [value, kind] of kinds) {
        const at = all.indexOf(value)
        if (at >= 0) throw new Error(`a ${kind} was logged: ${all.slice(Math.max(0, at - 300), at + 300)}`)
      }
      if (failed) return
      for (const line of lines) {
        const { level, msg = '' } = JSON.parse(line) as { level: number; msg?: string }
        if (level >= 50 && !notInResponse.some((text) => msg.startsWith(text))) {
          throw new Error(`the log has an error, but no request failed: ${line}`)
        }
      }
    },
  }
}

/** The names and values of all fields, at any depth; of a text without passwords, none. */
function* pairsOf(fields: unknown): Generator<[string, unknown]> {
  const text =
    typeof fields === 'string' || fields instanceof Uint8Array
      ? Buffer.from(fields as string).toString()
      : null
  // Parsing a large body for nothing takes longer than the request.
  if (text !== null && !/password|[%\\]/i.test(text)) return
  // Some bodies are too deep for recursion.
  const open = [text === null ? fields : parsed(text)]
  while (open.length > 0) {
    const each = open.pop()
    if (typeof each !== 'object' || each === null) continue
    for (const pair of Object.entries(each)) {
      yield pair
      open.push(pair[1])
    }
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return Object.fromEntries(new URLSearchParams(body))
  }
}

function encoded(value: string): string {
  return value.isWellFormed() ? encodeURIComponent(value) : value
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
