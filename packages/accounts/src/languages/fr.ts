import type { Translation } from './texts.js'

/**
 * French, with “vous”; a no-break space (U+00A0) before the colon and inside guillemets, a narrow one (U+202F) before
 * the semicolon, the exclamation mark and the question mark; the typographic apostrophe.
 */
export const fr: Translation = {
  errors: {
    ACCOUNTS_INVALID_INPUT: 'Certains champs ne sont pas valables.',
    ACCOUNTS_INVALID_LINK:
      'Ce lien n’est pas valable, ou ne l’est plus. S’il devait servir à choisir un mot de passe ou à confirmer une adresse, demandez-en un nouveau.',
    ACCOUNTS_INVALID_CREDENTIALS: 'Le nom d’utilisateur, l’adresse e-mail ou le mot de passe est incorrect.',
    ACCOUNTS_INVALID_OR_NOT_VERIFIED:
      'La connexion a échoué. Si vous venez de vous inscrire, confirmez d’abord votre adresse.',
    ACCOUNTS_SECOND_FACTOR_REQUIRED:
      'Saisissez un code de votre application d’authentification, ou utilisez un autre second facteur.',
    ACCOUNTS_INVALID_CODE: 'Ce code est incorrect ou a déjà été utilisé.',
    ACCOUNTS_LOGIN_EXPIRED: 'Cette connexion a pris trop de temps. Recommencez.',
    ACCOUNTS_LOGIN_REQUIRED: 'Connectez-vous d’abord.',
    ACCOUNTS_NOT_VERIFIED: 'L’adresse e-mail de ce compte doit d’abord être confirmée.',
    ACCOUNTS_DISABLED: 'Ce compte est désactivé.',
    ACCOUNTS_FORBIDDEN: 'Vous n’avez pas le droit de faire cela.',
    ACCOUNTS_CONFIRMATION_REQUIRED: 'Confirmez d’abord que c’est bien vous.',
    ACCOUNTS_ENROLLMENT_REQUIRED: 'Configurez d’abord un second facteur.',
    ACCOUNTS_CROSS_SITE:
      'Cette requête provient d’un autre site. Si ce site est le vôtre, ajoutez son origine à l’option trustedOrigins.',
    ACCOUNTS_NOT_FOUND: 'Introuvable.',
    ACCOUNTS_METHOD_NOT_ALLOWED: 'Méthode non autorisée.',
    ACCOUNTS_REQUEST_TIMEOUT: 'La requête a mis trop de temps à arriver. Réessayez.',
    ACCOUNTS_USERNAME_TAKEN: 'Ce nom d’utilisateur est déjà pris.',
    ACCOUNTS_EMAIL_TAKEN: 'Un compte existe déjà avec cette adresse e-mail.',
    ACCOUNTS_CONFLICT: 'Cela ne correspond pas à l’état actuel du compte. Rechargez et réessayez.',
    ACCOUNTS_THROTTLED: 'Trop de tentatives. Réessayez plus tard.',
    ACCOUNTS_UNAVAILABLE: 'Le service est indisponible pour le moment. Réessayez dans un instant.',
  },
  fields: {
    required: 'Ce champ est obligatoire.',
    invalid: 'Cette valeur n’est pas valable.',
    unknown: 'Ce champ n’existe pas.',
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
      'Un nom d’utilisateur ne peut être une adresse e-mail que si c’est celle du même compte.',
    username_reserved: 'Ce nom est réservé.',
    staff_deletes_itself:
      'Vous faites partie du personnel\u00a0: un autre membre du personnel doit vous retirer ces droits avant que vous ne supprimiez votre compte.',
    email_unchanged: 'C’est déjà cette adresse.',
    fields_size: 'Ensemble, ces champs ne doivent pas dépasser {count}\u00a0Kio.',
    factor_incorrect: 'Ce code est incorrect ou a déjà été utilisé.',
    passkey_incorrect: 'Cette clé d’accès n’a pas été acceptée. Réessayez.',
    confirm_passkey: 'Confirmez d’abord avec votre clé d’accès que c’est bien vous.',
    confirm_passkey_or_email:
      'Confirmez d’abord que c’est bien vous, avec votre clé d’accès ou un code envoyé à votre adresse e-mail.',
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
    remembered_devices: { one: '{count}\u00a0appareil mémorisé', other: '{count}\u00a0appareils mémorisés' },
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
    change_form: {
      heading: 'Modifier votre mot de passe',
      old_password: 'Mot de passe actuel',
      button: 'Modifier le mot de passe',
    },
    changed: {
      heading: 'Votre mot de passe a été modifié',
      body: 'Votre session reste ouverte ici. Tous les autres appareils ont été déconnectés.',
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
        'Cela s’est produit plusieurs fois. Nous avons retenu les e-mails suivants et envoyé celui-ci à leur place.',
    },
    'choose-password': {
      subject: 'Choisissez un nouveau mot de passe sur {site}',
      preheader: 'L’ancien mot de passe de votre compte {username} ne fonctionne plus.',
      before: [
        'Votre compte {username} sur {site} a été sécurisé. L’ancien mot de passe ne fonctionne plus, et tout le monde a été déconnecté.',
      ],
      invitation: 'Pour vous reconnecter, choisissez un nouveau mot de passe\u00a0:',
      button: 'Choisir un nouveau mot de passe',
      after: [
        'Le lien fonctionne une seule fois, pendant {duration}. Ensuite, passez par «\u00a0mot de passe oublié\u00a0» sur {site}.',
      ],
      reason:
        'Vous recevez cet e-mail parce que le mot de passe de votre compte sur {site} a été rendu inutilisable. Il n’est pas possible de s’en désabonner.',
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
    'account-changed': {
      subject: 'Votre compte sur {site} a été modifié',
      preheader: 'Une personne qui gère les comptes de {site} l’a modifié.',
      before: [
        'Une personne qui gère les comptes de {site} a modifié les données de votre compte. Votre nom d’utilisateur est {username}.',
        'Connectez-vous pour voir votre compte tel qu’il est maintenant. Si vous ne savez pas pourquoi il a été modifié, demandez à {site}.',
      ],
      reason:
        'Vous recevez cet e-mail parce que les données de votre compte sur {site} ont été modifiées. Il n’est pas possible de s’en désabonner.',
    },
    'password-changed': {
      subject: 'Votre mot de passe sur {site} a été modifié',
      preheader: 'Si ce n’était pas vous, sécurisez votre compte.',
      before: [
        'Le mot de passe de votre compte {username} sur {site} vient d’être modifié, et les autres appareils ont été déconnectés.',
        'Si c’était vous, vous n’avez rien à faire.',
        'Si ce n’était pas vous, quelqu’un d’autre connaît peut-être votre mot de passe\u00a0: choisissez-en immédiatement un nouveau par «\u00a0mot de passe oublié\u00a0» sur {site}.',
      ],
      invitation:
        'Ou sécurisez votre compte, ce qui supprime aussi les moyens de connexion ajoutés récemment\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce que le mot de passe de votre compte sur {site} a été modifié. Il n’est pas possible de s’en désabonner.',
    },
    'password-added': {
      subject: 'Votre compte sur {site} a maintenant un mot de passe',
      preheader: 'Si ce n’était pas vous, sécurisez votre compte.',
      before: [
        'Un mot de passe vient d’être défini pour votre compte {username} sur {site}, et les autres appareils ont été déconnectés.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation: 'Si ce n’était pas vous, sécurisez votre compte\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce qu’un mot de passe a été défini pour votre compte sur {site}. Il n’est pas possible de s’en désabonner.',
    },
    'password-removed': {
      subject: 'Le mot de passe de votre compte sur {site} a été supprimé',
      preheader: 'Si ce n’était pas vous, sécurisez votre compte.',
      before: [
        'Le mot de passe de votre compte {username} sur {site} vient d’être supprimé, et les autres appareils ont été déconnectés. Vos autres moyens de connexion fonctionnent toujours.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation: 'Si ce n’était pas vous, sécurisez votre compte\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien est valable {duration}.'],
      reason:
        'Vous recevez cet e-mail parce que le mot de passe de votre compte sur {site} a été supprimé. Il n’est pas possible de s’en désabonner.',
    },
    'new-device': {
      subject: 'Nouvelle connexion à votre compte sur {site}',
      preheader: 'Si ce n’était pas vous, sécurisez votre compte.',
      before: [
        'Quelqu’un, probablement vous, s’est connecté à votre compte {username} sur {site} depuis un appareil inconnu.',
        'L’appareil\u00a0: {device}.',
        'Si c’était vous, vous n’avez rien à faire.',
      ],
      invitation:
        'Si ce n’était pas vous, quelqu’un d’autre peut se connecter à votre compte. Déconnectez tout le monde et choisissez un nouveau mot de passe\u00a0:',
      button: 'Sécuriser mon compte',
      after: ['Le lien fonctionne pendant {duration}.'],
      reason:
        'Vous recevez cet e-mail en raison d’une connexion à votre compte sur {site}. Il n’est pas possible de s’en désabonner.',
    },
  },
}
