import type { Translation } from './texts.js'

/**
 * French, with “vous”; a no-break space (U+00A0) before the colon and inside guillemets, a narrow one (U+202F) before
 * the semicolon, the exclamation mark and the question mark; the typographic apostrophe.
 */
export const fr: Translation = {
  errors: {
    ACCOUNTS_INVALID_INPUT: 'Certains champs ne peuvent pas être acceptés.',
    ACCOUNTS_INVALID_LINK:
      'Ce lien n’est pas valable, ou ne l’est plus. S’il devait servir à choisir un mot de passe ou à confirmer une adresse, demandez-en un nouveau.',
    ACCOUNTS_INVALID_CREDENTIALS: 'Le nom d’utilisateur, l’adresse e-mail ou le mot de passe est incorrect.',
    ACCOUNTS_LOGIN_REQUIRED: 'Connectez-vous d’abord.',
    ACCOUNTS_NOT_VERIFIED: 'L’adresse e-mail de ce compte doit d’abord être confirmée.',
    ACCOUNTS_DISABLED: 'Ce compte est désactivé.',
    ACCOUNTS_FORBIDDEN: 'Vous n’avez pas le droit de faire cela.',
    ACCOUNTS_CONFIRMATION_REQUIRED: 'Confirmez d’abord votre mot de passe.',
    ACCOUNTS_CROSS_SITE:
      'Cette requête provient d’un autre site. Si ce site est le vôtre, ajoutez son origine à l’option trustedOrigins.',
    ACCOUNTS_NOT_FOUND: 'Il n’y a rien ici sous cet identifiant.',
    ACCOUNTS_METHOD_NOT_ALLOWED: 'Cette méthode n’est pas possible ici.',
    ACCOUNTS_USERNAME_TAKEN: 'Ce nom d’utilisateur est déjà pris.',
    ACCOUNTS_EMAIL_TAKEN: 'Un compte existe déjà avec cette adresse e-mail.',
    ACCOUNTS_CONFLICT: 'Cela ne correspond pas à l’état actuel du compte. Rechargez et réessayez.',
    ACCOUNTS_THROTTLED: 'Trop de tentatives. Patientez un moment.',
    ACCOUNTS_UNAVAILABLE: 'Le service ne peut pas répondre pour le moment. Réessayez dans un instant.',
  },
  fields: {
    required: 'Ce champ est obligatoire.',
    invalid: 'Cette valeur n’est pas valable.',
    unknown: 'Ce champ n’existe pas.',
    too_short: 'Cette valeur est trop courte.',
    too_long: 'Cette valeur est trop longue.',
    too_common: 'Ce mot de passe est trop facile à deviner.',
    mismatch: 'Les deux mots de passe sont différents.',
    incorrect: 'Ce mot de passe est incorrect.',
    unchanged: 'Le nouveau mot de passe est identique à l’ancien.',
  },
  details: {
    min_length: { one: 'Au moins {count}\u00a0caractère.', other: 'Au moins {count}\u00a0caractères.' },
    max_length: { one: 'Au plus {count}\u00a0caractère.', other: 'Au plus {count}\u00a0caractères.' },
    username_characters: 'Seulement des lettres, des chiffres et les signes @.+-_',
    username_address:
      'Un nom d’utilisateur ne peut être une adresse e-mail que si c’est celle du même compte.',
    username_reserved: 'Ce nom est réservé.',
    email_unchanged: 'C’est déjà cette adresse.',
    fields_size: 'Ensemble, ces champs ne doivent pas dépasser {count}\u00a0Kio.',
    body_utf8: 'Le contenu doit être en UTF-8.',
    body_bom: 'Le contenu ne doit pas commencer par un BOM.',
    body_json: 'Le contenu doit être du JSON.',
    body_form: 'Le contenu doit être de l’UTF-8 avec un encodage-pourcent.',
  },
  answers: {
    forgot:
      'Si un compte existe avec cette adresse, un lien permettant de choisir un nouveau mot de passe vient d’être envoyé.',
    reset_done: 'Le mot de passe a été modifié.',
    confirm: 'Un lien de confirmation de l’adresse e-mail vient d’être envoyé.',
    resend: 'Si un compte attend la confirmation de cette adresse, un nouveau lien vient d’être envoyé.',
    change_email: 'Si l’adresse peut être utilisée, un lien de confirmation vient d’y être envoyé.',
    email_changed: 'L’adresse e-mail a été modifiée.',
    email_undone:
      'La modification a été annulée. Un lien permettant de choisir un nouveau mot de passe vient d’être envoyé.',
    email_kept: 'La nouvelle adresse e-mail est conservée. Le lien d’annulation ne fonctionne plus.',
    email_released: 'Le compte n’utilise pas cette adresse e-mail.',
    not_me:
      'Tout le monde est déconnecté. Un lien permettant de choisir un nouveau mot de passe vient d’être envoyé.',
  },
  pages: {
    faulty: 'Erreur\u00a0: {title}',
    onward: 'Continuer vers {site}',
    reset_form: {
      heading: 'Choisir un nouveau mot de passe',
      account: 'Pour le compte {username}.',
      new_password: 'Nouveau mot de passe',
      confirm_password: 'Nouveau mot de passe, encore une fois',
      button: 'Enregistrer le mot de passe',
    },
    reset_done: {
      heading: 'Votre mot de passe a été modifié',
      body: 'Vous pouvez maintenant vous connecter avec le nouveau mot de passe. Tous les appareils connectés auparavant ont été déconnectés.',
    },
    change_form: {
      heading: 'Modifier votre mot de passe',
      old_password: 'Mot de passe actuel',
      button: 'Modifier le mot de passe',
    },
    changed: {
      heading: 'Votre mot de passe a été modifié',
      body: 'Votre session reste ouverte ici. Tous les autres appareils ont été déconnectés.',
    },
    verify: {
      heading: 'Confirmer votre adresse e-mail',
      body: 'Confirmez que le compte {username} est bien le vôtre et qu’il peut utiliser cette adresse e-mail.',
      button: 'Confirmer',
      otherwise: 'Si vous n’avez pas créé ce compte, fermez cette page.',
    },
    verified: {
      heading: 'Votre adresse e-mail est confirmée',
      body: 'Le compte {username} est prêt\u00a0: vous pouvez maintenant vous connecter.',
    },
    email_change: {
      heading: 'Utiliser cette adresse e-mail',
      body: 'Le compte {username} utilisera désormais l’adresse {email}.',
      button: 'Utiliser cette adresse',
      otherwise: 'Si ce compte n’est pas le vôtre, fermez cette page.',
    },
    email_changed: {
      heading: 'Votre adresse e-mail a été modifiée',
      body: 'Le compte {username} utilise maintenant l’adresse {email}.',
    },
    email_undo: {
      heading: 'Annuler la modification de votre adresse e-mail',
      body: 'Si vous n’avez pas modifié l’adresse e-mail du compte {username}, cliquez ci-dessous. Nous rétablirons l’adresse {email}, déconnecterons tout le monde, désactiverons le mot de passe actuel et vous enverrons un lien permettant d’en choisir un nouveau.',
      button: 'Sécuriser mon compte',
      otherwise: 'Si vous avez modifié l’adresse vous-même, fermez cette page. Rien ne changera.',
      keep: 'Je l’ai modifiée moi-même et je veux que ce lien ne fonctionne plus',
    },
    email_undone: {
      heading: 'La modification a été annulée',
      body: 'Le compte {username} utilise de nouveau l’adresse {email}. Vous avez été déconnecté de tous les appareils. Nous avons envoyé à cette adresse un lien permettant de choisir un nouveau mot de passe.',
    },
    email_keep: {
      heading: 'Conserver la nouvelle adresse e-mail',
      body: 'Si vous avez modifié vous-même l’adresse e-mail du compte {username}, ou si vous avez cédé le compte, cliquez ci-dessous. Le lien d’annulation ne fonctionnera plus, et personne ne pourra reprendre le compte avec l’adresse {email}.',
      button: 'Conserver la nouvelle adresse',
      otherwise:
        'Si vous n’avez pas modifié l’adresse, ne cliquez pas. Revenez en arrière et sécurisez votre compte.',
    },
    email_kept: {
      heading: 'La nouvelle adresse e-mail est conservée',
      body: 'Le compte {username} ne peut plus être repris avec l’adresse {email}.',
    },
    email_release: {
      heading: 'Libérer cette adresse e-mail',
      body: 'Si le compte {username} n’est pas le vôtre, cliquez ci-dessous. Nous retirerons l’adresse {email} du compte, qui ne pourra l’utiliser que si vous la confirmez de nouveau.',
      button: 'Libérer cette adresse',
      otherwise: 'Si ce compte est le vôtre, fermez cette page. Rien ne changera.',
    },
    email_released: {
      heading: 'Votre adresse e-mail est libérée',
      body: 'Le compte {username} n’utilise pas l’adresse {email}.',
    },
    not_me: {
      heading: 'Sécurisez votre compte',
      body: 'Si cette connexion au compte {username} n’était pas la vôtre, quelqu’un d’autre connaît son mot de passe. Cliquez ci-dessous\u00a0: nous déconnecterons tout le monde, désactiverons le mot de passe actuel et vous enverrons un lien permettant d’en choisir un nouveau.',
      button: 'Sécuriser mon compte',
      otherwise: 'Si c’était vous, fermez cette page. Rien ne changera.',
    },
    not_me_done: {
      heading: 'Vous avez été déconnecté de tous les appareils',
      body: 'L’ancien mot de passe du compte {username} ne fonctionne plus. Nous vous avons envoyé un lien permettant d’en choisir un nouveau.',
    },
    problem: {
      link: 'Ce lien ne fonctionne pas',
      login: 'Aucune session n’est ouverte',
      throttled: 'Trop de tentatives',
      unavailable: 'Indisponible pour le moment',
      failed: 'Cela n’a pas fonctionné',
      unexpected: 'Une erreur s’est produite.',
    },
  },
  emails: {
    common: {
      greeting: 'Bonjour {username},',
      otherwise: 'Si le bouton ne fonctionne pas, ouvrez cette adresse\u00a0:',
      heldBack:
        'Cela s’est produit plus souvent que nous ne vous avons écrit\u00a0: nous avons retenu les messages suivants, et celui-ci les remplace.',
    },
    'reset-password': {
      subject: 'Réinitialisez votre mot de passe sur {site}',
      preheader: 'Le lien fonctionne une seule fois, pendant {duration}.',
      before: [
        'Quelqu’un, probablement vous, a demandé un nouveau mot de passe pour votre compte {username} sur {site}.',
      ],
      invitation: 'Choisissez-le ici\u00a0:',
      button: 'Choisir un nouveau mot de passe',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}.',
        'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: votre mot de passe reste inchangé.',
      ],
      reason:
        'Vous recevez cet e-mail parce qu’un nouveau mot de passe a été demandé avec votre adresse sur {site}.',
    },
    'choose-password': {
      subject: 'Choisissez un nouveau mot de passe sur {site}',
      preheader: 'L’ancien n’ouvre plus votre compte {username}.',
      before: [
        'Votre compte {username} sur {site} a été verrouillé par un lien reçu dans un e-mail\u00a0: l’ancien mot de passe ne l’ouvre plus, et tout le monde est déconnecté.',
      ],
      invitation: 'Pour vous reconnecter, choisissez un nouveau mot de passe\u00a0:',
      button: 'Choisir un nouveau mot de passe',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}. Ensuite, passez par «\u00a0mot de passe oublié\u00a0» sur {site}.',
      ],
      reason:
        'Vous recevez cet e-mail parce que le mot de passe de votre compte sur {site} a été rendu inutilisable. Il n’est pas possible de s’en désabonner.',
    },
    'verify-email': {
      subject: 'Confirmez votre adresse e-mail sur {site}',
      preheader: 'Un clic, et votre compte {username} est prêt.',
      before: ['Un compte nommé {username} a été créé sur {site} avec cette adresse e-mail.'],
      invitation: 'S’il est à vous, confirmez l’adresse\u00a0:',
      button: 'Confirmer mon adresse',
      after: [
        'Le lien fonctionne pendant {duration}.',
        'S’il n’est pas à vous, n’ouvrez pas le lien\u00a0: sans cela, l’adresse reste non confirmée.',
      ],
      reason:
        'Vous recevez cet e-mail parce que votre adresse a été indiquée pour un nouveau compte sur {site}.',
    },
    'account-exists': {
      subject: 'Vous avez déjà un compte sur {site}',
      preheader: 'Vous pouvez vous connecter avec le compte {username}.',
      before: [
        'Quelqu’un, probablement vous, a voulu s’inscrire sur {site} avec cette adresse e-mail. Un compte nommé {username} existe déjà avec elle\u00a0: aucun autre n’a été créé.',
        'Vous pouvez vous connecter avec ce compte.',
      ],
      invitation: 'Si vous n’en connaissez plus le mot de passe, choisissez-en un nouveau\u00a0:',
      button: 'Choisir un nouveau mot de passe',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}.',
        'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: rien n’a été modifié.',
      ],
      reason:
        'Vous recevez cet e-mail parce que votre adresse a été indiquée pour un nouveau compte sur {site}.',
    },
    'password-changed': {
      subject: 'Votre mot de passe sur {site} a été modifié',
      preheader: 'Si ce n’était pas vous, lisez la suite.',
      before: [
        'Le mot de passe de votre compte {username} sur {site} vient d’être modifié, et les autres appareils ont été déconnectés.',
        'Si c’était vous, vous n’avez rien à faire.',
        'Si ce n’était pas vous, quelqu’un d’autre connaît peut-être votre mot de passe\u00a0: choisissez-en immédiatement un nouveau par «\u00a0mot de passe oublié\u00a0» sur {site}.',
      ],
      reason:
        'Vous recevez cet e-mail parce que le mot de passe de votre compte sur {site} a été modifié. Il n’est pas possible de s’en désabonner.',
    },
    'change-email': {
      subject: 'Confirmez votre nouvelle adresse e-mail sur {site}',
      preheader: 'Un clic, et le compte {username} utilise cette adresse.',
      before: ['Le compte {username} sur {site} demande à utiliser désormais cette adresse e-mail.'],
      invitation: 'Si ce compte est le vôtre, confirmez l’adresse\u00a0:',
      button: 'Utiliser cette adresse',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}.',
        'Si ce compte n’est pas le vôtre, n’ouvrez pas le lien\u00a0: sans cela, rien ne change.',
      ],
      release: {
        invitation:
          'Ce n’est pas votre compte\u202f? Si l’adresse a été confirmée par erreur, retirez-la du compte\u00a0:',
        label: 'Libérer cette adresse',
      },
      reason: 'Vous recevez cet e-mail parce que votre adresse a été indiquée pour un compte sur {site}.',
    },
    'email-changed': {
      subject: 'L’adresse e-mail de votre compte sur {site} a été modifiée',
      preheader: 'Si ce n’était pas vous, lisez la suite.',
      before: [
        'Votre compte {username} sur {site} n’utilise plus cette adresse e-mail. Les e-mails à son sujet n’arrivent plus ici.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation:
        'Si ce n’était pas vous, sécurisez votre compte\u00a0: nous rétablirons cette adresse, déconnecterons tout le monde et vous enverrons un lien permettant de choisir un nouveau mot de passe.',
      button: 'Sécuriser mon compte',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}.',
        'Si vous avez reçu peu avant un e-mail semblable avec un lien, ce lien annule aussi cette modification.',
      ],
      reason:
        'Vous recevez cet e-mail parce que votre compte sur {site} avait cette adresse e-mail. Il n’est pas possible de s’en désabonner.',
    },
    'email-taken': {
      subject: 'Votre adresse e-mail est utilisée sur {site}',
      preheader: 'Le compte {username} l’utilise.',
      before: [
        'Quelqu’un, probablement vous, a voulu utiliser cette adresse e-mail pour un autre compte sur {site}. Le compte {username} l’a déjà, et une adresse n’appartient qu’à un compte.',
        'Si c’était vous, connectez-vous en tant que {username}, ou donnez d’abord une autre adresse à ce compte.',
        'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: rien n’a été modifié.',
      ],
      reason: 'Vous recevez cet e-mail parce que votre adresse a été indiquée pour un compte sur {site}.',
    },
    'new-device': {
      subject: 'Nouvelle connexion à votre compte sur {site}',
      preheader: 'Si ce n’était pas vous, lisez la suite.',
      before: [
        'Quelqu’un, probablement vous, s’est connecté à votre compte {username} sur {site} depuis un appareil inconnu.',
        'L’appareil\u00a0: {device}.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation:
        'Si ce n’était pas vous, quelqu’un d’autre connaît votre mot de passe. Déconnectez tout le monde et choisissez-en un nouveau\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien fonctionne pendant {duration}.'],
      reason:
        'Vous recevez cet e-mail en raison d’une connexion à votre compte sur {site}. Il n’est pas possible de s’en désabonner.',
    },
  },
}
