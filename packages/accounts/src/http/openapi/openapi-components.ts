import { isDeepStrictEqual } from 'node:util'
import { convert } from './openapi-conversion.js'
import { exampleOf, type Json } from './openapi-examples.js'

/** The parts of an OpenAPI document that hold what its operations refer to. */
export interface Components {
  openapi?: string
  components?: { schemas?: Json; securitySchemes?: Json }
}

/** A symbol, so validators and serializers don't see it; the same in all copies, because features also name schemas. */
const componentName = Symbol.for('fastify-accounts.component')

/**
 * Names a schema of ours: in an OpenAPI document it appears once, as a component, and generated clients have a type
 * with its name.
 */
export function named<Schema extends object>(name: string, schema: Schema): Schema {
  return { ...schema, [componentName]: name }
}

/** The name given by `named`, if any: the schema becomes a component, which has its own example. */
export function nameOf(schema: object): string | undefined {
  return (schema as { [componentName]?: string })[componentName]
}

/** The components that we have added to a document, by their names there. */
const added = new WeakMap<object, Map<string, Json>>()

/**
 * Moves the named schemas in a part of the document to its components, and refers to them there.
 * @param prefix of their names: the host, and other realms, have schemas of their own
 */
export function withReferences(part: unknown, document: Components, prefix: string): unknown {
  const definitions = added.get(document) ?? new Map<string, Json>()
  added.set(document, definitions)
  return referring(part)

  function referring(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(referring)
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(([key, each]) => [key, referring(each)])
    const plain: Json = Object.fromEntries(entries)
    const name = nameOf(value)
    if (name === undefined) return plain
    const full = prefix + name
    // Different schemas may not share a name: the second stays where it is.
    return add(full, { examples: [exampleOf(value as Json)], ...plain })
      ? { $ref: `#/components/schemas/${full}` }
      : plain
  }

  function add(name: string, schema: Json): boolean {
    const ours = definitions.get(name)
    if (ours !== undefined) return isDeepStrictEqual(ours, schema)
    const { components = {} } = document
    const { schemas = {} } = components
    if (Object.hasOwn(schemas, name)) return false
    definitions.set(name, schema)
    document.components = { ...components, schemas: { ...schemas, [name]: convert(schema, document) } }
    return true
  }
}
