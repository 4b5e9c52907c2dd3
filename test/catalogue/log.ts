import { type Host, secret } from '@fastify-accounts/test-support/app'
import { maskedRequest } from 'fastify-accounts'

/** The log of all services of a case, at level trace, and the secrets that occurred in it. */
export interface CaseLog {
  /** What Fastify is made with; a logger of the case's own gets every line too. */
  server(own?: Host['server']): NonNullable<Host['server']>
  secrets: Secrets
  /** The lines so far, each that differs once. */
  text(): string
  /** Notes the status of an answer. */
  answered(statusCode: number): void
  /** @throws Error where a secret is in the log, or a line at level error where nothing failed */
  check(): void
}

type Kind = 'password' | 'cookie' | 'token' | 'hash' | 'secret'

/** Whatever must not be in a log. */
export interface Secrets {
  add(kind: Kind, value: unknown): void
  /** The fields of a request, parsed or not, and of its query, whose names speak of a password. */
  addFields(fields: unknown): void
  /** A Cookie or Set-Cookie header. */
  addCookies(header: unknown): void
  /** The tokens of the links in a text. */
  addLinks(text: string): void
  all(): string[]
}

/** Shorter ones are found in any text. */
const shortest = 8
/** Names of cookies, of routes and of fields are no secrets, whoever chooses them as a password. */
const harmless = /^(change-|confirm_)?password$/i
/** What fails after the answer, or behind it. */
const behindTheAnswer = [
  'accounts: gave up on an email',
  'accounts: a session could not be ended',
  'accounts: a listener of an event threw',
  'the session could not go on after a change of password',
  'the session could not go on after a second factor was added',
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
        if (value.length < 20) continue // attributes, and what somebody made up
        secrets.add('cookie', value)
        // The session's id alone, without its signature, is as good as nothing; but nobody needs it in a log.
        secrets.add('cookie', decoded(value).split('.')[0])
      }
    },
    addLinks(text) {
      for (const [url] of text.matchAll(/https?:\/\/[^\s"<]+/g)) {
        const last = url.split('/').at(-2) ?? ''
        if (last.length > 30) secrets.add('token', last)
      }
    },
    all: () => [...kinds.keys()],
  }

  function write(line: string): void {
    // Most lines are told again and again: what differs from one to the next is no secret.
    lines.add(line.replace(/"(time|reqId|responseTime|remotePort)":("req-\w+"|[\d.]+)/g, '"$1":0'))
  }

  const text = (): string => [...lines].join('')

  return {
    secrets,
    text,
    answered(statusCode) {
      failed ||= statusCode >= 500
    },
    server(own = {}) {
      const logger = typeof own.logger === 'object' ? own.logger : {}
      const stream = 'stream' in logger ? logger.stream : undefined
      return {
        ...own,
        logger: {
          // As docs/deployment.md asks of the host.
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
        if (at >= 0) throw new Error(`a ${kind} is in the log: ${all.slice(Math.max(0, at - 300), at + 300)}`)
      }
      if (failed) return
      for (const line of lines) {
        const { level, msg } = JSON.parse(line) as { level: number; msg?: string }
        if (level >= 50 && !behindTheAnswer.includes(msg ?? '')) {
          throw new Error(`nothing failed, but the log has an error: ${line}`)
        }
      }
    },
  }
}

/** The names and values of fields, as deep as they go. */
function* pairsOf(fields: unknown): Generator<[string, unknown]> {
  const isText = typeof fields === 'string' || fields instanceof Uint8Array
  // Some bodies are too deep for recursion.
  const open = [isText ? parsed(Buffer.from(fields as string).toString()) : fields]
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
