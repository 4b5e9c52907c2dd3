import type { AccountsOptions } from '../index.js'
import { UsageError } from './command.js'

/** @throws UsageError that names the roles there are, which the error of `app.accounts` does not */
export function checkedRoles(names: readonly string[], { roles }: Partial<AccountsOptions>): string[] {
  if (names.length > 0 && roles === undefined)
    throw new UsageError('roles need the option roles: set it in accounts.config.js')
  const roleNames = Object.keys(roles ?? {})
  const unknown = names.find((name) => !roleNames.includes(name))
  if (unknown !== undefined)
    throw new UsageError(`${unknown} is not in the option roles, which has ${roleNames.join(', ')}`)
  return [...new Set(names)]
}
