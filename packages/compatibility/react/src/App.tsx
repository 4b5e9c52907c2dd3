import { useAccount } from './useAccount'

export function App() {
  const { user, error, logIn, logOut } = useAccount()

  return (
    <main>
      {error && <p role="alert">{error.message}</p>}
      {user && (
        <>
          <p>Hello {user.username}</p>
          <button type="button" onClick={logOut}>
            Log out
          </button>
        </>
      )}
      {user === null && (
        <form
          onSubmit={(event) => {
            event.preventDefault()
            const values = new FormData(event.currentTarget)
            logIn(`${values.get('username')}`, `${values.get('password')}`)
          }}
        >
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
      )}
    </main>
  )
}
