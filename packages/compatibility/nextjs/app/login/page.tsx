'use client'

import { type AccountsClientError, createAccountsClient } from '@fastify-accounts/client'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'

const accounts = createAccountsClient({ baseUrl: '/accounts' })

export default function Login() {
  const router = useRouter()
  const [error, setError] = useState<AccountsClientError>()

  async function logIn(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const values = new FormData(event.currentTarget)
    const login = await accounts.logIn({
      username: `${values.get('username')}`,
      password: `${values.get('password')}`,
    })
    if (!login.ok) return setError(login.error)
    router.push('/')
    router.refresh()
  }

  return (
    <main>
      {error && <p role="alert">{error.message}</p>}
      <form onSubmit={logIn}>
        <label>
          Username or email address
          <input name="username" autoComplete="username" required />
        </label>
        <label>
          Password
          <input name="password" type="password" autoComplete="current-password" required />
        </label>
        <button type="submit">Log in</button>
      </form>
    </main>
  )
}
