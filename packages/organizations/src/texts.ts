import type { Translated } from 'fastify-accounts/features'

export const en = {
  reasons: {
    ACCOUNTS_CONFLICT: {
      slug_taken: 'Another organization has this slug.',
      last_owner: 'An organization needs an owner. Make somebody else an owner first.',
      too_many_organizations: 'You belong to as many organizations as you may.',
      organization_full: 'The organization has as many members as it may.',
      already_member: 'This account already belongs to the organization.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  reasons: {
    ACCOUNTS_CONFLICT: {
      slug_taken: 'Diesen Kurznamen hat eine andere Organisation.',
      last_owner: 'Eine Organisation braucht einen Eigentümer. Machen Sie zuerst jemand anderen dazu.',
      too_many_organizations: 'Sie gehören so vielen Organisationen an, wie möglich ist.',
      organization_full: 'Die Organisation hat so viele Mitglieder, wie möglich ist.',
      already_member: 'Dieses Konto gehört der Organisation bereits an.',
    },
  },
}

export const fr: Translated<typeof en> = {
  reasons: {
    ACCOUNTS_CONFLICT: {
      slug_taken: 'Une autre organisation a ce nom court.',
      last_owner: 'Une organisation a besoin d’un propriétaire. Nommez-en d’abord un autre.',
      too_many_organizations: 'Vous appartenez à autant d’organisations que possible.',
      organization_full: 'L’organisation a autant de membres que possible.',
      already_member: 'Ce compte fait déjà partie de l’organisation.',
    },
  },
}
