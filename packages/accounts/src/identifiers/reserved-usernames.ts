import { fold } from './fold.js'

/** Names that could be mistaken for the service itself, or for parts of its paths. */
const names = `
abuse account accounts admin administrator anonymous api api-root auth billing change-password
contact d daemon everyone forgot guest help hostmaster info list localhost login logout mail
mailer-daemon me moderator nobody no-reply noreply null official operator owner postmaster register
reset root security self signin signup ssl-admin staff status superuser support sysadmin system
undefined user users v verify webmaster www
`

export const reservedUsernames: ReadonlySet<string> = new Set(names.trim().split(/\s+/).map(fold))
