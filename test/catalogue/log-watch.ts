import type { Host } from '@fastify-accounts/test-support/app'
import type { Stores } from '@fastify-accounts/test-support/grounds'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Mailer } from 'fastify-accounts'
import type { CaseLog } from './log.js'
import type { Service } from './service.js'

/** Records the password hashes written to a store as secrets. */
export function watchHashes({ users, sessions: { withUsers } }: Stores, { secrets }: CaseLog): void {
  const { create, update } = users
  users.create = (user, ...mails) => {
    secrets.add('hash', user.passwordHash)
    return create(user, ...mails)
  }
  users.update = (id, changes, ...rest) => {
    secrets.add('hash', changes.passwordHash)
    return update(id, changes, ...rest)
  }
  if (withUsers?.update === undefined) return
  const { update: updateBoth } = withUsers
  withUsers.update = (id, changes, ...rest) => {
    secrets.add('hash', changes.passwordHash)
    return updateBoth(id, changes, ...rest)
  }
}

/** Records the links in the emails passed to a mailer as secrets. */
export function watchMailer(mailer: Mailer, { secrets }: CaseLog): Mailer {
  return {
    send(mail) {
      secrets.addLinks(mail.text)
      return mailer.send(mail)
    },
    close: async () => mailer.close?.(),
  }
}

/** Makes a host write to the log, keep its own lines free of secrets as docs/deployment.md asks, and record cookies and tokens. */
export function watchHost(host: Host, log: CaseLog): Host {
  return {
    server: log.server(host.server),
    async before(app) {
      app.addHook('onRequest', async ({ headers }) => {
        log.secrets.addCookies(headers.cookie)
        log.secrets.add('token', headers['accounts-state'])
        log.secrets.addTokens(headers.authorization)
      })
      app.addHook('onSend', async (_request, reply, payload) => {
        log.secrets.add('token', reply.getHeader('accounts-state'))
        log.secrets.addTokens(payload)
        return payload
      })
      app.addHook('onResponse', async (_request, reply) => {
        log.secrets.addCookies(reply.getHeader('set-cookie'))
        log.responded(reply.statusCode)
      })
      await host.before?.(app)
      setQuietNotFound(app)
    },
  }
}

/** Replaces Fastify's own handler, which logs the path. */
function setQuietNotFound(app: FastifyInstance): void {
  try {
    app.setNotFoundHandler((_request, reply) => {
      reply.code(404).send({ statusCode: 404, error: 'Not Found', message: 'Not found.' })
    })
  } catch {
    // The case has set its own handler.
  }
}

/** Records the passwords in requests, even those that no parser ever sees. */
export function watchRequests(service: Service, { secrets }: CaseLog): Service {
  const { app, raw } = service
  const inject = app.inject.bind(app) as (...args: unknown[]) => unknown
  function injectWatched(...args: unknown[]): unknown {
    const [request] = args
    const { url, query, payload, body } = (
      typeof request === 'string' ? { url: request } : (request ?? {})
    ) as InjectOptions
    secrets.addFields(String(url ?? '').split('?')[1])
    for (const fields of [query, payload, body]) {
      secrets.addFields(fields)
      secrets.addTokens(JSON.stringify(fields))
    }
    return inject(...args)
  }
  app.inject = injectWatched as typeof app.inject
  return {
    ...service,
    raw(bytes) {
      const [head = '', ...rest] = Buffer.from(bytes as string)
        .toString('latin1')
        .split('\r\n\r\n')
      secrets.addFields(/\?(\S+)/.exec(head)?.[1])
      secrets.addCookies(/^cookie: (.*)$/im.exec(head)?.[1])
      secrets.addFields(rest.join('\r\n\r\n'))
      return raw(bytes)
    },
  }
}
