import { createListCursor, type ListPosition, type MountCore, readPage } from 'fastify-accounts/features'
import type { Page } from '../page.js'
import type { OrganizationPageQuery } from './host-organizations.js'

/**
 * The page of a list that a call asks for.
 * @param list names the list, in its cursors
 * @throws AccountsError ACCOUNTS_INVALID_INPUT for the cursor of another list
 */
export async function readCallPage<T>(
  { options }: Pick<MountCore, 'options'>,
  list: string,
  { cursor }: OrganizationPageQuery = {},
  read: (after: ListPosition | undefined) => Promise<Page<T>>,
): Promise<{ results: T[]; next: string | null }> {
  return readPage(createListCursor(options.secret), list, cursor, read)
}
