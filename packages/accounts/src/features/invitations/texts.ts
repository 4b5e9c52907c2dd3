import type { Translated } from '../../languages/texts.js'

export const en = {
  responses: {
    invited: 'The invitation is on its way.',
    invitation_accepted: 'Your account is ready. You can log in now.',
  },
  pages: {
    invitation: {
      heading: 'Your invitation to {site}',
      body: 'Choose a password to create your account with {email}.',
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
      before: ['You have been invited to {site}, with this email address: {address}'],
      invitation: 'Accept the invitation here:',
      button: 'Accept invitation',
      after: [
        'The link works once, for {duration}. A newer invitation replaces it.',
        'If you didn’t expect this, you don’t need to do anything.',
      ],
      reason: 'You received this email because someone at {site} invited you.',
    },
    'invitation-known': {
      subject: 'You already have an account at {site}',
      preheader: 'You were invited, and can log in as usual.',
      before: [
        'Someone at {site} invited you at this email address, but it already belongs to your account {username}. Nothing has changed.',
        'You can log in as usual. If you expected more access, ask the person who invited you.',
      ],
      reason: 'You received this email because someone at {site} invited you.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  responses: {
    invited: 'Die Einladung ist unterwegs.',
    invitation_accepted: 'Ihr Konto ist bereit. Sie können sich jetzt anmelden.',
  },
  pages: {
    invitation: {
      heading: 'Ihre Einladung zu {site}',
      body: 'Wählen Sie ein Passwort, um Ihr Konto mit der Adresse {email} anzulegen.',
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
      before: ['jemand hat Sie mit dieser E-Mail-Adresse zu {site} eingeladen: {address}'],
      invitation: 'Hier können Sie die Einladung annehmen:',
      button: 'Einladung annehmen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}. Eine neuere Einladung ersetzt ihn.',
        'Wenn Sie keine Einladung erwartet haben, brauchen Sie nichts zu tun.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil jemand bei {site} Sie eingeladen hat.',
    },
    'invitation-known': {
      subject: 'Sie haben bereits ein Konto bei {site}',
      preheader: 'Sie wurden eingeladen und können sich wie gewohnt anmelden.',
      before: [
        'jemand bei {site} hat Sie unter dieser E-Mail-Adresse eingeladen, sie gehört aber bereits zu Ihrem Konto {username}. Es wurde nichts geändert.',
        'Sie können sich wie gewohnt anmelden. Wenn Sie weitere Rechte erwartet haben, fragen Sie die Person, die Sie eingeladen hat.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil jemand bei {site} Sie eingeladen hat.',
    },
  },
}

export const fr: Translated<typeof en> = {
  responses: {
    invited: 'L’invitation vient d’être envoyée.',
    invitation_accepted: 'Votre compte est prêt. Vous pouvez maintenant vous connecter.',
  },
  pages: {
    invitation: {
      heading: 'Votre invitation sur {site}',
      body: 'Choisissez un mot de passe pour créer votre compte avec l’adresse {email}.',
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
      before: ['Vous êtes invité sur {site} avec cette adresse e-mail\u00a0: {address}'],
      invitation: 'Acceptez l’invitation ici\u00a0:',
      button: 'Accepter l’invitation',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}. Une invitation plus récente le remplace.',
        'Si vous ne vous y attendiez pas, vous n’avez rien à faire.',
      ],
      reason: 'Vous recevez cet e-mail parce que quelqu’un sur {site} vous a invité.',
    },
    'invitation-known': {
      subject: 'Vous avez déjà un compte sur {site}',
      preheader: 'Vous avez été invité et pouvez vous connecter comme d’habitude.',
      before: [
        'Quelqu’un sur {site} vous a invité à cette adresse e-mail, qui est déjà celle de votre compte {username}. Rien n’a été modifié.',
        'Vous pouvez vous connecter comme d’habitude. Si vous attendiez d’autres droits, adressez-vous à la personne qui vous a invité.',
      ],
      reason: 'Vous recevez cet e-mail parce que quelqu’un sur {site} vous a invité.',
    },
  },
}
