import type { Translated } from '../../languages/texts.js'

export const en = {
  responses: {
    forgot: 'If an account with this address exists, we’ve emailed it a link to choose a new password.',
    forgot_code:
      'If an account with this address exists, we’ve emailed it a code and a link to choose a new password.',
    reset_done: 'Your password has been changed.',
  },
  pages: {
    reset_keys: {
      keys_heading: 'These API keys keep working:',
      keys_label: 'Remove all API keys as well',
    },
    reset_done: {
      heading: 'Your password has been changed',
      body: 'You can now log in with your new password. All devices have been logged out.',
    },
  },
  emails: {
    'reset-password': {
      subject: 'Reset your password at {site}',
      /** Shown by mail clients next to the subject. */
      preheader: 'The link works once, for {duration}.',
      /** Paragraphs; one with a placeholder that the email has no value for is left out. */
      before: [
        'Someone, probably you, asked to reset the password of your account.',
        'Enter the code with a new password where you requested it, within {codeDuration}, or use the link. Never give the code to anyone.',
      ],
      /** Above the button, and only with it. */
      invitation: 'Choose a new password here:',
      button: 'Choose a new password',
      after: [
        'The link works once, for {duration}.',
        'If this wasn’t you, you don’t need to do anything. Nothing has changed.',
      ],
      reason: 'You received this email because someone asked to reset a password with your address.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  responses: {
    forgot:
      'Wenn es ein Konto mit dieser Adresse gibt, ist ein Link unterwegs, mit dem ein neues Passwort gewählt werden kann.',
    forgot_code:
      'Wenn es ein Konto mit dieser Adresse gibt, sind ein Code und ein Link unterwegs, mit denen ein neues Passwort gewählt werden kann.',
    reset_done: 'Das Passwort wurde geändert.',
  },
  pages: {
    reset_keys: {
      keys_heading: 'Diese API-Schlüssel gelten weiter:',
      keys_label: 'Auch alle API-Schlüssel entfernen',
    },
    reset_done: {
      heading: 'Ihr Passwort wurde geändert',
      body: 'Sie können sich jetzt mit dem neuen Passwort anmelden. Alle Geräte, die bisher angemeldet waren, sind abgemeldet.',
    },
  },
  emails: {
    'reset-password': {
      subject: 'Neues Passwort für Ihr Konto bei {site}',
      preheader: 'Der Link funktioniert einmal und gilt {duration}.',
      before: [
        'für Ihr Konto wurde ein neues Passwort angefordert, vermutlich von Ihnen.',
        'Geben Sie den Code zusammen mit einem neuen Passwort dort ein, wo Sie ihn angefordert haben; er gilt {codeDuration}. Oder benutzen Sie den Link. Geben Sie den Code niemandem weiter.',
      ],
      invitation: 'Hier können Sie das neue Passwort wählen:',
      button: 'Neues Passwort wählen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}.',
        'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Es wurde nichts geändert.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil mit Ihrer Adresse ein neues Passwort angefordert wurde.',
    },
  },
}

export const fr: Translated<typeof en> = {
  responses: {
    forgot:
      'Si un compte existe avec cette adresse, un lien permettant de choisir un nouveau mot de passe vient d’être envoyé.',
    forgot_code:
      'Si un compte existe avec cette adresse, un code et un lien permettant de choisir un nouveau mot de passe viennent d’être envoyés.',
    reset_done: 'Le mot de passe a été modifié.',
  },
  pages: {
    reset_keys: {
      keys_heading: 'Ces clés d’API continuent de fonctionner\u00a0:',
      keys_label: 'Supprimer aussi toutes les clés d’API',
    },
    reset_done: {
      heading: 'Votre mot de passe a été modifié',
      body: 'Vous pouvez maintenant vous connecter avec le nouveau mot de passe. Tous les appareils connectés auparavant ont été déconnectés.',
    },
  },
  emails: {
    'reset-password': {
      subject: 'Réinitialisez votre mot de passe sur {site}',
      preheader: 'Le lien fonctionne une seule fois, pendant {duration}.',
      before: [
        'Quelqu’un, probablement vous, a demandé un nouveau mot de passe pour votre compte.',
        'Saisissez le code avec un nouveau mot de passe là où vous l’avez demandé, dans un délai de {codeDuration}, ou utilisez le lien. Ne donnez le code à personne.',
      ],
      invitation: 'Choisissez le nouveau mot de passe ici\u00a0:',
      button: 'Choisir un nouveau mot de passe',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}.',
        'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: rien n’a été modifié.',
      ],
      reason: 'Vous recevez cet e-mail parce qu’un nouveau mot de passe a été demandé avec votre adresse.',
    },
  },
}
