import type { Report, Values } from '../command.js'
import { counted } from '../counted.js'
import type { ImportCounts } from './run.js'

/** What the command tells people and scripts. */
export function report(
  counts: ImportCounts,
  values: Values,
  { isApp, errorsFile, time }: { isApp: boolean; errorsFile: string | null; time: number },
): Report {
  const { lines, created, updated, existing, rejected, withoutPassword, unreadable, addressNames } = counts
  const { withFactor, withPasskey, withIdentity, withApiKey, proofsLeft } = counts
  const seconds = Math.round(time / 100) / 10
  const dryRun = values['dry-run'] === true
  const read = counted(lines, 'line')
  const told = [
    dryRun
      ? `${read} read, ${rejected} rejected, nothing imported (--dry-run).`
      : `${read} in ${seconds} s: ${created} created, ${updated} updated, ${existing} existing, ${rejected} rejected.`,
  ]
  if (withoutPassword > 0) {
    const who = counted(withoutPassword, 'user has', 'users have')
    told.push(`${who} no password hash and must choose a password.`)
  }
  if (unreadable > 0) {
    const who = counted(unreadable, 'user has', 'users have')
    told.push(
      `${who} a hash that the app cannot verify. It is kept: set passwordHasher to one that reads it (@fastify-accounts/hashes), or they must choose a password.`,
    )
  }
  if (addressNames > 0) {
    const who = counted(addressNames, 'user has', 'users have')
    told.push(
      `${who} a username that is an email address, but not their own. They keep it, but the address logs in the person who verifies it. npx fastify-accounts doctor lists them.`,
    )
  }
  const proofs = [
    ...(withFactor > 0 ? [`${withFactor} with a second factor`] : []),
    ...(withPasskey > 0 ? [`${withPasskey} with passkeys`] : []),
    ...(withIdentity > 0 ? [`${withIdentity} with identities at other providers`] : []),
    ...(withApiKey > 0 ? [`${withApiKey} with API keys`] : []),
  ]
  if (proofs.length > 0) told.push(`Among them ${proofs.join(', ')}.`)
  if (proofsLeft > 0) {
    const who = counted(proofsLeft, 'existing user lacks', 'existing users lack')
    told.push(
      `${who} second factors or identities of the file. --update adds them to users who haven’t logged in or been changed since the import.`,
    )
  }
  if (values.invite === true) told.push(...toldOfInvitations(counts, dryRun))
  if (!isApp) told.push('Without accounts.config.js, the hashes can’t be checked.')
  if (errorsFile !== null) told.push(`Rejected lines and their reasons: ${errorsFile}`)
  return {
    lines: told,
    data: { ...counts, dryRun, seconds, errorsFile },
    ok: rejected + counts.inviteFailed === 0,
  }
}

function toldOfInvitations(counts: ImportCounts, dryRun: boolean): string[] {
  const { invited, invitedBefore, notInvited, unreachable, inviteFailed } = counts
  const before = invitedBefore > 0 ? `; ${invitedBefore} had an open invitation before` : ''
  const told = [`${counted(invited, 'user')} ${dryRun ? 'would be invited' : 'invited'}${before}.`]
  if (inviteFailed > 0)
    told.push(`${counted(inviteFailed, 'user')} could not be invited. Run the import again.`)
  if (notInvited > 0) {
    const who = counted(notInvited, 'user was', 'users were')
    told.push(
      `${who} not invited, because their address is verified or they have rights: they choose a password with "forgot password".`,
    )
  }
  if (unreachable > 0) {
    const who = counted(unreachable, 'user is', 'users are')
    told.push(`${who} disabled or without an address, and got no invitation.`)
  }
  return told
}
