import type { Feature } from '../../features/feature.js'
import type { Command } from '../command.js'
import { counted } from '../counted.js'
import { emailOf } from '../email-of.js'
import { withEmail } from '../with-email.js'
import { dataOf, deletedMeanwhile, userNote, userOptions, userPositional } from '../with-user.js'

export const resetFactors: Command = {
  name: 'reset-factors',
  summary: 'remove the second factors and passkeys of a user who has lost them',
  positionals: userPositional,
  options: userOptions,
  notes: [
    userNote,
    'Keeps passkeys without which the user could not log in. Emails the owner. Sessions continue.',
    "Needs the app's features, so a config module.",
  ],
  run: (call) =>
    withEmail(call, async (found) => {
      const { accounts, user, shown, project } = found
      const features = (project.options.features ?? []) as readonly Feature[]
      if (!features.some(({ factors }) => factors !== undefined))
        throw new Error(
          `no second factor or passkeys in the options of ${project.source}: write accounts.config.js with the app's features, or pass it with --config`,
        )
      const reset = await accounts.resetUserFactors(user.id)
      if (reset === null) throw deletedMeanwhile(found)
      const { factors, apps, recoveryCodes, passkeys, keptPasskeys } = reset
      const kept =
        keptPasskeys === 0
          ? []
          : [`kept: ${counted(keptPasskeys, 'passkey')}, because they could not log in otherwise`]
      const email = factors.length + apps + recoveryCodes + passkeys === 0 ? null : emailOf(found)
      const data = { ...dataOf(found), ...reset, mail: email?.state ?? 'none' }
      if (email === null)
        return {
          lines: [`${shown} has no second factor and no passkey to remove; nothing changed`, ...kept],
          data,
        }
      const removed = [
        counted(apps, 'authenticator app'),
        counted(recoveryCodes, 'recovery code'),
        counted(passkeys, 'passkey'),
      ]
      return {
        lines: [
          `reset the second factors of ${shown}`,
          `removed: ${removed.join(', ')}`,
          ...kept,
          'unchanged: password, other providers, and sessions, which end-sessions ends',
          email.line,
        ],
        data,
      }
    }),
}
