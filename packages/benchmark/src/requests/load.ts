import { quantile } from '../statistics.js'
import { createAuthenticator } from './authenticator.js'
import { type Answer, type Connection, connect } from './connection.js'
import { type Family, familyOf, type ServiceName } from './names.js'
import {
  bytesOf,
  type Exchange,
  type Operation,
  type OperationName,
  operations,
  ownLogin,
  passkeysEach,
  secretPath,
  signUpWithPasskey,
  type Visitor,
} from './operations.js'

export interface LoadSettings {
  service: ServiceName
  operation: OperationName
  port: number
  users: number
  connections: number
  /** Concurrent requests on each connection. */
  pipelining: number
}

/** The figures of one round, by the clients' clock. */
export interface Round {
  requests: number
  seconds: number
  /** Milliseconds from a request to its answer. */
  p50: number
  p99: number
}

/** The clients of one service for one operation, with a connection each. */
export async function createLoad(settings: LoadSettings) {
  const { service, users, port, connections, pipelining } = settings
  const operation: Operation = operations[settings.operation]
  const family = familyOf(service)
  const clients = await Promise.all(
    Array.from({ length: connections }, async (_, at) => {
      const visitor: Visitor = {
        at,
        of: connections,
        users,
        cookie: '',
        deepPage: '',
        appSecret: '',
        authenticator: createAuthenticator(),
        passkeys: [],
        options: { challenge: '' },
      }
      return { visitor, connection: await connect(port), turn: 0 }
    }),
  )
  if (operation.setup?.secondFactor) await learnSecret(clients)
  else if (settings.operation === 'log-in-passkey') await makePasskeys(service, clients)
  else if (service !== 'bare' && !operation.setup?.passkeys)
    for (const { visitor, connection } of clients) await logIn(family, visitor, connection)
  if (settings.operation === 'list-deep' && family === 'accounts') await findDeepPage(clients)

  return {
    /** Sends requests for this long, and waits for the last answers. */
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
      let same: { exchange: Exchange; bytes: string } | null = null
      const make = (turn: number) => {
        const exchange = operation.exchange[family](visitor, turn)
        return { exchange, bytes: bytesOf(exchange, visitor) }
      }
      const asked: { exchange: Exchange; at: number }[] = []
      await connection.exchange(
        operation.steady ? pipelining : 1,
        () => {
          const now = performance.now()
          if (!on(now)) return null
          if (operation.steady) same ??= make(0)
          const { exchange, bytes } = same ?? make(client.turn++)
          asked.push({ exchange, at: now })
          return bytes
        },
        (answer) => {
          const { exchange, at } = asked.shift() as { exchange: Exchange; at: number }
          times.push(performance.now() - at)
          assertDone(service, exchange, answer)
          if (!operation.steady) learn(visitor, exchange, answer)
        },
      )
    })
    await Promise.all(work)
    const elapsed = (performance.now() - start) / 1000
    return {
      requests: times.length,
      seconds: elapsed,
      p50: quantile(times, 0.5),
      p99: quantile(times, 0.99),
    }
  }
}

/** A fast failure is not a fast operation. */
function assertDone(service: string, { path, status, has }: Exchange, answer: Answer): void {
  // The bare routes have no users.
  if (service === 'bare' && answer.status < 300) return
  if (answer.status === status && answer.body.includes(has)) return
  throw new Error(`${service}: ${path} answered ${answer.status} ${answer.body}`)
}

async function ask(connection: Connection, exchange: Exchange, visitor: Visitor): Promise<Answer> {
  const requests = [bytesOf(exchange, visitor)]
  const answers: Answer[] = []
  await connection.exchange(
    1,
    () => requests.shift() ?? null,
    (answer) => answers.push(answer),
  )
  return answers[0] as Answer
}

async function logIn(family: Family, visitor: Visitor, connection: Connection): Promise<void> {
  const exchange = ownLogin(family, visitor)
  const answer = await ask(connection, exchange, visitor)
  assertDone(family, exchange, answer)
  keepCookie(visitor, answer)
}

/** As a browser does. */
function keepCookie(visitor: Visitor, { head }: Answer): void {
  const jar = new Map(visitor.cookie === '' ? [] : visitor.cookie.split('; ').map(nameAndValue))
  for (const [, pair = ''] of head.matchAll(/^set-cookie: ([^;\r]+)/gim)) jar.set(...nameAndValue(pair))
  visitor.cookie = [...jar].map((pair) => pair.join('=')).join('; ')
}

function nameAndValue(pair: string): [string, string] {
  const at = pair.indexOf('=')
  return [pair.slice(0, at), pair.slice(at + 1)]
}

/** What a browser keeps of an answer. */
function learn(visitor: Visitor, { cookie, options }: Exchange, answer: Answer): void {
  if (cookie === 'new') visitor.cookie = ''
  if (cookie) keepCookie(visitor, answer)
  if (options) visitor.options = JSON.parse(answer.body) as Visitor['options']
}

async function makePasskeys(
  service: string,
  clients: readonly { visitor: Visitor; connection: Connection }[],
): Promise<void> {
  await Promise.all(
    clients.map(async ({ visitor, connection }) => {
      for (let turn = 0; turn < 2 * passkeysEach; turn++) {
        const exchange = signUpWithPasskey(visitor, turn, 'holder')
        const answer = await ask(connection, exchange, visitor)
        assertDone(service, exchange, answer)
        learn(visitor, exchange, answer)
      }
    }),
  )
}

async function learnSecret(clients: readonly { visitor: Visitor; connection: Connection }[]): Promise<void> {
  for (const { visitor, connection } of clients) {
    const exchange: Exchange = { method: 'GET', path: secretPath, status: 200, has: '' }
    visitor.appSecret = (await ask(connection, exchange, visitor)).body
  }
}

/** Walks the list to its last full page. */
async function findDeepPage(clients: readonly { visitor: Visitor; connection: Connection }[]): Promise<void> {
  const [first] = clients
  if (!first) return
  let path = '/user/?limit=50'
  for (;;) {
    const exchange: Exchange = { method: 'GET', path, cookie: true, status: 200, has: 'results' }
    const answer = await ask(first.connection, exchange, first.visitor)
    assertDone('list', exchange, answer)
    const { results, next } = JSON.parse(answer.body) as { results: object[]; next: string | null }
    if (results.length === 50) for (const { visitor } of clients) visitor.deepPage = path
    if (next === null || results.length < 50) return
    const { pathname, search } = new URL(next)
    path = pathname + search
  }
}
