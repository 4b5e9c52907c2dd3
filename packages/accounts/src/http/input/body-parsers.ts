import { isUtf8 } from 'node:buffer'
import { parse as parseForm } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AccountsError, type FieldDetail, fieldError, invalidInput } from '../../errors.js'
import { bodyLimit, readBody, tooLarge } from './read-body.js'

type Done = (error: Error | null, body?: unknown) => void

/** Only JSON and form bodies, whatever parsers the host has. An empty body is a request without fields. */
export function setBodyParsers(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  const parseJson = scope.getDefaultJsonParser('error', 'error')

  function parse(
    type: string,
    parseBytes: (request: FastifyRequest, body: Buffer, done: Done) => void,
  ): void {
    scope.addContentTypeParser(type, (request, stream, done) => {
      readBody(request, stream, (error, body) => {
        if (body === undefined) done(error)
        else parseBytes(request, body, done)
      })
    })
  }

  parse('application/json', (request, body, done) => {
    if (body.length === 0) return done(null, {})
    if (!isUtf8(body)) return done(malformed('body_utf8'))
    if (body[0] === 0xef && body[1] === 0xbb) return done(malformed('body_bom'))
    parseJson(request, body.toString(), (error, parsed) => {
      done(error ? malformed('body_json') : null, parsed)
    })
  })

  parse('application/x-www-form-urlencoded', (_request, body, done) => {
    // Lenient decoders map different malformed bytes to the same characters, so two passwords to one.
    const text = body.toString()
    if (!isUtf8(body) || !isDecodable(text)) return done(malformed('body_form'))
    const form = parseForm(text)
    // A page of ours asks once for a new password, as it can be shown.
    if (typeof form.new_password === 'string') form.confirm_password ??= form.new_password
    done(null, form)
  })
}

/** Copies a value as JSON has it, under the same rules; nothing stays nothing. */
export function jsonCopier(scope: FastifyInstance): (value: unknown, request: FastifyRequest) => unknown {
  const parseJson = scope.getDefaultJsonParser('error', 'error')
  return (value, request) => {
    const text = jsonOf(value)
    if (text === undefined) return undefined
    if (Buffer.byteLength(text) > bodyLimit) throw tooLarge()
    let copy: unknown
    // Not later: it has the text.
    parseJson(request, text, (error, parsed) => {
      if (error) throw malformed('body_json')
      copy = parsed
    })
    return copy
  }
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    throw malformed('body_json')
  }
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
