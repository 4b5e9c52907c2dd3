import fjsCompiler from '@fastify/fast-json-stringify-compiler'
import type { ErrorObject } from 'ajv'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import { invalidInput } from '../errors.js'
import { strictAjv, toFieldErrors } from '../validation.js'

/** Gives a scope a validator and a serializer of its own, so that what the host has set changes nothing here. */
export function setStrictValidation(scope: FastifyInstance): void {
  const strict = strictAjv({ fromText: false })
  const fromText = strictAjv({ fromText: true })
  const compile: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
    (httpPart === 'querystring' ? fromText : strict).compile(schema)
  scope.setValidatorCompiler(compile)
  const buildSerializer = fjsCompiler()({}, {})
  scope.setSerializerCompiler((route) => buildSerializer(route as never) as (data: unknown) => string)
  scope.setSchemaErrorFormatter((errors) => invalidInput(...toFieldErrors(errors as ErrorObject[])))
}
