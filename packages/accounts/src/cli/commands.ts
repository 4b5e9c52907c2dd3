import type { Command } from './command.js'
import { adopt } from './commands/adopt.js'
import { afterRestore } from './commands/after-restore.js'
import { changeRoles } from './commands/change-roles.js'
import { createUser } from './commands/create-user.js'
import { deleteUnverified } from './commands/delete-unverified.js'
import { disableUser } from './commands/disable-user.js'
import { doctor } from './commands/doctor.js'
import { enableUser } from './commands/enable-user.js'
import { endSessions } from './commands/end-sessions.js'
import { importUsers } from './commands/import.js'
import { init } from './commands/init.js'
import { keys } from './commands/keys.js'
import { migrate } from './commands/migrate.js'
import { outbox } from './commands/outbox.js'
import { rekey } from './commands/rekey.js'
import { reseal } from './commands/reseal.js'
import { resetFactors } from './commands/reset-factors.js'
import { schema } from './commands/schema.js'
import { secret } from './commands/secret.js'
import { secureUser } from './commands/secure-user.js'

/** Every command, in the order of the help text. To add one, create a file in commands/ and list it here. */
export const commands: readonly Command[] = [
  // Setup
  init,
  secret,
  migrate,
  adopt,
  schema,
  doctor,
  // Users
  createUser,
  changeRoles,
  disableUser,
  enableUser,
  keys,
  deleteUnverified,
  // Imports
  importUsers,
  // Incidents
  endSessions,
  resetFactors,
  secureUser,
  afterRestore,
  // Maintenance
  outbox,
  reseal,
  rekey,
]
