import { quantile } from '../statistics.js'
import { connect, type HttpResponse } from './connection.js'
import { familyOf, type ServiceName, usesKeys, usesTokens } from './names.js'
import {
  bytesOf,
  createKey,
  type Exchange,
  logIn,
  type OperationName,
  operationOf,
  type Tokens,
  type Visitor,
} from './operations.js'

export interface LoadSettings {
  service: ServiceName
  operation: OperationName
  port: number
  users: number
  connections: number
}

/** The figures of one round, by the clients' clock. */
export interface Round {
  requests: number
  seconds: number
  /** Milliseconds from a request to its response. */
  p50: number
  p99: number
}

/** The clients of one service for one operation, with a connection each. */
export async function createLoad(settings: LoadSettings) {
  const { service, users, port, connections } = settings
  const operation = operationOf(settings.operation)
  const family = familyOf(service)
  const clients = await Promise.all(
    Array.from({ length: connections }, async (_, at) => {
      const tokens = usesTokens(service) ? { tokens: { access: '', refresh: '' } } : {}
      const visitor: Visitor = { at, of: connections, users, cookie: '', ...tokens }
      return { visitor, connection: await connect(port), turn: 0 }
    }),
  )
  for (const { visitor, connection } of service === 'bare' ? [] : clients) {
    const exchange = logIn[family](visitor, 0)
    const response = await connection.ask(bytesOf(exchange, visitor))
    assertDone(service, exchange, response)
    keep(visitor, response)
    if (!usesKeys(service)) continue
    const keyResponse = await connection.ask(bytesOf(createKey, visitor))
    assertDone(service, createKey, keyResponse)
    visitor.key = (JSON.parse(keyResponse.body) as { key: string }).key
  }

  return {
    /** Sends requests for this long, and waits for the last responses. */
    round(seconds: number): Promise<Round> {
      const end = performance.now() + seconds * 1000
      return exchangeWhile((now) => now < end)
    },

    /** Until the code is compiled: this long and 2,000 requests, but at most 4 times as long if they are slow. */
    warmUp(seconds: number): Promise<Round> {
      const start = performance.now()
      let left = 2000
      return exchangeWhile((now) => {
        const time = (now - start) / 1000
        return time < seconds || (left-- > 0 && time < 4 * seconds)
      })
    },

    /** This many requests, however long they take. */
    requests(count: number): Promise<Round> {
      let left = count
      return exchangeWhile(() => left-- > 0)
    },

    close(): void {
      for (const { connection } of clients) connection.close()
    },
  }

  async function exchangeWhile(on: (now: number) => boolean): Promise<Round> {
    const start = performance.now()
    const times: number[] = []
    const work = clients.map(async (client) => {
      const { visitor, connection } = client
      const make = (turn: number) => {
        const exchange = operation.exchange[family](visitor, turn)
        return { exchange, bytes: bytesOf(exchange, visitor) }
      }
      const same = operation.steady ? make(0) : null
      for (let now = performance.now(); on(now); now = performance.now()) {
        const { exchange, bytes } = same ?? make(client.turn++)
        const response = await connection.ask(bytes)
        times.push(performance.now() - now)
        assertDone(service, exchange, response)
        if (!same && exchange.keeps) keep(visitor, response)
      }
    })
    await Promise.all(work)
    const seconds = (performance.now() - start) / 1000
    return { requests: times.length, seconds, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
  }
}

/** A fast failure is not a fast operation. */
function assertDone(service: string, { path, status, has }: Exchange, response: HttpResponse): void {
  // The bare routes have no users.
  if (service === 'bare' && response.status < 300) return
  if (response.status === status && response.body.includes(has)) return
  throw new Error(`${service}: ${path} returned ${response.status} ${response.body}`)
}

function keep(visitor: Visitor, response: HttpResponse): void {
  if (visitor.tokens) visitor.tokens = tokensOf(response)
  else keepCookies(visitor, response)
}

/** In the body, or as better-auth's plugin sends one, in a header. */
function tokensOf({ head, body }: HttpResponse): Tokens {
  const header = /^set-auth-token: ([^\r]+)/im.exec(head)
  if (header) return { access: header[1] as string, refresh: '' }
  const { tokens } = JSON.parse(body) as { tokens: { access_token: string; refresh_token: string } }
  return { access: tokens.access_token, refresh: tokens.refresh_token }
}

/** As a browser does. */
function keepCookies(visitor: Visitor, { head }: HttpResponse): void {
  const jar = new Map(visitor.cookie === '' ? [] : visitor.cookie.split('; ').map(nameAndValue))
  for (const [, pair = ''] of head.matchAll(/^set-cookie: ([^;\r]+)/gim)) jar.set(...nameAndValue(pair))
  visitor.cookie = [...jar].map((pair) => pair.join('=')).join('; ')
}

function nameAndValue(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}
