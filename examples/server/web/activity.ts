/** The parts of the account page about recent activity, and about a copy of one's data. */

import { type Activity, cursorOf } from '@fastify-accounts/client/activity'
import { accounts, activity } from './client.js'
import { withPassword } from './dialogs.js'
import { get, make, moment, place } from './elements.js'
import { show } from './forms.js'

/** How many entries are shown at a time; a page of the service has more. */
const atATime = 10

/** Shows the latest entries, and makes the buttons work. */
export async function enableActivity(): Promise<void> {
  const section = get('#activity')
  const list = get('#activity-list')
  const older = get<HTMLButtonElement>('#older-activity')
  let loaded: Activity[] = []
  /** Of the page after those; `null` after the last. */
  let cursor: string | null | undefined

  async function showMore(): Promise<void> {
    if (loaded.length === 0 && cursor !== null) {
      const result = await activity.listActivity(cursor === undefined ? {} : { cursor })
      if (!result.ok) return show(section, result.error)
      loaded = result.data.results
      cursor = cursorOf(result.data)
    }
    list.append(...loaded.splice(0, atATime).map(row))
    if (list.childElementCount === 0) list.append(make('li', { class: 'nobody' }, 'Nothing yet.'))
    list.removeAttribute('aria-busy')
    older.hidden = loaded.length === 0 && cursor === null
  }

  older.addEventListener('click', showMore)
  enableExport()
  await showMore()
}

function row({ type, at, actor, device, network, data }: Activity): HTMLLIElement {
  const where = [device, network === null ? null : place(network)].filter((fact) => fact !== null)
  const facts = [...byWhom(actor), ...where].map((fact) => ` · ${fact}`)
  return make(
    'li',
    {},
    make('p', { class: 'device-name' }, make('strong', {}, textOf(type, data))),
    make('p', { class: 'hint' }, moment(at), ...facts),
  )
}

function textOf(type: string, data: object): string {
  if (type !== 'session.refused') return texts[type] ?? type
  return 'count' in data && data.count !== 1
    ? `${data.count} attempts were refused`
    : 'An attempt was refused'
}

/** What a person is told of each type; what an app adds later has its own name. */
const texts: Partial<Record<string, string>> = {
  'user.created': 'Your account was created',
  'user.verified': 'Your email address was confirmed',
  'user.updated': 'Your account was changed',
  'user.email_changed': 'Your email address was changed',
  'user.password_changed': 'Your password was changed',
  'user.disabled': 'Your account was disabled',
  'user.enabled': 'Your account was enabled again',
  'user.roles_changed': 'Your roles were changed',
  'user.handed_over': 'The account was handed over to the owner of its email address',
  'user.secured': 'Your account was secured',
  'invitation.created': 'You invited somebody',
  'invitation.accepted': 'You accepted an invitation',
  'invitation.withdrawn': 'An invitation was withdrawn',
  'organization.created': 'You created an organization',
  'organization.updated': 'You changed an organization',
  'organization.deleted': 'You deleted an organization',
  'member.added': 'You joined an organization',
  'member.roles_changed': 'Your roles in an organization were changed',
  'member.removed': 'You no longer belong to an organization',
  'factor.added': 'Two-step verification was turned on',
  'factor.removed': 'Two-step verification was turned off',
  'passkey.added': 'A passkey was added',
  'passkey.removed': 'A passkey was removed',
  'identity.added': 'A login elsewhere was linked',
  'identity.removed': 'A login elsewhere was unlinked',
  'api_key.added': 'An API key was created',
  'api_key.removed': 'An API key was removed',
  'session.created': 'Logged in',
  'session.ended': 'Logged out',
  'session.tokens_reused': 'A device was logged out, because its login may have been copied',
}

/** Nothing if it was the person. */
function byWhom(actor: Activity['actor']): string[] {
  if (actor === 'request') return []
  return [actor === 'staff' ? 'by our staff' : 'by this app']
}

function enableExport(): void {
  const section = get('#your-data')
  get('#export').addEventListener('click', async () => {
    const result = await withPassword(() => accounts.exportMe())
    if (result === undefined) return
    if (!result.ok) return show(section, result.error)
    const url = URL.createObjectURL(
      new Blob([JSON.stringify(result.data, null, 2)], { type: 'application/json' }),
    )
    make('a', { href: url, download: 'my-data.json' }).click()
    URL.revokeObjectURL(url)
  })
}
