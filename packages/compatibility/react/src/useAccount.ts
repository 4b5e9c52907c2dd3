import type { AccountsClientError, OwnUser } from '@fastify-accounts/client'
import { useEffect, useState } from 'react'
import { accounts } from './accounts'

/** Who is logged in: `null` for nobody, `undefined` until the service has responded. */
export function useAccount() {
  const [user, setUser] = useState<OwnUser | null>()
  const [error, setError] = useState<AccountsClientError>()

  useEffect(() => {
    const unmounted = new AbortController()
    accounts.showMe({ signal: unmounted.signal }).then(
      (me) => {
        if (me.ok) setUser(me.data)
        else if (me.error.code === 'ACCOUNTS_LOGIN_REQUIRED') setUser(null)
        else setError(me.error)
      },
      () => {}, // aborted
    )
    return () => unmounted.abort()
  }, [])

  async function logIn(username: string, password: string) {
    const login = await accounts.logIn({ username, password })
    setError(login.ok ? undefined : login.error)
    if (login.ok) setUser(login.data)
  }

  async function logOut() {
    const logout = await accounts.logOut()
    setError(logout.ok ? undefined : logout.error)
    if (logout.ok) setUser(null)
  }

  return { user, error, logIn, logOut }
}
