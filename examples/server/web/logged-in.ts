/** What every page for whoever is logged in does. */
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

  // A page that the browser kept for going back may be that of somebody who is logged out by now.
  addEventListener('pageshow', async ({ persisted }) => {
    if (!persisted) return
    const me = await accounts.showMe()
    if (!me.ok && me.error.code === 'ACCOUNTS_LOGIN_REQUIRED') goToLogIn()
  })
}
