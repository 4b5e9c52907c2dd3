import { accounts } from './branches/accounts.js'
import type { Branch } from './branches/branch.js'
import { creation } from './branches/creation.js'
import { host } from './branches/host.js'
import { login } from './branches/logins.js'
import { passwords } from './branches/passwords.js'
import { sessions } from './branches/sessions.js'
import { users } from './branches/users.js'
import { verification } from './branches/verification.js'
import { plainBranches } from './plain-branches.js'

export type { Branch } from './branches/branch.js'

const written: readonly Branch[] = [
  ...login,
  ...sessions,
  ...passwords,
  ...accounts,
  ...creation,
  ...verification,
  ...users,
  ...host,
]

export const branches: readonly Branch[] = [...written, ...(await plainBranches(written))]
