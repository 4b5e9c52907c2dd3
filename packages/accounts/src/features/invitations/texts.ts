import type { Translated } from '../../languages/texts.js'

export const en = {
  responses: {
    invited: 'The invitation is on its way.',
    invitation_accepted: 'Your account is ready. You can log in now.',
    invitation_added: 'You’ve accepted the invitation.',
  },
  reasons: {
    ACCOUNTS_CONFLICT: {
      being_accepted: 'The invitation is being accepted at this moment. Try again in a minute.',
      already_accepted: 'The invitation has been accepted.',
      too_many_invitations: 'There are too many open invitations. Withdraw some, or wait until they expire.',
    },
    ACCOUNTS_FORBIDDEN: {
      other_account: 'The invitation is for another account. Log in to that one.',
    },
  },
  pages: {
    invitation: {
      heading: 'Join {site}',
      from: '{username} invited you to {site}.',
      from_site: 'You are invited to {site}.',
      from_to: '{username} invited you to {name} at {site}.',
      from_site_to: 'You are invited to {name} at {site}.',
      gives: 'You get:',
      roles: 'Roles: {roles}',
      body: 'Choose a password to create your account with {email}.',
      body_accept: 'Accept with your account {email}.',
      body_log_in: '{email} already has an account. Log in to it to accept.',
      body_other:
        'The invitation is for {email}, but you’re logged in as {username}. Log in to the other account to accept.',
      create: 'Create account',
      button: 'Accept invitation',
      otherwise: 'If you don’t want an account, close this page.',
    },
    invitation_accepted: {
      heading: 'Your account is ready',
      body: 'You can log in now with your new password.',
    },
  },
  emails: {
    invitation: {
      subject: 'You’re invited to {site}',
      preheader: 'The link works once, for {duration}.',
      before: ['You’re invited to create an account with this email address: {address}', '{about}'],
      lines: ['Invited by: {inviter}'],
      invitation: 'Accept the invitation here:',
      button: 'Accept invitation',
      after: [
        'The link works once, for {duration}. A newer invitation replaces it.',
        'If you didn’t expect this, you don’t need to do anything.',
      ],
      reason: 'You received this email because someone invited you.',
    },
    'invitation-known': {
      subject: 'An invitation for your account at {site}',
      preheader: 'Log in to accept. The link works once, for {duration}.',
      before: [
        'Someone invited you with this email address, which already has an account: {address}',
        'Log in to that account as usual. Then open the invitation in the same browser.',
      ],
      lines: ['Invited by: {inviter}'],
      invitation: 'Accept the invitation here:',
      button: 'Accept invitation',
      after: [
        'The link works once, for {duration}. A newer invitation replaces it.',
        'If you didn’t expect this, you don’t need to do anything.',
      ],
      reason: 'You received this email because someone invited you.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  responses: {
    invited: 'Die Einladung ist unterwegs.',
    invitation_accepted: 'Ihr Konto ist bereit. Sie können sich jetzt anmelden.',
    invitation_added: 'Sie haben die Einladung angenommen.',
  },
  reasons: {
    ACCOUNTS_CONFLICT: {
      being_accepted: 'Die Einladung wird gerade angenommen. Versuchen Sie es in einer Minute noch einmal.',
      already_accepted: 'Die Einladung wurde schon angenommen.',
      too_many_invitations:
        'Es gibt zu viele offene Einladungen. Ziehen Sie welche zurück, oder warten Sie, bis sie ablaufen.',
    },
    ACCOUNTS_FORBIDDEN: {
      other_account: 'Die Einladung ist für ein anderes Konto. Melden Sie sich mit diesem an.',
    },
  },
  pages: {
    invitation: {
      heading: 'Bei {site} mitmachen',
      from: '{username} hat Sie zu {site} eingeladen.',
      from_site: 'Sie sind zu {site} eingeladen.',
      from_to: '{username} hat Sie zu {name} bei {site} eingeladen.',
      from_site_to: 'Sie sind zu {name} bei {site} eingeladen.',
      gives: 'Sie erhalten:',
      roles: 'Rollen: {roles}',
      body: 'Wählen Sie ein Passwort, um Ihr Konto mit der Adresse {email} anzulegen.',
      body_accept: 'Nehmen Sie die Einladung mit Ihrem Konto {email} an.',
      body_log_in:
        'Zu {email} gibt es schon ein Konto. Melden Sie sich dort an, um die Einladung anzunehmen.',
      body_other:
        'Die Einladung gilt {email}, aber Sie sind als {username} angemeldet. Melden Sie sich mit dem anderen Konto an, um sie anzunehmen.',
      create: 'Konto anlegen',
      button: 'Einladung annehmen',
      otherwise: 'Wenn Sie kein Konto möchten, schließen Sie diese Seite.',
    },
    invitation_accepted: {
      heading: 'Ihr Konto ist bereit',
      body: 'Sie können sich jetzt mit dem neuen Passwort anmelden.',
    },
  },
  emails: {
    invitation: {
      subject: 'Ihre Einladung zu {site}',
      preheader: 'Der Link funktioniert einmal und gilt {duration}.',
      before: ['Sie sind eingeladen, mit dieser E-Mail-Adresse ein Konto anzulegen: {address}', '{about}'],
      lines: ['Eingeladen von: {inviter}'],
      invitation: 'Hier können Sie die Einladung annehmen:',
      button: 'Einladung annehmen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}. Eine neuere Einladung ersetzt ihn.',
        'Wenn Sie keine Einladung erwartet haben, brauchen Sie nichts zu tun.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil jemand Sie eingeladen hat.',
    },
    'invitation-known': {
      subject: 'Eine Einladung für Ihr Konto bei {site}',
      preheader: 'Melden Sie sich an, um sie anzunehmen. Der Link gilt {duration}.',
      before: [
        'jemand hat Sie mit dieser E-Mail-Adresse eingeladen, zu der es schon ein Konto gibt: {address}',
        'Melden Sie sich damit wie gewohnt an. Öffnen Sie dann die Einladung im selben Browser.',
      ],
      lines: ['Eingeladen von: {inviter}'],
      invitation: 'Hier können Sie die Einladung annehmen:',
      button: 'Einladung annehmen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}. Eine neuere Einladung ersetzt ihn.',
        'Wenn Sie keine Einladung erwartet haben, brauchen Sie nichts zu tun.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil jemand Sie eingeladen hat.',
    },
  },
}

export const fr: Translated<typeof en> = {
  responses: {
    invited: 'L’invitation vient d’être envoyée.',
    invitation_accepted: 'Votre compte est prêt. Vous pouvez maintenant vous connecter.',
    invitation_added: 'Vous avez accepté l’invitation.',
  },
  reasons: {
    ACCOUNTS_CONFLICT: {
      being_accepted: 'L’invitation est en train d’être acceptée. Réessayez dans une minute.',
      already_accepted: 'L’invitation a déjà été acceptée.',
      too_many_invitations:
        'Il y a trop d’invitations en attente. Retirez-en, ou attendez qu’elles expirent.',
    },
    ACCOUNTS_FORBIDDEN: {
      other_account: 'L’invitation est destinée à un autre compte. Connectez-vous à celui-ci.',
    },
  },
  pages: {
    invitation: {
      heading: 'Rejoindre {site}',
      from: '{username} vous a invité sur {site}.',
      from_site: 'Vous êtes invité sur {site}.',
      from_to: '{username} vous a invité à rejoindre {name} sur {site}.',
      from_site_to: 'Vous êtes invité à rejoindre {name} sur {site}.',
      gives: 'Vous recevez\u00a0:',
      roles: 'Rôles\u00a0: {roles}',
      body: 'Choisissez un mot de passe pour créer votre compte avec l’adresse {email}.',
      body_accept: 'Acceptez l’invitation avec votre compte {email}.',
      body_log_in: '{email} a déjà un compte. Connectez-vous-y pour accepter.',
      body_other:
        'L’invitation est destinée à {email}, mais vous êtes connecté en tant que {username}. Connectez-vous à l’autre compte pour accepter.',
      create: 'Créer le compte',
      button: 'Accepter l’invitation',
      otherwise: 'Si vous ne voulez pas de compte, fermez cette page.',
    },
    invitation_accepted: {
      heading: 'Votre compte est prêt',
      body: 'Vous pouvez maintenant vous connecter avec votre nouveau mot de passe.',
    },
  },
  emails: {
    invitation: {
      subject: 'Votre invitation sur {site}',
      preheader: 'Le lien fonctionne une seule fois, pendant {duration}.',
      before: ['Vous êtes invité à créer un compte avec cette adresse e-mail\u00a0: {address}', '{about}'],
      lines: ['Invité par\u00a0: {inviter}'],
      invitation: 'Acceptez l’invitation ici\u00a0:',
      button: 'Accepter l’invitation',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}. Une invitation plus récente le remplace.',
        'Si vous ne vous y attendiez pas, vous n’avez rien à faire.',
      ],
      reason: 'Vous recevez cet e-mail parce que quelqu’un vous a invité.',
    },
    'invitation-known': {
      subject: 'Une invitation pour votre compte sur {site}',
      preheader: 'Connectez-vous pour l’accepter. Le lien fonctionne pendant {duration}.',
      before: [
        'Quelqu’un vous a invité avec cette adresse e-mail, qui a déjà un compte\u00a0: {address}',
        'Connectez-vous à ce compte comme d’habitude. Ouvrez ensuite l’invitation dans le même navigateur.',
      ],
      lines: ['Invité par\u00a0: {inviter}'],
      invitation: 'Acceptez l’invitation ici\u00a0:',
      button: 'Accepter l’invitation',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}. Une invitation plus récente le remplace.',
        'Si vous ne vous y attendiez pas, vous n’avez rien à faire.',
      ],
      reason: 'Vous recevez cet e-mail parce que quelqu’un vous a invité.',
    },
  },
}
