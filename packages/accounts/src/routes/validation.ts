import fjsCompiler from '@fastify/fast-json-stringify-compiler'
import { Ajv, type ErrorObject } from 'ajv'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import { type FieldError, type FieldErrorCode, fieldError, invalidInput } from '../errors.js'

/**
 * Gives a scope a validator and a serializer of its own, so that what the host has set changes nothing here.
 * Fastify's default validator turns 0 into "0" and `["a"]` into "a"; this one says no.
 */
export function setStrictValidation(scope: FastifyInstance): void {
  const strict = makeAjv(false)
  // What stands in a query is text by nature.
  const fromText = makeAjv(true)
  const compile: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
    (httpPart === 'querystring' ? fromText : strict).compile(schema)
  scope.setValidatorCompiler(compile)
  const buildSerializer = fjsCompiler()({}, {})
  scope.setSerializerCompiler((route) => buildSerializer(route as never) as (data: unknown) => string)
  scope.setSchemaErrorFormatter((errors) =>
    invalidInput(...dedupe(errors.map((each) => toFieldError(each as ErrorObject)))),
  )
}

function makeAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({ allErrors: true, coerceTypes, useDefaults: true, removeAdditional: false })
  ajv.addFormat('text', (value: string) => value.isWellFormed() && !value.includes('\0'))
  ajv.addFormat('date-time', true)
  return ajv
}

function toFieldError(error: ErrorObject): FieldError {
  const field = error.instancePath.slice(1).split('/')[0] ?? ''
  switch (error.keyword) {
    case 'required':
      return fieldError(String(error.params.missingProperty), 'required')
    case 'additionalProperties':
      return fieldError(String(error.params.additionalProperty), 'unknown')
    case 'minLength':
      return fieldError(field, error.params.limit === 1 ? 'required' : 'too_short')
    case 'maxLength':
      return fieldError(field, 'too_long')
    default:
      return fieldError(field, 'invalid')
  }
}

/** One fault a field: the one that comes first in this order. */
const order: readonly FieldErrorCode[] = ['required', 'unknown', 'too_long', 'too_short', 'invalid']

function dedupe(errors: FieldError[]): FieldError[] {
  const byField = new Map<string, FieldError>()
  for (const error of errors) {
    const known = byField.get(error.field)
    if (known === undefined || order.indexOf(error.code) < order.indexOf(known.code))
      byField.set(error.field, error)
  }
  return [...byField.values()]
}
