import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Host, type TestApp, testAppOn } from '@fastify-accounts/test-support/app'
import type { Stores } from '@fastify-accounts/test-support/grounds'
import type { AccountsOptions, SessionStore } from 'fastify-accounts'
import { vi } from 'vitest'
import { type CaseLog, createCaseLog } from './log.js'
import { watchHashes, watchHost, watchMailer, watchRequests } from './log-watch.js'
import { type RawResponse, sendRaw } from './raw.js'

/** An app on a ground. */
export interface Service extends TestApp<SessionStore> {
  /** Listens on loopback and returns the port; later calls return the same one. */
  listen(): Promise<number>
  /** Sends exactly these bytes, valid HTTP or not, over a new socket. */
  raw(bytes: string | Buffer): Promise<RawResponse>
}

/** What a case receives. */
export interface Scene extends Stores {
  /** Starts an app on the stores of the ground, with rate limits only if `throttle` is given. Closed after the test. */
  start(options?: Partial<AccountsOptions>, host?: Host): Promise<Service>
  /** The logs of all these apps, at level trace. After the test they must contain none of its secrets. */
  log: Pick<CaseLog, 'text' | 'secrets'>
  /** Advances every clock that matters. */
  wait(milliseconds: number): Promise<void>
}

/** A scene, and its cleanup. */
export function setScene(stores: Stores): { scene: Scene; end(): Promise<void> } {
  const services: Service[] = []
  const clock = stores.users.now
  const ofInvitations = stores.invitations.now
  let waited = 0
  const log = createCaseLog()
  watchHashes(stores, log)
  return {
    scene: {
      ...stores,
      log,
      async start({ throttle = false, ...options } = {}, host = {}) {
        const limited = throttle && { store: stores.throttle, ...throttle }
        if (options.mailer) options.mailer = watchMailer(options.mailer, log)
        for (const each of [options.secret].flat()) log.secrets.add('secret', each)
        // Cases count emails, and often log in from a new device.
        const session = { newDeviceMail: false, ...options.session }
        // On a busy machine a call or a hash may take seconds; cases of deadlines and of waiting for a hash set their own.
        const password = { concurrency: 64, ...options.password }
        const asked = { adapterTimeout: 60_000, ...options, session, throttle: limited, password }
        // Only one app uses the outbox, so the others deliver the emails they post. A case with its own mailer tests
        // failing emails, which an outbox would retry for a day.
        const hasOutbox = services.length === 0 && options.mailer === undefined
        const own = hasOutbox ? stores : { ...stores, users: withoutOutbox(stores.users) }
        const started = await testAppOn(own, asked, watchHost(host, log))
        Object.assign(started.mailer, watchMailer({ ...started.mailer }, log))
        const service = watchRequests({ ...started, ...sockets(started) }, log)
        services.push(service)
        return service
      },
      async wait(milliseconds) {
        if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ['Date'] })
        vi.setSystemTime(Date.now() + milliseconds)
        // The database's clock goes on as this process's does, but never stands still, since it dates what is posted.
        waited += milliseconds
        if (clock) stores.users.now = async () => new Date((await clock()).getTime() + waited)
        if (ofInvitations)
          stores.invitations.now = async () => new Date((await ofInvitations()).getTime() + waited)
        // That of the sessions stands still with this process's, so no case depends on how busy the machine is.
        if (stores.sessions.now) stores.sessions.now = async () => new Date()
        await stores.age(milliseconds)
      },
    },
    async end() {
      vi.useRealTimers()
      for (const { app } of services) await app.close()
      log.check()
    },
  }
}

function sockets({ app }: TestApp<SessionStore>): Pick<Service, 'listen' | 'raw'> {
  async function listen(): Promise<number> {
    if (!app.server.listening) {
      app.server.listen(0, '127.0.0.1')
      await once(app.server, 'listening')
    }
    return (app.server.address() as AddressInfo).port
  }
  return { listen, raw: async (bytes) => sendRaw(await listen(), bytes) }
}

/** The same store without its outbox; later changes to it remain visible. */
function withoutOutbox<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get(target, key) {
      if (key === 'outbox') return undefined
      const value: unknown = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
