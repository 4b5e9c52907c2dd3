'use client'

import { createAccountsClient } from '@fastify-accounts/client'
import { useRouter } from 'next/navigation'

const accounts = createAccountsClient({ baseUrl: '/accounts' })

export function LogOut() {
  const router = useRouter()
  const logOut = async () => {
    const { ok } = await accounts.logOut()
    if (ok) router.refresh()
  }
  return (
    <button type="button" onClick={logOut}>
      Log out
    </button>
  )
}
