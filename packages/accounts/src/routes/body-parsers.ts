import { isUtf8 } from 'node:buffer'
import { parse } from 'node:querystring'
import type { FastifyInstance } from 'fastify'
import { type AccountsError, fieldError, invalidInput } from '../errors.js'

/** The largest body, in bytes: the longest password and a few fields fit many times over. */
export const bodyLimit: number = 16 * 1024

/** JSON and form bodies and nothing else, whatever parsers the host has. An empty body is a request without fields. */
export function setBodyParsers(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  const parseJson = scope.getDefaultJsonParser('error', 'error')

  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit },
    (request, body: Buffer, done) => {
      if (body.length === 0) return done(null, {})
      if (!isUtf8(body)) return done(malformed('The body must be UTF-8.'))
      if (body[0] === 0xef && body[1] === 0xbb) return done(malformed('The body must not begin with a BOM.'))
      parseJson(request, body.toString(), (error, parsed) => {
        done(error ? malformed('The body must be JSON.') : null, parsed)
      })
    },
  )

  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit },
    (_request, body: Buffer, done) => {
      // Lenient decoders turn different malformed bytes into the same characters: two passwords into one.
      const text = body.toString()
      if (!isUtf8(body) || !isDecodable(text))
        return done(malformed('The body must be percent-encoded UTF-8.'))
      done(null, parse(text))
    },
  )
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

function malformed(message: string): AccountsError {
  return invalidInput(fieldError('', 'invalid', message))
}
