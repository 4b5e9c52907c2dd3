import type { Translated } from 'fastify-accounts/features'

export const en = {
  emails: {
    'organization-invitation': {
      subject: 'You’re invited to an organization at {site}',
      preheader: 'The link works once, for {duration}.',
      before: ['You have been invited to an organization, with this email address: {address}', '{about}'],
      lines: ['Organization: {label}', 'Invited by: {inviter}'],
      invitation: 'Accept the invitation here:',
      button: 'Accept invitation',
      after: [
        'The link works once, for {duration}. A newer invitation replaces it.',
        'If you didn’t expect this, you don’t need to do anything.',
      ],
      reason: 'You received this email because someone invited you.',
    },
    'organization-invitation-known': {
      subject: 'You’re invited to an organization at {site}',
      preheader: 'Log in to accept. The link works once, for {duration}.',
      before: [
        'Someone invited you to an organization, with this email address, which already has an account: {address}',
        'Log in to your account as usual. Then open the invitation in the same browser.',
      ],
      lines: ['Organization: {label}', 'Invited by: {inviter}'],
      invitation: 'Accept the invitation here:',
      button: 'Accept invitation',
      after: [
        'The link works once, for {duration}. A newer invitation replaces it.',
        'If you didn’t expect this, you don’t need to do anything.',
      ],
      reason: 'You received this email because someone invited you.',
    },
  },
  reasons: {
    ACCOUNTS_CONFLICT: {
      slug_taken: 'Another organization has this slug.',
      last_owner: 'An organization needs an owner. Make somebody else an owner first.',
      too_many_organizations: 'You’ve reached the maximum number of organizations.',
      organization_full: 'The organization has reached its maximum number of members.',
      already_member: 'This account already belongs to the organization.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  emails: {
    'organization-invitation': {
      subject: 'Ihre Einladung zu einer Organisation bei {site}',
      preheader: 'Der Link funktioniert einmal und gilt {duration}.',
      before: [
        'jemand hat Sie mit dieser E-Mail-Adresse zu einer Organisation eingeladen: {address}',
        '{about}',
      ],
      lines: ['Organisation: {label}', 'Eingeladen von: {inviter}'],
      invitation: 'Hier können Sie die Einladung annehmen:',
      button: 'Einladung annehmen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}. Eine neuere Einladung ersetzt ihn.',
        'Wenn Sie keine Einladung erwartet haben, brauchen Sie nichts zu tun.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil jemand Sie eingeladen hat.',
    },
    'organization-invitation-known': {
      subject: 'Ihre Einladung zu einer Organisation bei {site}',
      preheader: 'Melden Sie sich an, um sie anzunehmen. Der Link gilt {duration}.',
      before: [
        'jemand hat Sie zu einer Organisation eingeladen, mit dieser E-Mail-Adresse, zu der es schon ein Konto gibt: {address}',
        'Melden Sie sich mit Ihrem Konto wie gewohnt an. Öffnen Sie dann die Einladung im selben Browser.',
      ],
      lines: ['Organisation: {label}', 'Eingeladen von: {inviter}'],
      invitation: 'Hier können Sie die Einladung annehmen:',
      button: 'Einladung annehmen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}. Eine neuere Einladung ersetzt ihn.',
        'Wenn Sie keine Einladung erwartet haben, brauchen Sie nichts zu tun.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil jemand Sie eingeladen hat.',
    },
  },
  reasons: {
    ACCOUNTS_CONFLICT: {
      slug_taken: 'Diesen Kurznamen hat eine andere Organisation.',
      last_owner: 'Eine Organisation braucht einen Eigentümer. Machen Sie zuerst jemand anderen dazu.',
      too_many_organizations: 'Sie gehören schon der größtmöglichen Zahl von Organisationen an.',
      organization_full: 'Die Organisation hat schon die größtmögliche Zahl von Mitgliedern.',
      already_member: 'Dieses Konto gehört der Organisation bereits an.',
    },
  },
}

export const fr: Translated<typeof en> = {
  emails: {
    'organization-invitation': {
      subject: 'Votre invitation à une organisation sur {site}',
      preheader: 'Le lien fonctionne une seule fois, pendant {duration}.',
      before: [
        'Vous êtes invité à rejoindre une organisation avec cette adresse e-mail\u00a0: {address}',
        '{about}',
      ],
      lines: ['Organisation\u00a0: {label}', 'Invité par\u00a0: {inviter}'],
      invitation: 'Acceptez l’invitation ici\u00a0:',
      button: 'Accepter l’invitation',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}. Une invitation plus récente le remplace.',
        'Si vous ne vous y attendiez pas, vous n’avez rien à faire.',
      ],
      reason: 'Vous recevez cet e-mail parce que quelqu’un vous a invité.',
    },
    'organization-invitation-known': {
      subject: 'Votre invitation à une organisation sur {site}',
      preheader: 'Connectez-vous pour l’accepter. Le lien fonctionne pendant {duration}.',
      before: [
        'Quelqu’un vous a invité à rejoindre une organisation avec cette adresse e-mail, qui a déjà un compte\u00a0: {address}',
        'Connectez-vous à votre compte comme d’habitude. Ouvrez ensuite l’invitation dans le même navigateur.',
      ],
      lines: ['Organisation\u00a0: {label}', 'Invité par\u00a0: {inviter}'],
      invitation: 'Acceptez l’invitation ici\u00a0:',
      button: 'Accepter l’invitation',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}. Une invitation plus récente le remplace.',
        'Si vous ne vous y attendiez pas, vous n’avez rien à faire.',
      ],
      reason: 'Vous recevez cet e-mail parce que quelqu’un vous a invité.',
    },
  },
  reasons: {
    ACCOUNTS_CONFLICT: {
      slug_taken: 'Une autre organisation a ce nom court.',
      last_owner: 'Une organisation a besoin d’un propriétaire. Nommez-en d’abord un autre.',
      too_many_organizations: 'Vous avez atteint le nombre maximal d’organisations.',
      organization_full: 'L’organisation a atteint son nombre maximal de membres.',
      already_member: 'Ce compte fait déjà partie de l’organisation.',
    },
  },
}
