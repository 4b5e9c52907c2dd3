import type { FastifyInstance } from 'fastify'
import { publicUrl } from '../names.js'
import { secretPath } from '../operations.js'

/** Returns the secret shared by all users' authenticator apps to the clients, once it is known. */
export function addSecretRoute(app: FastifyInstance): { set(secret: string): void } {
  let known = ''
  app.get(secretPath, async () => known)
  return {
    set(secret) {
      known = secret
    },
  }
}

/** The browser of a user who sets up an authenticator app before the measurement. */
export function createBrowser(app: FastifyInstance) {
  let cookie = ''
  return async <Answer>(path: string, body: object = {}): Promise<Answer> => {
    const answer = await app.inject({
      method: 'POST',
      url: path,
      payload: body,
      headers: { host: new URL(publicUrl).host, origin: publicUrl, cookie },
    })
    if (answer.statusCode !== 200) throw new Error(`${path} answered ${answer.statusCode} ${answer.body}`)
    const cookies = answer.cookies.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`)
    if (cookies.length > 0) cookie = cookies.join('; ')
    return answer.json() as Answer
  }
}
