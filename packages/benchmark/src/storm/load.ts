import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { password, publicUrl } from '../people.js'
import { familyOf, type ServiceName } from '../requests/names.js'
import { logIn, operations } from '../requests/operations.js'
import { createTally, hadNoResponse, type Outcomes, patience, type Times, timesOf } from './outcomes.js'

/** Samples of "who am I" per second. */
const sampleRate = 100

/** How a logged-in user sends a wrong password: it is hashed, and the session stays as it is. */
const wrongPassword = {
  accounts: { path: '/confirm/', body: { password: 'not-it' } },
  'better-auth': {
    path: '/api/auth/change-password',
    body: { currentPassword: 'not-it', newPassword: password },
  },
}

/** Arrivals per second. */
export interface Rates {
  insiders: number
  strangers: number
  devices: number
}

/** The clients of one service, in this process. Each login comes from an address and a user of its own. */
export function createLoad(service: ServiceName, port: number, users: number) {
  const family = familyOf(service)
  const person = (at: number) => ({ at, of: 1, users, cookie: '' })
  const pool = new Pool(`http://127.0.0.1:${port}`, {
    connections: 4096,
    connect: { timeout: patience },
    headersTimeout: patience,
    bodyTimeout: patience,
  })
  let clients = 0
  let cookie = ''
  let insiders: string[] = []
  let devices: { cookies: string; user: number }[] = []

  async function send(method: 'GET' | 'POST', path: string, body?: object, session = '') {
    const client = clients++
    const start = performance.now()
    const response = await pool.request({
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
    const text = await response.body.text()
    return { status: response.statusCode, headers: response.headers, text, time: performance.now() - start }
  }

  const logInAs = (at: number, cookies?: string) => {
    const { path, body } = logIn[family](person(at), 0)
    return send('POST', path, body, cookies)
  }
  const logInNext = () => logInAs(clients % users)

  /** Logs in a user, and returns the cookies of the session. */
  async function sessionOf(at: number): Promise<string> {
    const { status, headers, text } = await logInAs(at)
    if (status !== 200) throw new Error(`${service}: login returned ${status} ${text}`)
    return [headers['set-cookie'] ?? []]
      .flat()
      .map((each) => each.split(';')[0])
      .join('; ')
  }

  /**
   * How long it takes; if there is no response in time, the time limit.
   * @throws Error if the response is not the user who is logged in
   */
  async function me(): Promise<number> {
    const { path, has } = operations.me.exchange[family](person(0))
    const response = await send('GET', path, undefined, cookie).catch((error) => {
      if (hadNoResponse(error)) return null
      throw error
    })
    if (response === null) return patience
    const { status, text, time } = response
    if (status === 200 && text.includes(has)) return time
    throw new Error(`${service}: ${path} returned ${status} ${text}`)
  }

  return {
    /** Logs in one user, whose session is used from then on. */
    async begin(): Promise<void> {
      cookie = await sessionOf(0)
      await me()
    },

    /** Logins per second, by a few clients that log in again and again. */
    async capacity(seconds: number): Promise<number> {
      const start = performance.now()
      let done = 0
      const client = async () => {
        while (performance.now() < start + seconds * 1000) {
          const { status, text } = await logInNext()
          if (status !== 200) throw new Error(`${service}: login returned ${status} ${text}`)
          done++
        }
      }
      await Promise.all([client(), client(), client(), client()])
      return (done * 1000) / (performance.now() - start)
    },

    /** Asks "who am I" at a steady rate. */
    async watch(seconds: number): Promise<Times> {
      const waits: Promise<number>[] = []
      await arrivals(sampleRate, performance.now() + seconds * 1000, () => {
        const response = me()
        // Checked below; until then a failure is ignored.
        response.catch(() => {})
        waits.push(response)
      })
      return timesOf(await Promise.all(waits)) as Times
    },

    /** Sends logins, then waits until each has its response or has timed out; `drain` is how many seconds that took. */
    async storm(seconds: number, loginsPerSecond: number): Promise<{ logins: Outcomes; drain: number }> {
      const end = performance.now() + seconds * 1000
      const tally = createTally(200)
      await arrivals(loginsPerSecond, end, () => tally.add(logInNext()))
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
      const end = performance.now() + seconds * 1000
      const { path, body } = wrongPassword[family]
      const [inside, outside, regulars] = [createTally(400), createTally(200), createTally(200)]
      let turn = 0
      const waiting = devices.values()
      await Promise.all([
        arrivals(rates.insiders, end, () =>
          inside.add(send('POST', path, body, insiders[turn++ % insiders.length])),
        ),
        arrivals(rates.strangers, end, () => outside.add(logInNext())),
        arrivals(rates.devices, end, () => {
          const { value: device } = waiting.next()
          if (device) regulars.add(logInAs(device.user, device.cookies))
        }),
      ])
      return {
        insiders: await inside.outcomes(),
        strangers: await outside.outcomes(),
        devices: await regulars.outcomes(),
      }
    },

    close: () => pool.destroy(),
  }
}

export type Load = ReturnType<typeof createLoad>

/**
 * Calls at a steady rate, no matter how long each call's work takes: as people arrive, not as a queue moves.
 * @param arrive must not throw; is not waited for
 * @param end when no more arrive, by `performance.now()`
 */
export async function arrivals(perSecond: number, end: number, arrive: () => void): Promise<void> {
  const start = performance.now()
  for (let count = 0; ; count++) {
    const due = start + (count * 1000) / perSecond
    if (due >= end) return
    const early = due - performance.now()
    if (early > 0) await sleep(early)
    arrive()
  }
}
