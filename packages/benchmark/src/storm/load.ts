import { Pool } from 'undici'
import { arrivals } from './arrivals.js'
import { createTally, hadNoAnswer, type Outcomes, patience, type Times, timesOf } from './outcomes.js'
import { publicUrl, type Requests, requests, type ServiceName } from './requests.js'

/** Samples of "who am I" per second. */
const sampleRate = 100

/** Arrivals per second. */
export interface Rates {
  insiders: number
  strangers: number
  devices: number
}

/** The clients of one service, in this process. Each login comes from an address and a user of its own. */
export function createLoad(service: ServiceName, origin: string, users: number) {
  const { loginPath, credentials, mePath, wrongPassword }: Requests = requests[service]
  const pool = new Pool(origin, {
    connections: 4096,
    connect: { timeout: patience },
    headersTimeout: patience,
    bodyTimeout: patience,
  })
  let clients = 0
  let cookie = ''
  let insiders: string[] = []
  let devices: { cookies: string; user: number }[] = []

  async function send(method: 'GET' | 'POST', path: string, body?: object, session = body ? '' : cookie) {
    const client = clients++
    const start = performance.now()
    const answer = await pool.request({
      method,
      path,
      headers: {
        origin: publicUrl,
        'x-forwarded-for': `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client & 255}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(session && { cookie: session }),
      },
      body: body ? JSON.stringify(body) : null,
    })
    const text = await answer.body.text()
    return { status: answer.statusCode, headers: answer.headers, text, time: performance.now() - start }
  }

  const logIn = () => send('POST', loginPath, credentials(clients % users))

  /** Logs in a user whose session is used from then on. */
  async function sessionOf(at: number): Promise<string> {
    const { status, headers, text } = await send('POST', loginPath, credentials(at))
    if (status !== 200) throw new Error(`${service}: login answered ${status} ${text}`)
    return [headers['set-cookie'] ?? []]
      .flat()
      .map((each) => each.split(';')[0])
      .join('; ')
  }

  /**
   * How long it takes; if there is no answer in time, the time limit.
   * @throws Error if the answer is not the user who is logged in
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
    /** Logs in one user, whose session is used from then on; returns it. */
    async begin(): Promise<string> {
      clients = 0
      cookie = await sessionOf(0)
      await me()
      return cookie
    },

    /** Uses a session that began in another process. */
    async resume(session: string): Promise<void> {
      cookie = session
      await me()
    },

    /** Logins per second, by a few clients that log in again and again. */
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
      const asked: Promise<number>[] = []
      await arrivals(sampleRate, performance.now() + seconds * 1000, () => {
        const answer = me()
        // Checked below; until then a failure is ignored.
        answer.catch(() => {})
        asked.push(answer)
      })
      return timesOf(await Promise.all(asked)) as Times
    },

    /** Sends logins, then waits until each has its answer or has timed out. */
    async storm(seconds: number, loginsPerSecond: number): Promise<{ logins: Outcomes; drain: number }> {
      const end = performance.now() + seconds * 1000
      const tally = createTally(service, 200)
      await arrivals(loginsPerSecond, end, () => tally.add(logIn()))
      const logins = await tally.outcomes()
      return { logins, drain: (performance.now() - end) / 1000 }
    },

    /** Logs in this many users as insiders, and as many others whose browsers keep their cookies. */
    async gather(insiderCount: number, deviceCount: number): Promise<void> {
      insiders = []
      while (insiders.length < insiderCount) insiders.push(await sessionOf(insiders.length + 1))
      devices = []
      while (devices.length < deviceCount) {
        const user = insiderCount + devices.length + 1
        devices.push({ cookies: await sessionOf(user), user })
      }
    },

    /**
     * Insiders, each in turn, send a wrong password; strangers log in, and so do people whose browsers have logged in
     * before, each once.
     */
    async insiders(seconds: number, rates: Rates): Promise<Record<keyof Rates, Outcomes>> {
      if (!wrongPassword) throw new Error(`${service} has no insiders`)
      const end = performance.now() + seconds * 1000
      const [inside, outside, known] = [
        createTally(service, 400),
        createTally(service, 200),
        createTally(service, 200),
      ]
      const { path, body } = wrongPassword
      let turn = 0
      const guess = () => inside.add(send('POST', path, body, insiders[turn++ % insiders.length]))
      const waiting = devices.values()
      const logInAgain = () => {
        const { value: device } = waiting.next()
        if (device) known.add(send('POST', loginPath, credentials(device.user), device.cookies))
      }
      await Promise.all([
        arrivals(rates.insiders, end, guess),
        arrivals(rates.strangers, end, () => outside.add(logIn())),
        arrivals(rates.devices, end, logInAgain),
      ])
      return {
        insiders: await inside.outcomes(),
        strangers: await outside.outcomes(),
        devices: await known.outcomes(),
      }
    },

    /** This many logins at once. */
    burst(count: number): Promise<Outcomes> {
      const tally = createTally(service, 200)
      for (let sent = 0; sent < count; sent++) tally.add(logIn())
      return tally.outcomes()
    },

    close: () => pool.destroy(),
  }
}

export type Load = ReturnType<typeof createLoad>
