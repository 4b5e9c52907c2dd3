import { maxEmailLength } from '../../identifiers/email.js'

/** A JSON schema, or a part of an OpenAPI document. */
export type Json = { [name: string]: unknown }

const isPassword = /password$/

/** A schema without our own validator's formats. Passwords are marked as such, new ones with their lengths. */
export function forReaders(schema: Json, newPassword: { minLength: number; maxLength: number }): Json {
  const properties = (schema.properties ?? {}) as Record<string, Json>
  const isCreation = 'confirm_password' in properties
  const readable = Object.entries(properties).map(([name, property]) => {
    const { format, ...rest } = property
    if (format !== 'text') return [name, property]
    // The validator allows for surrounding white space.
    if (name === 'email') return [name, { ...rest, maxLength: maxEmailLength }]
    if (!isPassword.test(name)) return [name, rest]
    const isNew = isCreation && name !== 'old_password'
    return [name, { ...rest, format: 'password', ...(isNew && newPassword) }]
  })
  return { ...schema, properties: Object.fromEntries(readable) }
}

/** Parameters with a default are optional, which a validator's schema doesn't say. */
export function queryOf(schema: Json): Json {
  const properties = schema.properties as Record<string, Json>
  const required = ((schema.required ?? []) as string[]).filter(
    (name) => !('default' in (properties[name] ?? {})),
  )
  return { ...schema, required }
}

export function requiredTexts(texts: Readonly<Record<string, string>>): Json {
  const properties = Object.entries(texts).map(([name, description]) => [
    name,
    { type: 'string', description, example: examples[name] },
  ])
  return { type: 'object', required: Object.keys(texts), properties: Object.fromEntries(properties) }
}

/** Values that readers recognize; others are made from their schema. */
const examples: Json = {
  id: '019aa5a0-4f8e-7d7e-8f5c-0a51c5a9d2f1',
  pk: '019aa5a0-4f8e-7d7e-8f5c-0a51c5a9d2f1',
  username: 'ada',
  email: 'ada@example.org',
  password: 'seven-green-lanterns',
  confirm_password: 'nine-red-balloons',
  new_password: 'nine-red-balloons',
  old_password: 'seven-green-lanterns',
  browser: 'Firefox',
  system: 'Linux',
  ip: '192.0.2.7',
  device: 'Firefox, Linux',
  network: '192.0.2.0/24',
  realm: 'accounts',
  remember: true,
  is_verified: false,
  is_staff: false,
  is_active: true,
  has_password: true,
  last_login_at: null,
  detail: 'What happened, in words.',
  next: null,
}

/** An example that the schema allows. */
export function exampleOf(schema: Json, name = ''): unknown {
  if (schema.default !== undefined) return schema.default
  if (Array.isArray(schema.examples)) return schema.examples[0]
  if (schema.const !== undefined) return schema.const
  if (name !== '' && name in examples) return examples[name]
  const [choice] = (schema.anyOf ?? schema.oneOf ?? schema.enum ?? []) as unknown[]
  if (choice !== undefined) return typeof choice === 'object' ? exampleOf(choice as Json, name) : choice
  switch ([schema.type].flat()[0]) {
    case 'object': {
      const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
      const example = Object.fromEntries(properties.map(([key, each]) => [key, exampleOf(each, key)]))
      // Repeats the password: it is next to a different field at creation than at a change.
      if ('confirm_password' in example) example.confirm_password = example.new_password ?? example.password
      return example
    }
    case 'array':
      return [exampleOf((schema.items ?? {}) as Json, name)]
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'null':
      return null
    default:
      return schema.format === 'date-time'
        ? '2026-01-31T09:30:00.000Z'
        : 'text'.padEnd(Number(schema.minLength ?? 0), 't')
  }
}
