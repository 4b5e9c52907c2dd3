import type { Translation } from './texts.js'

/**
 * French, with “vous”; a no-break space (U+00A0) before the colon and inside guillemets, a narrow one (U+202F) before
 * the semicolon, the exclamation mark and the question mark; the typographic apostrophe.
 */
export const fr: Translation = {
  errors: {
    ACCOUNTS_INVALID_INPUT: 'Certains champs ne sont pas valides.',
    ACCOUNTS_INVALID_LINK:
      'Ce lien n’est pas valide ou a expiré. S’il devait servir à choisir un mot de passe, à confirmer une adresse ou à accepter une invitation, demandez-en un nouveau.',
    ACCOUNTS_INVALID_CREDENTIALS: 'Ces identifiants sont incorrects.',
    ACCOUNTS_INVALID_OR_NOT_VERIFIED:
      'La connexion a échoué. Si vous venez de vous inscrire, confirmez d’abord votre adresse.',
    ACCOUNTS_SECOND_FACTOR_REQUIRED: 'Effectuez la deuxième étape de la connexion.',
    ACCOUNTS_INVALID_CODE: 'Ce code est incorrect ou a déjà été utilisé.',
    ACCOUNTS_LOGIN_EXPIRED: 'Cette connexion n’est plus valide. Recommencez.',
    ACCOUNTS_LOGIN_REQUIRED: 'Connectez-vous d’abord.',
    ACCOUNTS_NOT_VERIFIED: 'L’adresse e-mail de ce compte doit d’abord être confirmée.',
    ACCOUNTS_DISABLED: 'Ce compte est désactivé.',
    ACCOUNTS_FORBIDDEN: 'Vous n’avez pas le droit de faire cela.',
    ACCOUNTS_CONFIRMATION_REQUIRED: 'Confirmez d’abord que c’est bien vous.',
    ACCOUNTS_ENROLLMENT_REQUIRED: 'Activez d’abord la validation en deux étapes.',
    ACCOUNTS_CROSS_SITE: 'Cette requête provient d’un autre site. Réessayez sur celui-ci.',
    ACCOUNTS_NOT_FOUND: 'Introuvable.',
    ACCOUNTS_METHOD_NOT_ALLOWED: 'Méthode non autorisée.',
    ACCOUNTS_REQUEST_TIMEOUT: 'La requête a mis trop de temps à arriver. Réessayez.',
    ACCOUNTS_USERNAME_TAKEN: 'Ce nom d’utilisateur est déjà pris.',
    ACCOUNTS_EMAIL_TAKEN: 'Un compte existe déjà avec cette adresse e-mail.',
    ACCOUNTS_CONFLICT: 'Cela ne correspond pas à l’état actuel du compte. Rechargez la page et réessayez.',
    ACCOUNTS_THROTTLED: 'Trop de tentatives. Réessayez plus tard.',
    ACCOUNTS_UNAVAILABLE: 'Le service est indisponible pour le moment. Réessayez dans un instant.',
  },
  reasons: {
    ACCOUNTS_INVALID_CREDENTIALS: {
      wrong_passkey: 'Cette clé d’accès n’a pas été acceptée. Réessayez.',
      changed_meanwhile: 'Votre compte a été modifié pendant la connexion. Reconnectez-vous.',
    },
    ACCOUNTS_SECOND_FACTOR_REQUIRED: {
      passkey: 'Utilisez votre clé d’accès pour terminer la connexion.',
      totp: 'Saisissez un code de votre application d’authentification pour terminer la connexion.',
      passkey_or_totp:
        'Utilisez votre clé d’accès pour terminer la connexion, ou saisissez un code de votre application d’authentification.',
      recovery_code: 'Saisissez l’un de vos codes de récupération pour terminer la connexion.',
    },
    ACCOUNTS_FORBIDDEN: {
      missing_permission: 'Vous n’avez pas l’autorisation de faire cela.',
      own_account:
        'Vous ne pouvez pas faire cela sur votre propre compte. Demandez à un autre membre de l’équipe.',
      sign_up_closed: 'L’inscription n’est pas ouverte ici. Si vous avez déjà un compte, connectez-vous.',
    },
    ACCOUNTS_CONFIRMATION_REQUIRED: {
      passkey: 'Confirmez d’abord avec votre clé d’accès que c’est bien vous.',
      passkey_or_email_code:
        'Confirmez d’abord que c’est bien vous, avec votre clé d’accès ou un code envoyé à votre adresse e-mail.',
      totp: 'Confirmez d’abord que c’est bien vous, avec un code de votre application d’authentification.',
      passkey_or_totp:
        'Confirmez d’abord que c’est bien vous, avec votre clé d’accès ou un code de votre application d’authentification.',
      just_added: 'Vous venez d’ajouter ceci. Confirmez avec un moyen plus ancien, ou reconnectez-vous.',
    },
    ACCOUNTS_NOT_FOUND: {
      no_password: 'Votre compte n’a pas de mot de passe.',
    },
    ACCOUNTS_CONFLICT: {
      changed_meanwhile: 'Le compte a été modifié en même temps. Rechargez la page et réessayez.',
      last_way_in: 'C’est la seule façon de vous connecter à votre compte. Ajoutez-en d’abord une autre.',
      limit_reached: 'Vous ne pouvez pas en ajouter davantage. Supprimez-en d’abord.',
      still_staff:
        'Vous pouvez donner des droits à d’autres\u00a0: un autre membre de l’équipe doit vous retirer les vôtres avant que vous ne supprimiez votre compte.',
      refused_by_rule: 'Une règle de ce service n’autorise pas cette modification.',
    },
  },
  fields: {
    required: 'Ce champ est obligatoire.',
    invalid: 'Cette valeur n’est pas valide.',
    unknown: 'Ce champ n’existe pas.',
    read_only: 'Ce champ ne peut pas être modifié ici.',
    too_short: 'Cette valeur est trop courte.',
    too_long: 'Cette valeur est trop longue.',
    too_common: 'Ce mot de passe est trop facile à deviner.',
    breached: 'Ce mot de passe figure dans une fuite de données. Choisissez-en un autre.',
    mismatch: 'Les deux mots de passe sont différents.',
    incorrect: 'Ce mot de passe est incorrect.',
    unchanged: 'Le nouveau mot de passe est identique à l’ancien.',
  },
  details: {
    min_length: { one: 'Au moins {count}\u00a0caractère.', other: 'Au moins {count}\u00a0caractères.' },
    max_length: { one: 'Au plus {count}\u00a0caractère.', other: 'Au plus {count}\u00a0caractères.' },
    username_characters: 'Seulement des lettres, des chiffres et les signes @.+-_',
    username_address:
      'Un nom d’utilisateur ne peut être une adresse e-mail que s’il s’agit de celle de ce compte.',
    username_reserved: 'Ce nom est réservé.',
    email_ascii:
      'Nous ne pouvons pas envoyer d’e-mails aux adresses avec des accents ou des lettres non latines avant le @. Utilisez-en une autre.',
    email_unchanged: 'C’est déjà votre adresse e-mail.',
    fields_size: 'Ensemble, ces champs ne doivent pas dépasser {count}\u00a0Kio.',
    factor_incorrect: 'Ce code est incorrect ou a déjà été utilisé.',
    passkey_incorrect: 'Cette clé d’accès n’a pas été acceptée. Réessayez.',
    no_such_value: '«\u00a0{value}\u00a0» ne fait pas partie des valeurs possibles.',
    body_utf8: 'Le contenu doit être en UTF-8.',
    body_bom: 'Le contenu ne doit pas commencer par un BOM.',
    body_json: 'Le contenu doit être du JSON.',
    body_form: 'Le contenu doit être de l’UTF-8 avec un encodage-pourcent.',
    host_header: 'La requête doit avoir un seul en-tête Host.',
  },
  responses: {
    confirm: 'Un lien de confirmation de l’adresse e-mail vient d’être envoyé.',
  },
  removed: {
    sentence:
      'Ces éléments ont été supprimés, car quelqu’un d’autre a pu les ajouter\u00a0: {list}. Si certains étaient à vous, configurez-les à nouveau après vous être connecté.',
    passkeys: { one: '{count}\u00a0clé d’accès', other: '{count}\u00a0clés d’accès' },
    apps: {
      one: '{count}\u00a0application d’authentification',
      other: '{count}\u00a0applications d’authentification',
    },
    recovery_codes: {
      one: '{count}\u00a0code de récupération',
      other: '{count}\u00a0codes de récupération',
    },
    identities: {
      one: '{count}\u00a0connexion par un autre fournisseur',
      other: '{count}\u00a0connexions par d’autres fournisseurs',
    },
    api_keys: { one: '{count}\u00a0clé d’API', other: '{count}\u00a0clés d’API' },
    remembered_devices: { one: '{count}\u00a0appareil mémorisé', other: '{count}\u00a0appareils mémorisés' },
  },
  pages: {
    faulty: 'Erreur\u00a0: {title}',
    onward: 'Continuer vers {site}',
    reset_form: {
      heading: 'Choisir un nouveau mot de passe',
      account: 'Pour le compte {username}.',
      new_password: 'Nouveau mot de passe',
      confirm_password: 'Confirmez le nouveau mot de passe',
      button: 'Enregistrer le mot de passe',
    },
    new_owner: {
      username: 'Nom d’utilisateur',
      profile_heading: 'Voici ce que contient le compte. Si cela ne vient pas de vous, supprimez-le :',
      profile_label: 'Supprimer ces données',
    },
    change_form: {
      heading: 'Modifier votre mot de passe',
      old_password: 'Mot de passe actuel',
      button: 'Modifier le mot de passe',
    },
    changed: {
      heading: 'Votre mot de passe a été modifié',
      body: 'Vous restez connecté ici. Tous les autres appareils ont été déconnectés.',
    },
    removes: {
      heading: 'Ces éléments seront aussi supprimés, car quelqu’un d’autre a pu les ajouter\u00a0:',
      hint: 'Si certains sont à vous, vous pourrez les configurer à nouveau ensuite.',
    },
    removed: {
      heading: 'Ces éléments ont été supprimés, car quelqu’un d’autre a pu les ajouter\u00a0:',
      hint: 'Si certains étaient à vous, configurez-les à nouveau après vous être connecté.',
    },
    problem: {
      link: 'Ce lien ne fonctionne pas',
      login: 'Vous n’êtes pas connecté',
      throttled: 'Trop de tentatives',
      unavailable: 'Indisponible pour le moment',
      failed: 'Cela n’a pas fonctionné',
      unexpected: 'Une erreur s’est produite.',
      ask: 'Si vous ne pouvez pas corriger cela, contactez {site}.',
    },
  },
  emails: {
    common: {
      sites: [' sur {site}', ' pour {site}', ' à {site}'],
      greeting: 'Bonjour {username},',
      code: 'Votre code\u00a0: {code}',
      otherwise: 'Si le bouton ne fonctionne pas, ouvrez cette adresse\u00a0:',
      time: 'Quand\u00a0: {time}',
      device: 'Appareil\u00a0: {device}',
      unknownDevice: 'inconnu',
      from: 'Lieu\u00a0: {place}',
      place: 'réseau {network}',
      byStaff: 'Par\u00a0: une personne qui gère les comptes',
      byHost: 'Par\u00a0: nous',
      heldBack: {
        one: 'Nous avons retenu cet e-mail, car nous vous en avions déjà envoyé plusieurs semblables.',
        other:
          'Depuis, cela s’est produit {count} fois. Nous avons retenu les e-mails suivants et envoyé celui-ci à leur place.',
      },
      heldBackOften:
        'Depuis, cela s’est produit plusieurs fois. Nous avons retenu les e-mails suivants et envoyé celui-ci à leur place.',
      withoutLink: 'Si ce n’était pas vous, contactez-nous immédiatement.',
      reason:
        'Vous recevez cet e-mail parce qu’il concerne la sécurité de votre compte. Il n’est pas possible de s’en désabonner.',
      secure: {
        preheader: 'Si ce n’était pas vous, sécurisez votre compte.',
        invitation: 'Si ce n’était pas vous, sécurisez votre compte\u00a0:',
        button: 'Sécuriser mon compte',
        after: ['Le lien est valable {duration}.'],
      },
    },
    'choose-password': {
      subject: 'Choisissez un nouveau mot de passe sur {site}',
      preheader: 'Aucun mot de passe antérieur de votre compte ne fonctionne plus.',
      before: [
        'Votre compte a été sécurisé. Aucun mot de passe antérieur ne fonctionne plus, et tout le monde a été déconnecté.',
      ],
      invitation: 'Pour vous reconnecter, choisissez un nouveau mot de passe\u00a0:',
      button: 'Choisir un nouveau mot de passe',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}. Ensuite, passez par «\u00a0mot de passe oublié\u00a0».',
      ],
    },
    'account-exists': {
      subject: 'Vous avez déjà un compte sur {site}',
      preheader: 'Vous pouvez vous connecter avec ce compte.',
      before: [
        'Quelqu’un, probablement vous, a voulu s’inscrire avec cette adresse e-mail. Le compte {username} l’utilise déjà\u00a0: aucun nouveau compte n’a été créé.',
        'Vous pouvez vous connecter avec ce compte.',
      ],
      invitation: 'Si vous ne pouvez pas vous connecter, choisissez un nouveau mot de passe\u00a0:',
      button: 'Choisir un nouveau mot de passe',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}.',
        'Si ce n’était pas vous, vous n’avez rien à faire\u00a0: rien n’a été modifié.',
      ],
      reason: 'Vous recevez cet e-mail parce que votre adresse a été indiquée pour un nouveau compte.',
    },
    'account-changed': {
      subject: 'Votre compte sur {site} a été modifié',
      preheader: 'Si vous ne savez pas pourquoi, contactez-nous.',
      before: [
        'Les données de votre compte ont été modifiées.',
        'Si vous ne savez pas pourquoi, contactez-nous.',
      ],
    },
    'account-deleted': {
      subject: 'Votre compte sur {site} a été supprimé',
      preheader: 'Cette suppression est définitive.',
      before: [
        'Votre compte a été supprimé. Cette suppression est définitive, et vous ne pouvez plus vous connecter.',
        'Si c’était vous ou si vous l’avez demandé, vous n’avez rien à faire.',
        'Si ce n’était pas vous, contactez-nous immédiatement.',
      ],
      reason:
        'Vous recevez cet e-mail parce que le compte associé à cette adresse e-mail a été supprimé. Vous ne recevrez plus d’e-mails à son sujet.',
    },
    'password-changed': {
      subject: 'Votre mot de passe sur {site} a été modifié',
      before: [
        'Le mot de passe de votre compte a été modifié, et les autres appareils ont été déconnectés.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation:
        'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Sécurisez-le, ce qui supprime aussi les moyens de connexion ajoutés récemment\u00a0:',
      withoutLink:
        'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Choisissez immédiatement un nouveau mot de passe par «\u00a0mot de passe oublié\u00a0».',
    },
    'password-added': {
      subject: 'Votre compte sur {site} a maintenant un mot de passe',
      before: [
        'Un mot de passe a été défini pour votre compte, et les autres appareils ont été déconnectés.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
    },
    'password-removed': {
      subject: 'Le mot de passe de votre compte sur {site} a été supprimé',
      before: [
        'Le mot de passe de votre compte a été supprimé, et les autres appareils ont été déconnectés. Vos autres moyens de connexion fonctionnent toujours.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
    },
    'factor-reset': {
      subject: 'Une méthode de validation en deux étapes a été retirée sur {site}',
      before: [
        'Une méthode de validation en deux étapes de votre compte a été retirée lors de la récupération du compte. Si c’était la seule, la connexion ne demande plus de deuxième étape.',
        'Si c’était vous ou si vous l’avez demandé, vous n’avez rien à faire.',
      ],
    },
    'new-device': {
      subject: 'Nouvelle connexion à votre compte sur {site}',
      before: [
        'Quelqu’un, probablement vous, s’est connecté à votre compte depuis un appareil inconnu.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation:
        'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Déconnectez tout le monde et choisissez un nouveau mot de passe\u00a0:',
    },
  },
}
