import { isUtf8 } from 'node:buffer'
import { parse } from 'node:querystring'
import type { FastifyInstance } from 'fastify'
import { type AccountsError, type FieldDetail, fieldError, invalidInput } from '../errors.js'

/** The largest body, in bytes: many times the longest password and a few fields. */
export const bodyLimit: number = 16 * 1024

/** Only JSON and form bodies, whatever parsers the host has. An empty body is a request without fields. */
export function setBodyParsers(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  const parseJson = scope.getDefaultJsonParser('error', 'error')

  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer', bodyLimit },
    (request, body: Buffer, done) => {
      if (body.length === 0) return done(null, {})
      if (!isUtf8(body)) return done(malformed('body_utf8'))
      if (body[0] === 0xef && body[1] === 0xbb) return done(malformed('body_bom'))
      parseJson(request, body.toString(), (error, parsed) => {
        done(error ? malformed('body_json') : null, parsed)
      })
    },
  )

  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer', bodyLimit },
    (_request, body: Buffer, done) => {
      // Lenient decoders map different malformed bytes to the same characters, so two passwords to one.
      const text = body.toString()
      if (!isUtf8(body) || !isDecodable(text)) return done(malformed('body_form'))
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

function malformed(text: Extract<FieldDetail, { text: string }>['text']): AccountsError {
  return invalidInput(fieldError('', 'invalid', { text }))
}
