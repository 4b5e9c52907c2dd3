import { defaultUndoLifetime } from '../../options/options.js'
import { undoableUntil } from '../../user.js'
import type { Command } from '../command.js'
import { counted } from '../counted.js'
import { emailOf } from '../email-of.js'
import { hasInvitations } from '../has-invitations.js'
import { withEmail } from '../with-email.js'
import {
  dataOf,
  deletedMeanwhile,
  endedSessions,
  userNote,
  userOptions,
  userPositional,
} from '../with-user.js'

export const secureUser: Command = {
  name: 'secure-user',
  summary: 'secure the account of a user that someone else got into',
  positionals: userPositional,
  options: {
    yes: { type: 'boolean', description: 'also if the address was changed lately, and may be the thief’s' },
    ...userOptions,
  },
  notes: [
    userNote,
    'As the link "Secure my account" does: ends sessions, disables the password, removes login methods added lately and API keys,',
    'withdraws invitations sent lately, and emails the owner a link to choose a new password, at the address the account has now.',
    "Needs the app's options, so a config module.",
  ],
  run: (call) =>
    withEmail(call, async (found) => {
      const { accounts, user, shown, project } = found
      const { secret, baseUrl, invitationStore } = project.options
      const isBlind = hasInvitations(project.options) && invitationStore === undefined
      // Otherwise the link would be signed with another secret, or lead elsewhere, and invitations would stay.
      if (secret === undefined || baseUrl === undefined || isBlind)
        throw new Error(
          `${project.source} lacks the app's secret, baseUrl or invitationStore: export its options from accounts.config.js, or pass a module with --config`,
        )
      const record = await project.userStore.findById(user.id)
      const { undoLifetime = defaultUndoLifetime } = project.options.links ?? {}
      if (call.values.yes !== true && record !== null && undoableUntil(record, undoLifetime) > Date.now()) {
        throw new Error(
          `the address of ${shown} was changed at ${record.emailChangedAt?.toISOString()}, and ${user.email} would get the link: let the owner open the link to undo that in the email to the old address, which also secures the account, or repeat with --yes`,
        )
      }
      const removed = await accounts.secureUser(user.id)
      if (removed === null) throw deletedMeanwhile(found)
      const { passkeys, apps, recoveryCodes, identities, apiKeys, rememberedDevices, invitations } = removed
      const email = emailOf(found)
      const counts = [
        counted(passkeys, 'passkey'),
        counted(apps, 'authenticator app'),
        counted(recoveryCodes, 'recovery code'),
        counted(identities, 'login with another provider', 'logins with other providers'),
        counted(apiKeys, 'API key'),
        counted(rememberedDevices, 'remembered device'),
        counted(invitations, 'invitation'),
      ]
      return {
        lines: [
          `secured ${shown}`,
          `${endedSessions(found)}, the password, emailed links`,
          `removed: ${counts.join(', ')}`,
          'unchanged: older login methods, address, data',
          user.isActive
            ? email.line
            : 'the user is still disabled, and gets no email: enable-user, then secure-user again',
        ],
        data: {
          ...dataOf(found),
          ...removed,
          isActive: user.isActive,
          mail: user.isActive ? email.state : 'none',
        },
      }
    }),
}
