import fjsCompiler from '@fastify/fast-json-stringify-compiler'
import type { ErrorObject } from 'ajv'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import { invalidInput } from '../errors.js'
import { strictAjv, toFieldErrors } from '../validation.js'

/** Gives a scope a validator and a serializer of its own, so that what the host has set changes nothing here. */
export function setStrictValidation(scope: FastifyInstance): void {
  // The schemas are ours, and those of the integrator's fields were checked at start.
  const strict = strictAjv({ fromText: false, validateSchema: false })
  const fromText = strictAjv({ fromText: true, validateSchema: false })
  const compile: FastifySchemaCompiler<object> = ({ schema, httpPart }) =>
    (httpPart === 'querystring' ? fromText : strict).compile(schema)
  scope.setValidatorCompiler(compile)
  const buildSerializer = fjsCompiler()({}, {})
  // Each route is mounted in two spellings; Ajv knows by itself what it has compiled.
  const serializers = new WeakMap<object, (data: unknown) => string>()
  scope.setSerializerCompiler((route) => {
    const schema = route.schema as object
    const known = serializers.get(schema)
    if (known !== undefined) return known
    const made = buildSerializer(route as never) as (data: unknown) => string
    serializers.set(schema, made)
    return made
  })
  scope.setSchemaErrorFormatter((errors) => invalidInput(...toFieldErrors(errors as ErrorObject[])))
}
