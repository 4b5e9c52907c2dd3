/** What every page for logged-in users does. */
import { accounts, goToLogIn, messageOf } from './client.js'
import { enableConfirmation, enableDialogs } from './dialogs.js'
import { get } from './elements.js'
import { enableShowing } from './forms.js'

export function enablePage(): void {
  enableShowing()
  enableDialogs()
  enableConfirmation()

  get('#log-out').addEventListener('click', async () => {
    const result = await accounts.logOut()
    if (result.ok) location.assign('log-in?logged-out')
    else alert(messageOf(result.error))
  })

  // A page from the back/forward cache may belong to a user who has since logged out.
  addEventListener('pageshow', async ({ persisted }) => {
    if (!persisted) return
    const me = await accounts.showMe()
    if (!me.ok && me.error.code === 'ACCOUNTS_LOGIN_REQUIRED') goToLogIn()
  })
}
