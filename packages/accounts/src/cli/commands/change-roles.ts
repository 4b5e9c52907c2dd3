import { checkedRoles } from '../checked-roles.js'
import { type Command, textsOf, UsageError } from '../command.js'
import { deletedMeanwhile, userNote, userOptions, userPositional, withUser } from '../with-user.js'

export const changeRoles: Command = {
  name: 'change-roles',
  summary: 'grant roles to a user, or revoke them',
  positionals: userPositional,
  options: {
    add: { type: 'string', multiple: true, value: 'role', description: 'a role to give; repeatable' },
    remove: { type: 'string', multiple: true, value: 'role', description: 'a role to take away; repeatable' },
    staff: { type: 'boolean', description: 'make the user a member of staff' },
    'no-staff': { type: 'boolean', description: 'remove the user from staff' },
    ...userOptions,
  },
  notes: [
    userNote,
    'Takes effect at once: sessions go on with the new rights. No email is sent.',
    'Without --add, --remove, --staff and --no-staff it only shows what the user has.',
  ],
  async run(call) {
    const { values } = call
    const [staff, noStaff] = [values.staff === true, values['no-staff'] === true]
    if (staff && noStaff) throw new UsageError('--staff and --no-staff exclude each other')
    return withUser(call, async (found) => {
      const { accounts, user, shown, project } = found
      const add = checkedRoles(textsOf(values, 'add'), project.options)
      const remove = checkedRoles(textsOf(values, 'remove'), project.options)
      const both = add.find((role) => remove.includes(role))
      if (both !== undefined) throw new UsageError(`${both} can't be both added and removed`)
      const roleNames = Object.keys(project.options.roles ?? {})
      const before = user.roles.filter((role) => roleNames.includes(role))
      const roles = [...new Set([...before, ...add])].filter((role) => !remove.includes(role))
      const changesRoles = add.length > 0 || remove.length > 0
      const changes = {
        ...(changesRoles && { roles }),
        ...((staff || noStaff) && { isStaff: staff }),
      }
      const hasChanges = Object.keys(changes).length > 0
      const after = hasChanges ? await accounts.updateUser(user.id, changes) : user
      if (after === null) throw deletedMeanwhile(found)
      const listed = after.roles.length === 0 ? 'none' : after.roles.join(', ')
      return {
        lines: [`${shown}`, `staff: ${after.isStaff ? 'yes' : 'no'}`, `roles: ${listed}`],
        data: { id: user.id, isStaff: after.isStaff, roles: after.roles },
      }
    })
  },
}
