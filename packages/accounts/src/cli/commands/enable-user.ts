import type { Command } from '../command.js'
import { dataOf, deletedMeanwhile, userNote, userOptions, userPositional, withUser } from '../with-user.js'

export const enableUser: Command = {
  name: 'enable-user',
  summary: 'enable a disabled user',
  positionals: userPositional,
  options: userOptions,
  notes: [userNote, 'No email is sent.'],
  run: (call) =>
    withUser(call, async (found) => {
      const { accounts, user, shown } = found
      if (!user.isActive && (await accounts.updateUser(user.id, { isActive: true })) === null)
        throw deletedMeanwhile(found)
      return {
        lines: user.isActive
          ? [`${shown} was already enabled; nothing changed`]
          : [
              `enabled ${shown}`,
              user.hasPassword
                ? 'They can log in again.'
                : 'They can log in again, but not with a password: the account has none.',
              'unchanged: sessions, API keys, reset links and remembered devices from before stay ended; no email was sent',
            ],
        data: { ...dataOf(found), isActive: true, wasActive: user.isActive },
      }
    }),
}
