import { AccountsError } from '../../errors.js'
import type { Feature } from '../../features/feature.js'
import type { HostApiKey } from '../../index.js'
import { day } from '../../options/time.js'
import type { ApiKeyRules } from '../../tokens/api-key.js'
import { type Call, type Command, type Report, textOf, textsOf, UsageError } from '../command.js'
import { emailOf } from '../email-of.js'
import { withEmail } from '../with-email.js'
import { dataOf, deletedMeanwhile, type Found, userOptions } from '../with-user.js'

const usage = 'keys list <user>, keys create <user> --name <text> --scope <scope>, keys revoke <user> <id>'
const creating = ['name', 'scope', 'days'] as const

export const keys: Command = {
  name: 'keys',
  summary: 'list, create or revoke API keys',
  positionals: { text: 'list | create | revoke <user> [<id>]', count: 2, most: 3 },
  options: {
    name: { type: 'string', value: 'text', description: 'with create: for the owner to recognize it' },
    scope: { type: 'string', multiple: true, value: 'scope', description: 'with create: what it may do' },
    days: {
      type: 'string',
      value: 'number',
      description: 'with create: until it expires, at most 365; as in your options by default',
    },
    ...userOptions,
  },
  notes: [
    '<user> is a username, an email address or an id; or the username or id of a service account.',
    'A new key is printed once and stored nowhere. Users get an email, service accounts have no address.',
    "Needs the app's features, so a config module.",
  ],
  async run(call) {
    const { values, positionals } = call
    const [action = '', user = '', id] = positionals
    const createsWith = creating.filter((name) => values[name] !== undefined)
    const isRight =
      action === 'revoke' ? id !== undefined : ['list', 'create'].includes(action) && id === undefined
    if (!isRight || (action !== 'create' && createsWith.length > 0))
      throw new UsageError(`wrong usage: ${usage}`)
    return withEmail(
      { ...call, positionals: [user] },
      (found) => {
        const rules = rulesOf(found)
        if (action === 'list') return list(found)
        return action === 'create' ? create(found, rules, values) : revoke(found, id ?? '')
      },
      { services: true },
    )
  },
}

function rulesOf({ project: { options, source } }: Found): Pick<ApiKeyRules, 'scopes'> {
  const features = (options.features ?? []) as readonly Feature[]
  const rules = features.map(({ enables }) => enables?.apiKeys).find((each) => each !== undefined)
  if (rules !== undefined) return rules
  throw new Error(
    `no apiKeys() in the options of ${source}: write accounts.config.js with the app's features, or pass it with --config`,
  )
}

async function list(found: Found): Promise<Report> {
  const listed = await found.accounts.listApiKeys(found.user.id)
  if (listed === null) throw deletedMeanwhile(found)
  return {
    lines: [`API keys of ${found.shown}: ${listed.length}`, ...listed.map(lineOf)],
    data: { ...dataOf(found), keys: listed },
  }
}

/** Names may contain terminal control sequences. */
function lineOf({ id, name, scopes, resource, expiresAt, lastUsedOn }: HostApiKey): string {
  const expiry = expiresAt.getTime() < Date.now() ? 'expired' : 'expires'
  const use = lastUsedOn === null ? 'never used' : `last used ${lastUsedOn}`
  const place = resource === null ? '' : ` for ${resource}`
  const line = `${id}  ${name}  ${scopes.join(' ')}${place}  ${expiry} ${expiresAt.toISOString().slice(0, 10)}, ${use}`
  return line.replaceAll(/\p{Cc}+/gu, ' ')
}

async function create(
  found: Found,
  { scopes: allScopes }: Pick<ApiKeyRules, 'scopes'>,
  values: Call['values'],
): Promise<Report> {
  const name = textOf(values, 'name')
  const scopes = textsOf(values, 'scope')
  const days = textOf(values, 'days')
  if (name === undefined || scopes.length === 0) throw new UsageError('create requires --name and --scope')
  const unknown = scopes.find((scope) => !allScopes.has(scope))
  if (unknown !== undefined)
    throw new UsageError(
      `--scope must be one of apiKeys.scopes: ${[...allScopes.keys()].join(', ')}; got ${unknown}`,
    )
  if (days !== undefined && !(/^[1-9]\d{0,2}$/.test(days) && Number(days) <= 365))
    throw new UsageError(`--days must be a whole number from 1 to 365, got ${days}`)
  const input = { name, scopes, ...(days !== undefined && { lifetime: Number(days) * day }) }
  const { key, ...apiKey } = await found.accounts.createApiKey(found.user.id, input).catch(explain)
  const email = emailOf(found)
  return {
    lines: [
      `created an API key of ${found.shown}, until ${apiKey.expiresAt.toISOString().slice(0, 10)}: ${apiKey.id}`,
      email.line,
      'It is shown only this once:',
      key,
    ],
    data: { ...dataOf(found), key, apiKey, mail: email.state },
  }
}

/** Puts the field errors into the one line. */
function explain(error: unknown): never {
  if (!(error instanceof AccountsError) || error.fields === undefined) throw error
  throw new Error(error.fields.map(({ field, message }) => `${field}: ${message}`).join(' '))
}

async function revoke(found: Found, id: string): Promise<Report> {
  if (!(await found.accounts.removeApiKey(found.user.id, id)))
    throw new Error(`${found.shown} has no API key ${id}; \`keys list\` shows the ids`)
  const email = emailOf(found)
  return {
    lines: [`revoked ${id} of ${found.shown}: it no longer works`, email.line],
    data: { ...dataOf(found), revoked: id, mail: email.state },
  }
}
