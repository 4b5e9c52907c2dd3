import type { Json } from './openapi-examples.js'

/** Converts JSON Schema to the version of a document, as @fastify/swagger does; OpenAPI 3.0 has no type `null`. */
export function convert(value: unknown, { openapi = '' }: { openapi?: string }): unknown {
  return converted(value, !openapi.startsWith('3.0'))
}

function converted(value: unknown, hasNull: boolean): unknown {
  if (Array.isArray(value)) return value.map((each) => converted(each, hasNull))
  if (typeof value !== 'object' || value === null) return value
  const { const: only, patternProperties, ...rest } = value as Json
  const said: Json = {
    ...rest,
    ...(only !== undefined && { enum: [only] }),
    ...(patternProperties !== undefined && {
      additionalProperties: Object.values(patternProperties as Json)[0],
    }),
  }
  const plain = Object.fromEntries(
    Object.entries(said).map(([name, each]) => [name, converted(each, hasNull)]),
  )
  return hasNull ? plain : withoutNull(withOneExample(plain))
}

function withoutNull(plain: Json): Json {
  const { anyOf, ...others } = plain
  if (Array.isArray(plain.type)) {
    return {
      ...plain,
      type: plain.type.find((each) => each !== 'null'),
      nullable: plain.type.includes('null'),
    }
  }
  if (!Array.isArray(anyOf)) return plain
  const choices: Json[] = anyOf.filter(({ type }) => type !== 'null')
  const nullable = choices.length < anyOf.length ? { nullable: true } : {}
  return choices.length === 1
    ? { ...others, ...choices[0], ...nullable }
    : { ...others, anyOf: choices, ...nullable }
}

/** A schema of OpenAPI 3.0 has one example. Those of a response are an object. */
function withOneExample(schema: Json): Json {
  const { examples, ...others } = schema
  return Array.isArray(examples) ? { ...others, example: examples[0] } : schema
}
