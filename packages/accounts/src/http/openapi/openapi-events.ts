import { type Components, named, withReferences } from './openapi-components.js'
import { exampleOf, type Json } from './openapi-examples.js'
import { eventBody, eventData } from './schemas.js'

/** The parts of a document that hold what an app sends by itself. */
export interface WithWebhooks extends Components {
  webhooks?: Json
}

/** The features that bring a group of events: what is before the dot, or a type. Others come without a feature. */
const broughtBy: Readonly<Record<string, readonly string[]>> = {
  invitation: ['invitations'],
  factor: ['second-factor', 'passkeys'],
  passkey: ['passkeys'],
  identity: ['providers'],
  api_key: ['api-keys'],
  service: ['api-keys'],
  'session.tokens_reused': ['tokens'],
}

/** The `data` of each type of event that a mount with these features has; of types that they bring, any object. */
export function eventsOf(
  features: readonly { name: string; events?: readonly string[] }[],
): Readonly<Record<string, object>> {
  const isOn = (type: string): boolean => {
    const [group = ''] = type.split('.')
    const names = broughtBy[type] ?? broughtBy[group]
    return names === undefined || features.some(({ name }) => names.includes(name))
  }
  const own = features.flatMap(({ events = [] }) => events).map((type) => [type, { type: 'object' }])
  return Object.fromEntries([...Object.entries(eventData).filter(([type]) => isOn(type)), ...own])
}

/**
 * Adds the events of a mount to a document, unless it has them or is older than OpenAPI 3.1.
 * @param name of the mount there: its decorator, or with a number
 */
export function addWebhooks(
  document: WithWebhooks,
  name: string,
  events: Readonly<Record<string, object>>,
): void {
  if (document.openapi?.startsWith('3.0')) return
  const types = Object.entries(events).filter(
    ([type]) => document.webhooks?.[`${name}.${type}`] === undefined,
  )
  if (types.length === 0) return
  const ours = types.map(([type, data]) => [`${name}.${type}`, { post: request(name, type, data) }])
  document.webhooks = {
    ...document.webhooks,
    ...(withReferences(Object.fromEntries(ours), document, pascalCase(name)) as Json),
  }
}

function request(name: string, type: string, data: object): Json {
  const title = pascalCase(type)
  return {
    operationId: `${name}${title}`,
    summary: `The event ${type}`,
    description: 'Sent at least once, not in order.',
    tags: [name],
    security: [],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: named(`${title}Event`, eventSchema(type, data)) } },
    },
    responses: { '2XX': { description: 'Received' }, '4XX': { description: 'Refused' } },
  }
}

function eventSchema(type: string, data: object): Json {
  const narrowed = {
    type: 'object',
    required: ['type', 'data'],
    properties: { type: { type: 'string', enum: [type] }, data },
  }
  const example = { ...(exampleOf(eventBody) as Json), ...(exampleOf(narrowed) as Json) }
  return { allOf: [named('Event', eventBody), narrowed], examples: [example] }
}

/** `user.created` is `UserCreated`. */
function pascalCase(text: string): string {
  return text.replaceAll(/(?:^|[._-])(\w)/g, (_, letter: string) => letter.toUpperCase())
}
