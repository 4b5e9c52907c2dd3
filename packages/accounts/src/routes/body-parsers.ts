import { isUtf8 } from 'node:buffer'
import formbody from '@fastify/formbody'
import type { FastifyInstance } from 'fastify'
import { fieldError, invalidInput } from '../errors.js'

/** The largest body, in bytes: the longest password and a few fields fit many times over. */
export const bodyLimit: number = 16 * 1024

/** JSON and form bodies and nothing else, whatever parsers the host has. */
export async function setBodyParsers(scope: FastifyInstance): Promise<void> {
  scope.removeAllContentTypeParsers()
  const parseJson = scope.getDefaultJsonParser('error', 'error')
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit },
    (request, body: Buffer, done) => {
      // An empty body is a request without fields. Bytes that are no UTF-8 would become other characters.
      if (body.length === 0) return done(null, {})
      if (!isUtf8(body)) return done(invalidInput(fieldError('', 'invalid', 'The body must be UTF-8.')))
      if (body[0] === 0xef)
        return done(invalidInput(fieldError('', 'invalid', 'The body must not begin with a BOM.')))
      parseJson(request, body.toString(), (error, parsed) => {
        if (error) return done(invalidInput(fieldError('', 'invalid', 'The body must be JSON.')))
        done(null, parsed)
      })
    },
  )
  await scope.register(formbody, { bodyLimit })
}
