import { type Command, configOption } from '../command.js'
import { counted, dataOf, userNote, userPositional, withUser } from '../with-user.js'

export const disableUser: Command = {
  name: 'disable-user',
  summary: 'disable a user and end their sessions',
  positionals: userPositional,
  options: configOption,
  notes: [
    userNote,
    'Also ends reset links and remembered devices. Nothing else changes, and no email is sent.',
  ],
  run: (call) =>
    withUser(call, async (found) => {
      const { accounts, user, shown, sessions } = found
      // Also for a disabled one: it ends what someone may have begun since.
      if ((await accounts.updateUser(user.id, { isActive: false })) === null)
        throw new Error(`${shown} was deleted meanwhile`)
      return {
        lines: [
          user.isActive ? `disabled ${shown}` : `${shown} was already disabled`,
          `ended: ${sessions === null ? 'all sessions' : counted(sessions, 'session')}, reset links, remembered devices`,
          'unchanged: password, second factors, passkeys, other providers, data; no email was sent',
          'enable-user undoes it',
        ],
        data: { ...dataOf(found), isActive: false, wasActive: user.isActive },
      }
    }),
}
