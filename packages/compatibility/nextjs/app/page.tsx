import { redirect } from 'next/navigation'
import { currentUser } from '../lib/accounts'
import { LogOut } from './log-out'

export default async function Home() {
  const user = await currentUser()
  if (user === null) redirect('/login')
  return (
    <main>
      <p>Hello {user.username}</p>
      <LogOut />
    </main>
  )
}
