import type { Command } from '../command.js'
import {
  dataOf,
  deletedMeanwhile,
  endedSessions,
  userNote,
  userOptions,
  userPositional,
  withUser,
} from '../with-user.js'

export const disableUser: Command = {
  name: 'disable-user',
  summary: 'disable a user and end their sessions',
  positionals: userPositional,
  options: userOptions,
  notes: [userNote, 'Also ends API keys, reset links and remembered devices. No email is sent.'],
  run: (call) =>
    withUser(call, async (found) => {
      const { accounts, user, shown } = found
      // Also for a disabled one: it ends what someone may have begun since.
      if ((await accounts.updateUser(user.id, { isActive: false })) === null) throw deletedMeanwhile(found)
      return {
        lines: [
          user.isActive ? `disabled ${shown}` : `${shown} was already disabled`,
          `${endedSessions(found)}, API keys, reset links, remembered devices`,
          'unchanged: password, second factors, passkeys, other providers, data; no email was sent',
          'enable-user lets the user log in again',
        ],
        data: { ...dataOf(found), isActive: false, wasActive: user.isActive },
      }
    }),
}
