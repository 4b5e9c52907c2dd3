import type { Deps } from '../../deps.js'
import { invalidInput } from '../../errors.js'
import { checkNewPassword } from '../../passwords/password-policy.js'
import { clearAttempts } from '../../throttle/throttle.js'
import { onUser } from '../../users/host-accounts.js'
import { ownershipChanges } from '../../users/ownership/table.js'

export async function setPassword(
  deps: Pick<Deps, 'users' | 'passwords' | 'throttle' | 'options'>,
  userId: string,
  password: string,
): Promise<boolean> {
  const changed = await onUser(deps, userId, async (user) => {
    const fault = checkNewPassword('password', password, user, deps.options.password)
    if (fault !== null) throw invalidInput(fault)
    const passwordHash = await deps.passwords.hashNew({ password, field: 'password' }, user, 'known')
    return deps.users.change(user, (current) =>
      ownershipChanges('password-vouched', current, deps.options, { passwordHash }),
    )
  })
  if (changed !== null) clearAttempts(deps.throttle, changed)
  return changed !== null
}
