import type { User, Users } from './users.js'

/** Maps, and one array in order of creation. */
export function createMemoryUsers(): Users {
  const byId = new Map<string, User>()
  const byUsername = new Map<string, User>()
  const byEmail = new Map<string, User>()
  const all: User[] = []
  return {
    byId: (id) => byId.get(id),
    byUsername: (username) => byUsername.get(username),
    byEmail: (email) => byEmail.get(email),
    insert(user) {
      if (byUsername.has(user.username) || byEmail.has(user.email)) return false
      byId.set(user.id, user)
      byUsername.set(user.username, user)
      byEmail.set(user.email, user)
      all.push(user)
      return true
    },
    noteLogin(id, at) {
      const user = byId.get(id)
      if (user) user.last_login_at = at
    },
    setPassword(id, hash) {
      const user = byId.get(id)
      if (user) user.password_hash = hash
    },
    page(limit, { createdAt, id }) {
      let [from, to] = [0, all.length]
      while (from < to) {
        const middle = (from + to) >> 1
        const user = all[middle] as User
        if (user.created_at > createdAt || (user.created_at === createdAt && user.id > id)) to = middle
        else from = middle + 1
      }
      return all.slice(from, from + limit)
    },
  }
}
