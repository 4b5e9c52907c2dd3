import type { AccountsClientError, OwnUser } from '@fastify-accounts/client'
import { ref } from 'vue'
import { accounts } from './accounts'

/** Who is logged in: `null` for nobody, `undefined` until the service has responded. */
const user = ref<OwnUser | null>()
const error = ref<AccountsClientError>()

async function load() {
  const me = await accounts.showMe()
  if (me.ok) user.value = me.data
  else if (me.error.code === 'ACCOUNTS_LOGIN_REQUIRED') user.value = null
  else error.value = me.error
}

async function logIn(username: string, password: string) {
  const login = await accounts.logIn({ username, password })
  error.value = login.ok ? undefined : login.error
  if (login.ok) user.value = login.data
}

async function logOut() {
  const logout = await accounts.logOut()
  error.value = logout.ok ? undefined : logout.error
  if (logout.ok) user.value = null
}

export function useAccount() {
  return { user, error, load, logIn, logOut }
}
