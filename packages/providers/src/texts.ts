import type { Translated } from 'fastify-accounts/features'

export const en = {
  errors: {
    ACCOUNTS_IDENTITY_TAKEN: 'This login already belongs to another account.',
    ACCOUNTS_OTHER_BROWSER:
      'Open this link in the browser or app where you started to sign up, or start again.',
    ACCOUNTS_PROVIDER_CANNOT_CONFIRM:
      '{provider} didn’t have you log in again, so it can’t confirm that it’s you. Confirm another way.',
    ACCOUNTS_PROVIDER_MISCONFIGURED:
      'Logging in with {provider} isn’t set up correctly on this site. Log in another way.',
    ACCOUNTS_PROVIDER_REFUSED: 'We couldn’t log you in with {provider}. Try again.',
    ACCOUNTS_PROVIDER_UNAVAILABLE:
      '{provider} can’t be reached at the moment. Try again later, or log in another way.',
  },
  reasons: {
    ACCOUNTS_INVALID_INPUT: {
      unusable_profile:
        'We couldn’t create your account with what {provider} told us. Check your details there, or sign up another way.',
      needs_browser: 'An app can only use {provider} in the browser of the device.',
    },
    ACCOUNTS_FORBIDDEN: {
      provider_account_refused: 'This account at {provider} can’t be used here. Use another one.',
    },
    ACCOUNTS_NOT_FOUND: {
      not_linked: 'Your account isn’t linked with {provider}. Confirm another way.',
    },
    ACCOUNTS_NOT_VERIFIED: {
      claim_account:
        'There is already an account with your email address, and someone has used it. Say whether it’s yours.',
    },
    ACCOUNTS_PROVIDER_REFUSED: {
      canceled: 'The login with {provider} was canceled.',
      other_account:
        'You used a different account at {provider}. Use the one that is linked with your account.',
    },
  },
  responses: {
    identity_mailed: 'We sent you an email. Open the link in it, in this browser, to continue.',
    identity_mailed_app: 'We sent you an email. It says how to continue.',
    identity_ready: 'Your account is ready. Go back to the app and log in again.',
  },
  pages: {
    identity_mailed: {
      heading: 'Check your inbox',
      body: 'We sent you an email. It says how to continue. If it has a link, open it in this browser.',
      app: 'Then go back to the app and log in again.',
      app_link: 'Open the app',
    },
    identity_confirm: {
      heading: 'Finish signing up',
      body: 'We’ll confirm your email address and log you in to {site}.',
      app_body: 'We’ll confirm your email address. Then you can log in to {site} in the app.',
      button: 'Finish signing up',
      otherwise: 'If you didn’t sign up, close this page.',
    },
    app_login: {
      heading: 'Log in to the app',
      body: 'An app on this device wants to log you in to {site} with {provider}.',
      button: 'Continue with {provider}',
      otherwise: 'If you didn’t start this in the app yourself, close this page.',
    },
    app_link: {
      heading: 'Link your account in the app',
      body: 'An app on this device wants to link your account at {provider} with your account at {site}. You can then also log in with {provider}.',
    },
    app_confirm: {
      heading: 'Confirm in the app',
      body: 'An app on this device asks you to log in with {provider} again, to confirm a change to your account at {site}.',
    },
    app_ready: {
      heading: 'Your account is ready',
      body: 'Go back to the app and log in with {provider} again.',
    },
    claim_account: {
      heading: 'Is this account yours?',
      body: '{provider} has confirmed your address {email}. {site} already has an account {username} with it, and someone has used that account. But nobody had confirmed the address, so it may be someone else’s.',
      keep: 'If you created the account, enter its password. You keep everything in it, and can log in with {provider} from now on.',
      keep_otherwise:
        'If you created the account, log in to it as you usually do. Then you can link {provider} in your account.',
      password: 'Password of the account',
      keep_button: 'Log in and keep it',
      leave:
        'If you didn’t create it, or can’t log in to it, start over: you get a new account, and we’ll delete this one with everything in it. This can’t be undone.',
      leave_button: 'Delete it and start over',
    },
  },
  emails: {
    'identity-added': {
      subject: 'New way to log in to your account at {site}',
      before: [
        'A way to log in was added to your account.',
        'If this was you, you don’t need to do anything.',
      ],
      lines: ['With: {label}'],
      invitation:
        'If this wasn’t you, someone else can log in to your account. Log everyone out and set a new password:',
    },
    'identity-removed': {
      subject: 'A way to log in to your account at {site} was removed',
      before: [
        'A way to log in to your account was removed.',
        'If this was you, you don’t need to do anything.',
      ],
      lines: ['With: {label}'],
      invitation:
        'If this wasn’t you, someone else can log in to your account. Log everyone out and set a new password:',
    },
    'identity-sign-up': {
      subject: 'Finish signing up at {site}',
      preheader: 'One click, and your account is ready.',
      before: ['Someone, probably you, is signing up with {label} and this email address.', '{about}'],
      invitation: 'If this was you, open this link in the browser or app where you started:',
      button: 'Finish signing up',
      after: [
        'The link works once, for {duration}.',
        'If this wasn’t you, you don’t need to do anything. Without the link, nobody gets an account with your address.',
      ],
      reason: 'You received this email because someone used your address.',
    },
    'identity-known': {
      subject: 'You already have an account at {site}',
      preheader: 'Log in as usual, then link the new way to log in.',
      before: [
        'Someone, probably you, tried to log in with {label} and this email address, which already has an account.',
        'Log in to it as you usually do. Then you can link {label} in your account.',
        'If this wasn’t you, you don’t need to do anything. Nothing has changed.',
      ],
      reason: 'You received this email because someone used your address.',
    },
  },
} as const

export const de: Translated<typeof en> = {
  errors: {
    ACCOUNTS_IDENTITY_TAKEN: 'Diese Anmeldung gehört bereits zu einem anderen Konto.',
    ACCOUNTS_OTHER_BROWSER:
      'Öffnen Sie diesen Link in dem Browser oder der App, wo Sie die Registrierung begonnen haben, oder beginnen Sie noch einmal.',
    ACCOUNTS_PROVIDER_CANNOT_CONFIRM:
      '{provider} hat Sie nicht neu angemeldet und kann deshalb nicht bestätigen, dass Sie es sind. Bestätigen Sie es auf andere Weise.',
    ACCOUNTS_PROVIDER_MISCONFIGURED:
      'Die Anmeldung mit {provider} ist auf dieser Website nicht richtig eingerichtet. Melden Sie sich anders an.',
    ACCOUNTS_PROVIDER_REFUSED:
      'Die Anmeldung mit {provider} hat nicht funktioniert. Beginnen Sie noch einmal.',
    ACCOUNTS_PROVIDER_UNAVAILABLE:
      '{provider} ist zurzeit nicht erreichbar. Versuchen Sie es später noch einmal, oder melden Sie sich anders an.',
  },
  reasons: {
    ACCOUNTS_INVALID_INPUT: {
      unusable_profile:
        'Mit den Angaben von {provider} konnten wir kein Konto anlegen. Prüfen Sie Ihre Angaben dort, oder registrieren Sie sich auf andere Weise.',
      needs_browser: 'Eine App kann {provider} nur im Browser des Geräts verwenden.',
    },
    ACCOUNTS_FORBIDDEN: {
      provider_account_refused:
        'Dieses Konto bei {provider} kann hier nicht verwendet werden. Verwenden Sie ein anderes.',
    },
    ACCOUNTS_NOT_FOUND: {
      not_linked:
        'Ihr Konto ist nicht mit {provider} verknüpft. Bestätigen Sie auf andere Weise, dass Sie es sind.',
    },
    ACCOUNTS_NOT_VERIFIED: {
      claim_account:
        'Zu Ihrer E-Mail-Adresse gibt es bereits ein Konto, und jemand hat es benutzt. Geben Sie an, ob es Ihres ist.',
    },
    ACCOUNTS_PROVIDER_REFUSED: {
      canceled: 'Die Anmeldung mit {provider} wurde abgebrochen.',
      other_account: 'Sie haben bei {provider} ein anderes Konto verwendet. Verwenden Sie das verknüpfte.',
    },
  },
  responses: {
    identity_mailed:
      'Wir haben Ihnen eine E-Mail geschickt. Öffnen Sie den Link darin in diesem Browser, um fortzufahren.',
    identity_mailed_app: 'Wir haben Ihnen eine E-Mail geschickt. Darin steht, wie es weitergeht.',
    identity_ready: 'Ihr Konto ist bereit. Gehen Sie zurück zur App und melden Sie sich noch einmal an.',
  },
  pages: {
    identity_mailed: {
      heading: 'Sehen Sie in Ihr Postfach',
      body: 'Wir haben Ihnen eine E-Mail geschickt. Darin steht, wie es weitergeht. Wenn sie einen Link enthält, öffnen Sie ihn in diesem Browser.',
      app: 'Gehen Sie danach zurück zur App und melden Sie sich noch einmal an.',
      app_link: 'App öffnen',
    },
    identity_confirm: {
      heading: 'Registrierung abschließen',
      body: 'Ihre E-Mail-Adresse wird bestätigt, und Sie werden bei {site} angemeldet.',
      app_body: 'Ihre E-Mail-Adresse wird bestätigt. Danach können Sie sich in der App bei {site} anmelden.',
      button: 'Registrierung abschließen',
      otherwise: 'Wenn Sie sich nicht registriert haben, schließen Sie diese Seite.',
    },
    app_login: {
      heading: 'In der App anmelden',
      body: 'Eine App auf diesem Gerät möchte Sie mit {provider} bei {site} anmelden.',
      button: 'Weiter mit {provider}',
      otherwise: 'Wenn Sie das nicht selbst in der App begonnen haben, schließen Sie diese Seite.',
    },
    app_link: {
      heading: 'In der App verknüpfen',
      body: 'Eine App auf diesem Gerät möchte Ihr Konto bei {provider} mit einem Konto bei {site} verknüpfen. Sie können sich dann auch mit {provider} anmelden.',
    },
    app_confirm: {
      heading: 'In der App bestätigen',
      body: 'Eine App auf diesem Gerät bittet Sie, sich noch einmal mit {provider} anzumelden, um eine Änderung an Ihrem Konto bei {site} zu bestätigen.',
    },
    app_ready: {
      heading: 'Ihr Konto ist bereit',
      body: 'Gehen Sie zurück zur App und melden Sie sich noch einmal mit {provider} an.',
    },
    claim_account: {
      heading: 'Ist das Ihr Konto?',
      body: '{provider} hat Ihre Adresse {email} bestätigt. Bei {site} gibt es dazu schon ein Konto {username}, das jemand benutzt hat. Die Adresse war aber noch nicht bestätigt, es kann also jemand anderem gehören.',
      keep: 'Wenn Sie das Konto angelegt haben, geben Sie sein Passwort ein. Sie behalten alles darin und können sich künftig mit {provider} anmelden.',
      keep_otherwise:
        'Wenn Sie das Konto angelegt haben, melden Sie sich wie gewohnt an. Danach können Sie {provider} in Ihrem Konto verknüpfen.',
      password: 'Passwort des Kontos',
      keep_button: 'Anmelden und behalten',
      leave:
        'Wenn Sie es nicht angelegt haben oder sich nicht anmelden können, beginnen Sie neu: Sie bekommen ein neues Konto, und wir löschen dieses mit allem darin. Das lässt sich nicht rückgängig machen.',
      leave_button: 'Löschen und neu beginnen',
    },
  },
  emails: {
    'identity-added': {
      subject: 'Neue Anmeldemöglichkeit für Ihr Konto bei {site}',
      before: [
        'zu Ihrem Konto wurde eine Anmeldemöglichkeit hinzugefügt.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      lines: ['Mit: {label}'],
      invitation:
        'Wenn Sie das nicht waren, kann sich jemand anders bei Ihrem Konto anmelden. Melden Sie alle ab und wählen Sie ein neues Passwort:',
    },
    'identity-removed': {
      subject: 'Anmeldemöglichkeit für Ihr Konto bei {site} entfernt',
      before: [
        'von Ihrem Konto wurde eine Anmeldemöglichkeit entfernt.',
        'Wenn Sie das waren, brauchen Sie nichts zu tun.',
      ],
      lines: ['Mit: {label}'],
      invitation:
        'Wenn Sie das nicht waren, kann sich jemand anders bei Ihrem Konto anmelden. Melden Sie alle ab und wählen Sie ein neues Passwort:',
    },
    'identity-sign-up': {
      subject: 'Schließen Sie Ihre Registrierung bei {site} ab',
      preheader: 'Ein Klick, und Ihr Konto ist bereit.',
      before: ['jemand, vermutlich Sie, registriert sich mit {label} und dieser E-Mail-Adresse.', '{about}'],
      invitation:
        'Wenn Sie das waren, öffnen Sie diesen Link in dem Browser oder der App, wo Sie begonnen haben:',
      button: 'Registrierung abschließen',
      after: [
        'Der Link funktioniert einmal und gilt {duration}.',
        'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Ohne den Link erhält niemand ein Konto mit Ihrer Adresse.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil Ihre Adresse für ein Konto angegeben wurde.',
    },
    'identity-known': {
      subject: 'Sie haben bereits ein Konto bei {site}',
      preheader: 'Melden Sie sich wie gewohnt an und verknüpfen Sie dann die neue Anmeldung.',
      before: [
        'jemand, vermutlich Sie, wollte sich mit {label} und dieser E-Mail-Adresse anmelden. Zu dieser Adresse gibt es bereits ein Konto.',
        'Melden Sie sich dort wie gewohnt an. Danach können Sie {label} in Ihrem Konto verknüpfen.',
        'Wenn Sie das nicht waren, brauchen Sie nichts zu tun: Es wurde nichts geändert.',
      ],
      reason: 'Sie erhalten diese E-Mail, weil Ihre Adresse für ein Konto angegeben wurde.',
    },
  },
}

export const fr: Translated<typeof en> = {
  errors: {
    ACCOUNTS_IDENTITY_TAKEN: 'Cette connexion appartient déjà à un autre compte.',
    ACCOUNTS_OTHER_BROWSER:
      'Ouvrez ce lien dans le navigateur ou l’application où vous avez commencé l’inscription, ou recommencez.',
    ACCOUNTS_PROVIDER_CANNOT_CONFIRM:
      '{provider} ne vous a pas fait vous reconnecter et ne peut donc pas confirmer que c’est vous. Confirmez-le autrement.',
    ACCOUNTS_PROVIDER_MISCONFIGURED:
      'La connexion avec {provider} n’est pas correctement configurée sur ce site. Connectez-vous autrement.',
    ACCOUNTS_PROVIDER_REFUSED: 'La connexion avec {provider} n’a pas fonctionné. Recommencez.',
    ACCOUNTS_PROVIDER_UNAVAILABLE:
      '{provider} est injoignable pour le moment. Réessayez plus tard ou connectez-vous autrement.',
  },
  reasons: {
    ACCOUNTS_INVALID_INPUT: {
      unusable_profile:
        'Nous n’avons pas pu créer votre compte avec les données de {provider}. Vérifiez-les là-bas, ou inscrivez-vous autrement.',
      needs_browser: 'Une application ne peut utiliser {provider} que dans le navigateur de l’appareil.',
    },
    ACCOUNTS_FORBIDDEN: {
      provider_account_refused:
        'Ce compte chez {provider} ne peut pas être utilisé ici. Utilisez-en un autre.',
    },
    ACCOUNTS_NOT_FOUND: {
      not_linked: 'Votre compte n’est pas associé à {provider}. Confirmez autrement que c’est bien vous.',
    },
    ACCOUNTS_NOT_VERIFIED: {
      claim_account:
        'Un compte existe déjà avec votre adresse e-mail, et quelqu’un l’a utilisé. Indiquez si c’est le vôtre.',
    },
    ACCOUNTS_PROVIDER_REFUSED: {
      canceled: 'La connexion avec {provider} a été annulée.',
      other_account:
        'Vous avez utilisé un autre compte chez {provider}. Utilisez celui qui est associé à votre compte.',
    },
  },
  responses: {
    identity_mailed:
      'Nous vous avons envoyé un e-mail. Ouvrez le lien qu’il contient, dans ce navigateur, pour continuer.',
    identity_mailed_app: 'Nous vous avons envoyé un e-mail qui explique comment continuer.',
    identity_ready: 'Votre compte est prêt. Revenez dans l’application et connectez-vous de nouveau.',
  },
  pages: {
    identity_mailed: {
      heading: 'Consultez votre boîte de réception',
      body: 'Nous vous avons envoyé un e-mail qui explique comment continuer. S’il contient un lien, ouvrez-le dans ce navigateur.',
      app: 'Revenez ensuite dans l’application et connectez-vous de nouveau.',
      app_link: 'Ouvrir l’application',
    },
    identity_confirm: {
      heading: 'Terminer l’inscription',
      body: 'Votre adresse e-mail sera confirmée et vous serez connecté à {site}.',
      app_body:
        'Votre adresse e-mail sera confirmée. Vous pourrez ensuite vous connecter à {site} dans l’application.',
      button: 'Terminer l’inscription',
      otherwise: 'Si vous ne vous êtes pas inscrit, fermez cette page.',
    },
    app_login: {
      heading: 'Se connecter à l’application',
      body: 'Une application sur cet appareil veut vous connecter à {site} avec {provider}.',
      button: 'Continuer avec {provider}',
      otherwise: 'Si vous n’avez pas commencé vous-même dans l’application, fermez cette page.',
    },
    app_link: {
      heading: 'Associer dans l’application',
      body: 'Une application sur cet appareil veut associer votre compte chez {provider} à un compte sur {site}. Vous pourrez ensuite aussi vous connecter avec {provider}.',
    },
    app_confirm: {
      heading: 'Confirmer dans l’application',
      body: 'Une application sur cet appareil vous demande de vous connecter de nouveau avec {provider} pour confirmer une modification de votre compte sur {site}.',
    },
    app_ready: {
      heading: 'Votre compte est prêt',
      body: 'Revenez dans l’application et connectez-vous de nouveau avec {provider}.',
    },
    claim_account: {
      heading: 'Ce compte est-il le vôtre\u202f?',
      body: '{provider} a confirmé votre adresse {email}. {site} a déjà un compte {username} avec cette adresse, et quelqu’un l’a utilisé. Mais personne n’avait confirmé l’adresse\u00a0: il appartient peut-être à quelqu’un d’autre.',
      keep: 'Si vous avez créé ce compte, saisissez son mot de passe. Vous gardez tout ce qu’il contient et pourrez désormais vous connecter avec {provider}.',
      keep_otherwise:
        'Si vous avez créé ce compte, connectez-vous comme d’habitude. Vous pourrez ensuite associer {provider} dans votre compte.',
      password: 'Mot de passe du compte',
      keep_button: 'Se connecter et le garder',
      leave:
        'Si vous ne l’avez pas créé ou ne pouvez pas vous y connecter, recommencez à zéro\u00a0: vous obtenez un nouveau compte, et nous supprimons celui-ci avec tout ce qu’il contient. Cette action est irréversible.',
      leave_button: 'Le supprimer et recommencer',
    },
  },
  emails: {
    'identity-added': {
      subject: 'Nouvelle façon de se connecter à votre compte sur {site}',
      before: [
        'Une façon de se connecter a été ajoutée à votre compte.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      lines: ['Avec\u00a0: {label}'],
      invitation:
        'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Déconnectez tout le monde et choisissez un nouveau mot de passe\u00a0:',
    },
    'identity-removed': {
      subject: 'Une façon de se connecter à votre compte sur {site} a été retirée',
      before: [
        'Une façon de se connecter à votre compte a été retirée.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      lines: ['Avec\u00a0: {label}'],
      invitation:
        'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Déconnectez tout le monde et choisissez un nouveau mot de passe\u00a0:',
    },
    'identity-sign-up': {
      subject: 'Terminez votre inscription sur {site}',
      preheader: 'Un clic, et votre compte est prêt.',
      before: ['Quelqu’un, probablement vous, s’inscrit avec {label} et cette adresse e-mail.', '{about}'],
      invitation:
        'Si c’était vous, ouvrez ce lien dans le navigateur ou l’application où vous avez commencé\u00a0:',
      button: 'Terminer l’inscription',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}.',
        'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: sans le lien, personne n’obtient de compte avec votre adresse.',
      ],
      reason: 'Vous recevez cet e-mail parce que votre adresse a été indiquée pour un compte.',
    },
    'identity-known': {
      subject: 'Vous avez déjà un compte sur {site}',
      preheader: 'Connectez-vous comme d’habitude, puis associez la nouvelle connexion.',
      before: [
        'Quelqu’un, probablement vous, a voulu se connecter avec {label} et cette adresse e-mail. Il existe déjà un compte avec cette adresse.',
        'Connectez-vous comme d’habitude. Vous pourrez ensuite associer {label} dans votre compte.',
        'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: rien n’a été modifié.',
      ],
      reason: 'Vous recevez cet e-mail parce que votre adresse a été indiquée pour un compte.',
    },
  },
}
