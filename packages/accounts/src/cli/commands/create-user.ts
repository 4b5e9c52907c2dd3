import { AccountsError } from '../../errors.js'
import type { CreateUserInput, UserFields } from '../../index.js'
import { checkedRoles } from '../checked-roles.js'
import { type Call, type Command, configOption, textOf, textsOf, UsageError } from '../command.js'
import { namesOf, withProject } from '../project.js'

export const createUser: Command = {
  name: 'create-user',
  summary: 'create a user, such as the first member of staff',
  options: {
    username: { type: 'string', value: 'name', description: 'required, unless `users.names` says otherwise' },
    email: { type: 'string', value: 'address', description: 'none by default' },
    staff: { type: 'boolean', description: 'a member of staff' },
    role: {
      type: 'string',
      multiple: true,
      value: 'name',
      description: 'a role of the option `roles`',
    },
    verified: { type: 'boolean', description: 'the address counts as verified' },
    field: {
      type: 'string',
      multiple: true,
      value: 'name=value',
      description: 'a custom field; the value is JSON or else a string',
    },
    ...configOption,
  },
  notes: [
    'Prompts twice for the password, without showing it; without a terminal it is the first line of standard input.',
    'It is never an argument, because others on the machine can read those.',
  ],
  async run(call) {
    const { values, cwd } = call
    const username = textOf(values, 'username')
    const email = textOf(values, 'email')
    if (username === undefined && email === undefined) throw new UsageError('--username is required')
    const fields = fieldsOf(textsOf(values, 'field'))
    return withProject({ cwd, config: textOf(values, 'config') }, async ({ options, assertWhole }) => {
      if (username === undefined && namesOf(options) === 'required')
        throw new UsageError('--username is required')
      await assertWhole()
      const input: CreateUserInput & { fields: UserFields } = {
        username,
        password: await readPassword(call),
        email: email ?? null,
        isStaff: values.staff === true,
        roles: checkedRoles(textsOf(values, 'role'), options),
        isVerified: values.verified === true,
        fields,
      }
      // Loading the plugin takes a second, which other commands should skip.
      const { withAccounts } = await import('../with-accounts.js')
      const { id } = await withAccounts(options, (accounts) => accounts.createUser(input)).catch(explain)
      return { lines: [`created ${username ?? email} (${id})`], data: { id, username, email } }
    })
  },
}

async function readPassword({ terminal }: Call): Promise<string> {
  const password = await terminal.password('Password:')
  if (terminal.interactive && (await terminal.password('Password again:')) !== password) {
    throw new Error('the passwords don’t match')
  }
  return password
}

function fieldsOf(assignments: readonly string[]): UserFields {
  const fields: UserFields = {}
  for (const each of assignments) {
    const at = each.indexOf('=')
    if (at < 1) throw new UsageError(`--field requires name=value, got ${each}`)
    fields[each.slice(0, at)] = jsonOrText(each.slice(at + 1))
  }
  return fields
}

function jsonOrText(text: string): UserFields[string] {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Puts the field errors into the one line. */
function explain(error: unknown): never {
  if (!(error instanceof AccountsError) || error.fields === undefined) throw error
  throw new Error(error.fields.map(({ field, message }) => `${field}: ${message}`).join(' '))
}
