import { named, type Row } from '../parts/rows.js'
import type { ShownAccount } from './shown-account.js'

/** What `showEmailChange` responds. */
export interface EmailChange {
  email: string | null
}

/** The address of an account, and whether it is confirmed. */
export function emailRow({ user, language }: Pick<ShownAccount, 'user' | 'language'>): Row {
  const { account_pages: own } = language.texts.pages
  const badge = user.isVerified ? own.confirmed : own.not_confirmed
  return {
    label: own.email,
    value: user.email === null ? own.none : named(user.email),
    ...(user.email !== null && { badge }),
  }
}
