import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Host, type TestApp, testAppOn } from '@fastify-accounts/test-support/app'
import type { Stores } from '@fastify-accounts/test-support/grounds'
import type { AccountsOptions, SessionStore } from 'fastify-accounts'
import { vi } from 'vitest'
import { withoutOutbox } from '../../packages/accounts/src/cli/without-outbox.js'
import { type CaseLog, createCaseLog } from './log.js'
import { watchHashes, watchHost, watchMailer, watchRequests } from './log-watch.js'
import { type RawAnswer, sendRaw } from './raw.js'

/** An app on a ground. */
export interface Service extends TestApp<SessionStore> {
  /** Listens on a port of the loopback; asked again, the same. */
  listen(): Promise<number>
  /** Sends these very bytes over a socket of its own, as no client would, and returns what comes back. */
  raw(bytes: string | Buffer): Promise<RawAnswer>
}

/** What a case is handed. */
export interface Scene extends Stores {
  /** An app on the stores of the ground; its tries are limited where `throttle` says so. Closed after the test. */
  start(options?: Partial<AccountsOptions>, host?: Host): Promise<Service>
  /** What all of them have logged, at level trace. After the test it must hold no secret that occurred in it. */
  log: Pick<CaseLog, 'text' | 'secrets'>
  /** Lets milliseconds pass on every clock that matters. */
  wait(milliseconds: number): Promise<void>
}

/** A scene, and how it ends. */
export function setScene(stores: Stores): { scene: Scene; end(): Promise<void> } {
  const services: Service[] = []
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
        // Cases count mails, and log in from nowhere again and again.
        const session = { newDeviceMail: false, ...options.session }
        const asked = { ...options, session, throttle: limited }
        // One of them has the outbox, so that the mails of the others are delivered where they were posted. A case that
        // brings a mailer wants to see mails fail, which takes a day with an outbox.
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
