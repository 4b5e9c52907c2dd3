import { Pool } from 'undici'
import { quantile } from '../statistics.js'
import { arrivals } from './arrivals.js'
import { publicUrl, requests, type ServiceName } from './requests.js'

/** Milliseconds from the first byte sent to the last one read. */
export interface Times {
  count: number
  p50: number
  p99: number
}

export interface Logins {
  /** Of all that were sent: let in, refused with 429 or 503, and those that had no answer in time. */
  sent: number
  letIn: Times | null
  refused: Times | null
  unanswered: number
}

/** How long a client waits for an answer to its login, in milliseconds. */
const patience = 15_000
/** Samples of "who am I" a second. */
const sampleRate = 100

/** The clients of one service, in this process. Each login comes from an address and a user of its own. */
export function createLoad(service: ServiceName, origin: string, users: number) {
  const { loginPath, credentials, mePath } = requests[service]
  const pool = new Pool(origin, {
    connections: 4096,
    connect: { timeout: patience },
    headersTimeout: patience,
    bodyTimeout: patience,
  })
  let clients = 0
  let cookie = ''

  async function send(method: 'GET' | 'POST', path: string, body?: object) {
    const client = clients++
    const start = performance.now()
    const answer = await pool.request({
      method,
      path,
      headers: {
        origin: publicUrl,
        'x-forwarded-for': `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`,
        ...(body ? { 'content-type': 'application/json' } : { cookie }),
      },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, headers: answer.headers, text, time: performance.now() - start }
  }

  const logIn = () => send('POST', loginPath, credentials(clients % users))

  /**
   * How long it takes; where there is no answer in time, as long as that.
   * @throws Error where the answer is not the user who is logged in
   */
  async function me(): Promise<number> {
    const answer = await send('GET', mePath).catch((error) => {
      if (hadNoAnswer(error)) return null
      throw error
    })
    if (answer === null) return patience
    const { status, text, time } = answer
    if (status === 200 && text.includes('user0')) return time
    throw new Error(`${service}: ${mePath} answered ${status} ${text}`)
  }

  return {
    /** Logs one user in, whose session is asked for from then on. */
    async begin(): Promise<void> {
      clients = 0
      const { status, headers, text } = await logIn()
      if (status !== 200) throw new Error(`${service}: login answered ${status} ${text}`)
      cookie = [headers['set-cookie'] ?? []]
        .flat()
        .map((each) => each.split(';')[0])
        .join('; ')
      await me()
    },

    /** Logins a second, of a few clients that log in again and again. */
    async capacity(seconds: number): Promise<number> {
      const start = performance.now()
      const end = start + seconds * 1000
      let done = 0
      const client = async () => {
        while (performance.now() < end) {
          const { status, text } = await logIn()
          if (status !== 200) throw new Error(`${service}: login answered ${status} ${text}`)
          done++
        }
      }
      await Promise.all([client(), client(), client(), client()])
      return (done * 1000) / (performance.now() - start)
    },

    /** Asks "who am I" at a steady rate. */
    async watch(seconds: number): Promise<Times> {
      return timesOf(await sample(performance.now() + seconds * 1000)) as Times
    },

    /** The same while logins arrive; then waits until each has its answer or has lost its patience. */
    async storm(
      seconds: number,
      loginsPerSecond: number,
    ): Promise<{ me: Times; logins: Logins; drain: number }> {
      const end = performance.now() + seconds * 1000
      const letIn: number[] = []
      const refused: number[] = []
      const others: unknown[] = []
      let unanswered = 0
      const pending = new Set<Promise<void>>()
      const arrive = () => {
        const login = logIn()
          .then(({ status, text, time }) => {
            if (status === 200) letIn.push(time)
            else if (status === 429 || status === 503) refused.push(time)
            else others.push(`${status} ${text}`)
          })
          .catch((error) => {
            if (hadNoAnswer(error)) unanswered++
            else others.push(error)
          })
          .finally(() => pending.delete(login))
        pending.add(login)
      }
      const [samples] = await Promise.all([sample(end), arrivals(loginsPerSecond, end, arrive)])
      const sent = letIn.length + refused.length + others.length + unanswered + pending.size
      await Promise.all(pending)
      if (others.length > 0)
        throw new Error(`${service}: ${others.length} logins failed`, { cause: others[0] })
      return {
        me: timesOf(samples) as Times,
        logins: { sent, letIn: timesOf(letIn), refused: timesOf(refused), unanswered },
        drain: (performance.now() - end) / 1000,
      }
    },

    close: () => pool.destroy(),
  }

  async function sample(end: number): Promise<number[]> {
    const asked: Promise<number>[] = []
    await arrivals(sampleRate, end, () => {
      const answer = me()
      // Looked at below; until then a failure is nobody's.
      answer.catch(() => {})
      asked.push(answer)
    })
    return Promise.all(asked)
  }
}

export type Load = ReturnType<typeof createLoad>

function timesOf(times: readonly number[]): Times | null {
  if (times.length === 0) return null
  return { count: times.length, p50: quantile(times, 0.5), p99: quantile(times, 0.99) }
}

/** Too late, or a connection that the server let go because too many were waiting. */
function hadNoAnswer(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return code.endsWith('_TIMEOUT') || code === 'ECONNRESET' || code === 'UND_ERR_SOCKET'
}
