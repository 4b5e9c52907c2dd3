import fjsCompiler from '@fastify/fast-json-stringify-compiler'
import type { ErrorObject } from 'ajv'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidInput } from '../../errors.js'
import { strictAjv, toFieldErrors } from '../../validation.js'

/** Of a route. */
type OperationSchemas = Partial<Record<'params' | 'body' | 'querystring', object>>

type Serialize = (data: unknown) => string
type Validate = (data: unknown) => true | { error: ErrorObject[] }

/**
 * Gives a scope its own validator and serializer, so the host's settings don't affect it. Each schema is
 * compiled when first needed: compiling all took up most of the start.
 * @param atStart compiles immediately, because a schema that isn't ours may fail to compile
 */
export function setStrictValidation(scope: FastifyInstance, atStart: boolean): void {
  function validators(fromText: boolean): (schema: object) => Validate {
    // The schemas are ours, and your own fields were checked at start.
    const ajv = once(() => strictAjv({ fromText, validateSchema: false }))
    const validatorOf = compiledOnce((schema) => ajv().compile(schema))
    return (schema) => {
      const validator = validatorOf(schema)
      if (atStart) validator()
      return (data) => validator()(data) || { error: validator().errors ?? [] }
    }
  }
  const ofText = validators(true)
  const ofValues = validators(false)
  scope.setValidatorCompiler<object>((route) =>
    (route.httpPart === 'querystring' ? ofText : ofValues)(route.schema),
  )
  scope.setSerializerCompiler(({ schema }) => {
    if (atStart) serializerFor(schema as object)()
    return (data) => toJson(schema as object, data)
  })
  scope.setSchemaErrorFormatter((errors) => invalidInput(...toFieldErrors(errors as ErrorObject[])))
}

/** Made once per schema, because each route is mounted in several spellings. */
function compiledOnce<Compiled>(compile: (schema: object) => Compiled): (schema: object) => () => Compiled {
  const all = new WeakMap<object, () => Compiled>()
  return (schema) => {
    const compiled = all.get(schema) ?? once(() => compile(schema))
    all.set(schema, compiled)
    return compiled
  }
}

const buildSerializer = once(() => fjsCompiler()({}, {}))
const serializerFor = compiledOnce((schema) => buildSerializer()({ schema } as never) as Serialize)

/** What a response of this schema has: it leaves out what the schema doesn't name. */
export const toJson = (schema: object, data: unknown): string => serializerFor(schema)()(data)

/** Checks the parts of a request that Fastify hasn't routed here, as it does with those that it has. */
export function checkParts(scope: FastifyInstance, schemas: OperationSchemas, request: FastifyRequest): void {
  const compile = scope.validatorCompiler as unknown as (route: object) => Validate
  for (const [httpPart, part] of [
    ['params', 'params'],
    ['body', 'body'],
    ['querystring', 'query'],
  ] as const) {
    const schema = schemas[httpPart]
    if (schema === undefined) continue
    const outcome = compile({ schema, httpPart })(request[part])
    if (outcome !== true) throw invalidInput(...toFieldErrors(outcome.error))
  }
}

/** Makes the JSON of a response as Fastify does for a route with these schemas. */
export function serializerOf(
  scope: FastifyInstance,
  { response }: { response: object },
): (status: number, body: object) => string {
  const compile = scope.serializerCompiler as unknown as (route: object) => Serialize
  return (status, body) => {
    const schema: unknown = Reflect.get(response, status)
    if (schema === undefined) return JSON.stringify(body)
    return compile({ schema })(body)
  }
}

function once<Made>(make: () => Made): () => Made {
  let memo: { value: Made } | undefined
  return () => {
    memo ??= { value: make() }
    return memo.value
  }
}
