import type { Translated } from 'fastify-accounts/features'
import type { link_pages as en } from '../en/link-pages.js'

export const link_pages: Translated<typeof en> = {
  used: 'Vous l’avez déjà fait',
  used_body: 'Ce lien ne fonctionne qu’une fois et a déjà été utilisé.',
  used_or_changed: 'Ce lien a déjà été utilisé, ou votre compte a changé depuis son envoi.',
  used_code: 'Ce lien a déjà été utilisé, ou vous en avez demandé un plus récent.',
  outdated: 'Ce lien ne fonctionne plus',
  outdated_verification: 'Votre compte a changé depuis son envoi. Nous pouvons vous en envoyer un nouveau.',
  outdated_undo:
    'L’adresse e-mail a encore changé depuis l’envoi de ce lien. Si vous ne reconnaissez pas ce changement, utilisez le lien de notre e-mail le plus récent ou réinitialisez votre mot de passe.',
  outdated_release: 'Le compte a été désactivé ou supprimé depuis l’envoi de ce lien.',
  outdated_not_me:
    'Le compte a été sécurisé depuis l’envoi de ce lien, ou son adresse e-mail a changé. Si quelqu’un d’autre peut y avoir accès, réinitialisez votre mot de passe.',
  outdated_invitation:
    'Vous avez déjà accepté l’invitation, ou elle a été retirée ou renvoyée. Si vous n’avez pas encore de compte, cherchez un e-mail plus récent ou adressez-vous à la personne qui vous a invité.',
  expired: 'Ce lien a expiré',
  expired_body: 'Nous pouvons vous en envoyer un nouveau.',
  expired_change: 'Vous pouvez en demander un nouveau dans votre compte.',
  expired_security: 'Si quelqu’un d’autre peut avoir accès à votre compte, réinitialisez votre mot de passe.',
  expired_no_address: 'Contactez {site} pour en recevoir un nouveau.',
  expired_release: 'Si cette adresse e-mail ne doit être liée à aucun compte ici, contactez {site}.',
  expired_invitation: 'Demandez à la personne qui vous a invité de vous en envoyer un nouveau.',
  expired_identity: 'Reconnectez-vous pour en recevoir un nouveau.',
  renew: 'M’envoyer un nouveau lien',
  sent: 'Consultez votre boîte de réception',
  sent_body: 'Nous vous avons envoyé un e-mail. Ouvrez le lien qu’il contient pour continuer.',
  reset: 'Réinitialiser votre mot de passe',
  change_address: 'Changer votre adresse e-mail',
  start_again: 'Recommencer',
  too_long: 'Le texte saisi est trop long. Revenez en arrière et raccourcissez-le.',
  try_again: 'Réessayer',
  go_on: 'Continuer',
  confirm: 'Confirmer votre identité',
  get_code: 'Se connecter par e-mail',
  canceled: 'Vous avez annulé. Réessayez ou choisissez un autre moyen.',
  throttled: 'Réessayez dans {time}.',
}
