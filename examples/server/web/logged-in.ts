/** What every page for logged-in users does. */
import { accounts, goTo } from './client.js'
import { enableDialogs } from './dialogs.js'

export function enablePage(): void {
  enableDialogs()

  // A page from the back/forward cache may belong to a user who has since logged out.
  addEventListener('pageshow', async ({ persisted }) => {
    if (!persisted) return
    const me = await accounts.showMe()
    if (!me.ok && me.error.code === 'ACCOUNTS_LOGIN_REQUIRED') goTo('login/')
  })
}
